//! Pictures of how pieces move, drawn from the data of a game, so that they cannot say anything
//! else than what the move generator does.

use std::fmt;

use crate::betza::{Pattern, Slide};
use crate::spec::{Hook, Spec};
use crate::types::Kind;

/// What a piece can do on a square, seen from the middle of a diagram.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// Goes there, over whatever stands between.
    Leap,
    /// Slides there and on by the same step until something stands in the way.
    Slide {
        /// Files a step goes to the mover's right.
        dx: i8,
        /// Ranks a step goes forward.
        dy: i8,
    },
    /// Goes there, or captures there and stays where it is (igui).
    Igui,
    /// Goes there, over whatever stands between, or captures on the way as well. The square is this
    /// many squares away, 2 or 3.
    Way(u8),
    /// Slides there from one of the squares it leaps to, if that is empty.
    SecondPhase,
}

impl Mark {
    /// The symbol of a text diagram.
    #[must_use]
    pub const fn symbol(self) -> char {
        match self {
            Self::Leap => 'o',
            Self::Slide { dx: 0, .. } => '|',
            Self::Slide { dy: 0, .. } => '-',
            Self::Slide { dx: 1, dy: 1 } | Self::Slide { dx: -1, dy: -1 } => '/',
            Self::Slide { dx: 1, dy: -1 } | Self::Slide { dx: -1, dy: 1 } => '\\',
            Self::Slide { .. } => '*',
            Self::Igui => '!',
            Self::Way(2) => '2',
            Self::Way(_) => '3',
            Self::SecondPhase => '#',
        }
    }

    /// What the symbol means.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Leap => "goes there, over whatever stands between",
            Self::Slide { dx: -1..=1, dy: -1..=1 } => {
                "slides this way, also beyond the diagram, until something stands in the way"
            }
            Self::Slide { .. } => {
                "slides in knight's steps, over what they pass, until something stands on one"
            }
            Self::Igui => "as o; or captures there and stays where it is (igui)",
            Self::Way(2) => "as o; or also captures on the square passed on the way",
            Self::Way(_) => "as o; or also captures on one or both of the squares passed",
            Self::SecondPhase => "slides there from an o that is empty; also beyond the diagram",
        }
    }
}

/// A grid of marks round a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    title: String,
    /// How far the grid goes in each direction.
    radius: i8,
    /// Whether nothing lies in front: the piece stands on its farthest rank.
    farthest: bool,
    marks: Vec<(i8, i8, Mark)>,
    /// What no mark can say.
    note: Option<&'static str>,
}

impl Diagram {
    /// The diagrams of a kind: one, and a second where it moves in another way on the farthest rank.
    #[must_use]
    pub fn of(spec: &Spec, kind: Kind) -> Vec<Self> {
        let class = spec.class(spec.class_of(kind));
        let title = spec.written_name(kind);
        let mut marks = marks_of(&class.pattern());
        let mut note = None;
        let mut retreat = None;
        match class.hook {
            Hook::None => {}
            Hook::Retreat { betza, .. } => retreat = Some(marks_of(&Pattern::parse(betza))),
            Hook::Lion { lines, reach, pass } => {
                for &(dx, dy) in lines {
                    for step in 1..=reach {
                        let (x, y) = (dx * step.cast_signed(), dy * step.cast_signed());
                        let mark = if step == 1 { Mark::Igui } else { Mark::Way(step) };
                        marks.retain(|&(mx, my, _)| (mx, my) != (x, y));
                        marks.push((x, y, mark));
                    }
                }
                if pass {
                    note = Some("@  may pass: step to an empty ! square and back");
                }
            }
            Hook::TwoPhase { first, then } => {
                marks = marks_of(&Pattern::parse(first));
                add_second_phase(&mut marks, &Pattern::parse(then));
                note = Some("@  may pass: slide back to where it started");
            }
        }
        let mut diagrams = vec![Self::new(title.to_owned(), marks, note)];
        if let Some(marks) = retreat {
            let mut diagram = Self::new(format!("{title}, farthest rank"), marks, None);
            diagram.farthest = true;
            diagrams.push(diagram);
        }
        diagrams
    }

    fn new(title: String, mut marks: Vec<(i8, i8, Mark)>, note: Option<&'static str>) -> Self {
        let far = |&(dx, dy, mark): &(i8, i8, Mark)| match mark {
            Mark::Leap | Mark::Igui | Mark::Way(_) => dx.abs().max(dy.abs()),
            Mark::Slide { dx: -1..=1, dy: -1..=1 } => Self::SMALLEST,
            // A second step of a knight, the fan of a second phase.
            Mark::Slide { .. } | Mark::SecondPhase => Self::LARGEST,
        };
        let radius = marks.iter().map(far).max().unwrap_or(0).max(Self::SMALLEST);
        marks.retain(|&(dx, dy, _)| dx.abs().max(dy.abs()) <= radius);
        Self { title, radius, farthest: false, marks, note }
    }

