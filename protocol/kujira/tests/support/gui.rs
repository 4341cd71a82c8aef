//! A GUI: writes lines to a session or a process and reads its lines, with a time limit.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use kujira_position::VariantId;
use kujira_search::Engine;
use kujira_trial::{PATIENCE, soon};

/// How a process ended. One that does not is killed.
pub fn end_of(child: &mut Child) -> ExitStatus {
    let mut status = None;
    let mut ends = || {
        status = child.try_wait().unwrap();
        status.is_some()
    };
    if !soon(&mut ends) {
        child.kill().unwrap();
    }
    status.expect("the process ends")
}

pub struct Gui {
    input: Option<Box<dyn Write + Send>>,
    lines: Receiver<String>,
    end: End,
}

enum End {
    Thread(Option<JoinHandle<kujira::End>>),
    Process(Child),
}

fn listen(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            if sender.send(line.expect("ASCII lines")).is_err() {
                return;
            }
        }
    });
    lines
}

impl Gui {
    /// A session in this process.
    pub fn of_session(factory: impl Fn(VariantId) -> Box<dyn Engine> + Send + 'static) -> Self {
        let (session_input, input) = std::io::pipe().unwrap();
        let (output, session_output) = std::io::pipe().unwrap();
        let session = thread::spawn(move || kujira::run(session_input, session_output, factory));
        Self {
            input: Some(Box::new(input)),
            lines: listen(output),
            end: End::Thread(Some(session)),
        }
    }

    /// A session of the binary.
    pub fn of_process() -> Self {
        Self::of_command(&mut Command::new(env!("CARGO_BIN_EXE_kujira")))
    }

    /// A session of the binary that a command starts.
    pub fn of_command(command: &mut Command) -> Self {
        let mut child = command
            .env_remove("KUJIRA_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            input: Some(Box::new(child.stdin.take().unwrap())),
            lines: listen(child.stdout.take().unwrap()),
            end: End::Process(child),
        }
    }

    /// The number of the process.
    pub fn process_id(&self) -> u32 {
        match &self.end {
            End::Process(child) => child.id(),
            End::Thread(_) => std::process::id(),
        }
    }

    /// Writes bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// Writes a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line before the time is up")
    }

    /// The next line, if one comes within `time`.
    pub fn line_within(&mut self, time: Duration) -> Option<String> {
        self.lines.recv_timeout(time).ok()
    }

    /// The lines up to and with the first that begins with `start`.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// The lines that come before everything sent so far has been dealt with. No search may run.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        // A sign of life, for which a busy machine takes long enough, is no answer.
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }

    /// Sends a line, and the lines it gives. No search may run.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.sync()
    }

    /// The one line that `line` gives.
    pub fn ask_one(&mut self, line: &str) -> String {
        let lines = self.ask(line);
        assert_eq!(lines.len(), 1, "{line}: {lines:?}");
        lines.into_iter().next().unwrap()
    }

    /// The SFEN of the position in play.
    pub fn sfen(&mut self) -> String {
        let shown = self.ask("d");
        let sfen = shown.iter().find_map(|line| line.strip_prefix("sfen "));
        sfen.expect("d shows the SFEN").to_owned()
    }

    /// The legal moves, in the order in which they are told.
    pub fn moves(&mut self) -> Vec<String> {
        let lines = self.ask("moves");
        let [count, moves] = &lines[..] else { panic!("{lines:?}") };
        let moves: Vec<String> = moves.split_ascii_whitespace().map(str::to_owned).collect();
        assert_eq!(*count, format!("info string {} legal moves", moves.len()));
        moves
    }

    /// Sends a `go` and gives the best move.
    pub fn best(&mut self, go: &str) -> String {
        self.send(go);
        let lines = self.until("bestmove ");
        let answer = lines.last().unwrap().strip_prefix("bestmove ").unwrap();
        answer.split(' ').next().unwrap().to_owned()
    }

    /// Ends the input, waits for the end of the session and gives the lines that were left. A
    /// process must have succeeded and been silent on stderr.
    pub fn close(mut self) -> Vec<String> {
        drop(self.input.take());
        self.wait_for_end()
    }

    /// As [`Gui::close`], with `quit`, and with the input still open.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        self.wait_for_end()
    }

    fn wait_for_end(&mut self) -> Vec<String> {
        let lines = self.lines.iter().collect();
        match &mut self.end {
            End::Thread(session) => {
                session.take().unwrap().join().expect("the session ends well");
            }
            End::Process(child) => {
                let status = end_of(child);
                let mut stderr = String::new();
                child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
                assert_eq!(stderr, "", "stderr stays silent");
                assert!(status.success(), "{status}");
            }
        }
        lines
    }
}
