//! Signals that ask a program to end.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// The signals by which people, services and closed terminals end programs.
const ASKING: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

/// How long a program may take to end, that has been asked to.
const PATIENCE: Duration = Duration::from_secs(60);

/// The signals by which people, services and closed terminals end programs, but for those that whoever started this
/// one has it ignore, as `nohup` does: what it starts ignores them, too.
#[must_use]
pub fn asking() -> Vec<Signal> {
    let heard = |signal: &Signal| !listed(std::process::id(), "SigIgn:", *signal);
    ASKING.into_iter().filter(heard).collect()
}

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
    while !listed(child.id(), "SigCgt:", signal) && begun.elapsed() < Duration::from_millis(700) {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(20));
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), signal).unwrap();
    let asked = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if asked.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{signal} did not end {command:?}");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().unwrap();
    drop(input);
    output
}

/// Whether a signal is among those of a process that are caught (`SigCgt:`) or ignored (`SigIgn:`); not known where
/// there is no /proc.
fn listed(process: u32, among: &str, signal: Signal) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix(among));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal as i32 - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caught_and_uncaught_signals_are_told_apart() {
        assert!(asking().contains(&Signal::SIGTERM));
        for signal in asking() {
            let mut catching = Command::new("sh");
            catching.args(["-c", "trap 'exit 7' INT TERM HUP; while :; do sleep 0.05; done"]);
            assert_eq!(shell_status(ended_by(&mut catching, signal).status), 7);
            let expected = 128 + signal as i32;
            let mut other = Command::new("sleep");
            assert_eq!(shell_status(ended_by(other.arg("9"), signal).status), expected);
        }
    }
}
