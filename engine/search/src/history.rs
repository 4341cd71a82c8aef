//! Which moves were good elsewhere in the tree.

use std::marker::PhantomData;

use kujira_position::{Bitboard, Bits, Color, Move, Piece, Square, Variant, class_of};

use crate::params::butterfly_weight;

/// Greatest history score.
pub(crate) const HISTORY_LIMIT: i32 = 16_384;

/// The longest table that is cleared by filling it with zeros. A longer one is allocated anew: a search touches
/// only a part of it, and only that part costs time.
const REFILLED: usize = 1 << 21;

/// How many plies back the moves lie whose continuation is remembered.
pub(crate) const CONTINUATIONS: [usize; 3] = [1, 2, 4];

/// A move made earlier in the line, as continuation history tells moves apart: color, class of the
/// piece and target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Context(u32);

impl Context {
    /// No move: before the root, or a null move.
    pub(crate) const NONE: Self = Self(0);

    /// The move with this number among those that can be told apart.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "boards and classes are few")]
    const fn numbered(index: usize) -> Self {
        Self(1 + index as u32)
    }

    /// Its place in tables of [`History::CONTEXTS`] entries.
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Default for Context {
    fn default() -> Self {
        Self::NONE
    }
}

/// The moves that led to a node, in the order of [`CONTINUATIONS`].
pub(crate) type Contexts = [Context; CONTINUATIONS.len()];

/// Whether a move leaves a square that the enemy attacks with more than its whale, or ends on one: the four
/// cases that a threat-indexed history tells apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ThreatIndex(u8);

impl ThreatIndex {
    const CASES: usize = 4;

    /// The case of `m`, where the enemy attacks these squares.
    #[inline(always)]
    pub(crate) fn of<B: Bits>(m: Move, attacked: Bitboard<B>) -> Self {
        let leaves = !m.is_drop() && attacked.has(m.from());
        Self(2 * u8::from(leaves)).ending(attacked.has(m.to()))
    }

    /// The case of a move that leaves its square as this one does, with `attacked` for the square on which it
    /// ends.
    #[inline(always)]
    fn ending(self, attacked: bool) -> Self {
        Self(self.0 & 2 | u8::from(attacked))
    }
}

/// What a thread has learnt about moves. Scores lie within ±[`HISTORY_LIMIT`].
///
/// - butterfly: threats, color, origin, target; a kind in hand is an origin of its own;
/// - continuation: a move made one, two or four plies before, class of the piece and whether it is
///   dropped, target;
/// - captures: color, class of the piece, target, class of the piece captured there;
/// - the refutation of each enemy move.
pub(crate) struct History<V: Variant> {
    butterfly: Box<[i16]>,
    continuation: Box<[i16]>,
    captures: Box<[i16]>,
    replies: Box<[Option<Move>]>,
    variant: PhantomData<V>,
}

/// Scores of quiet moves that differ only in where they end, by that square.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a, V: Variant> {
    /// By whether the enemy attacks where the move ends.
    butterfly: [&'a [i16]; 2],
    continuation: [&'a [i16]; CONTINUATIONS.len()],
    variant: PhantomData<V>,
}

impl<V: Variant> Row<'_, V> {
    /// The score, as in [`History::score`], of the move that ends on `to`; `attacked` says whether the enemy
    /// attacks that square.
    #[inline(always)]
    pub(crate) fn score(&self, to: Square, attacked: bool) -> i32 {
        let to = to.index();
        let continuation: i32 = self.continuation.iter().map(|row| i32::from(row[to])).sum();
        weighted::<V>(self.butterfly[usize::from(attacked)][to]) + continuation
    }
}

/// A butterfly score with its weight beside the continuation scores.
#[inline(always)]
fn weighted<V: Variant>(butterfly: i16) -> i32 {
    i32::from(butterfly) * butterfly_weight::<V>() / 4
}

/// A score that lies within the limits of its table, as the table keeps it.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "every limit lies within 16 bits")]
pub(crate) const fn narrow(score: i32) -> i16 {
    score as i16
}

/// Moves a score by `bonus` towards ±[`HISTORY_LIMIT`], and never beyond.
#[inline(always)]
fn adjust(score: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-HISTORY_LIMIT, HISTORY_LIMIT);
    let old = i32::from(*score);
    *score = narrow(old + bonus - old * bonus.abs() / HISTORY_LIMIT);
}

