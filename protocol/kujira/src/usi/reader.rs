//! The thread that owns the input. It reacts at once to what cannot wait for the session and queues
//! everything else.

use std::io::{BufReader, Read};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use kujira_search::Control;

use crate::files::Leave;
use crate::lines::{Line, LineError, read_line};
use crate::output::Output;

use super::command::{self, Command, CommandError};
use super::go::PonderHit;
use super::info;
use super::searches::{Ready, Searches, Task};

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
    /// Carry out a command; with a control if it can be stopped.
    Run(Command, Option<Arc<Control>>),
    /// Report an error.
    Refused(Refusal),
}

/// However reading ends, no search waits for a stop that can no longer come, and no file holds the session up.
struct StopAtEnd<'a>(&'a Searches, &'a Leave);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.close();
        self.1.now();
    }
}

/// Reads until `quit`, the end of the input, or until the session has gone.
pub(crate) fn listen(
    input: impl Read,
    searches: &Searches,
    leave: &Leave,
    output: &Output,
    queue: &Sender<Request>,
) {
    let _guard = StopAtEnd(searches, leave);
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut line = Vec::new();
    loop {
        let command = match read_line(&mut input, &mut line) {
            Ok(Line::Whole) => {
                log::debug!("< {}", String::from_utf8_lossy(&line));
                command::parse(&line)
            }
            Ok(Line::TooLong) => command::unreadable(&line, LineError::TooLong),
            Ok(Line::End) => return,
            Err(error) => {
                log::error!("reading the input: {error}");
                return;
            }
        };
        let request = match command {
            Ok(None) => continue,
            Ok(Some(Command::Quit)) => return,
            Ok(Some(Command::Stop)) => {
                searches.stop_all();
                continue;
            }
            Ok(Some(Command::PonderHit(PonderHit { times, fault }))) => {
                match (searches.ponder_hit(&times, fault.is_some()), fault) {
                    (true, None) => continue,
                    (true, Some(fault)) => Request::Refused(fault.into()),
                    (false, _) => Request::Refused(Refusal::NotPondering),
                }
            }
            Ok(Some(Command::IsReady)) => match searches.ping() {
                Ready::Now => {
                    info::say(output, &kujira_usi::Line::ReadyOk);
                    continue;
                }
                Ready::WithSearch => continue,
                Ready::InTurn => Request::Run(Command::IsReady, None),
            },
            Ok(Some(command)) => {
                let control = match &command {
                    Command::Go(go) => Some(searches.begin(Task::of(&go.limits), go.limits.times)),
                    Command::Perft { .. } | Command::Bench(_) => {
                        Some(searches.begin(Task::Count, None))
                    }
                    Command::GameOver => {
                        searches.stop_all();
                        None
                    }
                    _ => None,
                };
                Request::Run(command, control)
            }
            Err(error) => Request::Refused(error.into()),
        };
        if queue.send(request).is_err() {
            return;
        }
    }
}
