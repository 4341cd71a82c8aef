//! Signals, standard output that takes nothing, and a time of day that steps.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kujira_trial::clock::SteppingClock;
use kujira_trial::signals::{asking, ended_by, shell_status};
use kujira_trial::{Deaf, Program, assert_ended, deafened};

const KUJIRA: Program = Program::new(env!("CARGO_BIN_EXE_kujira"));

/// The system ends the engine: it has no file to finish.
#[test]
fn signals_end_it_at_once() {
    for signal in asking() {
        for arguments in [&[] as &[&str], &["bench", "30"]] {
            let output = ended_by(&mut KUJIRA.command(arguments), signal);
            assert_eq!(shell_status(output.status), 128 + signal as i32, "{arguments:?} {signal}");
            assert!(output.stderr.is_empty(), "{signal}");
        }
    }
}

#[test]
fn no_output_is_no_reason_to_panic() {
    for &deaf in Deaf::ALL {
        for arguments in [["--help"], ["--version"]] {
            let output = KUJIRA.unheard(deaf, &arguments);
            let expected = match deaf {
                Deaf::Pipe => 141,
                Deaf::Closed => 0,
                Deaf::Full => 1,
            };
            assert_ended(&output, expected, &format!("{arguments:?} {deaf:?}"));
        }
    }
}

/// A search that waits for a stop ends when nobody reads what it finds, though its input stays open.
#[test]
fn a_search_that_nobody_hears_ends() {
    for commands in ["go infinite\n", "go mate infinite\n", "xboard\npost\nanalyze\n"] {
        for &deaf in &[Deaf::Pipe, Deaf::Full] {
            let mut child =
                deafened(KUJIRA.command(&[]), deaf).stdin(Stdio::piped()).spawn().unwrap();
            let mut input = child.stdin.take().unwrap();
            input.write_all(commands.as_bytes()).unwrap();
            let begun = Instant::now();
            let status = loop {
                if let Some(status) = child.try_wait().unwrap() {
                    break status;
                }
                if begun.elapsed() > Duration::from_secs(30) {
                    child.kill().unwrap();
                    panic!("{commands:?} {deaf:?} does not end");
                }
                thread::sleep(Duration::from_millis(10));
            };
            assert_eq!(status.code(), Some(141), "{commands:?} {deaf:?}");
        }
    }
}

/// Searches take the time they are given, whatever the time of day does meanwhile.
#[test]
fn steps_of_the_time_of_day_change_no_search() {
    let Some(clock) = SteppingClock::start() else { return };
    let mut command = Command::new(env!("CARGO_BIN_EXE_kujira"));
    clock.give(&mut command);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = BufReader::new(output).lines();
    let mut wait = |word: &str| lines.any(|line| line.unwrap().starts_with(word));
    input.write_all(b"usi\nisready\n").unwrap();
    assert!(wait("readyok"));
    for _ in 0..6 {
        let begun = Instant::now();
        input.write_all(b"position startpos\ngo movetime 400\n").unwrap();
        assert!(wait("bestmove"));
        let took = begun.elapsed();
        assert!((300..4000).contains(&took.as_millis()), "{took:?}");
        let begun = Instant::now();
        input.write_all(b"go btime 3000 wtime 3000 byoyomi 0\n").unwrap();
        assert!(wait("bestmove"));
        assert!(begun.elapsed() < Duration::from_secs(3));
    }
    input.write_all(b"quit\n").unwrap();
    assert!(child.wait().unwrap().success());
    println!("12 searches, {} steps of a day", clock.stop());
}
