//! What a node teaches the histories: which moves to try sooner elsewhere, and which later.

use arrayvec::ArrayVec;
use kujira_position::{Move, Variant};

use crate::eval::{Evaluator, captured};
use crate::history::ThreatIndex;
use crate::params::{
    evaluation_bonus, evaluation_bonus_limit, refutation_bonus, refutation_bonus_limit,
    refutation_bonus_square,
};
use crate::score::Value;
use crate::stack::NodeContext;
use crate::worker::Worker;

/// Moves of a node that are remembered, to be punished when a later one is better.
pub(crate) type Tried = ArrayVec<Move, 32>;

/// History score that a move gains by refuting the one before in a search of `depth` plies.
fn refutation(depth: i32) -> i32 {
    let bonus = depth * depth * refutation_bonus_square() + refutation_bonus() * depth;
    bonus.min(refutation_bonus_limit())
}

/// History score that a quiet move gains when the evaluation was `before` for the side that made it, and is
/// `after` for the enemy, in centipawns.
fn gain_bonus(before: Value, after: Value) -> i32 {
    let limit = evaluation_bonus_limit();
    ((-after - before) * evaluation_bonus()).clamp(-limit, limit)
}

impl<V: Variant, E: Evaluator<V>> Worker<'_, V, E> {
    /// The threats that `m`, a move of the side to move at `node`, leaves and meets.
    #[inline(always)]
    pub(crate) fn threat_index(&self, m: Move, node: &NodeContext<V>) -> ThreatIndex {
        let board = self.position.board();
        ThreatIndex::of(m, node.threats.of(board, !board.side()).all())
    }

    /// Rewards the move `best` that refuted the one before, and punishes those tried in vain.
    pub(crate) fn learn(
        &mut self,
        best: Move,
        quiets: &Tried,
        captures: &Tried,
        depth: i32,
        node: &NodeContext<V>,
    ) {
        let bonus = refutation(depth);
        let (us, contexts) = (self.position.side(), node.contexts.get());
        if captured(self.position.board(), best).is_none() {
            node.add_killer(best);
            self.history.set_reply(contexts[0], best);
            let rewards = [(best, bonus)].into_iter();
            for (m, bonus) in rewards.chain(quiets.iter().map(|&m| (m, -bonus))) {
                let threat = self.threat_index(m, node);
                self.history.update(us, contexts, m, threat, bonus);
            }
        }
        let board = self.position.board();
        for &m in captures.iter().chain([&best]) {
            let Some(capture) = captured(board, m) else { continue };
            for (at, victim) in capture.pieces(board) {
                let bonus = if m == best { bonus } else { -bonus };
                self.history.update_capture(us, m, at, victim, bonus);
            }
        }
    }

    /// Rewards the move `m` of the table, if it is a quiet one, for refuting the one before.
    #[inline]
    pub(crate) fn learn_from_table(&mut self, m: Move, depth: i32, node: &NodeContext<V>) {
        let board = self.position.board();
        // The entry may be that of another position.
        if board.is_legal(m) && captured(board, m).is_none() {
            let (us, contexts, threat) =
                (board.side(), self.contexts(node), self.threat_index(m, node));
            self.history.update(us, contexts, m, threat, refutation(depth));
        }
    }

    /// Rewards or punishes the quiet move that led to `node` for what it did to the evaluation, which now is
    /// `eval`, before anything is searched (Stockfish has it since 2020). A move is judged once each time that
    /// it is made.
    #[inline]
    pub(crate) fn judge_last_move(&mut self, eval: Value, node: &NodeContext<V>) {
        if let Some(last) = self.before(node, 1)
            && let Some(before) = last.eval.get()
        {
            self.settle_last_move(gain_bonus(before, eval), last);
        }
    }

    /// Punishes the quiet move that led to `node`, where a mate in one was found.
    #[inline]
    pub(crate) fn blame_last_move(&mut self, node: &NodeContext<V>) {
        if let Some(last) = self.before(node, 1) {
            self.settle_last_move(-evaluation_bonus_limit(), last);
        }
    }

    /// Gives the move that was played from `last` its bonus, if it is a quiet one that has none yet.
    #[inline(always)]
    fn settle_last_move(&mut self, bonus: i32, last: &NodeContext<V>) {
        if let Some(m) = last.played.get()
            && let Some(threat) = last.unjudged.take()
        {
            self.history.update_alone(!self.position.side(), m, threat, bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::HISTORY_LIMIT;

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
        assert!((1..8).all(|depth| refutation(depth) < refutation(depth + 1)));
        assert_eq!(refutation(100), HISTORY_LIMIT / 8);
    }
}
