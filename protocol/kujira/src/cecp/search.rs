//! A search, and the commands that come while it runs.

use kujira_search::Instant;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use kujira_cecp::command::Command;
use kujira_cecp::game::Game;
use kujira_cecp::highlight;
use kujira_cecp::notation::{named, text, usi_of_move};
use kujira_position::Move;
use kujira_search::{Control, Limits};
use kujira_usi::fairy::fen;

use crate::engine_state::EngineState;
use crate::errors::message_of;

use super::state::{Event, Line, Searched, State};
use super::thinking::Thinking;

/// The purpose of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// The engine's move.
    Move,
    /// The answer to a move that the opponent has not yet made: the move, and the game with it.
    Ponder(Move, Box<Game>),
    /// To show what is thought until told otherwise.
    Analysis,
}

/// The treatment of a command that comes during a search.
enum Then {
    /// The command has been dealt with, and the search goes on.
    Go,
    /// The command waits for the search to end.
    Wait(Line),
    /// The search ends for the command, and its answer is not wanted any more.
    Break(Line),
    /// The search ends with its answer.
    Answer,
}

/// Searches the position the engine stands before, and deals with what comes in the meantime.
pub(super) fn run(
    engine_state: &mut EngineState,
    state: &mut State,
    purpose: Purpose,
    limits: &Limits,
) -> Searched {
    let control = Control::new();
    let game = match &purpose {
        Purpose::Ponder(_, game) => game,
        _ => &state.game,
    };
    let moves = game.moves().len();
    engine_state.show(game.position().clone());
    let (engine, position) = engine_state.at_work();
    let (output, post) = (Arc::clone(&state.output), Arc::clone(&state.post));
    let thinking = Thinking::new(&output, &control, &post, engine.game(), moves);
    let begun = control.received();
    let mut running = Running {
        state,
        purpose,
        control: &control,
        thinking: &thinking,
        begun,
        given_up: false,
        broken_off: None,
    };
    thread::scope(|scope| {
        let events = running.state.sender.clone();
        let (control, thinking) = (&control, &thinking);
        let work = move || {
            let search = AssertUnwindSafe(|| engine.search(position, limits, control, thinking));
            let found = catch_unwind(search).map_err(|panic| message_of(panic.as_ref()).to_owned());
            let found = found.and_then(|found| found.map_err(|error| error.to_string()));
            let answer =
                found.map(|found| found.answer).inspect_err(|error| log::error!("{error}"));
            // The receiver lives as long as the session.
            let _ = events.send(Event::Searched(answer));
        };
        let thread = thread::Builder::new().name("search".to_owned());
        match thread.spawn_scoped(scope, work) {
            Ok(_) => running.wait(),
            Err(error) => {
                let answer = Err(format!("no thread to search: {error}"));
                Searched {
                    answer,
                    wanted: running.purpose == Purpose::Move,
                    begun,
                    broken_off: None,
                }
            }
        }
    })
}

/// A search that runs.
struct Running<'a> {
    state: &'a mut State,
    purpose: Purpose,
    control: &'a Control,
    thinking: &'a Thinking<'a>,
    begun: Instant,
    /// Whether the answer is not wanted any more.
    given_up: bool,
    /// As [`Searched::broken_off`].
    broken_off: Option<usize>,
}

impl Running<'_> {
    /// Waits for the end, reading on.
    fn wait(&mut self) -> Searched {
        let mut waiting = std::mem::take(&mut self.state.waiting);
        loop {
            let event = match waiting.pop_front() {
                Some(line) => Event::Line(line),
                None => self.state.next_event(),
            };
            match event {
                Event::Searched(answer) => {
                    let wanted = !self.given_up && self.purpose == Purpose::Move;
                    return Searched {
                        answer,
                        wanted,
                        begun: self.begun,
                        broken_off: self.broken_off,
                    };
                }
                Event::Ended => {
                    self.state.over = true;
                    self.given_up = true;
                    self.control.stop();
                }
                Event::Line(line) => match self.deal_with(line) {
                    Then::Go => {}
                    Then::Wait(line) => self.state.waiting.push_back(line),
                    Then::Break(line) => {
                        self.state.waiting.push_back(line);
                        if self.purpose == Purpose::Move {
                            self.broken_off = Some(self.state.waiting.len());
                        }
                        self.given_up = true;
                        self.control.stop();
                    }
                    Then::Answer => self.control.stop(),
                },
            }
        }
    }

    fn deal_with(&mut self, line: Line) -> Then {
        // What comes after a command that ends the search comes after its end.
        if self.given_up {
            return Then::Wait(line);
        }
        let moving = self.purpose == Purpose::Move;
        match &line.command {
            Err(_) | Ok(Command::Nothing | Command::Book | Command::Protover) => {
                self.state.at_once(&line);
            }
            Ok(command) => match command {
                &Command::Post(on) => self.state.post.store(on, Ordering::Relaxed),
                &Command::OwnTime(left) => self.state.clock.set_own(left),
                &Command::OtherTime(left) => self.state.clock.set_other(left),
                Command::Ponder(true) => self.state.ponders = true,
                Command::Ponder(false) if !matches!(self.purpose, Purpose::Ponder(..)) => {
                    self.state.ponders = false;
                }
                Command::Ping(_) if !moving => self.state.at_once(&line),
                Command::Status => self.state.output.lines(&self.thinking.status()),
                Command::Lift(square) => {
                    self.state.output.lines(&highlight::line(&self.state.game, square));
                }
                Command::Hint => self.hint(),
                Command::MoveNow if moving => return Then::Answer,
                Command::MoveNow => {}
                Command::Move(text) if moving => {
                    self.state.refuse(" (not your turn)", text);
                }
                Command::Move(text) => return self.opponents_move(text.clone(), line),
                Command::Ping(_) | Command::Memory(_) | Command::Cores(_) if moving => {
                    return Then::Wait(line);
                }
                Command::Option { .. } | Command::Level { .. } if moving => {
                    return Then::Wait(line);
                }
                Command::MoveTime(_) | Command::Depth(_) if moving => return Then::Wait(line),
                // What is refused whatever is searched ends no search.
                Command::Exit if self.purpose != Purpose::Analysis => {}
                Command::Variant(name) if named(name).is_none() => {
                    self.state.unknown_variant(&line);
                }
                Command::SetBoard(fen) => match fen::to_sfen(self.state.spec, fen) {
                    Ok(_) => return Then::Break(line),
                    Err(error) => self.state.tell_user(&format!("Illegal position: {error}")),
                },
                _ => return Then::Break(line),
            },
        }
        Then::Go
    }

    /// Deals with a move of the opponent's, who made the one that is pondered on or another.
    fn opponents_move(&mut self, text: String, line: Line) -> Then {
        let m = usi_of_move(self.state.spec, &text);
        let usi = |expected| self.state.game.position().usi(expected);
        match &self.purpose {
            Purpose::Ponder(expected, game) if m == Some(usi(*expected)) => {
                self.state.game.clone_from(game);
                self.begun = Instant::now();
                self.control.ponder_hit(self.state.limits(&self.state.game).times);
                self.purpose = Purpose::Move;
                Then::Go
            }
            _ => Then::Break(line),
        }
    }

    /// Says what the user may play: the move the engine expects, or found in its analysis.
    fn hint(&self) {
        let hint = match &self.purpose {
            Purpose::Move => None,
            &Purpose::Ponder(expected, ref game) => Some(text(game.position().game(), expected)),
            Purpose::Analysis => self.thinking.best(),
        };
        if let Some(hint) = hint {
            self.state.output.lines(&format!("Hint: {hint}"));
        }
    }
}
