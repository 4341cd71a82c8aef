//! Where pages look: each has a view of its own of the one game.
//!
//! A page moves its own view only. The game moves along those that look at its end; who looks elsewhere stays there.
//! What engines are asked for beside the game is asked at one node, that of the page which asked or stepped last: it is
//! kept as [`Saved::current`](crate::Saved), so that a game which is not on opens where it was looked at last.
use kujira_record::{Game, NodeId};

use super::Table;
use super::seat::Seat;
use crate::output::PageId;
use crate::players::Player;

impl Table {
    /// A page sits down, unless it is there: where the game stands, if one is on, or where it was looked at last.
    pub(super) fn seat(&mut self, page: PageId) {
        let node = if self.saved.playing { self.saved.tip } else { self.saved.current };
        self.seats.entry(page).or_insert(Seat { node, told: None, seen: true });
    }

    /// The node that a page looks at.
    pub(super) fn node_of(&self, page: PageId) -> NodeId {
        self.seats.get(&page).map_or(self.saved.current, |seat| seat.node)
    }

    /// A page looks at a node, and nobody else by that.
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
            // Nobody waits for that to be kept.
            self.unhurried.get_or_insert(self.now);
        }
    }

    /// Whoever looks at such nodes looks at another from now on.
    pub(super) fn lead(&mut self, to: NodeId, such: impl Fn(&Game, NodeId) -> bool) {
        let seats = self.seats.values_mut().map(|seat| &mut seat.node);
        for node in seats.chain([&mut self.saved.current]) {
            if such(&self.saved.game, *node) {
                *node = to;
            }
        }
    }

    /// What is analysed is what somebody looks at, if anybody is there.
    pub(super) fn settle_attention(&mut self) {
        let current = self.saved.current;
        if self.analysis.is_some()
            && let Some(first) = self.seats.values().next()
            && self.seats.values().all(|seat| seat.node != current)
        {
            self.saved.current = first.node;
        }
    }

    /// The node at which nobody at the board may move: where an engine is to.
    pub(super) fn engines_turn(&self) -> Option<NodeId> {
        let tip = self.saved.tip;
        (self.saved.playing && self.player_at(tip) != Player::Human).then_some(tip)
    }
}
