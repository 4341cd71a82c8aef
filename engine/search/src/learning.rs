//! What a node teaches the histories: which moves to try sooner elsewhere, and which later.

use arrayvec::ArrayVec;
use kujira_position::{Move, Threats, Variant};

use crate::eval::{Evaluator, captured};
use crate::history::{Danger, HISTORY_LIMIT};
use crate::params::{evaluation_bonus, evaluation_bonus_limit};
use crate::score::Value;
use crate::worker::Worker;

/// Moves of a node that are remembered, to be punished when a later one is better.
pub(crate) type Tried = ArrayVec<Move, 32>;

/// History score that a move gains by refuting the one before in a search of `depth` plies.
fn refutation_bonus(depth: i32) -> i32 {
    (depth * depth * 16 + 120 * depth).min(HISTORY_LIMIT / 8)
}

/// History score that a quiet move gains when the evaluation was `before` for who made it, and is `after`
/// for the enemy, in centipawns.
fn gain_bonus(before: Value, after: Value) -> i32 {
    let limit = evaluation_bonus_limit();
    ((-after - before) * evaluation_bonus()).clamp(-limit, limit)
}

impl<V: Variant, E: Evaluator<V>> Worker<'_, V, E> {
    /// The danger that `m`, a move of who is to move, leaves and meets.
    #[inline(always)]
    pub(crate) fn danger(&self, m: Move, threats: &Threats<V>) -> Danger {
        let board = self.position.board();
        Danger::of(m, threats.of(board, !board.side()).all())
    }

    /// Rewards the move `best` that refuted the one before, and punishes those tried in vain.
    pub(crate) fn learn(
        &mut self,
        best: Move,
        quiets: &Tried,
        captures: &Tried,
        threats: &Threats<V>,
        depth: i32,
        ply: usize,
    ) {
        let bonus = refutation_bonus(depth);
        let (us, contexts) = (self.position.side(), self.contexts(ply));
        if captured(self.position.board(), best).is_none() {
            self.memory.history.refuted(ply, contexts[0], best);
            let rewards = [(best, bonus)].into_iter();
            for (m, bonus) in rewards.chain(quiets.iter().map(|&m| (m, -bonus))) {
                let danger = self.danger(m, threats);
                self.memory.history.update(us, contexts, m, danger, bonus);
            }
        }
        let (board, history) = (self.position.board(), &mut self.memory.history);
        for &m in captures.iter().chain([&best]) {
            let Some(capture) = captured(board, m) else { continue };
            for (at, victim) in capture.pieces(board) {
                let bonus = if m == best { bonus } else { -bonus };
                history.update_capture(us, m, at, victim, bonus);
            }
        }
    }

    /// Rewards the move `m` of the table, if it is a quiet one, for refuting the one before.
    #[inline]
    pub(crate) fn learn_from_table(
        &mut self,
        m: Move,
        threats: &Threats<V>,
        depth: i32,
        ply: usize,
    ) {
        let board = self.position.board();
        // The entry may be that of another position.
        if board.is_legal(m) && captured(board, m).is_none() {
            let (us, contexts, danger) =
                (board.side(), self.contexts(ply), self.danger(m, threats));
            self.memory.history.update(us, contexts, m, danger, refutation_bonus(depth));
        }
    }

    /// Rewards or punishes the quiet move that led to `ply` for what it did to the evaluation, which now is
    /// `eval`, before anything is searched (Stockfish has it since 2020). Each time it is made it is judged
    /// once.
    #[inline]
    pub(crate) fn judge_last_move(&mut self, eval: Value, ply: usize) {
        if let Some(last) = self.steps[ply - 1].eval {
            self.settle_last_move(gain_bonus(last, eval), ply);
        }
    }

    /// Punishes the quiet move that led to `ply`, where a mate in one was found.
    #[inline]
    pub(crate) fn blame_last_move(&mut self, ply: usize) {
        self.settle_last_move(-evaluation_bonus_limit(), ply);
    }

    /// Gives the move that led to `ply` its bonus, if it is a quiet one that has none yet.
    #[inline(always)]
    fn settle_last_move(&mut self, bonus: i32, ply: usize) {
        let before = &mut self.steps[ply - 1];
        if let Some(m) = before.played
            && let Some(danger) = before.danger.take()
        {
            self.memory.history.update_alone(!self.position.side(), m, danger, bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_raises_the_evaluation_is_rewarded() {
        assert_eq!(gain_bonus(20, -20), 0);
        assert_eq!(gain_bonus(20, -50), 30 * evaluation_bonus());
        assert_eq!(gain_bonus(20, 10), -30 * evaluation_bonus());
        assert_eq!(gain_bonus(0, -5000), evaluation_bonus_limit());
        assert_eq!(gain_bonus(0, 5000), -evaluation_bonus_limit());
    }

    #[test]
    fn deep_refutations_count_more() {
        assert!((1..8).all(|depth| refutation_bonus(depth) < refutation_bonus(depth + 1)));
        assert_eq!(refutation_bonus(100), HISTORY_LIMIT / 8);
    }
}
