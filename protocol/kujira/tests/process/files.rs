//! Files that a session is told to use, and an output that nobody reads.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

#[cfg(unix)]
use kujira_trial::disk::limited;
#[cfg(unix)]
use kujira_trial::{assert_ended, said};

#[cfg(unix)]
use crate::support::gui::Gui;
use crate::support::gui::end_of;

/// A folder that goes when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kujira-files-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs a session to its end, its input kept open: it has to end by itself.
fn session(input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kujira"))
        .env_remove("KUJIRA_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    end_of(&mut child);
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_opened() {
    let scratch = Scratch::new("regular");
    let pipe = scratch.0.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (pipe, folder) = (pipe.display().to_string(), scratch.0.display().to_string());
    for (path, found) in [
        (&pipe[..], "a pipe"),
        ("/dev/zero", "a device"),
        ("/dev/full", "a device"),
        (&folder, "a folder"),
    ] {
        for option in ["EvalFile", "BookFile", "DebugLogFile"] {
            let usi = format!("setoption name {option} value {path}\nisready\nquit\n");
            let cecp = format!("xboard\nprotover 2\noption {option}={path}\nping 7\nquit\n");
            for (input, alive) in [(usi, "readyok\n"), (cecp, "pong 7\n")] {
                let output = session(&input);
                let said = String::from_utf8(output.stdout).unwrap();
                let expected = format!("found {path}: expected a regular file, found {found}");
                assert!(said.contains(&expected), "{input}: {said}");
                assert!(said.contains(alive) && output.status.success(), "{input}: {said}");
            }
        }
    }
}

/// Lines of a log after somebody's own text, or in the middle of a network, are a loss.
#[test]
fn a_log_goes_to_no_file_of_others() {
    let scratch = Scratch::new("log");
    let path = scratch.0.join("notes");
    let input = format!("setoption name DebugLogFile value {}\nisready\nquit\n", path.display());
    for text in [&b"my own notes\n"[..], b"KujiraNN\x02\0", b"[DEBUG other] > x\n"] {
        fs::write(&path, text).unwrap();
        let said = String::from_utf8(session(&input).stdout).unwrap();
        let expected = "expected a log of Kujira or no file, found something else";
        assert!(said.contains(expected), "{said}");
        assert_eq!(fs::read(&path).unwrap(), text);
    }
    // Its own is gone on with.
    fs::remove_file(&path).unwrap();
    for times in 1..=2 {
        assert_eq!(session(&input).stdout, b"readyok\n");
        let log = fs::read_to_string(&path).unwrap();
        assert_eq!(log.matches("> readyok\n").count(), times, "{log}");
    }
}

/// A log that may not grow is no reason to lose a game.
#[cfg(unix)]
#[test]
fn a_log_of_limited_size_ends_no_game() {
    let scratch = Scratch::new("limited-log");
    let log = scratch.0.join("log");
    let mut gui = Gui::of_command(&mut limited(&Command::new(env!("CARGO_BIN_EXE_kujira")), 2));
    gui.send(&format!("setoption name DebugLogFile value {}", log.display()));
    for _ in 0..3 {
        gui.best("go nodes 20000");
    }
    // The session ends when all of the log is written, as far as it may be.
    assert_eq!(gui.quit(), [""; 0]);
    assert_eq!(fs::metadata(log).unwrap().len(), 1024);
}

/// An answer that a file may not hold is an error as on a full disk.
#[cfg(unix)]
#[test]
fn an_output_of_limited_size_is_told() {
    let scratch = Scratch::new("limited-output");
    let mut help = Command::new(env!("CARGO_BIN_EXE_kujira"));
    let mut command = limited(help.arg("--help"), 1);
    command.stdout(fs::File::create(scratch.0.join("help")).unwrap());
    let output = command.output().unwrap();
    assert_ended(&output, 1, "--help");
    assert!(said(&output).contains("kujira: standard output: File too large"), "{}", said(&output));
}

#[test]
fn an_output_that_nobody_reads_is_no_reason_for_words() {
    for (arguments, input) in [
        (&["--help"] as &[&str], ""),
        (&["--version"], ""),
        (&["bench", "1"], ""),
        (&[], "usi\nisready\nquit\n"),
        (&[], "xboard\nprotover 2\nping 1\nquit\n"),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut child = Command::new(env!("CARGO_BIN_EXE_kujira"))
            .args(arguments)
            .env_remove("KUJIRA_LOG")
            .stdin(Stdio::piped())
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The session may be over before it has read all.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(141), "{arguments:?} {input:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?} {input:?}");
    }
}
