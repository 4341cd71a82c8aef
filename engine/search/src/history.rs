//! Which quiet moves were good elsewhere in the tree.

use kujira_position::{Color, Move, Variant};

use crate::score::MAX_PLY;

/// Greatest history score.
pub(crate) const HISTORY_LIMIT: i32 = 16_384;

/// Butterfly history (color, origin, target; a kind in hand is an origin of its own), killer moves
/// by ply and the refutation of each enemy move.
pub(crate) struct History {
    squares: usize,
    origins: usize,
    butterfly: Box<[i16]>,
    killers: [[Option<Move>; 2]; MAX_PLY + 2],
    replies: Box<[Option<Move>]>,
}

impl History {
    pub(crate) fn new<V: Variant>() -> Self {
        let squares = V::SPEC.geometry.squares();
        let origins = squares + V::SPEC.kinds.len();
        Self {
            squares,
            origins,
            butterfly: vec![0; 2 * origins * squares].into_boxed_slice(),
            killers: [[None; 2]; MAX_PLY + 2],
            replies: vec![None; V::SPEC.kinds.len() * squares].into_boxed_slice(),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.butterfly.fill(0);
        self.replies.fill(None);
        self.killers = [[None; 2]; MAX_PLY + 2];
    }

    /// A new search begins: killers belong to plies of the old one, and what was learnt is half
    /// forgotten.
    pub(crate) fn new_search(&mut self) {
        self.killers = [[None; 2]; MAX_PLY + 2];
        for score in &mut self.butterfly {
            *score /= 2;
        }
    }

    #[inline(always)]
    fn index(&self, color: Color, m: Move) -> usize {
        let origin = if m.is_drop() { self.squares + m.kind().index() } else { m.from().index() };
        (color.index() * self.origins + origin) * self.squares + m.to().index()
    }

    /// How well the quiet move `m` of `color` did.
    #[inline(always)]
    pub(crate) fn score(&self, color: Color, m: Move) -> i32 {
        i32::from(self.butterfly[self.index(color, m)])
    }

    /// Rewards or punishes `m`. Scores move towards ±[`HISTORY_LIMIT`] and never beyond.
    #[inline]
    pub(crate) fn update(&mut self, color: Color, m: Move, bonus: i32) {
        let index = self.index(color, m);
        let old = i32::from(self.butterfly[index]);
        let bonus = bonus.clamp(-HISTORY_LIMIT, HISTORY_LIMIT);
        self.butterfly[index] = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }

    /// The two quiet moves that last refuted a move at `ply`.
    #[inline(always)]
    pub(crate) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// The quiet move that last refuted `previous`.
    #[inline(always)]
    pub(crate) fn reply(&self, previous: Option<Move>) -> Option<Move> {
        let previous = previous?;
        self.replies[previous.kind().index() * self.squares + previous.to().index()]
    }

    /// The quiet move `m` refuted `previous` at `ply`.
    #[inline]
    pub(crate) fn refuted(&mut self, ply: usize, previous: Option<Move>, m: Move) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        if let Some(previous) = previous {
            let index = previous.kind().index() * self.squares + previous.to().index();
            self.replies[index] = Some(m);
        }
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Kind, Square, Whale};

    use super::*;

    #[test]
    fn scores_stay_within_the_limit_and_drops_apart() {
        let mut history = History::new::<Whale>();
        let drop = Move::drop(Kind::from_index(2), Square::from_index(9));
        let step =
            Move::board(Kind::from_index(2), Square::from_index(2), Square::from_index(9), false);
        for _ in 0..1000 {
            history.update(Color::White, drop, 2000);
        }
        let score = history.score(Color::White, drop);
        assert!(score > HISTORY_LIMIT * 9 / 10 && score <= HISTORY_LIMIT, "{score}");
        assert_eq!(history.score(Color::Black, drop), 0);
        assert_eq!(history.score(Color::White, step), 0);
        history.update(Color::White, drop, -i32::MAX);
        assert!(history.score(Color::White, drop) <= 0);
        history.update(Color::White, step, 900);
        history.new_search();
        assert_eq!(history.score(Color::White, step), 450);
        history.clear();
        assert_eq!(history.score(Color::White, step), 0);
    }

    #[test]
    fn killers_are_the_last_two_different_ones() {
        let mut history = History::new::<Whale>();
        let m = |to| Move::drop(Kind::from_index(1), Square::from_index(to));
        for to in [1, 2, 2, 3] {
            history.refuted(4, Some(m(7)), m(to));
        }
        assert_eq!(history.killers(4), [Some(m(3)), Some(m(2))]);
        assert_eq!(history.killers(5), [None, None]);
        assert_eq!((history.reply(Some(m(7))), history.reply(None)), (Some(m(3)), None));
    }
}
