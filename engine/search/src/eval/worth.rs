//! What pieces are worth in centipawns, made of nothing but how they move.

use kujira_position::betza::Pattern;
use kujira_position::{Board, Color, Direction, Hook, Kind, Move, Piece, Square, Variant};

use crate::params::{
    advancement, backward_step, centre, forward_step, in_hand, lion_capture, promotion_hope,
    promotion_near, second_phase, side_step, slide_decay, square_mobility, whale_advance,
};
use crate::score::Value;

/// More kinds than any game has.
const KINDS: usize = 64;

/// The worth of a white whale in exchanges: more than everything else.
const WHALE: Value = 30_000;

/// The worth of every kind, on the board and in hand. 100 is the average pawn-like piece (dolphin,
/// calf) in hand.
#[derive(Clone)]
pub(crate) struct Worth {
    /// On an average square, by kind; nothing for the white whale, which both sides have.
    on_board: [Value; KINDS],
    /// In hand, by kind.
    in_hand: [Value; KINDS],
    /// What capturing the kind changes: the enemy loses it, the captor gains it in hand.
    swing: [Value; KINDS],
    /// What promotion gains, by kind.
    promotion: [Value; KINDS],
    /// What a captured piece is worth in the captor's hand, by kind; nothing for the white whale.
    gained: [Value; KINDS],
    /// What each kind promotes to; itself if it does not.
    promoted: [Kind; KINDS],
    /// Piece-square values, on the board, as Black stands: `[kind][square]`, flat.
    placed: Box<[Value]>,
    squares: usize,
}

impl Worth {
    /// The worth of the pieces of a game.
    pub(crate) fn new<V: Variant>() -> Self {
        let (spec, geometry) = (V::SPEC, V::SPEC.geometry);
        let squares = geometry.squares();
        let average = |kind| {
            let sum: Value = geometry.reading_order().map(|s| mobility::<V>(kind, s)).sum();
            sum / geometry.area() as Value
        };
        let promoted = |kind: Kind| spec.kind(kind).promotes_to.and_then(|t| spec.find_kind(t));
        // First in hundredths of a step, then scaled.
        let mut steps = [0; KINDS];
        for kind in spec.all_kinds() {
            let own = average(kind);
            let gain = promoted(kind).map_or(0, |to| (average(to) - own).max(0));
            steps[kind.index()] = own + gain * promotion_hope() / 100;
        }
        let pawns: Vec<Value> = spec
            .all_kinds()
            .filter(|&kind| kind.index() <= spec.hand_kinds && spec.is_pawn(kind))
            .map(|kind| steps[kind.index()])
            .collect();
        let pawn_step = (pawns.iter().sum::<Value>() / (pawns.len() as Value).max(1)).max(1);
        let pawn = 100 * 100 / in_hand();
        let scaled = |value: Value| value * pawn / pawn_step;

        let mut worth = Self {
            on_board: [0; KINDS],
            in_hand: [0; KINDS],
            swing: [0; KINDS],
            promotion: [0; KINDS],
            gained: [0; KINDS],
            promoted: [Kind::WHALE; KINDS],
            placed: vec![0; spec.kinds.len() * squares].into_boxed_slice(),
            squares,
        };
        for kind in spec.all_kinds().skip(1) {
            worth.on_board[kind.index()] = scaled(steps[kind.index()]);
            worth.in_hand[kind.index()] = scaled(steps[kind.index()]) * in_hand() / 100;
        }
        worth.swing[Kind::WHALE.index()] = WHALE;
        for kind in spec.all_kinds().skip(1) {
            let (index, after) = (kind.index(), spec.kind_named(spec.kind(kind).in_hand));
            worth.gained[index] = worth.in_hand[after.index()];
            worth.swing[index] = worth.on_board[index] + worth.gained[index];
            worth.promoted[index] = promoted(kind).unwrap_or(kind);
            worth.promotion[index] =
                promoted(kind).map_or(0, |to| worth.on_board[to.index()] - worth.on_board[index]);
        }
        let ranks = Value::from(geometry.ranks);
        for kind in spec.all_kinds() {
            for square in geometry.reading_order() {
                let rank = Value::from(geometry.rank_from(square, Color::Black));
                let placed = &mut worth.placed[kind.index() * squares + square.index()];
                if kind == Kind::WHALE {
                    *placed = -whale_advance() * rank;
                    continue;
                }
                let middle = 2 * Value::from(geometry.x(square)) - Value::from(geometry.files) + 1;
                let unusual = scaled(mobility::<V>(kind, square) - average(kind));
                *placed = worth.on_board[kind.index()] + unusual * square_mobility() / 100
                    - centre() * middle.abs() / 2
                    + advancement() * (rank - ranks / 2);
                if promoted(kind).is_some() {
                    let way = (ranks - Value::from(spec.promotion_zone) - 1).max(1);
                    let near = worth.promotion[kind.index()].max(0) * promotion_near() / 100;
                    *placed += near * rank.min(way) / way - near / 2;
                }
            }
        }
        worth
    }

