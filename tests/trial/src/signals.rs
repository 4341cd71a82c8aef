//! Signals that ask a program to end.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::{soon, wait_until};

/// The signals by which people, services and closed terminals end programs.
const ASKING: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

/// So much processor time, in hundredths of a second, takes nobody who only begins.
const BEGUN: u64 = 10;

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

/// Runs a command that is to catch a signal, or is not to, and sends it that once it catches it, or is at work without
/// catching it: how it ended.
#[must_use]
pub fn ended_by(command: &mut Command, signal: Signal, catches: bool) -> Output {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    // It is not told to end by the end of its input.
    let input = child.stdin.take();
    let caught = || listed(child.id(), "SigCgt:", signal);
    if !Path::new("/proc/self/status").exists() {
        // Nothing tells here.
        thread::sleep(Duration::from_secs(1));
    } else if catches {
        wait_until(&format!("{command:?} catches {signal}"), caught);
    } else {
        wait_until(&format!("{command:?} is at work"), || is_at_work(child.id()));
        assert!(!caught(), "{command:?} catches {signal}");
    }
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), signal).unwrap();
    if !soon(|| child.try_wait().unwrap().is_some()) {
        child.kill().unwrap();
        panic!("{signal} did not end {command:?}");
    }
    let output = child.wait_with_output().unwrap();
    drop(input);
    output
}

/// Whether a process waits for something, has worked for a while, or has ended.
fn is_at_work(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // Behind the name: the state first, processor time as the 12th and 13th.
    let fields: Vec<&str> =
        status.rsplit(')').next().unwrap_or_default().split_ascii_whitespace().collect();
    let time = |at: usize| fields.get(at).and_then(|ticks| ticks.parse::<u64>().ok()).unwrap_or(0);
    matches!(fields[..], ["S" | "Z", ..]) || time(11) + time(12) >= BEGUN
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
        // Shells catch SIGINT before they are told to.
        for signal in asking().into_iter().filter(|&signal| signal != Signal::SIGINT) {
            let mut catching = Command::new("sh");
            // Not from the first moment on.
            let words = "sleep 0.2; trap 'exit 7' TERM HUP; while :; do sleep 0.05; done";
            catching.args(["-c", words]);
            assert_eq!(shell_status(ended_by(&mut catching, signal, true).status), 7);
        }
        for signal in asking() {
            for words in ["sleep 60", "cksum /dev/zero"] {
                let (program, arguments) = words.split_once(' ').unwrap();
                let mut other = Command::new(program);
                let output = ended_by(other.args(arguments.split(' ')), signal, false);
                assert_eq!(shell_status(output.status), 128 + signal as i32, "{words}");
            }
        }
    }
}