impl<V: Variant> History<V> {
    const SQUARES: usize = V::SPEC.geometry.squares();
    const CLASSES: usize = V::SPEC.classes.len();
    const ORIGINS: usize = Self::SQUARES + V::SPEC.kinds.len();
    /// Moves that can be told apart after a context.
    const FOLLOWING: usize = 2 * Self::CLASSES * Self::SQUARES;
    /// Contexts that can be told apart.
    pub(crate) const CONTEXTS: usize = 1 + 2 * Self::CLASSES * Self::SQUARES;

    pub(crate) fn new() -> Self {
        let butterfly = ThreatIndex::CASES * 2 * Self::ORIGINS * Self::SQUARES;
        let captures = 2 * Self::CLASSES * Self::SQUARES * Self::CLASSES;
        Self {
            butterfly: vec![0; butterfly].into_boxed_slice(),
            continuation: vec![0; Self::CONTEXTS * Self::FOLLOWING].into_boxed_slice(),
            captures: vec![0; captures].into_boxed_slice(),
            replies: vec![None; Self::CONTEXTS].into_boxed_slice(),
            variant: PhantomData,
        }
    }

    /// Clears all tables, for a new game. They are kept between the searches of a game: halving the scores
    /// there cost 77 Elo at 11×11 with 5,000 nodes a move, where moves are many and each is seldom met.
    pub(crate) fn clear(&mut self) {
        for table in [&mut self.butterfly, &mut self.captures] {
            table.fill(0);
        }
        if self.continuation.len() <= REFILLED || cfg!(target_family = "wasm") {
            // In WebAssembly memory only grows: a second table beside the first would stay for good.
            self.continuation.fill(0);
        } else {
            // The system hands out zeroed memory as it is touched, and of a large table little is.
            self.continuation = vec![0; self.continuation.len()].into_boxed_slice();
        }
        self.replies.fill(None);
    }

    /// `m` of `color` as the context of later moves.
    #[inline(always)]
    pub(crate) fn context(color: Color, m: Move) -> Context {
        let class = class_of::<V>(m.kind()).index();
        let index = (color.index() * Self::CLASSES + class) * Self::SQUARES + m.to().index();
        Context::numbered(index)
    }

    #[inline(always)]
    fn butterfly_index(color: Color, m: Move, threat: ThreatIndex) -> usize {
        let table = usize::from(threat.0) * 2 + color.index();
        let origin = if m.is_drop() { Self::SQUARES + m.kind().index() } else { m.from().index() };
        (table * Self::ORIGINS + origin) * Self::SQUARES + m.to().index()
    }

    #[inline(always)]
    fn following_index(context: Context, m: Move) -> usize {
        let class = class_of::<V>(m.kind()).index() + Self::CLASSES * usize::from(m.is_drop());
        context.0 as usize * Self::FOLLOWING + class * Self::SQUARES + m.to().index()
    }

    #[inline(always)]
    fn capture_index(color: Color, m: Move, square: Square, victim: Piece) -> usize {
        let class = class_of::<V>(m.kind()).index();
        let victim = class_of::<V>(victim.kind()).index();
        ((color.index() * Self::CLASSES + class) * Self::SQUARES + square.index()) * Self::CLASSES
            + victim
    }

