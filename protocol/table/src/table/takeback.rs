//! Taking moves back, and bringing them back.
use kujira_record::NodeId;

use super::sweep::Sweep;
use super::taken::Taken;
use super::{Answer, Table};
use crate::output::PageId;
use crate::players::Player;

impl Table {
    pub(super) fn take_back(&mut self, page: PageId) -> Result<Option<Answer>, String> {
        const NONE: &str = "There is no move to take back.";
        let game = &self.saved.game;
        let parent = |node: NodeId| game.node(node).and_then(|node| node.parent);
        let children = |node: NodeId| game.node(node).map_or(0, |node| node.children.len());
        if !self.saved.playing {
            // It is only a step: the moves stay.
            let before = parent(self.node_of(page)).ok_or(NONE)?;
            self.look(page, before);
            return Ok(Some(Answer::View));
        }
        let humans = self.saved.players.contains(&Player::Human);
        let tip = self.saved.tip;
        let mut cut = tip;
        let mut to = parent(cut).ok_or(NONE)?;
        // Whether the moves taken back have no other moves after or beside them.
        let mut alone = children(cut) == 0;
        // Back to the last position where a person is to move.
        while humans
            && self.player_at(to) != Player::Human
            && let Some(before) = parent(to)
        {
            alone &= children(to) == 1;
            cut = to;
            to = before;
        }
        let node = self.saved.game.node_mut(to).ok_or(NONE)?;
        let (children, ending) = (node.children.clone(), node.ending);
        // A game that ended here by anything but its rules continues.
        node.ending = ending.filter(|ending| ending.by_rule());
        let stopped = !humans || node.ending.is_some();
        let left = self.clock.as_ref().map(|clock| clock.left(self.now));
        self.taken.push(Taken { tip, children, ending, stopped, left });
        if alone {
            self.saved.game.remove(cut);
        }
        self.sweep = Sweep::default();
        self.saved.tip = to;
        self.lead(to, |game, node| node == tip || (alone && game.descends(node, cut)));
        self.look(page, to);
        self.restore_clock(to);
        self.saved.playing = !stopped;
        self.hint = None;
        self.unsaved = true;
        Ok(None)
    }

    /// Undoes the last take-back, if no move has been played since.
    pub(super) fn bring_back(&mut self, page: PageId) -> Result<(), String> {
        let taken = self.taken.pop().ok_or("There is no move to bring back.")?;
        let from = std::mem::replace(&mut self.saved.tip, taken.tip);
        if let Some(node) = self.saved.game.node_mut(from) {
            node.children = taken.children;
            node.ending = taken.ending;
        }
        if let Some((clock, left)) = self.clock.as_mut().zip(taken.left) {
            clock.set(left);
        }
        self.saved.playing |= taken.stopped;
        self.lead(taken.tip, |_, looked_at| looked_at == from);
        self.look(page, taken.tip);
        self.unsaved = true;
        Ok(())
    }
}
