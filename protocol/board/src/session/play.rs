//! The game itself: moves, branches, clocks, endings.

use std::time::Instant;

use super::Session;
use crate::game::NodeId;
use crate::players::Player;
use crate::side::{Ending, Reason};

impl Session {
    pub(super) fn play(&mut self, at: NodeId, usi: &str) -> Result<(), String> {
        self.check_node(at)?;
        if self.saved.playing && at == self.saved.tip && self.player_at(at) != Player::Human {
            return Err("It is the engine's turn.".to_owned());
        }
        let before = self.saved.game.node(at).map_or(0, |node| node.children.len());
        let node = self.saved.game.play(at, usi).map_err(|error| error.to_string())?;
        let is_new = self.saved.game.node(at).is_some_and(|node| node.children.len() > before);
        if self.saved.playing && at == self.saved.tip {
            self.advance(node);
        } else if self.saved.playing && !is_new {
            // Steps forward along what was played.
            self.saved.current = node;
        } else {
            if self.saved.playing {
                // The game goes on from here: with the time there was.
                self.restore_clock(at);
            }
            self.saved.tip = at;
            self.saved.current = at;
            self.advance(node);
        }
        self.unsaved = true;
        Ok(())
    }

    /// The game goes on from its tip to `node`.
    pub(super) fn advance(&mut self, node: NodeId) {
        let now = Instant::now();
        if let Some(clock) = &mut self.clock
            && self.saved.playing
        {
            if clock.running().is_some() {
                clock.moved(now);
            }
            let left = clock.left(now);
            if let Some(node) = self.saved.game.node_mut(node) {
                node.left = Some(left);
            }
        }
        if self.saved.current == self.saved.tip {
            self.saved.current = node;
        }
        self.saved.tip = node;
        self.hint = None;
        self.hinting = false;
        if self.saved.game.node(node).is_some_and(|node| node.ending.is_some()) {
            self.pause();
        }
        self.unsaved = true;
        self.changed = true;
    }

    pub(super) fn restore_clock(&mut self, node: NodeId) {
        let left = self.saved.game.path(node).into_iter().rev();
        let left = left.filter_map(|id| self.saved.game.node(id)?.left).next();
        if let Some(clock) = &mut self.clock {
            clock.set(left.unwrap_or([clock.control().main; 2]));
        }
    }

    pub(super) fn pause(&mut self) {
        self.saved.playing = false;
        if let Some(clock) = &mut self.clock {
            clock.stop(Instant::now());
        }
        self.unsaved = true;
    }

    pub(super) fn end(&mut self, ending: Ending) {
        if let Some(node) = self.saved.game.node_mut(self.saved.tip) {
            node.ending = Some(ending);
        }
        self.saved.current = self.saved.tip;
        self.pause();
        self.changed = true;
    }

    pub(super) fn resume(&mut self) -> Result<(), String> {
        let current = self.saved.current;
        let Some(node) = self.saved.game.node_mut(current) else { return Ok(()) };
        if let Some(ending) = node.ending {
            if ending.by_rule() {
                return Err(format!("The game is over here ({ending})."));
            }
            node.ending = None;
        }
        if self.saved.tip != current {
            self.restore_clock(current);
        }
        // A flag that has fallen stays down: who goes on anyway does so with the time at the start.
        if let Some(clock) = &mut self.clock
            && clock.left(Instant::now()).contains(&0)
            && clock.control().byoyomi == 0
        {
            clock.set([clock.control().main; 2]);
        }
        self.saved.tip = current;
        self.saved.playing = true;
        self.unsaved = true;
        Ok(())
    }

    pub(super) fn take_back(&mut self) -> Result<(), String> {
        let from = if self.saved.playing { self.saved.tip } else { self.saved.current };
        let mut cut = from;
        let mut to = self.saved.game.node(from).and_then(|node| node.parent);
        let humans = self.saved.players.contains(&Player::Human);
        // Back to where somebody at the board is to move.
        while let Some(node) = to
            && humans
            && self.player_at(node) != Player::Human
            && let Some(parent) = self.saved.game.node(node).and_then(|node| node.parent)
        {
            cut = node;
            to = Some(parent);
        }
        let to = to.ok_or("There is no move to take back.")?;
        let over = self.saved.game.node(from).is_some_and(|node| node.ending.is_some());
        self.saved.game.remove(cut);
        self.sweep.clear();
        self.saved.current = to;
        self.saved.tip = to;
        self.restore_clock(to);
        // Who takes back the end of a game wants to go on with it.
        self.saved.playing = (self.saved.playing || over) && humans;
        self.hint = None;
        self.unsaved = true;
        Ok(())
    }

    pub(super) fn delete(&mut self, node: NodeId) -> Result<(), String> {
        self.check_node(node)?;
        let parent = self.saved.game.node(node).and_then(|node| node.parent);
        let parent = parent.ok_or("The start of the game cannot be deleted.")?;
        if self.saved.playing && self.saved.game.descends(self.saved.tip, node) {
            return Err("The game is going on there: take moves back instead.".to_owned());
        }
        if self.saved.game.descends(self.saved.current, node) {
            self.saved.current = parent;
        }
        if self.saved.game.descends(self.saved.tip, node) {
            self.saved.tip = parent;
        }
        self.saved.game.remove(node);
        self.sweep.clear();
        self.unsaved = true;
        Ok(())
    }

    pub(super) fn settle_clock(&mut self, now: Instant) {
        let Some(clock) = &mut self.clock else { return };
        if !self.saved.playing {
            return;
        }
        if clock.flag().is_some_and(|flag| flag <= now)
            && let Some(loser) = clock.running()
        {
            self.end(Ending { winner: Some((!loser).into()), reason: Reason::Time });
            return;
        }
        if let Some(tip) = self.saved.game.node(self.saved.tip) {
            clock.start(tip.side, now);
        }
    }
}