    /// How well the quiet move `m` of `color` did after the moves of `contexts`.
    #[inline(always)]
    pub(crate) fn score(
        &self,
        color: Color,
        contexts: Contexts,
        m: Move,
        threat: ThreatIndex,
    ) -> i32 {
        let mut score = weighted::<V>(self.butterfly[Self::butterfly_index(color, m, threat)]);
        for context in contexts {
            score += i32::from(self.continuation[Self::following_index(context, m)]);
        }
        score
    }

    /// The scores of all quiet moves of `color` after the moves of `contexts` that differ from `m` only in
    /// where they end; `attacked` are the squares that [`ThreatIndex::of`] asks for.
    #[inline(always)]
    pub(crate) fn row<B: Bits>(
        &self,
        color: Color,
        contexts: Contexts,
        m: Move,
        attacked: Bitboard<B>,
    ) -> Row<'_, V> {
        let first = m.to().index();
        let threat = ThreatIndex::of(m, attacked);
        let butterfly = [false, true].map(|ends| {
            let index = Self::butterfly_index(color, m, threat.ending(ends));
            &self.butterfly[index - first..][..Self::SQUARES]
        });
        let continuation = contexts.map(|context| {
            &self.continuation[Self::following_index(context, m) - first..][..Self::SQUARES]
        });
        Row { butterfly, continuation, variant: PhantomData }
    }

    /// Rewards or punishes the quiet move `m` of `color` after the moves of `contexts`.
    #[inline]
    pub(crate) fn update(
        &mut self,
        color: Color,
        contexts: Contexts,
        m: Move,
        threat: ThreatIndex,
        bonus: i32,
    ) {
        self.update_alone(color, m, threat, bonus);
        for context in contexts {
            if context != Context::NONE {
                adjust(&mut self.continuation[Self::following_index(context, m)], bonus);
            }
        }
    }

    /// Rewards or punishes the quiet move `m` of `color`, whatever led to it.
    #[inline]
    pub(crate) fn update_alone(&mut self, color: Color, m: Move, threat: ThreatIndex, bonus: i32) {
        adjust(&mut self.butterfly[Self::butterfly_index(color, m, threat)], bonus);
    }

    /// How well captures of `victim` on `square` by `m` of `color` did.
    #[inline(always)]
    pub(crate) fn capture_score(&self, color: Color, m: Move, at: Square, victim: Piece) -> i32 {
        i32::from(self.captures[Self::capture_index(color, m, at, victim)])
    }

    /// Rewards or punishes the capture of `victim` on `square` by `m` of `color`.
    #[inline]
    pub(crate) fn update_capture(
        &mut self,
        color: Color,
        m: Move,
        at: Square,
        victim: Piece,
        bonus: i32,
    ) {
        adjust(&mut self.captures[Self::capture_index(color, m, at, victim)], bonus);
    }

    /// The quiet move that last refuted `previous`.
    #[inline(always)]
    pub(crate) fn reply(&self, previous: Context) -> Option<Move> {
        self.replies[previous.index()]
    }

    /// Remembers that the quiet move `m` refuted `previous`.
    #[inline]
    pub(crate) fn set_reply(&mut self, previous: Context, m: Move) {
        if previous != Context::NONE {
            self.replies[previous.index()] = Some(m);
        }
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Kind, Square, Whale};

    use super::*;

    const NO_CONTEXT: Contexts = [Context::NONE; CONTINUATIONS.len()];
    const SAFE: ThreatIndex = ThreatIndex(0);

    #[test]
    fn scores_stay_within_the_limit_and_drops_apart() {
        let mut history = History::<Whale>::new();
        let drop = Move::drop(Kind::from_index(2), Square::from_index(9));
        let step =
            Move::board(Kind::from_index(2), Square::from_index(2), Square::from_index(9), false);
        for _ in 0..1000 {
            history.update(Color::White, NO_CONTEXT, drop, SAFE, 2000);
        }
        let score = history.score(Color::White, NO_CONTEXT, drop, SAFE);
        assert!(score > HISTORY_LIMIT * 9 / 10 && score <= HISTORY_LIMIT, "{score}");
        assert_eq!(history.score(Color::Black, NO_CONTEXT, drop, SAFE), 0);
        assert_eq!(history.score(Color::White, NO_CONTEXT, step, SAFE), 0);
        history.update(Color::White, NO_CONTEXT, drop, SAFE, -i32::MAX);
        assert!(history.score(Color::White, NO_CONTEXT, drop, SAFE) <= 0);
        history.update(Color::White, NO_CONTEXT, step, SAFE, 900);
        assert_eq!(history.score(Color::White, NO_CONTEXT, step, SAFE), 900);
        history.clear();
        assert_eq!(history.score(Color::White, NO_CONTEXT, step, SAFE), 0);
    }

    #[test]
    fn moves_from_and_to_attacked_squares_are_learnt_apart() {
        let mut history = History::<Whale>::new();
        // A drop says that it comes from the first square.
        let (from, to) = (Square::from_index(0), Square::from_index(9));
        let m = Move::board(Kind::from_index(2), from, to, false);
        let drop = Move::drop(Kind::from_index(2), to);
        let (source, target) = (Bitboard::<u64>::of(from), Bitboard::of(to));
        let cases = [Bitboard::EMPTY, source, target, source | target];
        for (number, attacked) in cases.into_iter().enumerate() {
            history.update_alone(
                Color::Black,
                m,
                ThreatIndex::of(m, attacked),
                100 + number as i32,
            );
        }
        for (number, attacked) in cases.into_iter().enumerate() {
            let (score, threat) = (100 + number as i32, ThreatIndex::of(m, attacked));
            assert_eq!(history.score(Color::Black, NO_CONTEXT, m, threat), score);
            let row = history.row(Color::Black, NO_CONTEXT, m, attacked);
            assert_eq!(row.score(to, attacked.has(to)), score);
        }
        history.update_alone(Color::Black, drop, ThreatIndex::of(drop, source), 300);
        assert_eq!(history.score(Color::Black, NO_CONTEXT, drop, SAFE), 300);
        assert_eq!(history.row(Color::Black, NO_CONTEXT, drop, source).score(to, false), 300);
    }

    #[test]
    fn what_follows_a_move_is_remembered_with_it() {
        let mut history = History::<Whale>::new();
        let m = |to| Move::drop(Kind::from_index(1), Square::from_index(to));
        let context = History::<Whale>::context(Color::Black, m(3));
        let contexts = [context, Context::NONE, Context::NONE];
        history.update(Color::White, contexts, m(5), SAFE, 1000);
        assert_eq!(history.score(Color::White, contexts, m(5), SAFE), 2000);
        assert_eq!(history.score(Color::White, NO_CONTEXT, m(5), SAFE), 1000);
        let other = [History::<Whale>::context(Color::White, m(3)), context, Context::NONE];
        assert_eq!(history.score(Color::Black, other, m(5), SAFE), 1000);
    }

    #[test]
    fn captures_are_told_apart_by_victim() {
        let mut history = History::<Whale>::new();
        let (from, to) = (Square::from_index(2), Square::from_index(9));
        let m = Move::board(Kind::from_index(2), from, to, false);
        let victim = |kind| Piece::new(Color::White, Kind::from_index(kind));
        history.update_capture(Color::Black, m, to, victim(1), 700);
        assert_eq!(history.capture_score(Color::Black, m, to, victim(1)), 700);
        assert_eq!(history.capture_score(Color::Black, m, to, victim(2)), 0);
    }

    #[test]
    fn the_last_refutation_of_a_move_is_its_reply() {
        let mut history = History::<Whale>::new();
        let m = |to| Move::drop(Kind::from_index(1), Square::from_index(to));
        let previous = History::<Whale>::context(Color::White, m(7));
        for to in [1, 3] {
            history.set_reply(previous, m(to));
        }
        history.set_reply(Context::NONE, m(5));
        assert_eq!((history.reply(previous), history.reply(Context::NONE)), (Some(m(3)), None));
    }
}
