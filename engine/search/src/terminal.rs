//! Scores of positions in which nothing is left to search.

use kujira_position::{Bitboard, Board, Kind, Move, Outcome, Threats, Variant, Wanted};

use crate::eval::{Evaluator, captured};
use crate::node::Node;
use crate::params::repetition_window;
use crate::score::{CLAIM, Value, count, mate_in, mated_in, plies, repetition_score};
use crate::stack::NodeContext;
use crate::worker::Worker;

impl<V: Variant, E: Evaluator<V>> Worker<'_, V, E> {
    /// Whether whales are captured like any piece.
    pub(crate) const CAPTURES_WHALES: bool = V::SPEC.captures_whales();

    /// The score of a position in which nothing is left to search: a whale is captured or can be, the
    /// game has lasted too long, the position stood before, impasse can be claimed.
    #[inline]
    pub(crate) fn terminal_score<N: Node>(&mut self, node: &NodeContext<V>) -> Option<Value> {
        let (us, ply) = (self.position.side(), node.ply);
        let whale = if Self::CAPTURES_WHALES { self.position.whale(us).first() } else { None };
        if Self::CAPTURES_WHALES && whale.is_none() {
            return Some(mated_in(ply));
        }
        if ply >= self.shared.plies_left {
            return Some(self.drawn_by_length(ply));
        }
        if let Some(whale) = whale {
            let board = self.position.board();
            let attacked = node.threats.of(board, us).all() | Board::<V>::ring(whale);
            let attacked = (attacked & board.whale(!us)).any();
            debug_assert_eq!(attacked, board.whale_attacked(!us), "{board:?}");
            if attacked {
                if N::PV {
                    self.expect_whale_capture(node);
                }
                return Some(mate_in(ply + 1));
            }
        }
        let rules = self.position.rules();
        if rules.repetition {
            let window = node.since_null.get().min(count(repetition_window()));
            if let Some(repetition) = self.position.repetition(window) {
                return Some(repetition_score(repetition, ply));
            }
        }
        if rules.impasse
            && let Some(Outcome::Win { winner, .. }) = self.position.impasse()
            && winner == us
        {
            return Some(CLAIM - plies(ply));
        }
        None
    }

    /// The score at the greatest length of a game: a draw, unless the last move mated.
    #[cold]
    fn drawn_by_length(&self, ply: usize) -> Value {
        if self.position.count_moves() == 0 { mated_in(ply) } else { 0 }
    }

    /// The squares on which another move than the whale's own may save it, where whales are captured and that of
    /// the side to move is attacked.
    #[inline(always)]
    pub(crate) fn stops(&self) -> Option<Bitboard<V::Bits>> {
        (Self::CAPTURES_WHALES && self.position.checked())
            .then(|| self.position.board().check_stops())
    }

    /// The score of a node in which no move was tried. `saving` says that moves which do not save the whale
    /// were left out.
    #[cold]
    pub(crate) fn helpless(&mut self, saving: bool, node: &NodeContext<V>) -> Value {
        let ply = node.ply;
        if !saving && self.shared.skill.is_some() && self.position.count_moves() > 0 {
            // Who sees no move is not mated by that.
            return self.evaluate_now(node);
        }
        // A side that cannot move has lost, in check or not.
        let moves = saving && self.position.count_moves() > 0;
        if moves && ply + 1 >= self.shared.plies_left {
            // There is no move left to capture it.
            return 0;
        }
        mated_in(if moves { ply + 2 } else { ply })
    }

    /// The score of mating with `m`.
    #[inline]
    pub(crate) fn mates<N: Node>(&self, m: Move, node: &NodeContext<V>) -> Value {
        if N::PV {
            self.expect_only(node, m);
        }
        mate_in(node.ply + 1)
    }

    /// Sets the line expected from `node` to the capture of the whale.
    #[cold]
    #[inline(never)]
    fn expect_whale_capture(&self, node: &NodeContext<V>) {
        let mut moves = V::MoveList::default();
        let board = self.position.board();
        board.generate(Wanted::Captures, &Threats::default(), &mut moves);
        let takes = moves.iter().copied().find(|&m| {
            captured(board, m).is_some_and(|capture| {
                capture.pieces(board).any(|(_, piece)| piece.kind() == Kind::WHALE)
            })
        });
        if let Some(m) = takes {
            self.expect_only(node, m);
        }
    }
}