    const SMALLEST: i8 = 2;
    const LARGEST: i8 = 4;

    /// The written name of the piece, and where it stands if that matters.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// How far the grid goes in each direction.
    #[must_use]
    pub fn radius(&self) -> i8 {
        self.radius
    }

    /// Whether it shows how the piece moves on its farthest rank, where nothing lies in front.
    #[must_use]
    pub fn farthest(&self) -> bool {
        self.farthest
    }

    /// What no mark can say, such as that the piece may pass; `@` is the piece.
    #[must_use]
    pub fn note(&self) -> Option<&'static str> {
        self.note
    }

    /// Every mark within [`Self::radius`], as `(dx, dy, mark)`: files to the right, ranks forward.
    #[must_use]
    pub fn marks(&self) -> &[(i8, i8, Mark)] {
        &self.marks
    }

    /// What the piece can do `dx` files to its right and `dy` ranks forward, within
    /// [`Self::radius`].
    #[must_use]
    pub fn mark(&self, dx: i8, dy: i8) -> Option<Mark> {
        self.marks.iter().find(|&&(x, y, _)| (x, y) == (dx, dy)).map(|&(_, _, mark)| mark)
    }

    /// The rows of the grid from the farthest forward, `@` the piece.
    fn rows(&self) -> Vec<String> {
        let top = if self.farthest { 0 } else { self.radius };
        let cell = |dx, dy| match self.mark(dx, dy) {
            _ if (dx, dy) == (0, 0) => '@',
            Some(mark) => mark.symbol(),
            None => '.',
        };
        (-self.radius..=top)
            .rev()
            .map(|dy| {
                let cells: Vec<String> =
                    (-self.radius..=self.radius).map(|dx| cell(dx, dy).to_string()).collect();
                cells.join(" ")
            })
            .collect()
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&side_by_side(std::slice::from_ref(self)))
    }
}

/// The leaps and slides of a pattern; slides as far as the largest diagram shows.
fn marks_of(pattern: &Pattern) -> Vec<(i8, i8, Mark)> {
    let mut marks: Vec<_> = pattern.leaps().iter().map(|&(dx, dy)| (dx, dy, Mark::Leap)).collect();
    for &Slide { dx, dy, range } in pattern.slides() {
        let mark = Mark::Slide { dx, dy };
        marks.extend(steps(range).map(|step| (dx * step, dy * step, mark)));
    }
    marks
}

/// How many steps of a slide the largest diagram can show.
fn steps(range: u8) -> std::ops::RangeInclusive<i8> {
    1..=Diagram::LARGEST.min(i8::try_from(range).unwrap_or(i8::MAX))
}

/// Adds the squares that slides reach from the squares marked so far.
fn add_second_phase(marks: &mut Vec<(i8, i8, Mark)>, slides: &Pattern) {
    let firsts: Vec<_> = marks.iter().map(|&(dx, dy, _)| (dx, dy)).collect();
    for (x, y) in firsts {
        for &Slide { dx, dy, range } in slides.slides() {
            // From one side of the largest diagram to the other.
            let reach = 2 * Diagram::LARGEST;
            for step in 1..=reach.min(i8::try_from(range).unwrap_or(i8::MAX)) {
                let (to_x, to_y) = (x + dx * step, y + dy * step);
                let marked = marks.iter().any(|&(mx, my, _)| (mx, my) == (to_x, to_y));
                if (to_x, to_y) != (0, 0) && !marked {
                    marks.push((to_x, to_y, Mark::SecondPhase));
                }
            }
        }
    }
}

