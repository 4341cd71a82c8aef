//! A child process that speaks in lines: nothing it does can block us, and it does not outlive us
//! where we have any say in our own end.
//!
//! Every process leads a group of its own, which is killed when the [`Process`] is dropped and by
//! [`kill_all`]. A runner that is itself killed outright (SIGKILL) can do nothing: its engines then see
//! the end of their input, and those that ignore it run on.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use kujira_program::group;

use crate::waiting::Waiting;

use super::config::EngineConfig;
use super::program::{check_loaded, program};
use super::stderr_tail::StderrTail;
use super::talk::{Talk, Way};

/// The longest line that is taken from an engine, in bytes.
pub(super) const LONGEST_LINE: usize = 64 * 1024;

/// How many lines wait to be read before the engine has to.
const QUEUE: usize = 256;

/// How many lines of a search are held back at most.
const MOST_HELD: usize = 64;

/// How many texts wait to be sent. Every request waits for its answer, so few are ever needed.
const UNSENT: usize = 16;

/// What came from the engine's standard output.
#[derive(Debug)]
pub(super) enum Event {
    /// A line, and when it came.
    Line(Instant, String),
    /// A line longer than [`LONGEST_LINE`].
    Overlong,
    /// The end of the output: the engine has closed it or died.
    Closed,
}

/// Why a text could not be sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unsent {
    /// The engine has closed its input or died.
    Closed,
    /// The engine does not read: too much waits for it already.
    Full,
}

/// The processes that have not been waited for, by process id. One that is listed here has not given
/// its id back to the system, so that its group can be killed without hitting anybody else's.
struct Living {
    ids: BTreeSet<u32>,
    /// Whether the program is about to end: nothing more is started.
    over: bool,
}

static LIVING: Mutex<Living> = Mutex::new(Living { ids: BTreeSet::new(), over: false });

fn living() -> MutexGuard<'static, Living> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills every running engine, with everything it started, and lets no other begin: for a program
/// that ends without dropping its sessions.
pub fn kill_all() {
    let mut living = living();
    living.over = true;
    for &id in &living.ids {
        group::kill(id);
    }
}

/// Whether the process has ended but still keeps its id; `false` where that cannot be seen.
#[cfg(target_os = "linux")]
fn is_zombie(id: u32) -> bool {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    use nix::unistd::Pid;
    let Ok(id) = i32::try_from(id) else { return false };
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    matches!(
        waitid(Id::Pid(Pid::from_raw(id)), flags),
        Ok(WaitStatus::Exited(..) | WaitStatus::Signaled(..))
    )
}

#[cfg(not(target_os = "linux"))]
fn is_zombie(_: u32) -> bool {
    false
}

/// A running engine. Dropping it kills it, and everything it started, and waits for its end.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// How it ended, once it has and has been waited for.
    status: Option<ExitStatus>,
    /// What is to be written to its standard input, by a thread that may block where we must not.
    input: Option<SyncSender<String>>,
    output: Receiver<Event>,
    /// `None` only while it is started.
    complaints: Option<StderrTail>,
    talk: Option<Talk>,
}

