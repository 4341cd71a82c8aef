//! The state of a session under XBoard beside its engine, and the answers that need no engine.

use kujira_search::Instant;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender};

use kujira_cecp::clock::Clock;
use kujira_cecp::command::Command;
use kujira_cecp::game::Game;
use kujira_cecp::notation::offered;
use kujira_cecp::{features, result};
use kujira_position::{Color, Move, Spec};
use kujira_search::{Answer, Limits};
use kujira_usi::Protocol;

use crate::NAME;
use crate::options::{OPTIONS, OptionSpec};
use crate::output::{Output, one_line};
use crate::usi::go::Go;

/// A line of input, understood or not.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The text as it was read.
    pub(super) text: String,
    /// The command, or why it is none.
    pub(super) command: Result<Command, String>,
}

/// An event that the session waits for.
#[derive(Debug)]
pub(super) enum Event {
    /// A line was read.
    Line(Line),
    /// The input ended.
    Ended,
    /// The search that runs has ended, or failed with a message.
    Searched(Result<Answer, String>),
}

/// How a search ended.
#[derive(Debug)]
pub(super) struct Searched {
    /// The answer, or the message of a search that failed.
    pub(super) answer: Result<Answer, String>,
    /// Whether the answer is a move to be played.
    pub(super) wanted: bool,
    /// When the clock of the move began to run.
    pub(super) begun: Instant,
    /// How many of the lines that wait there are up to the command that ended the search of a move; none if no
    /// command ended it.
    pub(super) broken_off: Option<usize>,
}

/// Whom the engine plays for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Nobody: it checks moves only.
    Nobody,
    /// This side.
    Plays(Color),
    /// Nobody: it thinks about each position it is shown.
    Analyses,
}

/// A session without its engine, which a search has for itself.
#[derive(Debug)]
pub(super) struct State {
    /// Where lines to the GUI go.
    pub(super) output: Arc<Output>,
    /// Whether thinking is shown.
    pub(super) post: Arc<AtomicBool>,
    /// The end of the queue to which a search reports that it has ended.
    pub(super) sender: Sender<Event>,
    /// The other end of that queue, which lines of input reach, too.
    pub(super) events: Receiver<Event>,
    /// Lines that came during a search and wait for its end.
    pub(super) waiting: VecDeque<Line>,
    /// The game in play.
    pub(super) game: Game,
    /// The specification of the game in play.
    pub(super) spec: &'static Spec,
    /// The clocks of both sides.
    pub(super) clock: Clock,
    /// Whom the engine plays for.
    pub(super) role: Role,
    /// Whether the engine has to move.
    pub(super) due: bool,
    /// The result of a search that a command ended, whose move is played if that command is refused, and how many
    /// of the lines that wait there are up to the command.
    pub(super) given_up: Option<(Searched, usize)>,
    /// Whether the engine thinks on the opponent's time.
    pub(super) ponders: bool,
    /// The opponent's move that the engine expects.
    pub(super) expected: Option<Move>,
    /// Whether XBoard shows a game or position that was refused: no move fits it before another one is set.
    pub(super) refused: bool,
    /// Whether the input has ended.
    pub(super) over: bool,
}

impl State {
    /// Waits for the next event. When all senders are gone the input has ended.
    pub(super) fn next_event(&self) -> Event {
        self.events.recv().unwrap_or(Event::Ended)
    }

    /// Answers what asks nothing of the engine.
    pub(super) fn at_once(&self, line: &Line) {
        match &line.command {
            Err(error) => self.error(error, &line.text),
            Ok(Command::Protover) => {
                let declared = options().map(|option| option.declared(Protocol::Usi));
                self.output.lines(&features::lines(NAME, declared).join("\n"));
            }
            Ok(Command::Book) => self.output.lines(" the book can be asked between searches\n"),
            Ok(Command::Ping(number)) => self.output.lines(&format!("pong {number}")),
            Ok(_) => {}
        }
    }

    /// Says why a command had no effect.
    pub(super) fn error(&self, why: impl std::fmt::Display, text: &str) {
        self.output.lines(&one_line(&format!("Error ({why}): {}", beginning(text))));
    }

    /// Says which games there are.
    pub(super) fn unknown_variant(&self, line: &Line) {
        let games: Vec<&str> = offered().map(|game| game.spec().id).collect();
        self.error(format!("expected one of {}", games.join(", ")), &line.text);
    }

    /// Says that a move was refused, and perhaps why, in brackets.
    pub(super) fn refuse(&self, why: &str, text: &str) {
        self.output.lines(&one_line(&format!("Illegal move{why}: {}", beginning(text))));
    }

    /// Tells the user what was refused, in a window of its own.
    pub(super) fn tell_user(&self, why: &str) {
        self.output.lines(&format!("tellusererror {}", one_line(why)));
    }

    /// The limits of a search for the next move of a game.
    pub(super) fn limits(&self, game: &Game) -> Limits {
        let side = game.side();
        Go::from(self.clock.go(side, game.made_by(side))).limits_of(side)
    }

    /// How many moves the engine has made, or the side to move if it plays none.
    pub(super) fn made(&self) -> u32 {
        let side = match self.role {
            Role::Plays(side) => side,
            _ => self.game.side(),
        };
        self.game.made_by(side)
    }

    /// Plays for somebody else from now on.
    pub(super) fn take_role(&mut self, role: Role) {
        self.role = role;
        self.interrupt();
    }

    /// Tells the progress of an analysis whose next search has not begun.
    pub(super) fn tell_of_no_search(&self) {
        let moves = self.game.moves().len();
        self.output.lines(&format!("stat01: 0 0 0 {moves} {moves}"));
    }

    /// The position has changed other than by a move of the game.
    pub(super) fn interrupt(&mut self) {
        self.due = false;
        self.given_up = None;
        self.expected = None;
        // Clocks may be set to anything now.
        self.clock.forget();
    }

    /// Tells how the game ended, if it did and the engine takes part in it.
    pub(super) fn claim(&mut self) {
        if let (Some(outcome), Role::Plays(_)) = (self.game.outcome(), self.role) {
            self.output.lines(&result::line(outcome));
            self.interrupt();
        }
    }
}

/// The options that no command sets.
pub(super) fn options() -> impl Iterator<Item = &'static OptionSpec> {
    OPTIONS.iter().filter(|option| option.cecp.is_none())
}

/// The beginning of a line, as much as is worth repeating.
fn beginning(text: &str) -> String {
    const LONGEST: usize = 80;
    let more = if text.chars().nth(LONGEST).is_some() { "..." } else { "" };
    text.chars().take(LONGEST).chain(more.chars()).collect()
}