    /// In hand.
    #[inline(always)]
    pub(crate) fn in_hand(&self, kind: Kind) -> Value {
        self.in_hand[kind.index()]
    }

    /// What capturing `kind` changes: the enemy loses it, the captor gains it in hand.
    #[inline(always)]
    pub(crate) fn swing(&self, kind: Kind) -> Value {
        self.swing[kind.index()]
    }

    /// What the promotion of `kind` gains.
    #[inline(always)]
    pub(crate) fn promotion(&self, kind: Kind) -> Value {
        self.promotion[kind.index()]
    }

    /// What a captured piece of `kind` is worth in the captor's hand.
    #[inline(always)]
    pub(crate) fn gained(&self, kind: Kind) -> Value {
        self.gained[kind.index()]
    }

    /// What `kind` promotes to; itself if it does not.
    #[inline(always)]
    pub(crate) fn promoted(&self, kind: Kind) -> Kind {
        self.promoted[kind.index()]
    }

    /// A piece on its square, from Black's point of view.
    #[inline(always)]
    pub(crate) fn placed<V: Variant>(&self, piece: Piece, square: Square) -> Value {
        let row = piece.kind().index() * self.squares;
        match piece.color() {
            Color::Black => self.placed[row + square.index()],
            Color::White => -self.placed[row + V::SPEC.geometry.turned(square).index()],
        }
    }
}

/// How far and where a piece of Black can go from `square` on an empty board, in hundredths of a
/// step.
fn mobility<V: Variant>(kind: Kind, square: Square) -> Value {
    let (spec, geometry) = (V::SPEC, V::SPEC.geometry);
    let class = spec.class(spec.class_of(kind));
    let last = geometry.rank_from(square, Color::Black) == geometry.ranks as i8 - 1;
    let on_board =
        |dx: i8, dy: i8| geometry.step(square, Color::Black, dx, dy).map_or(0, |_| weight(dy));
    match class.hook {
        Hook::Retreat { betza, .. } if last => reach::<V>(&Pattern::parse(betza), square),
        Hook::None | Hook::Retreat { .. } => reach::<V>(&class.pattern(), square),
        Hook::Lion { lines, reach: steps, .. } => {
            let ways: Value = (1..=steps as i8)
                .flat_map(|step| lines.iter().map(move |&(dx, dy)| on_board(dx * step, dy * step)))
                .sum();
            reach::<V>(&class.pattern(), square) + ways * lion_capture() / 100
        }
        Hook::TwoPhase { first, then } => {
            let (first, then) = (Pattern::parse(first), Pattern::parse(then));
            let second: Value = first
                .leaps()
                .iter()
                .filter_map(|&(dx, dy)| geometry.step(square, Color::Black, dx, dy))
                .map(|between| reach::<V>(&then, between))
                .sum();
            reach::<V>(&first, square) + second * second_phase() / 100
        }
    }
}

/// The worth of one step `dy` ranks forward.
fn weight(dy: i8) -> Value {
    if dy > 0 {
        forward_step()
    } else if dy < 0 {
        backward_step()
    } else {
        side_step()
    }
}

/// Leaps and slides from `square` on an empty board.
fn reach<V: Variant>(pattern: &Pattern, square: Square) -> Value {
    let geometry = V::SPEC.geometry;
    let mut sum = 0;
    for &(dx, dy) in pattern.leaps() {
        if geometry.step(square, Color::Black, dx, dy).is_some() {
            sum += weight(dy);
        }
    }
    for slide in pattern.slides() {
        let (mut at, mut worth) = (square, weight(slide.dy));
        for _ in 0..slide.range {
            let Some(next) = geometry.step(at, Color::Black, slide.dx, slide.dy) else { break };
            sum += worth;
            worth = worth * slide_decay() / 100;
            at = next;
        }
    }
    sum
}

/// A capture: the squares emptied of enemy pieces, the end square first.
pub(crate) struct Capture {
    squares: [Option<Square>; 3],
}

