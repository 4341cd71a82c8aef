//! Signals, standard output that takes nothing, and a time of day that steps.

use std::io::Write;
use std::process::{Command, Stdio};

use kujira_trial::clock::SteppingClock;
use kujira_trial::signals::{asking, ended_by, shell_status};
use kujira_trial::{Deaf, Program, assert_ended, assert_tells_of_itself, deafened, wait_until};

use crate::support::gui::{Gui, end_of};

const KUJIRA: Program = Program::new(env!("CARGO_BIN_EXE_kujira"));

/// The system ends the engine: it has no file to finish.
#[test]
fn signals_end_it_at_once() {
    for signal in asking() {
        for arguments in [&[] as &[&str], &["bench", "30"]] {
            let output = ended_by(&mut KUJIRA.command(arguments), signal, false);
            assert_eq!(shell_status(output.status), 128 + signal as i32, "{arguments:?} {signal}");
            assert!(output.stderr.is_empty(), "{signal}");
        }
    }
}

#[test]
fn no_output_is_no_reason_to_panic() {
    assert_tells_of_itself(KUJIRA);
}

/// A search that waits for a stop ends when nobody reads what it finds, though its input stays open.
#[test]
fn a_search_that_nobody_hears_ends() {
    for commands in ["go infinite\n", "go mate infinite\n", "xboard\npost\nanalyze\n"] {
        for (deaf, expected) in [(Deaf::Pipe, 141), (Deaf::Full, 1)] {
            let mut child = deafened(KUJIRA.command(&[]), deaf)
                .stdin(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut input = child.stdin.take().unwrap();
            input.write_all(commands.as_bytes()).unwrap();
            end_of(&mut child);
            let output = child.wait_with_output().unwrap();
            assert_ended(&output, expected, &format!("{commands:?} {deaf:?}"));
        }
    }
}

/// A search neither ends early nor misjudges its time while the time of day goes a day on and a day back, and searches
/// that have little time end.
#[test]
fn steps_of_the_time_of_day_change_no_search() {
    /// In milliseconds.
    const DAY: u64 = 24 * 3_600_000;
    let Some(clock) = SteppingClock::start() else { return };
    let mut command = Command::new(env!("CARGO_BIN_EXE_kujira"));
    clock.give(&mut command);
    let mut gui = Gui::of_command(&mut command);
    assert_eq!(gui.sync(), [""; 0]);
    gui.send("go movetime 3600000");
    let mut lines = gui.until("info ");
    let before = clock.steps();
    wait_until("the time of day goes to and fro twice", || clock.steps() >= before + 8);
    // It still searches.
    gui.send("isready");
    lines.extend(gui.until("readyok"));
    assert!(!lines.iter().any(|line| line.starts_with("bestmove ")), "{lines:?}");
    gui.send("stop");
    lines.extend(gui.until("bestmove "));
    let time = |line: &String| -> Option<u64> {
        line.split_once(" time ")?.1.split(' ').next().map(|time| time.parse().unwrap())
    };
    let times: Vec<u64> = lines.iter().filter_map(time).collect();
    assert!(times.is_sorted() && times.iter().all(|time| *time < DAY / 2), "{times:?}");
    for go in ["go movetime 50", "go btime 500 wtime 500 byoyomi 0"].repeat(3) {
        gui.best(go);
    }
    assert_eq!(gui.quit(), [""; 0]);
    println!("7 searches, {} steps of a day", clock.stop());
}