/// Diagrams under their titles, next to each other.
fn side_by_side(diagrams: &[Diagram]) -> String {
    const GAP: usize = 4;
    let columns: Vec<(usize, Vec<String>)> = diagrams
        .iter()
        .map(|diagram| {
            let mut lines = vec![diagram.title.clone()];
            lines.extend(diagram.rows());
            (lines.iter().map(String::len).max().unwrap_or(0) + GAP, lines)
        })
        .collect();
    let height = columns.iter().map(|(_, lines)| lines.len()).max().unwrap_or(0);
    let mut text = String::new();
    for row in 0..height {
        let mut line = String::new();
        for (width, lines) in &columns {
            let cell = lines.get(row).map_or("", String::as_str);
            line += &format!("{cell:width$}");
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// What the symbols of `diagrams` mean, a line each.
fn legend(diagrams: &[Diagram]) -> String {
    let mut meanings: Vec<(String, &str)> = Vec::new();
    for &(_, _, mark) in diagrams.iter().flat_map(|diagram| &diagram.marks) {
        let symbol = mark.symbol();
        match meanings.iter_mut().find(|(_, meaning)| *meaning == mark.meaning()) {
            Some((symbols, _)) if symbols.contains(symbol) => {}
            Some((symbols, _)) => {
                symbols.push(' ');
                symbols.push(symbol);
            }
            None => meanings.push((symbol.to_string(), mark.meaning())),
        }
    }
    let mut lines: Vec<String> =
        meanings.iter().map(|(symbols, meaning)| format!("{symbols}  {meaning}")).collect();
    for note in diagrams.iter().filter_map(|diagram| diagram.note) {
        lines.push(note.to_owned());
    }
    lines.join("\n") + "\n"
}

/// How a kind moves, as a text diagram with the meaning of its symbols. Forward is up.
///
/// ```
/// use kujira_position::{Variant, Whale, diagram};
///
/// let narwhal = Whale::SPEC.kind_named("N");
/// assert_eq!(
///     diagram(Whale::SPEC, narwhal),
///     "N\n\
///      . . o . .\n\
///      . . . . .\n\
///      . o @ o .\n\
///      . . o . .\n\
///      . . . . .\n\
///      \n\
///      o  goes there, over whatever stands between\n"
/// );
/// ```
#[must_use]
pub fn diagram(spec: &Spec, kind: Kind) -> String {
    let diagrams = Diagram::of(spec, kind);
    format!("{}\n{}", side_by_side(&diagrams), legend(&diagrams))
}

/// The diagrams of several kinds next to each other, without the meaning of the symbols.
#[must_use]
pub fn diagrams(spec: &Spec, kinds: &[Kind]) -> String {
    let diagrams: Vec<_> = kinds.iter().flat_map(|&kind| Diagram::of(spec, kind)).collect();
    side_by_side(&diagrams)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard::Bitboard;
    use crate::board::Board;
    use crate::rules::Rules;
    use crate::types::{Color, Piece, Square};
    use crate::variant::{Facts, Great, Paulowich, Variant, Whale};

    /// The diagram of a kind that stands on `square`.
    fn diagram_on<V: Variant>(kind: Kind, color: Color, square: Square) -> Diagram {
        let mut diagrams = Diagram::of(V::SPEC, kind);
        let on_farthest = V::last_rank(color).has(square);
        if diagrams.len() > 1 && on_farthest { diagrams.remove(1) } else { diagrams.remove(0) }
    }

    /// Every square of every diagram against the move generator on a board with nothing else on it,
    /// for both sides and wherever the piece stands.
    fn check_reach<V: Variant>() {
        for kind in V::SPEC.all_kinds() {
            let class = Board::<V>::facts(kind).class;
            for color in Color::BOTH {
                for from in V::SPEC.geometry.reading_order() {
                    let mut board = Board::<V>::empty(Rules::DEFAULT);
                    board.put(from, Piece::new(color, kind));
                    let attacks = board.attacks(class, color, from, board.occupied());
                    let diagram = diagram_on::<V>(kind, color, from);
                    let radius = diagram.radius();
                    for (dx, dy) in offsets(radius) {
                        let Some(to) = V::SPEC.geometry.step(from, color, dx, dy) else { continue };
                        let marked = diagram.mark(dx, dy);
                        // What is reached over squares that this board does not have is only drawn.
                        let fan = marked == Some(Mark::SecondPhase);
                        assert!(
                            marked.is_some() == attacks.has(to) || (fan && !attacks.has(to)),
                            "{} at ({dx}, {dy}) from {from:?}: {marked:?}",
                            V::SPEC.kind(kind).token
                        );
                    }
                }
            }
        }
    }

    fn offsets(radius: i8) -> impl Iterator<Item = (i8, i8)> {
        (-radius..=radius)
            .flat_map(move |dy| (-radius..=radius).map(move |dx| (dx, dy)))
            .filter(|&offset| offset != (0, 0))
    }

    /// From the middle of the board every square of a diagram is there, and exactly the marked ones
    /// are reached; a piece put in the way stops slides and nothing else.
    fn check_middle<V: Variant>() {
        let geometry = V::SPEC.geometry;
        let middle = geometry.square(geometry.width() / 2, geometry.height() / 2).unwrap();
        for kind in V::SPEC.all_kinds() {
            let class = Board::<V>::facts(kind).class;
            let diagram = diagram_on::<V>(kind, Color::Black, middle);
            let board = Board::<V>::empty(Rules::DEFAULT);
            let mut walls = Bitboard::of(middle);
            for (dx, dy) in offsets(1) {
                walls |= Bitboard::of(geometry.step(middle, Color::Black, dx, dy).unwrap());
            }
            let free = board.attacks(class, Color::Black, middle, Bitboard::of(middle));
            let walled = board.attacks(class, Color::Black, middle, walls);
            for (dx, dy) in offsets(diagram.radius()) {
                let Some(to) = geometry.step(middle, Color::Black, dx, dy) else { continue };
                let mark = diagram.mark(dx, dy);
                assert_eq!(mark.is_some(), free.has(to), "{} ({dx}, {dy})", diagram.title());
                let beside = dx.abs().max(dy.abs()) == 1;
                let through = match mark {
                    None => false,
                    Some(Mark::Leap | Mark::Igui | Mark::Way(_)) => true,
                    Some(Mark::Slide { dx: sx, dy: sy }) => beside || sx.abs() + sy.abs() == 3,
                    Some(Mark::SecondPhase) => false,
                };
                assert_eq!(through, walled.has(to), "{} walled ({dx}, {dy})", diagram.title());
            }
        }
    }

    /// Lion marks against the lion moves among enemies on all sides.
    fn check_lions<V: Variant>() {
        let geometry = V::SPEC.geometry;
        let middle = geometry.square(geometry.width() / 2, geometry.height() / 2).unwrap();
        for kind in V::SPEC.all_kinds() {
            let diagram = diagram_on::<V>(kind, Color::Black, middle);
            let mut board = Board::<V>::empty(Rules::DEFAULT);
            board.put(middle, Piece::new(Color::Black, kind));
            for (dx, dy) in offsets(2) {
                let square = geometry.step(middle, Color::Black, dx, dy).unwrap();
                board.put(square, Piece::new(Color::White, Kind::WHALE));
            }
            let mut found = Vec::new();
            board.lion_moves(Board::<V>::facts(kind).class, middle, |to, way| {
                let count =
                    way.map_or(0, |way| [1, 2].iter().filter(|&&s| way.captures_step(s)).count());
                let (dx, dy) =
                    (geometry.x(to) - geometry.x(middle), geometry.y(to) - geometry.y(middle));
                found.push((dx, dy, count));
            });
            let mut drawn = Vec::new();
            for (dx, dy) in offsets(diagram.radius()) {
                match diagram.mark(dx, dy) {
                    Some(Mark::Igui) => drawn.push((0, 0, 1)),
                    Some(Mark::Way(2)) => drawn.push((dx, dy, 1)),
                    Some(Mark::Way(_)) => drawn.extend([(dx, dy, 1), (dx, dy, 1), (dx, dy, 2)]),
                    _ => {}
                }
            }
            found.sort_unstable();
            drawn.sort_unstable();
            assert_eq!(found, drawn, "{}", diagram.title());
        }
    }

    #[test]
    fn diagrams_show_what_pieces_do() {
        check_reach::<Whale>();
        check_reach::<Paulowich>();
        check_reach::<Great>();
        check_middle::<Great>();
        check_lions::<Great>();
    }

    #[test]
    fn a_dolphin_has_two_diagrams() {
        let dolphin = Whale::SPEC.kind_named("D");
        let expected = "\
D            D, farthest rank
. . . . .    . . @ . .
. . o . .    . / . \\ .
. . @ . .    / . . . \\
. . . . .
. . . . .

o  goes there, over whatever stands between
/ \\  slides this way, also beyond the diagram, until something stands in the way
";
        assert_eq!(diagram(Whale::SPEC, dolphin), expected);
    }

    #[test]
    fn symbols_of_lions_passes_and_phases() {
        let text = diagram(Great::SPEC, Great::SPEC.kind_named("+BR"));
        assert!(text.contains(". . . 3 . . .\n. . . 2 . . .\n. . o ! o . .\n"), "{text}");
        assert!(text.contains("may pass: step to"), "{text}");
        let blue = diagram(Great::SPEC, Great::SPEC.kind_named("+S"));
        assert!(blue.contains("# . # # # # # . #\n"), "{blue}");
        assert!(blue.contains("may pass: slide back"), "{blue}");
        let gray = diagram(Great::SPEC, Great::SPEC.kind_named("+H"));
        assert!(
            gray.contains(". . * . . . * . .\n. . . . . . . . .\n* . . * . * . . *\n"),
            "{gray}"
        );
    }
}