impl Capture {
    /// The pieces captured and where.
    #[inline(always)]
    pub(crate) fn pieces<V: Variant>(
        &self,
        board: &Board<V>,
    ) -> impl Iterator<Item = (Square, Piece)> {
        self.squares
            .iter()
            .flatten()
            .filter_map(move |&square| Some((square, board.piece_on(square)?)))
    }
}

/// What `m`, legal on `board`, captures; `None` if nothing.
#[inline]
pub(crate) fn captured<V: Variant>(board: &Board<V>, m: Move) -> Option<Capture> {
    if m.is_drop() {
        return None;
    }
    let mut squares = [None; 3];
    let (from, to) = (m.from(), m.to());
    // A pass ends where it starts, igui too: what stands there is the piece itself.
    if from != to && board.piece_on(to).is_some() {
        squares[0] = Some(to);
    }
    if let Some(way) = m.way() {
        let (dx, dy) = Direction::from_index(way.line()).offset();
        let on_the_way = |step: i8| {
            let square = V::SPEC.geometry.step(from, Color::Black, dx * step, dy * step);
            square.filter(|_| way.captures_step(step as usize))
        };
        squares[1] = on_the_way(1);
        squares[2] = on_the_way(2);
    }
    (squares != [None; 3]).then_some(Capture { squares })
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Position, Whale};

    use super::*;

    fn worth_of<V: Variant>(token: &str) -> (Value, Value) {
        let worth = Worth::new::<V>();
        let kind = V::SPEC.kind_named(token);
        (worth.on_board[kind.index()], worth.in_hand[kind.index()])
    }

    #[test]
    fn a_hundred_is_a_pawn_in_hand() {
        for in_hand in [worth_of::<Whale>("D").1, worth_of::<Paulowich>("D").1] {
            assert!((98..=101).contains(&in_hand), "{in_hand}");
        }
        let calves: Value = V_CALVES.iter().map(|token| worth_of::<Great>(token).1).sum();
        assert!((95..=102).contains(&(calves / V_CALVES.len() as Value)), "{calves}");
    }

    const V_CALVES: [&str; 11] =
        ["BRC", "DPC", "NBC", "BC", "FC", "KC", "MC", "SEC", "PC", "BDC", "BWC"];

    fn check_order<V: Variant>(descending: &[&str]) {
        let worth: Vec<Value> = descending.iter().map(|token| worth_of::<V>(token).0).collect();
        assert!(worth.windows(2).all(|pair| pair[0] > pair[1]), "{descending:?} {worth:?}");
    }

    #[test]
    fn what_moves_farther_is_worth_more() {
        check_order::<Whale>(&["K", "H", "N", "P", "D"]);
        check_order::<Paulowich>(&["K", "G", "N", "P", "D"]);
        check_order::<Great>(&["+S", "+NB", "M", "RT", "P", "KC"]);
    }

    #[test]
    fn losing_a_porpoise_gives_the_enemy_a_killer_whale() {
        let worth = Worth::new::<Whale>();
        let kind = |token| Whale::SPEC.kind_named(token);
        assert_eq!(worth.swing(kind("P")), worth_of::<Whale>("P").0 + worth_of::<Whale>("K").1);
    }

    #[test]
    fn placing_is_symmetric() {
        let worth = Worth::new::<Great>();
        for kind in Great::SPEC.all_kinds() {
            for square in Great::SPEC.geometry.reading_order() {
                let turned = Great::SPEC.geometry.turned(square);
                assert_eq!(
                    worth.placed::<Great>(Piece::new(Color::Black, kind), square),
                    -worth.placed::<Great>(Piece::new(Color::White, kind), turned)
                );
            }
        }
    }

    #[test]
    fn captures_on_the_way_are_seen() {
        let position = Position::<Great>::from_sfen(
            "5,w,5/11/11/5,kc,5/5,p,5/5,+BR,5/11/11/11/11/5,W,5 b - 1",
        )
        .unwrap();
        let count = |text: &str| {
            let m = position.parse_usi(text).unwrap();
            captured(position.board(), m).map_or(0, |c| c.pieces(position.board()).count())
        };
        assert_eq!(count("6f6e6f"), 1);
        assert_eq!(count("6f6e6d6c"), 2);
        assert_eq!(count("6f6e6d"), 2);
        assert_eq!(count("6f6e"), 1);
        assert_eq!(count("6f6c"), 0);
        assert_eq!(count("6f5f"), 0);
    }
}
