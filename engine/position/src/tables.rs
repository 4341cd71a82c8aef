//! Look-up tables of a game, computed from its [`Spec`] when the crate is compiled.
//!
//! The builders work on `u128` for every game and narrow at the end: trait methods cannot run in
//! constant expressions, and no array size can depend on a type parameter, so that the one macro in
//! [`crate::variant`] stamps out the calls with plain numbers.
//!
//! Every check, lint and build of the crate interprets them anew: what does not change in a loop, the
//! slices of a [`Pattern`] above all, is better taken out of it.

use crate::betza::{Pattern, Slide};
use crate::geometry::Direction;
use crate::spec::{ClassSpec, Hook, Spec};
use crate::types::{Class, Color, Kind, Square};

/// The tables of one game, for bit sets of type `B`.
pub struct Tables<B: 'static> {
    /// Squares a piece leaps to: `[color][square][class]`, flat.
    pub(crate) leaps: &'static [B],
    /// Squares a piece slides to on an empty board, `[color][square][class]`; retreats not
    /// included.
    pub(crate) slides: &'static [B],
    /// Squares a retreat with unlimited range reaches on an empty board, `[color][square][class]`.
    pub(crate) retreats: &'static [B],
    /// Squares a retreat shortened by the rule switch reaches on an empty board, `[color][square][class]`.
    pub(crate) short_retreats: &'static [B],
    /// Squares in one direction up to the edge: `[direction][square]`.
    pub(crate) rays: &'static [B],
    /// Squares strictly between two squares on a line of one of the directions of slides,
    /// `[square][square]`; no square where they are on no common line.
    pub(crate) between: &'static [B],
    /// The squares from which a piece reaches, on an empty board, each of some squares that lie side
    /// by side on a rank: `[color][middle square + stride][set of 8][class]`, flat; bit 0 of the set
    /// stands for the square before the middle one. Retreats not included. Empty table where whales
    /// are captured.
    pub(crate) covers: &'static [B],
    /// The offsets of all leaps of all classes.
    pub(crate) steps: &'static [Step<B>],
    /// The eight queen directions with the classes that slide in them.
    pub(crate) fills: &'static [Fill],
    /// The directions each class slides in as Black sees it.
    pub(crate) slide_lines: &'static [Lines],
    /// The directions of the retreat hook.
    pub(crate) retreat_lines: Lines,
    /// The first steps of two-phase moves, `[color][square]`.
    pub(crate) first_steps: &'static [B],
    /// The directions of the second phase.
    pub(crate) second_lines: Lines,
    /// What lions do beyond their leaps, by class.
    pub(crate) lions: &'static [Option<Lion>],
    /// The squares of the board.
    pub(crate) board: B,
    /// The farthest rank of each color.
    pub(crate) last_rank: [B; 2],
    /// The promotion zone of each color.
    pub(crate) zone: [B; 2],
    /// What each kind is, by kind.
    pub(crate) kinds: &'static [KindFacts],
    /// Zobrist numbers of pieces: `[code of the piece][square]`, flat, the squares padded to a power
    /// of two.
    pub(crate) piece_keys: &'static [u64],
    /// Zobrist numbers of a piece in hand: `[color][kind - 1]`, flat.
    pub(crate) hand_keys: &'static [u64],
    /// Zobrist number of White to move.
    pub(crate) side_key: u64,
}

/// One leap offset, for all pieces that have it at once.
#[derive(Clone, Copy)]
pub struct Step<B> {
    /// How far the index moves for Black; White moves by the negative.
    pub(crate) by: i32,
    /// The squares this leap can end on without leaving the board, by color.
    pub(crate) lands: [B; 2],
    /// The squares where a piece that can promote may do so on this leap, by color.
    pub(crate) promotes: [B; 2],
    /// The classes that have this leap.
    pub(crate) classes: [Class; Class::LIMIT],
    /// How many classes have it.
    pub(crate) count: usize,
    /// Whether the pawn class is among them.
    pub(crate) pawns: bool,
}

