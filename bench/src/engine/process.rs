//! A child process that speaks in lines: nothing it does can block us or outlive us.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::config::EngineConfig;

/// The longest line that is taken from an engine, in bytes.
pub(super) const LONGEST_LINE: usize = 64 * 1024;

/// How many lines wait to be read before the engine has to.
const QUEUE: usize = 256;

/// What came from the engine's standard output.
#[derive(Debug)]
pub(super) enum Event {
    /// A line, and when it came.
    Line(Instant, String),
    /// A line longer than [`LONGEST_LINE`].
    Overlong,
    /// The end of the output: the engine has closed it or died.
    Closed,
    /// Nothing came in time.
    Nothing,
}

/// A running engine. Dropping it kills it, and everything it started, and waits for its end.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Event>,
}

impl Process {
    /// Starts the program of `config`.
    pub(super) fn start(config: &EngineConfig) -> io::Result<Self> {
        let mut command = Command::new(&config.command);
        command
            .args(&config.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Nobody reads an engine's complaints; a pipe that nobody reads would block it.
            .stderr(Stdio::null());
        if let Some(directory) = &config.directory {
            command.current_dir(directory);
        }
        // In a group of its own: Ctrl-C at our terminal is ours to deal with, and what the engine
        // starts can be killed with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let stdout = child
            .stdout
            .take()
            .ok_or_else(|| io::Error::other("the engine has no standard output"))?;
        let (sender, output) = sync_channel(QUEUE);
        thread::Builder::new()
            .name("engine output".to_owned())
            .spawn(move || read_lines(BufReader::new(stdout), &sender))?;
        Ok(Self { child, input, output })
    }

    /// Sends `text`, which ends in a newline.
    pub(super) fn send(&mut self, text: &str) -> io::Result<()> {
        match &mut self.input {
            Some(input) => input.write_all(text.as_bytes()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// The next event, waiting for it no longer than `timeout`.
    pub(super) fn next(&self, timeout: Duration) -> Event {
        match self.output.recv_timeout(timeout) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => Event::Nothing,
            Err(RecvTimeoutError::Disconnected) => Event::Closed,
        }
    }

    /// The next event that has already come.
    pub(super) fn pending(&self) -> Option<Event> {
        self.output.try_recv().ok()
    }

    /// Closes the engine's input and waits up to `patience` for its end.
    pub(super) fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        self.input = None;
        let started = Instant::now();
        let mut pause = Duration::from_micros(200);
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if started.elapsed() >= patience {
                return None;
            }
            // An engine with much to say on its way out must not wait for us.
            while self.pending().is_some() {}
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(id) = i32::try_from(self.child.id()) {
            use nix::sys::signal::{Signal, killpg};
            use nix::unistd::Pid;
            // Fails only if the whole group has ended already.
            let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Passes lines on until the output ends or nobody listens any more.
fn read_lines(mut output: impl BufRead, sender: &SyncSender<Event>) {
    let mut line = Vec::with_capacity(256);
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
        let last = matches!(event, Event::Closed | Event::Overlong);
        if sender.send(event).is_err() || last {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(bytes: &[u8]) -> Vec<String> {
        let (sender, receiver) = sync_channel(100);
        read_lines(bytes, &sender);
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
    fn a_line_without_end_is_cut_off() {
        let mut bytes = vec![b'x'; LONGEST_LINE - 1];
        bytes.push(b'\n');
        assert_eq!(events(&bytes).len(), 2);
        assert_eq!(events(&vec![b'x'; 3 * LONGEST_LINE]), ["Overlong"]);
    }
}
