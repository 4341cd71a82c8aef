//! The thread that owns the input. It reacts at once to what cannot wait for the session and queues
//! everything else.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use kujira_search::Control;

use crate::command::{self, Command, CommandError, LONGEST_LINE};
use crate::errors::SessionError;
use crate::output::Output;
use crate::searches::{Searches, Task};

/// What the session is asked to do.
#[derive(Debug)]
pub(crate) enum Request {
    /// Carry out a command; with a control if it can be stopped.
    Run(Command, Option<Arc<Control>>),
    /// Report an error.
    Refused(SessionError),
}

/// However reading ends, no search waits for a stop that can no longer come.
struct StopAtEnd<'a>(&'a Searches);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Reads until `quit`, the end of the input, or until the session has gone.
pub(crate) fn listen(
    input: impl Read,
    searches: &Searches,
    output: &Output,
    queue: &Sender<Request>,
) {
    let _guard = StopAtEnd(searches);
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut line = Vec::new();
    loop {
        let command = match read_line(&mut input, &mut line) {
            Ok(Line::Whole) => {
                log::debug!("< {}", String::from_utf8_lossy(&line));
                command::parse(&line)
            }
            Ok(Line::TooLong) => Err(CommandError::TooLong),
            Ok(Line::End) => return,
            Err(error) => {
                log::error!("reading the input: {error}");
                return;
            }
        };
        let request = match command {
            Ok(None) => continue,
            Ok(Some(Command::Quit)) => return,
            Ok(Some(Command::Stop | Command::GameOver)) => {
                searches.stop_all();
                continue;
            }
            Ok(Some(Command::PonderHit(times))) => {
                if searches.ponder_hit(times) {
                    continue;
                }
                Request::Refused(SessionError::NotPondering)
            }
            Ok(Some(Command::IsReady)) if searches.any() => {
                output.lines("readyok");
                continue;
            }
            Ok(Some(command)) => {
                let task = match &command {
                    Command::Go(go) => Some(Task::of(&go.limits)),
                    Command::Perft { .. } | Command::Bench(_) => Some(Task::Count),
                    _ => None,
                };
                Request::Run(command, task.map(|task| searches.begin(task)))
            }
            Err(error) => Request::Refused(error.into()),
        };
        if queue.send(request).is_err() {
            return;
        }
    }
}

#[derive(PartialEq, Eq, Debug)]
enum Line {
    /// A line is in the buffer, without its line feed.
    Whole,
    /// A line was too long; it was skipped.
    TooLong,
    /// There is no more.
    End,
}

/// Reads the next line, of which it holds at most [`LONGEST_LINE`] bytes.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    const KEPT: usize = 1 << 16;
    line.clear();
    line.shrink_to(KEPT);
    let most = LONGEST_LINE as u64 + 1;
    input.by_ref().take(most).read_until(b'\n', line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Line::Whole);
    }
    if line.len() <= LONGEST_LINE {
        // The input ended; what it held of a line is one.
        return Ok(if line.is_empty() { Line::End } else { Line::Whole });
    }
    input.skip_until(b'\n')?;
    Ok(Line::TooLong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut input: &[u8]) -> Vec<(Line, usize)> {
        let mut buffer = Vec::new();
        let mut lines = Vec::new();
        loop {
            match read_line(&mut input, &mut buffer).unwrap() {
                Line::End => return lines,
                line => lines.push((line, buffer.len())),
            }
        }
    }

    #[test]
    fn lines_end_at_line_feeds_and_at_the_end() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"a\n\nbc"), [(Line::Whole, 1), (Line::Whole, 0), (Line::Whole, 2)]);
    }

    #[test]
    fn the_longest_line_is_read_and_a_longer_one_skipped() {
        let longest = [vec![b'x'; LONGEST_LINE], b"\nusi\n".to_vec()].concat();
        assert_eq!(lines(&longest), [(Line::Whole, LONGEST_LINE), (Line::Whole, 3)]);
        let longer = [vec![b'x'; LONGEST_LINE + 1], b"\nusi\n".to_vec()].concat();
        let read = lines(&longer);
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].0, Line::TooLong);
        assert_eq!(read[1], (Line::Whole, 3));
        let endless = vec![b'x'; 3 * LONGEST_LINE];
        assert_eq!(lines(&endless).len(), 1);
    }
}