/// One queen direction, for all pieces that slide in it at once.
#[derive(Clone, Copy)]
pub struct Fill {
    /// How far the index moves a step for Black; White slides by the negative.
    pub(crate) by: i32,
    /// The classes that slide so.
    pub(crate) classes: [Class; Class::LIMIT],
    /// How many classes slide so.
    pub(crate) count: usize,
    /// Whether retreating pieces slide so.
    pub(crate) retreats: bool,
}

/// Directions of slides.
#[derive(Clone, Copy)]
pub struct Lines {
    lines: [Direction; 8],
    count: usize,
}

impl Lines {
    const NONE: Self = Self { lines: [Direction::from_index(0); 8], count: 0 };

    const fn of(pattern: &Pattern) -> Self {
        let mut lines = Self::NONE;
        let mut i = 0;
        while i < pattern.slides().len() {
            let Slide { dx, dy, .. } = pattern.slides()[i];
            let Some(direction) = Direction::from_offset(dx, dy) else {
                panic!("a slide follows one of the sixteen directions");
            };
            lines.lines[i] = direction;
            lines.count += 1;
            i += 1;
        }
        lines
    }

    /// The directions, as `color` moves.
    #[inline(always)]
    pub(crate) fn seen_by(&self, color: Color) -> impl Iterator<Item = Direction> + '_ {
        self.lines[..self.count].iter().map(move |line| line.seen_by(color))
    }

    /// Whether the direction with this index is among them.
    const fn has(&self, index: usize) -> bool {
        let mut i = 0;
        while i < self.count {
            if self.lines[i].index() == index {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether there is none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// A lion hook, see [`Hook::Lion`].
#[derive(Clone, Copy)]
pub struct Lion {
    /// The lines of the lion.
    pub(crate) lines: Lines,
    /// The farthest square of a line it can end on.
    pub(crate) reach: u8,
    /// Whether it may pass.
    pub(crate) pass: bool,
}

/// The lion hooks by class.
pub const fn lions<const N: usize>(spec: &Spec) -> [Option<Lion>; N] {
    let mut table = [None; N];
    let mut class = 0;
    while class < N {
        if let Hook::Lion { lines: offsets, reach, pass } = spec.classes[class].hook {
            let mut lines = Lines::NONE;
            while lines.count < offsets.len() {
                let (dx, dy) = offsets[lines.count];
                let Some(direction) = Direction::from_offset(dx, dy) else {
                    panic!("a lion's line is a queen direction");
                };
                assert!(direction.index() < Direction::QUEEN, "a lion's line is a queen direction");
                lines.lines[lines.count] = direction;
                lines.count += 1;
            }
            table[class] = Some(Lion { lines, reach, pass });
        }
        class += 1;
    }
    table
}

/// How many entries [`covers`] has for a color and class.
pub const fn cover_count(spec: &Spec) -> usize {
    // A row more on either side, for what lies beside a whale on the edge.
    8 * (spec.geometry.squares() + 2 * spec.geometry.row())
}

/// A table `[class][color][square]` as `[color][square][class]`: what is asked of all classes at once
/// then lies side by side.
pub const fn by_square<const N: usize>(spec: &Spec, table: [u128; N]) -> [u128; N] {
    let (squares, classes) = (spec.geometry.squares(), spec.classes.len());
    let mut turned = [0; N];
    let mut i = 0;
    while i < N {
        let (class, color, square) = (i / squares / 2, i / squares % 2, i % squares);
        turned[(color * squares + square) * classes + class] = table[i];
        i += 1;
    }
    turned
}

/// The squares that reach all of three squares in a row, see [`Tables::covers`], worked out of the tables
/// of [`leaps`] and [`slides`].
pub const fn covers<const N: usize>(spec: &Spec, leaps: &[u128], slides: &[u128]) -> [u128; N] {
    let (squares, stride) = (spec.geometry.squares(), spec.geometry.row());
    let (each, classes) = (cover_count(spec), spec.classes.len());
    let mut table = [spec.geometry.board_mask(); N];
    let mut i = 0;
    while i < N {
        let (entry, class) = (i / classes, i % classes);
        let color = entry / each;
        let (middle, set) = (entry % each / 8, entry % 8);
        let mut side = 0;
        while side < 3 {
            // Numbers of squares, a row and one higher than they are.
            let square = middle + side;
            if set >> side & 1 != 0 && square > stride && square <= stride + squares {
                // A board turned round: what reaches a square is what its twin there reaches.
                let at = (class * 2 + 1 - color) * squares + square - stride - 1;
                table[i] &= leaps[at] | slides[at];
            }
            side += 1;
        }
        i += 1;
    }
    table
}

/// What the hot paths need to know of a kind.
#[derive(Clone, Copy)]
pub struct KindFacts {
    pub(crate) class: Class,
    pub(crate) in_hand: Kind,
    pub(crate) promotes_to: Option<Kind>,
    pub(crate) pawn: bool,
}

const NO_FACTS: KindFacts =
    KindFacts { class: Class::from_index(0), in_hand: Kind::WHALE, promotes_to: None, pawn: false };

/// Facts by kind.
pub const fn kinds<const N: usize>(spec: &Spec) -> [KindFacts; N] {
    spec.validate();
    let mut facts = [NO_FACTS; N];
    let mut index = 0;
    while index < N {
        let kind = &spec.kinds[index];
        facts[index] = KindFacts {
            class: spec.class_named(kind.class),
            in_hand: spec.kind_named(kind.in_hand),
            promotes_to: match kind.promotes_to {
                Some(token) => Some(spec.kind_named(token)),
                None => None,
            },
            pawn: spec.is_pawn(Kind::from_index(index)),
        };
        index += 1;
    }
    facts
}

const fn bit(square: Square) -> u128 {
    1 << square.index()
}

const fn color_of(index: usize) -> Color {
    if index == 0 { Color::Black } else { Color::White }
}

/// Leaps of every class, `[class][color][square]`.
pub const fn leaps<const N: usize>(spec: &Spec) -> [u128; N] {
    let squares = spec.geometry.squares();
    let mut table = [0; N];
    let mut class = 0;
    while class < spec.classes.len() {
        let pattern = spec.classes[class].pattern();
        let leaps = pattern.leaps();
        let mut i = 0;
        while i < 2 * squares {
            let (color, square) = (color_of(i / squares), Square::from_index(i % squares));
            let (mut leap, mut ends) = (0, 0);
            let known = if spec.geometry.contains(square) { leaps.len() } else { 0 };
            while leap < known {
                let (dx, dy) = leaps[leap];
                if let Some(to) = spec.geometry.step(square, color, dx, dy) {
                    ends |= bit(to);
                }
                leap += 1;
            }
            table[class * 2 * squares + i] = ends;
            i += 1;
        }
        class += 1;
    }
    table
}

const fn ray(spec: &Spec, from: Square, direction: Direction) -> u128 {
    let (dx, dy) = direction.offset();
    let mut squares = 0;
    let mut square = from;
    if !spec.geometry.contains(from) {
        return 0;
    }
    while let Some(next) = spec.geometry.step(square, Color::Black, dx, dy) {
        squares |= bit(next);
        square = next;
    }
    squares
}

/// Rays, `[direction][square]`.
pub const fn rays<const N: usize>(spec: &Spec) -> [u128; N] {
    let squares = spec.geometry.squares();
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = ray(spec, Square::from_index(i % squares), Direction::from_index(i / squares));
        i += 1;
    }
    table
}

/// Which slides of a class a table is about.
#[derive(Clone, Copy)]
pub enum Slides {
    /// The slides of the class's Betza string.
    Plain,
    /// The slides of the class's retreat hook.
    Retreat,
    /// The slides of the class's retreat hook, shortened by the rule switch.
    ShortRetreat,
}

impl Slides {
    const fn of(self, class: &ClassSpec) -> Pattern {
        match (self, class.hook) {
            (Self::Plain, _) => class.pattern(),
            (Self::Retreat, Hook::Retreat { betza, .. }) => Pattern::parse(betza),
            (Self::ShortRetreat, Hook::Retreat { short, .. }) => Pattern::parse(short),
            _ => Pattern::parse(""),
        }
    }
}

/// The squares a slide of `color` reaches on an empty board.
const fn reach(spec: &Spec, from: Square, color: Color, slide: Slide) -> u128 {
    let mut squares = 0;
    let mut square = from;
    let mut steps = 0;
    if !spec.geometry.contains(from) {
        return 0;
    }
    while steps < slide.range
        && let Some(next) = spec.geometry.step(square, color, slide.dx, slide.dy)
    {
        squares |= bit(next);
        square = next;
        steps += 1;
    }
    squares
}

/// Slides on an empty board, `[class][color][square]`.
pub const fn slides<const N: usize>(spec: &Spec, which: Slides) -> [u128; N] {
    let squares = spec.geometry.squares();
    let mut table = [0; N];
    let mut class = 0;
    while class < spec.classes.len() {
        let pattern = which.of(&spec.classes[class]);
        let slides = pattern.slides();
        let mut i = 0;
        while i < 2 * squares && !slides.is_empty() {
            let (color, square) = (color_of(i / squares), Square::from_index(i % squares));
            let (mut slide, mut ends) = (0, 0);
            while slide < slides.len() {
                ends |= reach(spec, square, color, slides[slide]);
                slide += 1;
            }
            table[class * 2 * squares + i] = ends;
            i += 1;
        }
        class += 1;
    }
    table
}

/// The directions a class slides in on the farthest rank.
const fn retreat_lines(hook: &Hook) -> Lines {
    match hook {
        Hook::Retreat { betza, .. } => Lines::of(&Pattern::parse(betza)),
        _ => Lines::NONE,
    }
}

/// The directions of the game's retreat hook; none if it has no such piece.
pub const fn retreats(spec: &Spec) -> Lines {
    let mut class = 0;
    while class < spec.classes.len() {
        let lines = retreat_lines(&spec.classes[class].hook);
        if !lines.is_empty() {
            return lines;
        }
        class += 1;
    }
    Lines::NONE
}

/// The directions of the second phase of the game's two-phase move; none if it has none.
pub const fn second_lines(spec: &Spec) -> Lines {
    let mut class = 0;
    while class < spec.classes.len() {
        if let Hook::TwoPhase { then, .. } = spec.classes[class].hook {
            return Lines::of(&Pattern::parse(then));
        }
        class += 1;
    }
    Lines::NONE
}

/// The first steps of the game's two-phase move, `[color][square]`.
pub const fn first_steps<const N: usize>(spec: &Spec) -> [u128; N] {
    let squares = spec.geometry.squares();
    let mut table = [0; N];
    let mut class = 0;
    while class < spec.classes.len() {
        if let Hook::TwoPhase { first, .. } = spec.classes[class].hook {
            let pattern = Pattern::parse(first);
            let steps = pattern.leaps();
            let mut i = 0;
            while i < N {
                let (color, square) = (color_of(i / squares), Square::from_index(i % squares));
                let mut step = 0;
                while step < steps.len() {
                    let (dx, dy) = steps[step];
                    if let Some(to) = spec.geometry.step(square, color, dx, dy) {
                        table[i] |= bit(to);
                    }
                    step += 1;
                }
                i += 1;
            }
        }
        class += 1;
    }
    table
}

/// The queen directions with the classes that slide in them.
pub const fn fills(spec: &Spec) -> [Fill; Direction::QUEEN] {
    let mut fills =
        [Fill { by: 0, classes: [Class::WHALE; Class::LIMIT], count: 0, retreats: false };
            Direction::QUEEN];
    let retreats = retreats(spec);
    let mut i = 0;
    while i < Direction::QUEEN {
        let (dx, dy) = Direction::from_index(i).offset();
        fills[i].by = spec.geometry.stride_of(dx, dy);
        fills[i].retreats = retreats.has(i);
        i += 1;
    }
    let mut class = 0;
    while class < spec.classes.len() {
        let lines = Lines::of(&spec.classes[class].pattern());
        let mut i = 0;
        while i < Direction::QUEEN {
            if lines.has(i) {
                fills[i].classes[fills[i].count] = Class::from_index(class);
                fills[i].count += 1;
            }
            i += 1;
        }
        class += 1;
    }
    fills
}

/// The directions each class slides in.
pub const fn slide_lines<const N: usize>(spec: &Spec) -> [Lines; N] {
    let mut table = [Lines::NONE; N];
    let mut class = 0;
    while class < N {
        table[class] = Lines::of(&spec.classes[class].pattern());
        class += 1;
    }
    table
}

/// Squares strictly between two squares of a line.
pub const fn between<const N: usize>(spec: &Spec) -> [u128; N] {
    let squares = spec.geometry.squares();
    let mut table = [0; N];
    let mut i = 0;
    while i < squares * Direction::COUNT {
        let from = Square::from_index(i / Direction::COUNT);
        let (dx, dy) = Direction::from_index(i % Direction::COUNT).offset();
        let (mut at, mut passed) = (from, 0);
        while spec.geometry.contains(from)
            && let Some(to) = spec.geometry.step(at, Color::Black, dx, dy)
        {
            table[from.index() * squares + to.index()] = passed;
            passed |= bit(to);
            at = to;
        }
        i += 1;
    }
    table
}

/// How many different leap offsets the classes of a game have.
pub const fn step_count(spec: &Spec) -> usize {
    all_offsets(spec).leaps().len()
}

/// Every leap offset once, in the order of first use.
const fn all_offsets(spec: &Spec) -> Pattern {
    let mut all = Pattern::parse("");
    let mut class = 0;
    while class < spec.classes.len() {
        let pattern = spec.classes[class].pattern();
        let leaps = pattern.leaps();
        let mut i = 0;
        while i < leaps.len() {
            let (dx, dy) = leaps[i];
            if !all.leaps_by(dx, dy) {
                all.add_leap(dx, dy);
            }
            i += 1;
        }
        class += 1;
    }
    all
}

/// The squares where a leap of `(dx, dy)` can end, or only those where it starts or ends in the
/// promotion zone.
const fn landings(spec: &Spec, color: Color, dx: i8, dy: i8, zone_only: bool) -> u128 {
    let zone = spec.geometry.farthest_ranks(color, spec.promotion_zone);
    let mut squares = 0;
    let mut i = 0;
    while i < spec.geometry.squares() {
        let from = Square::from_index(i);
        if spec.geometry.contains(from)
            && let Some(to) = spec.geometry.step(from, color, dx, dy)
            && (!zone_only || (bit(from) | bit(to)) & zone != 0)
        {
            squares |= bit(to);
        }
        i += 1;
    }
    squares
}

/// All leap offsets with the classes that have them.
pub const fn steps<const N: usize>(spec: &Spec) -> [Step<u128>; N] {
    let pawn = spec.class_named(spec.pawns.class).index();
    let offsets = all_offsets(spec);
    let leaps = offsets.leaps();
    let mut steps = [Step {
        by: 0,
        lands: [0; 2],
        promotes: [0; 2],
        classes: [Class::WHALE; Class::LIMIT],
        count: 0,
        pawns: false,
    }; N];
    let mut i = 0;
    while i < N {
        let (dx, dy) = leaps[i];
        steps[i].by = spec.geometry.stride_of(dx, dy);
        let mut color = 0;
        while color < 2 {
            steps[i].lands[color] = landings(spec, color_of(color), dx, dy, false);
            steps[i].promotes[color] = landings(spec, color_of(color), dx, dy, true);
            color += 1;
        }
        i += 1;
    }
    let mut class = 0;
    while class < spec.classes.len() {
        let pattern = spec.classes[class].pattern();
        let mut i = 0;
        while i < N {
            let (dx, dy) = leaps[i];
            if pattern.leaps_by(dx, dy) {
                steps[i].classes[steps[i].count] = Class::from_index(class);
                steps[i].count += 1;
                steps[i].pawns |= class == pawn;
            }
            i += 1;
        }
        class += 1;
    }
    steps
}
