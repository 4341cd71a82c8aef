//! Where pages look: each has a view of its own of the one game.
//!
//! A page moves its own view only. A move of the game also moves the pages that look at its end; the others stay.
//! Analysis and hints work on one node, that of the page which asked or stepped last. It is kept as
//! [`Saved::current`](crate::Saved), so that a game which is not on opens where it was looked at last.
use kujira_record::{Game, NodeId};

use super::Table;
use super::seat::Seat;
use crate::output::PageId;
use crate::players::Player;

impl Table {
    /// Seats a page, unless it has a seat: at the tip if a game is on, otherwise at the node that was looked at last.
    pub(super) fn seat(&mut self, page: PageId) {
        let node = if self.saved.playing { self.saved.tip } else { self.saved.current };
        self.seats.entry(page).or_insert(Seat { node, told: None, seen: true });
    }

    /// The node that a page looks at.
    pub(super) fn node_of(&self, page: PageId) -> NodeId {
        self.seats.get(&page).map_or(self.saved.current, |seat| seat.node)
    }

    /// Moves the view of one page to a node.
    pub(super) fn show(&mut self, page: PageId, node: NodeId) {
        if let Some(seat) = self.seats.get_mut(&page) {
            seat.node = node;
        }
    }

    /// A page steps to a node, or asks something about the one it looks at.
    pub(super) fn look(&mut self, page: PageId, node: NodeId) {
        self.show(page, node);
        if self.saved.current != node {
            self.saved.current = node;
            // It is saved later: nobody waits for it.
            self.unhurried.get_or_insert(self.now);
        }
    }

    /// Moves all pages that look at such nodes to another node.
    pub(super) fn lead(&mut self, to: NodeId, such: impl Fn(&Game, NodeId) -> bool) {
        let seats = self.seats.values_mut().map(|seat| &mut seat.node);
        for node in seats.chain([&mut self.saved.current]) {
            if such(&self.saved.game, *node) {
                *node = to;
            }
        }
    }

    /// The node analysed is one that a page looks at, if there is a page.
    pub(super) fn settle_attention(&mut self) {
        let current = self.saved.current;
        if self.analysis.is_some()
            && let Some(first) = self.seats.values().next()
            && self.seats.values().all(|seat| seat.node != current)
        {
            self.saved.current = first.node;
        }
    }

    /// The node where the engine is to move: there nobody at the board may.
    pub(super) fn engines_turn(&self) -> Option<NodeId> {
        let tip = self.saved.tip;
        (self.saved.playing && self.player_at(tip) != Player::Human).then_some(tip)
    }
}
