//! A child process that speaks in lines. Nothing it does can block us: tasks of their own read its
//! output and write its input. Dropping it kills it, with whatever it has started (an engine may be a script that
//! starts another program); asked to quit it has a moment to do so.
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kujira_program::group;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

/// The longest line that is taken from an engine, in bytes; longer ones are cut.
const LONGEST_LINE: usize = 64 * 1024;

/// How much of what an engine writes to stderr is kept for a message, in bytes.
const COMPLAINT: usize = 2000;

/// How long an engine that is told to quit may take before it is killed.
const PARTING: Duration = Duration::from_secs(2);

/// How many lines wait to be written to the engine.
const UNSENT: usize = 64;

/// The program and arguments of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// What a process does: writes a line or ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// A line of its output.
    Line(String),
    /// Its output ended; what it wrote to stderr last.
    Closed(String),
}

/// A running engine.
#[derive(Debug)]
pub(crate) struct Process {
    child: Group,
    input: mpsc::Sender<String>,
}

/// A child with its process group, which is killed as it is dropped unless the child has ended by itself.
#[derive(Debug)]
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        // Until somebody waits for the child, no other process can have its number.
        if let Some(leader) = self.0.id() {
            group::kill(leader);
        }
    }
}

impl Process {
    /// Starts a program; what it does goes to `sink`, wrapped by `wrap`.
    pub(crate) fn start<T: Send + 'static>(
        launch: &Launch,
        sink: mpsc::Sender<T>,
        wrap: impl Fn(Event) -> T + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        group::lead(command.as_std_mut());
        let mut child = command.spawn()?;
        let pipe = || io::Error::other("no pipe to the engine");
        let mut stdin = child.stdin.take().ok_or_else(pipe)?;
        let stdout = child.stdout.take().ok_or_else(pipe)?;
        let mut stderr = child.stderr.take().ok_or_else(pipe)?;

        let (input, mut lines) = mpsc::channel::<String>(UNSENT);
        tokio::spawn(async move {
            while let Some(line) = lines.recv().await {
                if stdin.write_all(line.as_bytes()).await.is_err() || stdin.flush().await.is_err() {
                    break;
                }
            }
        });
        let complaint = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&complaint);
        let complaints = tokio::spawn(async move {
            let mut buffer = [0; 1024];
            while let Ok(read @ 1..) = stderr.read(&mut buffer).await {
                let text = String::from_utf8_lossy(buffer.get(..read).unwrap_or_default());
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                *kept += &text;
                let over = kept.len().saturating_sub(COMPLAINT);
                if let Some(cut) =
                    (over..kept.len()).find(|&at| over > 0 && kept.is_char_boundary(at))
                {
                    kept.drain(..cut);
                }
            }
        });
        tokio::spawn(async move {
            let mut reader = BufReader::new(stdout);
            while let Some(line) = read_line(&mut reader).await {
                if sink.send(wrap(Event::Line(line))).await.is_err() {
                    return;
                }
            }
            // What it wrote to stderr comes with its end.
            let _ = tokio::time::timeout(Duration::from_millis(200), complaints).await;
            let text = complaint.lock().unwrap_or_else(PoisonError::into_inner).trim().to_owned();
            // If the place for the engine is gone nobody receives it.
            let _ = sink.send(wrap(Event::Closed(text))).await;
        });
        Ok(Self { child: Group(child), input })
    }

    /// Sends a line; `false` if the engine has ended or has stopped reading.
    pub(crate) fn send(&self, line: &str) -> bool {
        self.input.try_send(format!("{line}\n")).is_ok()
    }

    /// Tells the engine to quit, and kills it if it does not.
    pub(crate) fn quit(self) {
        self.send("quit");
        let mut child = self.child;
        tokio::spawn(async move {
            // One that has not ended by then is killed as it is dropped here.
            let _ = tokio::time::timeout(PARTING, child.0.wait()).await;
        });
    }
}

/// The next line without its end, cut to [`LONGEST_LINE`]; `None` at the end of the output.
async fn read_line(reader: &mut (impl AsyncBufReadExt + Unpin)) -> Option<String> {
    let mut line = Vec::new();
    loop {
        let buffer = reader.fill_buf().await.ok()?;
        if buffer.is_empty() {
            return if line.is_empty() {
                None
            } else {
                Some(String::from_utf8_lossy(&line).into())
            };
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(buffer.len(), |end| end + 1);
        let room = LONGEST_LINE.saturating_sub(line.len());
        line.extend(buffer.iter().take(end.unwrap_or(taken).min(room)));
        reader.consume(taken);
        if end.is_some() {
            return Some(String::from_utf8_lossy(&line).into());
        }
    }
}

#[cfg(test)]
#[path = "../tests/common/clock.rs"]
mod clock;

#[cfg(test)]
mod tests {
    use super::clock::{meanwhile, still};
    use super::*;

    /// A shell that says `up`, and what then comes of it.
    async fn shell(script: &str) -> (Process, mpsc::Receiver<Event>) {
        let arguments = vec!["-c".to_owned(), format!("echo up; {script}")];
        let launch = Launch { program: "sh".into(), arguments };
        let (sink, mut events) = mpsc::channel(8);
        let process = Process::start(&launch, sink, |event| event).unwrap();
        assert_eq!(next(&mut events).await, Event::Line("up".to_owned()));
        (process, events)
    }

    /// The next event; none comes within a minute where something hangs.
    async fn next(events: &mut mpsc::Receiver<Event>) -> Event {
        tokio::time::timeout(kujira_trial::PATIENCE, events.recv()).await.unwrap().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn an_engine_told_to_quit_can_put_its_things_in_order() {
        let _still = still();
        let (process, mut events) = shell("read line; sleep 0.2; echo \"after $line\"").await;
        process.quit();
        assert_eq!(next(&mut events).await, Event::Line("after quit".to_owned()));
    }

    #[tokio::test(start_paused = true)]
    async fn an_engine_that_does_not_quit_is_killed() {
        let _still = still();
        let (process, mut events) = shell("while :; do sleep 0.1; done").await;
        process.quit();
        assert_eq!(meanwhile(PARTING, events.recv()).await, Some(Event::Closed(String::new())));
    }

    /// A script that starts the engine: what it started goes with it, though it heeds nothing else.
    #[cfg(unix)]
    #[tokio::test(start_paused = true)]
    async fn what_an_engine_started_is_killed_with_it() {
        let _still = still();
        for quits in [true, false] {
            let (process, mut events) =
                shell("(trap '' HUP INT TERM; while :; do sleep 0.1; done) & wait").await;
            if quits {
                process.quit();
            } else {
                drop(process);
            }
            // The pipe is closed when nobody has it any more.
            assert_eq!(meanwhile(PARTING, events.recv()).await, Some(Event::Closed(String::new())));
        }
    }

    #[tokio::test]
    async fn long_lines_are_cut_and_the_next_is_whole() {
        let mut text = vec![b'x'; LONGEST_LINE + 10];
        text.extend(b"\nnext\nlast");
        let mut reader = BufReader::new(&text[..]);
        assert_eq!(read_line(&mut reader).await.map(|line| line.len()), Some(LONGEST_LINE));
        assert_eq!(read_line(&mut reader).await.as_deref(), Some("next"));
        assert_eq!(read_line(&mut reader).await.as_deref(), Some("last"));
        assert_eq!(read_line(&mut reader).await, None);
    }
}
