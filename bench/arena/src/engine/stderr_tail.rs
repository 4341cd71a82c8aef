//! What an engine prints to its standard error: taken all the time, so that it never waits for us, and
//! the end of it kept, because it often says what the engine died of.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::talk::{Talk, Way};

/// How many bytes are kept.
const KEPT: usize = 4096;

/// How long to wait for the rest once the engine has ended. A process that it started may hold its
/// standard error for ever.
const REST: Duration = Duration::from_secs(2);

/// The standard error of an engine.
#[derive(Debug)]
pub(super) struct StderrTail {
    tail: Arc<Mutex<VecDeque<u8>>>,
    /// Closed when there is no more to come.
    over: Receiver<()>,
}

impl StderrTail {
    /// Begins to read.
    pub(super) fn of(output: impl Read + Send + 'static, talk: Option<Talk>) -> io::Result<Self> {
        let tail = Arc::new(Mutex::new(VecDeque::new()));
        let (sender, over) = channel();
        let shared = Arc::clone(&tail);
        thread::Builder::new().name("engine error".to_owned()).spawn(move || match talk {
            Some(talk) => read(Logged { output, talk, line: Vec::new() }, &shared, sender),
            None => read(output, &shared, sender),
        })?;
        Ok(Self { tail, over })
    }

    /// The last line that says something; nothing if there is none. Asked once the engine has ended.
    pub(super) fn last_line(&self) -> String {
        // Nothing is ever sent: this waits for the end.
        let _ = self.over.recv_timeout(REST);
        let mut tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(tail.make_contiguous()).into_owned();
        text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default().to_owned()
    }
}

/// An output of which every line is logged, too.
struct Logged<R> {
    output: R,
    talk: Talk,
    /// What was read of the line that is not over.
    line: Vec<u8>,
}

impl<R: Read> Read for Logged<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.output.read(buffer)?;
        self.line.extend(buffer.iter().take(count));
        let whole = match self.line.iter().rposition(|&byte| byte == b'\n') {
            Some(end) => end + 1,
            // One without an end is logged in parts.
            None if count == 0 || self.line.len() > KEPT => self.line.len(),
            None => 0,
        };
        let lines: Vec<u8> = self.line.drain(..whole).collect();
        self.talk.note(Way::Error, &String::from_utf8_lossy(&lines));
        Ok(count)
    }
}

/// Reads to the end. The sender is only held: dropping it tells that this is over.
fn read(mut output: impl Read, tail: &Mutex<VecDeque<u8>>, _over: Sender<()>) {
    let mut bytes = [0; KEPT];
    loop {
        let count = match output.read(&mut bytes) {
            Ok(0) => return,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(bytes.iter().take(count));
        let surplus = tail.len().saturating_sub(KEPT);
        tail.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tail of an output that is over.
    fn all_of(text: &'static str) -> StderrTail {
        let complaints = StderrTail::of(text.as_bytes(), None).unwrap();
        assert!(complaints.over.recv().is_err());
        complaints
    }

    #[test]
    fn the_last_line_is_kept() {
        for (text, expected) in [
            ("", ""),
            ("\n \n", ""),
            ("one", "one"),
            ("one\n two \r\n\n", "two"),
            ("thread 'main' panicked\nindex out of bounds", "index out of bounds"),
        ] {
            assert_eq!(all_of(text).last_line(), expected, "{text:?}");
        }
    }

    #[test]
    fn only_the_end_is_kept() {
        let text: &'static str = format!("{}\nthe end\n", "!".repeat(1 << 20)).leak();
        let complaints = all_of(text);
        assert_eq!(complaints.last_line(), "the end");
        assert_eq!(complaints.tail.lock().unwrap().len(), KEPT);
    }

    /// Somebody else may hold the other end for ever.
    #[test]
    fn nobody_waits_for_ever() {
        struct Held(bool);
        impl Read for Held {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                if std::mem::replace(&mut self.0, true) {
                    thread::sleep(Duration::from_secs(3600));
                }
                buffer[..4].copy_from_slice(b"so?\n");
                Ok(4)
            }
        }
        let complaints = StderrTail::of(Held(false), None).unwrap();
        let told = || !complaints.tail.lock().unwrap().is_empty();
        kujira_trial::wait_until("something is told", told);
        assert_eq!(complaints.last_line(), "so?");
    }
}
