//! Signals that ask a program to end.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// The signals by which people, services and closed terminals end programs.
pub const ASKING: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

/// What a shell makes of a status: the program's own, or 128 and the number of the signal that ended it.
#[must_use]
pub fn shell_status(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap())
}

/// Runs a command and sends it a signal once it catches it, or is at work without catching it: how it ended.
#[must_use]
pub fn ended_by(command: &mut Command, signal: Signal) -> Output {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    // It is not told to end by the end of its input.
    let input = child.stdin.take();
    let begun = Instant::now();
    while !catches(&child, signal) && begun.elapsed() < Duration::from_millis(700) {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(20));
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), signal).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(input);
    output
}

/// Whether a program has a handler for a signal; not known where there is no /proc.
fn catches(child: &Child, signal: Signal) -> bool {
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal as i32 - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caught_and_uncaught_signals_are_told_apart() {
        for signal in ASKING {
            let mut catching = Command::new("sh");
            catching.args(["-c", "trap 'exit 7' INT TERM HUP; while :; do sleep 0.05; done"]);
            assert_eq!(shell_status(ended_by(&mut catching, signal).status), 7);
            let expected = 128 + signal as i32;
            let mut other = Command::new("sleep");
            assert_eq!(shell_status(ended_by(other.arg("9"), signal).status), expected);
        }
    }
}
