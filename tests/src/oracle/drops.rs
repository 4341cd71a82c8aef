//! Drops, and the mating drop that is forbidden.

use super::moves::Move;
use super::{ContactDrops, Oracle};

impl Oracle {
    /// Every drop the side to move can make, those that mate included.
    pub(super) fn push_drops(&self, moves: &mut Vec<Move>) {
        for (species, kind) in self.game.species().iter().enumerate() {
            if self.hands.count(self.side, species) == 0 {
                continue;
            }
            for to in self.squares().filter(|&to| self.is_empty(to)) {
                let forbidden = kind.minor
                    && (self.rank_from_farthest(to, self.side) == 1
                        || self.minors_on_file(self.side, to.file) >= self.game.file_limit());
                if !forbidden {
                    moves.push(Move::Drop { token: kind.token, species, to });
                }
            }
        }
    }

    /// Whether `mv` drops a dolphin or a calf so as to give immediate
    /// checkmate.
    ///
    /// It must itself attack the enemy white whale; a drop that leaves the
    /// opponent without a move but not in check is no mating drop.
    pub(super) fn is_mating_drop(&self, mv: Move) -> bool {
        let Move::Drop { species, to, .. } = mv else {
            return false;
        };
        if !self.game.species()[species].minor {
            return false;
        }
        let dropped = self.after(mv);
        if !dropped.piece_attacks_whale(to) {
            return false;
        }
        if self.game.whale_may_hang() {
            // Every reply is legal here, so that mate means: whatever the
            // reply, the whale can be captured. If the reply captures the
            // dropper's own whale, the game is over and nothing can be.
            dropped.pseudo_legal_moves().into_iter().all(|reply| {
                let replied = dropped.after(reply);
                replied.whale_square(self.side).is_some() && replied.can_capture_whale(self.side)
            })
        } else {
            dropped.legal_moves().is_empty()
        }
    }
}

/// Sorts the squares where a dropped dolphin or calf attacks the whale: what
/// holds of one of them holds of all that are in hand.
pub(super) fn contact(here: &Oracle) -> ContactDrops {
    let mut found = ContactDrops::default();
    if here.whale_captured() {
        return found;
    }
    let (mut drops, mut squares) = (Vec::new(), Vec::new());
    here.push_drops(&mut drops);
    for mv in drops {
        let Move::Drop { species, to, .. } = mv else { continue };
        let dropped = here.after(mv);
        if !here.game.species()[species].minor
            || !dropped.piece_attacks_whale(to)
            || squares.contains(&to)
        {
            continue;
        }
        squares.push(to);
        let takes = |reply: &Move| match *reply {
            Move::Drop { .. } => false,
            Move::Board { journey, .. } => {
                let taker = dropped.board.get(journey.from);
                journey.to == to && taker.is_some_and(|piece| !dropped.species(piece).royal)
            }
        };
        if here.is_mating_drop(mv) {
            found.mating += 1;
            let taken = dropped.pseudo_legal_moves().iter().any(takes);
            found.mating_though_taken += u64::from(taken);
            continue;
        }
        found.legal += 1;
        // Would it mate if the replies that capture the dropper's whale did not count?
        let refuted = dropped.pseudo_legal_moves().into_iter().any(|reply| {
            let replied = dropped.after(reply);
            replied.whale_square(here.side).is_some() && !replied.can_capture_whale(here.side)
        });
        found.saved_by_capture += u64::from(here.game.whale_may_hang() && !refuted);
    }
    found
}
