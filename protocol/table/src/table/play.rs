//! The game itself: moves, branches, clocks, endings.
use kujira_position::{Variant, with_variant};
use kujira_record::{Game, NodeId};
use kujira_usi::{Ending, Reason};

use super::known::Known;
use super::sweep::Sweep;
use super::{Answer, Table};
use crate::clock::{Clock, Millis};
use crate::output::PageId;
use crate::players::Player;

/// How long the move of an engine may take to reach us.
const GRACE: Millis = 50;

impl Table {
    /// A page plays a move at a node. A step along moves of a running game moves no other page.
    pub(super) fn play(
        &mut self,
        page: PageId,
        at: NodeId,
        usi: &str,
    ) -> Result<Option<Answer>, String> {
        self.check_node(at)?;
        if self.engines_turn() == Some(at) {
            return Err("It is the engine's turn.".to_owned());
        }
        let before = self.saved.game.node(at).map_or(0, |node| node.children.len());
        let node = self.saved.game.play(at, usi).map_err(|error| error.to_string())?;
        let is_new = self.saved.game.node(at).is_some_and(|node| node.children.len() > before);
        let (playing, at_tip) = (self.saved.playing, at == self.saved.tip);
        if playing && !at_tip && !is_new {
            // Steps forward along what was played.
            self.look(page, node);
            return Ok(Some(Answer::View));
        }
        if !at_tip {
            // The game continues from here, now or when it is resumed, with the clocks of that time.
            self.restore_clock(at);
            if !playing {
                // A move tried at an earlier position of a free board moves no other page.
                self.saved.tip = node;
            }
        }
        self.advance(node);
        if playing && at_tip {
            // A move of the game is no step: the analysis stays with a page that looks elsewhere.
            self.show(page, node);
        } else {
            self.look(page, node);
        }
        Ok(None)
    }

    /// Moves the tip of the game to `node`, with the pages that look at the tip.
    pub(super) fn advance(&mut self, node: NodeId) {
        let now = self.now;
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
        if self.saved.playing {
            // An earlier continuation becomes a branch: lists and records show the main line.
            self.saved.game.promote(node);
            if let Some(node) = self.saved.game.node_mut(node) {
                // An earlier end at this node, if not by its position, does not hold for this game.
                let stays = |end: &Ending| end.by_rule() && end.reason != Reason::Impasse;
                node.ending = node.ending.filter(stays);
            }
        }
        self.pace.moved(now);
        self.taken.clear();
        let tip = std::mem::replace(&mut self.saved.tip, node);
        self.lead(node, |_, looked_at| looked_at == tip);
        // A hint for any other position was asked for by a page that looks there: it stays.
        let before = self.saved.game.node(node).and_then(|node| node.parent);
        self.hint.take_if(|(at, _)| Some(*at) == before);
        self.hinting.take_if(|at| Some(*at) == before);
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
            clock.stop(self.now);
        }
        self.unsaved = true;
    }

    pub(super) fn end(&mut self, ending: Ending) {
        if let Some(node) = self.saved.game.node_mut(self.saved.tip) {
            node.ending = Some(ending);
        }
        self.taken.clear();
        self.pause();
        self.changed = true;
    }

    /// Resumes the game at a node, and moves the pages that look at its tip.
    pub(super) fn resume(&mut self, from: NodeId) -> Result<(), String> {
        let Some(node) = self.saved.game.node_mut(from) else { return Ok(()) };
        if let Some(ending) = node.ending {
            if ending.by_rule() {
                return Err(format!("The game is over here ({ending})."));
            }
            node.ending = None;
        }
        let tip = std::mem::replace(&mut self.saved.tip, from);
        if tip != from {
            self.taken.clear();
            self.restore_clock(from);
            self.lead(from, |_, looked_at| looked_at == tip);
        }
        // After a loss on time the game can only be resumed with the time of the start.
        if let Some(clock) = &mut self.clock
            && clock.left(self.now).contains(&0)
            && clock.control().byoyomi == 0
        {
            clock.set([clock.control().main; 2]);
        }
        self.saved.playing = true;
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
        self.lead(parent, |game, looked_at| game.descends(looked_at, node));
        if self.saved.game.descends(self.saved.tip, node) {
            self.saved.tip = parent;
        }
        self.saved.game.remove(node);
        self.taken.clear();
        self.sweep = Sweep::default();
        self.unsaved = true;
        Ok(())
    }

    /// Begins anew from the position at a node, with the side to move that has just moved.
    pub(super) fn again(&mut self, at: NodeId) -> Result<(), String> {
        self.check_node(at)?;
        if self.saved.playing {
            return Err("Nobody may move twice in a game.".to_owned());
        }
        let game = &self.saved.game;
        self.saved.game = with_variant!(game.variant(), V => {
            let mut setup = game.position::<V>(at).setup();
            setup.side = !setup.side;
            let position = setup.validate().map_err(|error| error.to_string())?;
            Game::new(V::ID, &position.sfen(), game.rules()).map_err(|error| error.to_string())?
        });
        self.saved.tip = 0;
        self.lead(0, |_, _| true);
        self.taken.clear();
        self.sweep = Sweep::default();
        (self.analysis, self.analysed, self.hint, self.hinting) = (None, None, None, None);
        // Other moves have the numbers of those that are gone.
        self.known = Known::default();
        self.curious.extend(self.seats.keys());
        self.unsaved = true;
        Ok(())
    }

    /// When the time of the side whose clock runs is up.
    pub(super) fn flag(&self) -> Option<Millis> {
        let flag = self.clock.as_ref()?.flag()?;
        Some(match self.player_at(self.saved.tip) {
            Player::Human => flag,
            Player::Engine { .. } => flag.saturating_add(GRACE),
        })
    }

    /// Ends the game if somebody's time is up.
    pub(super) fn settle_flag(&mut self) {
        let running = self.clock.as_ref().and_then(Clock::running);
        if self.saved.playing
            && let Some(loser) = running
            && self.flag().is_some_and(|flag| flag <= self.now)
        {
            self.end(Ending { winner: Some((!loser).into()), reason: Reason::Time });
        }
    }

    /// Runs the clock while the side to move can think: a person while a page is there, an engine from `go` on.
    pub(super) fn settle_clock(&mut self) {
        let (present, now) = (self.present(), self.now);
        let tip = self.saved.tip;
        let at_work = match self.player_at(tip) {
            Player::Human => true,
            Player::Engine { .. } => {
                self.player.searching().is_some_and(|(job, _)| job.node == tip)
            }
        };
        let side = self.side_at(tip);
        let Some(clock) = &mut self.clock else { return };
        let before = clock.running();
        if self.saved.playing && present && at_work {
            clock.start(side, now);
        } else {
            clock.stop(now);
        }
        if clock.running() != before {
            self.changed = true;
            // Time used before the last page left stays used when the game is opened again.
            self.unsaved |= before.is_some();
        }
    }
}
