//! What is done with a line before its turn comes: what cannot wait for the session is reacted to at once,
//! everything else queued. Mostly by a thread that owns the input.

use std::io::{BufReader, Read};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use kujira_search::Control;
use kujira_usi::PonderHit;

use crate::files::Leave;
use crate::lines::{Line, LineError, read_line};

use super::command::{self, Command, CommandError};
use super::refused::Choice;
use super::searches::{Ready, Searches, Task};
use super::voice::Voice;

/// Why a line asks for nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// It is no command.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// `ponderhit` without a search that ponders.
    #[error("ponderhit: expected a search begun by go ponder, found none")]
    NotPondering,
}

/// What the session is asked to do.
#[derive(Debug)]
pub(crate) enum Request {
    /// Carry out a command, which perhaps chooses what is in play; with a control if it can be stopped.
    Run(Box<Command>, Option<Choice>, Option<Arc<Control>>),
    /// Report an error of a line, which perhaps was to choose what is in play.
    Refused(Refusal, Option<Choice>),
}

/// Takes the lines of a session, and is there for them while the session searches.
#[derive(Clone, Debug)]
pub struct Reader {
    pub(super) searches: Arc<Searches>,
    pub(super) leave: Leave,
    pub(super) voice: Arc<Voice>,
    pub(super) queue: Sender<Request>,
}

/// However reading ends, no search waits for a stop that can no longer come, and no file holds the session up.
struct StopAtEnd(Reader);

impl Drop for StopAtEnd {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Reader {
    /// Reads until `quit`, the end of the input, or until the session has gone.
    pub(crate) fn listen(self, input: impl Read) {
        let guard = StopAtEnd(self);
        let mut input = BufReader::with_capacity(1 << 16, input);
        let mut line = Vec::new();
        loop {
            let more = match read_line(&mut input, &mut line) {
                Ok(Line::Whole) => guard.0.hear(&line),
                Ok(Line::TooLong) => {
                    let protocol = guard.0.voice.listen(&line);
                    guard.0.take(&line, command::unreadable(&line, LineError::TooLong, protocol))
                }
                Ok(Line::End) => false,
                Err(error) => {
                    log::error!("reading the input: {error}");
                    false
                }
            };
            if !more {
                return;
            }
        }
    }

    /// Takes a line, without its line feed; returns whether another may follow, which after `quit` it may not.
    #[must_use]
    pub fn hear(&self, line: &[u8]) -> bool {
        log::debug!("< {}", String::from_utf8_lossy(line));
        self.take(line, command::parse(line, self.voice.listen(line)))
    }

    /// Says that no line will follow.
    pub fn close(&self) {
        self.searches.close();
        self.leave.now();
    }

    fn take(&self, line: &[u8], command: Result<Option<Command>, CommandError>) -> bool {
        let choice = Choice::of(line, self.voice.protocol());
        let request = match command {
            Ok(None) => return true,
            Ok(Some(Command::Quit)) => return false,
            Ok(Some(Command::Stop)) => {
                self.searches.stop_all();
                return true;
            }
            Ok(Some(Command::PonderHit(PonderHit { clocks, fault }))) => {
                match (self.searches.ponder_hit(&clocks, fault.is_some()), fault) {
                    (true, None) => return true,
                    (true, Some(fault)) => Request::Refused(CommandError::from(fault).into(), None),
                    (false, _) => Request::Refused(Refusal::NotPondering, None),
                }
            }
            Ok(Some(Command::IsReady)) => match self.searches.ping() {
                Ready::Now => {
                    self.voice.say(&kujira_usi::Line::ReadyOk);
                    return true;
                }
                Ready::WithSearch => return true,
                Ready::InTurn => Request::Run(Box::new(Command::IsReady), None, None),
            },
            Ok(Some(command)) => {
                let control = match &command {
                    Command::Go(go) => {
                        Some(self.searches.begin(Task::of(&go.limits), go.limits.times))
                    }
                    Command::Perft { .. } | Command::Bench(_) => {
                        Some(self.searches.begin(Task::Count, None))
                    }
                    Command::GameOver => {
                        self.searches.stop_all();
                        None
                    }
                    _ => None,
                };
                Request::Run(Box::new(command), choice, control)
            }
            Err(error) => Request::Refused(error.into(), choice),
        };
        self.queue.send(request).is_ok()
    }
}
