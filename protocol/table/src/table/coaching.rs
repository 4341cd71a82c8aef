//! The coach at the table: what it asks the engine that analyses, and what it tells.
use kujira_position::{Position, Variant, with_variant};
use kujira_record::{Game, NodeId};
use kujira_usi::Go;

use super::sights::Asked;
use super::{Answer, Table};
use crate::clock::Millis;
use crate::coach::{LOSS, NODES, Sight, Warning, judge};
use crate::message::{Message, Watch};
use crate::output::{Output, PageId};
use crate::players::Player;
use crate::slot::{Done, Job, Purpose};

/// How long somebody waits for a word on a move: after that it is as if there was none to say.
const PATIENCE: Millis = 5_000;

/// A position with one more move.
fn with(position: &str, usi: &str) -> String {
    let joint = if position.contains(" moves ") { " " } else { " moves " };
    format!("{position}{joint}{usi}")
}

/// The position at a node after a move; `None` if it is not legal.
fn after<V: Variant>(game: &Game, node: NodeId, usi: &str) -> Option<Position<V>> {
    let mut position = game.position::<V>(node);
    let m = position.parse_usi(usi).ok()?;
    position.make(m);
    Some(position)
}

/// The position at a node with the turn given away; `None` where that leads nowhere.
fn passed<V: Variant>(game: &Game, node: NodeId) -> Option<Position<V>> {
    let mut position = game.position::<V>(node);
    if position.checked() {
        return None;
    }
    position.pass();
    (!position.legal_moves().is_empty()).then_some(position)
}

impl Table {
    pub(super) fn let_coach(&mut self, on: bool) {
        self.coach.on = on;
        self.changed = true;
    }

    /// A page asks for a word on a move before it is made.
    pub(super) fn consider(
        &mut self,
        page: PageId,
        at: NodeId,
        usi: String,
    ) -> Result<Option<Answer>, String> {
        self.check_node(at)?;
        let game = &self.saved.game;
        let goes_on = with_variant!(game.variant(), V => {
            after::<V>(game, at, &usi).map(|position| position.outcome().is_none())
        });
        let goes_on = goes_on.ok_or_else(|| format!("expected a legal move, found {usi}"))?;
        let seen = self.sight_at(at).filter(|sight| sight.line.first() == Some(&usi));
        if !goes_on || seen.is_some() {
            let reply = seen.and_then(|sight| sight.line.get(1)).cloned();
            let message = Message::Considered { at, usi, warning: None, reply };
            return Ok(Some(Answer::Message(message)));
        }
        self.tell_considered(None, None);
        self.coach.asked = Some(Asked { page, at, usi, by: self.now.saturating_add(PATIENCE) });
        Ok(Some(Answer::View))
    }

    /// Answers the page that asked last.
    fn tell_considered(&mut self, warning: Option<Warning>, reply: Option<String>) {
        let Some(Asked { page, at, usi, .. }) = self.coach.asked.take() else { return };
        if self.seats.contains_key(&page) {
            let message = Message::Considered { at, usi, warning, reply };
            self.outputs.push_back(Output::ToPage(page, message));
        }
    }

    /// What the engine found at a node for the coach.
    fn sight_at(&self, node: NodeId) -> Option<&Sight> {
        let (position, sight) = self.coach.sight.as_ref()?;
        sight.as_ref().filter(|_| *position == self.saved.game.usi(node))
    }

    /// The move that the coach would make at a node, if it has looked there.
    pub(super) fn best_at(&self, node: NodeId) -> Option<&String> {
        self.sight_at(node)?.line.first()
    }

    /// When somebody has waited long enough for a word.
    pub(super) fn word_due(&self) -> Option<Millis> {
        self.coach.asked.as_ref().map(|asked| asked.by)
    }

    /// Nobody waits for a word that does not come.
    pub(super) fn settle_coach(&mut self) {
        let Some(asked) = &self.coach.asked else { return };
        if asked.by <= self.now || self.analyst.failed() || self.check_node(asked.at).is_err() {
            self.tell_considered(None, None);
        }
    }

    /// What the engine is to look at for the coach.
    pub(super) fn coach_job(&self) -> Option<Job> {
        let asked = self.coach.asked.as_ref();
        let tip = self.saved.tip;
        let on = self.coach.on && self.saved.playing && self.player_at(tip) == Player::Human;
        let node = asked.map(|asked| asked.at).or(on.then_some(tip))?;
        let position = self.saved.game.usi(node);
        let job = |purpose, position| {
            let go = Go { nodes: Some(NODES), ..Go::default() };
            let limit = Some(PATIENCE);
            Job { position, limit, ..self.job(purpose, node, go, 1) }
        };
        let seen = |found: Option<&String>| found == Some(&position);
        if !seen(self.coach.sight.as_ref().map(|(position, _)| position)) {
            return Some(job(Purpose::Sight, position));
        }
        if let Some(asked) = asked {
            return Some(job(Purpose::Consider, with(&position, &asked.usi)));
        }
        if seen(self.coach.threat.as_ref().map(|(position, _)| position)) {
            return None;
        }
        let game = &self.saved.game;
        let sfen = with_variant!(game.variant(), V => passed::<V>(game, node).map(|p| p.sfen()))?;
        Some(job(Purpose::Threat, format!("sfen {sfen}")))
    }

    /// The engine has looked for the coach.
    pub(super) fn take_sight(&mut self, done: &Done) {
        let node = done.job.node;
        let found = done
            .lines
            .first()
            .and_then(|info| Some(Sight { score: info.score()?, line: info.pv.clone() }));
        let best = self.sight_at(node).map(|sight| sight.score);
        let game = &self.saved.game;
        match done.job.purpose {
            Purpose::Sight => {
                self.coach.sight = Some((done.job.position.clone(), found));
                let own = self.coach.asked.as_ref().and_then(|asked| {
                    self.sight_at(asked.at).filter(|sight| sight.line.first() == Some(&asked.usi))
                });
                if let Some(sight) = own {
                    let reply = sight.line.get(1).cloned();
                    self.tell_considered(None, reply);
                }
            }
            Purpose::Consider => {
                let Some(Asked { at, usi, .. }) = &self.coach.asked else { return };
                let reply = found.as_ref().and_then(|found| found.line.first()).cloned();
                let warning = best.zip(found).and_then(|(best, found)| {
                    with_variant!(game.variant(), V => {
                        judge(&after::<V>(game, *at, usi)?, best, &found, LOSS)
                    })
                });
                self.tell_considered(warning, reply);
            }
            Purpose::Threat => {
                let warning = best.zip(found).and_then(|(best, reply)| {
                    with_variant!(game.variant(), V => {
                        judge(&passed::<V>(game, node)?, best, &reply, LOSS)
                    })
                });
                let warning = warning.filter(|threat| threat.mate || threat.piece.is_some());
                self.coach.threat = Some((game.usi(node), warning));
            }
            _ => {}
        }
    }

    /// What the coach sees where the game stands, once it has looked.
    pub(super) fn watch(&self) -> Option<Watch> {
        let node = self.saved.tip;
        let (position, threat) = self.coach.threat.as_ref()?;
        let there = self.coach.on && self.saved.playing && *position == self.saved.game.usi(node);
        there.then(|| Watch { node, threat: threat.clone() })
    }
}
