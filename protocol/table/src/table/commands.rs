//! What pages ask for.
use kujira_position::Color;
use kujira_record as record;
use kujira_record::NodeId;
use kujira_usi::{Ending, Reason};

use super::sweep::Sweep;
use super::{Answer, Table};
use crate::attacks::attacks;
use crate::config::Resources;
use crate::explain::explain;
use crate::message::{Command, Message};
use crate::output::PageId;

/// The most lines that analysis shows.
const MOST_LINES: u32 = 10;

/// An answer for nobody but the page that asked.
fn answer(message: Message) -> Result<Option<Answer>, String> {
    Ok(Some(Answer::Message(message)))
}

impl Table {
    /// Does what a page asks for. Returns an answer for that page alone, where nothing else has changed.
    pub(super) fn obey(
        &mut self,
        page: PageId,
        command: Command,
    ) -> Result<Option<Answer>, String> {
        match command {
            Command::Play { at, usi } => return self.play(page, at, &usi),
            Command::Again { at } => self.again(at)?,
            Command::Goto { node } => {
                self.check_node(node)?;
                self.look(page, node);
                return Ok(Some(Answer::View));
            }
            Command::TakeBack => return self.take_back(page),
            Command::BringBack => self.bring_back(page)?,
            Command::Resign { side } => {
                self.check_playing()?;
                let winner = Some((!Color::from(side)).into());
                self.end(Ending { winner, reason: Reason::Resignation });
                self.look(page, self.saved.tip);
            }
            Command::Draw => {
                self.check_playing()?;
                if let Some(text) = self.declined()? {
                    return answer(Message::Notice { text });
                }
                self.end(Ending { winner: None, reason: Reason::Agreement });
                self.look(page, self.saved.tip);
            }
            Command::Claim => {
                let node = if self.saved.playing { self.saved.tip } else { self.node_of(page) };
                let ending = self.saved.game.impasse(node);
                let ending = ending.ok_or("An impasse cannot be claimed here.")?;
                self.saved.tip = node;
                self.end(ending);
                self.look(page, node);
            }
            Command::Pause => self.pause(),
            Command::Resume => self.resume(self.node_of(page))?,
            Command::MoveNow => {
                self.pace.hurry(self.now);
                self.player.hurry(self.now);
            }
            Command::Pace { millis } => {
                self.pace.set(millis);
                return Ok(Some(Answer::View));
            }
            Command::Players { players } => {
                self.config.levels.check(self.saved.game.variant(), &players)?;
                self.saved.players = players;
                self.player.want(None, self.now);
                self.pace.forget();
                self.unsaved = true;
            }
            Command::Resources { threads, hash } => {
                self.resources = Resources { threads, hash }.within(self.config.most);
            }
            Command::Analysis { on, lines } => {
                if on {
                    self.look(page, self.node_of(page));
                }
                self.analysis = on.then_some(lines.clamp(1, MOST_LINES));
                self.analysed = None;
            }
            Command::Seen { seen } => {
                if let Some(seat) = self.seats.get_mut(&page) {
                    seat.seen = seen;
                }
                return Ok(Some(Answer::View));
            }
            Command::Sweep { on } => {
                let line = || self.saved.game.line_through(self.node_of(page));
                self.sweep = Sweep::of(if on { line() } else { Vec::new() });
            }
            Command::Coach { on } => self.let_coach(on),
            Command::Consider { at, usi } => return self.consider(page, at, usi),
            Command::Hint => self.ask_for_hint(self.node_of(page)),
            // Its job is given anew, because its clock has run on since.
            Command::Restart { role } => {
                self.slot(role).shut();
                self.analysed = None;
            }
            Command::Promote { node } => {
                self.check_node(node)?;
                self.saved.game.promote(node);
                self.unsaved = true;
            }
            Command::Delete { node } => self.delete(node)?,
            Command::Export { format, date } => {
                let date = if date.len() <= 10 { &date[..] } else { "" };
                let variant = self.saved.game.variant();
                let name = |player| self.config.levels.name(variant, player);
                let names = self.saved.players.map(name);
                let text = record::write(&self.saved.game, format, &names, date);
                let format = match format {
                    record::Format::Usi => "usi",
                    record::Format::Pgn => "pgn",
                };
                return answer(Message::Text { format, text });
            }
            Command::Explain { at, from, drop, to } => {
                self.check_node(at)?;
                let found = explain(&self.saved.game, at, from.as_deref(), drop.as_deref(), &to);
                let (text, why) = found.map_or((None, None), |found| (Some(found.text), found.why));
                return answer(Message::Explanation { text, why });
            }
            Command::Attacks { at } => {
                self.check_node(at)?;
                return answer(Message::Attacks(attacks(&self.saved.game, at)));
            }
            Command::Check { draft } => {
                return answer(Message::Verdict(crate::editor::check(&draft)));
            }
            Command::State => return Ok(Some(Answer::State)),
            Command::Ping => return answer(Message::Pong),
        }
        Ok(None)
    }

    pub(super) fn check_node(&self, node: NodeId) -> Result<(), String> {
        if self.saved.game.reachable().contains(&node) {
            Ok(())
        } else {
            Err(format!("expected a move of this game, found number {node}"))
        }
    }

    fn check_playing(&self) -> Result<(), String> {
        if self.saved.playing { Ok(()) } else { Err("No game is going on.".to_owned()) }
    }
}