impl Process {
    /// Starts the program of `config`.
    pub(super) fn start(config: &EngineConfig, talk: Option<Talk>) -> io::Result<Self> {
        check_loaded(config)?;
        let program = program(config)?;
        let mut command = Command::new(&program);
        command
            .args(&config.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(directory) = &config.directory {
            command.current_dir(directory);
        }
        group::lead(&mut command);
        let child = {
            let mut living = living();
            if living.over {
                return Err(io::Error::other("the program is about to end"));
            }
            let child = command.spawn().map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", program.display()))
            })?;
            living.ids.insert(child.id());
            child
        };
        let (said, (lines, output)) = (talk.clone(), sync_channel(QUEUE));
        let (input, texts) = sync_channel(UNSENT);
        // From here on dropping it kills the child.
        let mut process =
            Self { child, status: None, input: Some(input), output, complaints: None, talk };
        let Child { stdin, stdout, stderr, .. } = &mut process.child;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (stdin.take(), stdout.take(), stderr.take())
        else {
            return Err(io::Error::other("expected pipes to and from the engine, found none"));
        };
        process.complaints = Some(StderrTail::of(stderr, process.talk.clone())?);
        thread::Builder::new()
            .name("engine output".to_owned())
            .spawn(move || read_lines(BufReader::new(stdout), &lines, said.as_ref()))?;
        thread::Builder::new()
            .name("engine input".to_owned())
            .spawn(move || write_texts(stdin, &texts))?;
        Ok(process)
    }

    /// Sends `text`, which ends in a newline, without waiting for the engine to read it.
    pub(super) fn send(&mut self, text: impl Into<String>) -> Result<(), Unsent> {
        let Some(input) = &self.input else { return Err(Unsent::Closed) };
        let text = text.into();
        if let Some(talk) = &self.talk {
            talk.note(Way::To, &text);
        }
        input.try_send(text).map_err(|error| match error {
            TrySendError::Full(_) => Unsent::Full,
            TrySendError::Disconnected(_) => Unsent::Closed,
        })
    }

    /// The next event, if it comes within `timeout`.
    pub(super) fn next(&self, timeout: Duration) -> Option<Event> {
        match self.output.recv_timeout(timeout) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::Closed),
        }
    }

    /// The next event that has already come.
    pub(super) fn pending(&self) -> Option<Event> {
        self.output.try_recv().ok()
    }

    /// How the engine ended, if it has. What it left running is killed.
    pub(super) fn ended(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            let mut living = living();
            let id = self.child.id();
            // Before it is waited for: afterwards its id may be another's.
            if is_zombie(id) {
                group::kill(id);
            }
            if let Ok(Some(status)) = self.child.try_wait() {
                self.status = Some(status);
                living.ids.remove(&id);
            }
        }
        self.status
    }

    /// How the engine ended, in words: with what it complained about last.
    pub(super) fn exit_report(&self, status: ExitStatus) -> String {
        let line = self.complaints.as_ref().map(StderrTail::last_line).unwrap_or_default();
        if line.is_empty() {
            return status.to_string();
        }
        format!("{status}, its last complaint \"{}\"", shown(&line, 200))
    }

    /// Closes the engine's input, once everything is sent, and waits up to `patience` for its end.
    pub(super) fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        self.input = None;
        let mut pause = Duration::from_micros(200);
        let look = |time: Duration| {
            if let Some(status) = self.ended() {
                return Some(status);
            }
            // An engine with much to say on its way out must not wait for us, nor we for it.
            for _ in 0..QUEUE {
                if self.pending().is_none() {
                    break;
                }
            }
            thread::sleep(pause.min(time));
            pause = (pause * 2).min(Duration::from_millis(20));
            None
        };
        Waiting::up_to(patience).wait(look).ok()
    }

    fn kill(&mut self) {
        if self.ended().is_some() {
            return;
        }
        {
            let mut living = living();
            group::kill(self.child.id());
            let _ = self.child.kill();
            living.ids.remove(&self.child.id());
        }
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A line of an engine as people can read it, up to so many characters of it.
pub(super) fn shown(line: &str, most: usize) -> String {
    line.chars().take(most).flat_map(char::escape_default).collect()
}

/// Passes lines on until the output ends or nobody listens any more.
///
/// Lines that only tell of a search wait for the next one of another kind, such as the move: waking the
/// listener for each of them was most of what a match cost beside its engines.
fn read_lines(mut output: impl BufRead, sender: &SyncSender<Event>, talk: Option<&Talk>) {
    let mut line = Vec::with_capacity(256);
    let mut held = Vec::new();
    loop {
        line.clear();
        let event = match output.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Event::Closed,
            Ok(_) if line.last() != Some(&b'\n') && line.len() == LONGEST_LINE => Event::Overlong,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line);
                Event::Line(Instant::now(), text.trim_end_matches(['\r', '\n']).to_owned())
            }
        };
        if let (Some(talk), Event::Line(_, text)) = (talk, &event) {
            talk.note(Way::From, text);
        }
        let last = matches!(event, Event::Closed | Event::Overlong);
        let tells = matches!(&event, Event::Line(_, text) if text.starts_with("info"));
        held.push(event);
        if tells && held.len() < MOST_HELD {
            continue;
        }
        if held.drain(..).any(|event| sender.send(event).is_err()) || last {
            return;
        }
    }
}

/// Writes to the engine until nothing more is to be sent or it reads no more, then closes its input.
fn write_texts(mut input: impl Write, texts: &Receiver<String>) {
    for text in texts {
        if input.write_all(text.as_bytes()).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(bytes: &[u8]) -> Vec<String> {
        let (sender, receiver) = sync_channel(100);
        read_lines(bytes, &sender, None);
        drop(sender);
        receiver
            .iter()
            .map(|event| match event {
                Event::Line(_, text) => text,
                other => format!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn lines_end_in_any_fashion() {
        assert_eq!(events(b"a\r\nb\n\nlast"), ["a", "b", "", "last", "Closed"]);
        assert_eq!(events(b"\xff\xfe\n"), ["\u{fffd}\u{fffd}", "Closed"]);
        assert_eq!(events(b""), ["Closed"]);
    }

    #[test]
    fn lines_of_a_search_come_with_the_move_and_in_order() {
        let mut text: String = (0..MOST_HELD + 3).map(|n| format!("info depth {n}\n")).collect();
        text.push_str("bestmove 1a1b\n");
        // More than are held back at a time; the channel takes a hundred.
        let expected: Vec<_> = text.lines().chain(["Closed"]).map(str::to_owned).collect();
        assert_eq!(events(text.as_bytes()), expected);
        assert_eq!(events(b"info depth 1\ninfo"), ["info depth 1", "info", "Closed"]);

        // Nothing is heard of the search before there is a move.
        struct Slow<'a>(std::slice::Iter<'a, &'static [u8]>, &'a Receiver<Event>);
        impl Read for Slow<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                assert!(self.1.try_recv().is_err(), "a line came too early");
                let Some(text) = self.0.next() else { return Ok(0) };
                buffer[..text.len()].copy_from_slice(text);
                Ok(text.len())
            }
        }
        let (sender, receiver) = sync_channel(100);
        let parts: [&[u8]; 3] = [b"info depth 1\n", b"info depth 2\n", b"info depth 3\n"];
        read_lines(BufReader::new(Slow(parts.iter(), &receiver)), &sender, None);
        assert_eq!(receiver.try_iter().count(), 4);
    }

    #[test]
    fn a_line_without_end_is_cut_off() {
        let mut bytes = vec![b'x'; LONGEST_LINE - 1];
        bytes.push(b'\n');
        assert_eq!(events(&bytes).len(), 2);
        assert_eq!(events(&vec![b'x'; 3 * LONGEST_LINE]), ["Overlong"]);
    }
}
