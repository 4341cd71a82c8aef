//! How tests run programs, and what they put them through.
//!
//! - [`Program`]: a program and its answers;
//! - [`Deaf`]: standard output that takes nothing;
//! - [`wait_until`]: what comes at a time of its own;
//! - [`program`]: programs in files of their own, which can be started at once;
//! - [`kills`]: SIGKILL at random moments, then the same command again;
//! - [`disk`]: disks that are full or may not be written;
//! - [`signals`]: signals that ask a program to end;
//! - [`clock`]: a time of day that steps to and fro.
//!
//! For tests alone: what goes wrong here panics.

#![forbid(unsafe_code)]

#[cfg(unix)]
pub mod clock;
#[cfg(unix)]
pub mod disk;
#[cfg(all(test, target_os = "linux"))]
mod flaky;
#[cfg(unix)]
pub mod kills;
#[cfg(unix)]
pub mod program;
#[cfg(unix)]
pub mod signals;

use std::io::{PipeWriter, Write};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// How long anything may take that has to come: more is a hang.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until something holds that nobody tells of; whether it has come to hold within [`PATIENCE`].
#[must_use]
pub fn soon(mut holds: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while !holds() {
        if begun.elapsed() > PATIENCE {
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    true
}

/// Waits until something holds that nobody tells of.
///
/// # Panics
/// If it does not within [`PATIENCE`].
#[track_caller]
pub fn wait_until(what: &str, holds: impl FnMut() -> bool) {
    assert!(soon(holds), "expected that {what}");
}

/// A program under test.
#[derive(Clone, Copy, Debug)]
pub struct Program(&'static str);

/// Standard output that takes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deaf {
    /// A pipe whose reader has gone away, as after `| head -0`.
    Pipe,
    /// No standard output at all, as after `>&-`.
    Closed,
    /// A full disk, as after `>/dev/full`.
    Full,
}

impl Deaf {
    /// All that there are on this system.
    pub const ALL: &[Self] = if cfg!(target_os = "linux") {
        &[Self::Pipe, Self::Closed, Self::Full]
    } else {
        &[Self::Pipe]
    };
}

impl Program {
    /// The program at `path`, as `env!("CARGO_BIN_EXE_…")` has it.
    #[must_use]
    pub const fn new(path: &'static str) -> Self {
        Self(path)
    }

    /// A command that runs it.
    #[must_use]
    pub fn command(self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.0);
        command.args(arguments);
        command
    }

    /// Runs it to its end.
    #[must_use]
    pub fn output(self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What it printed; it has to do well.
    #[must_use]
    pub fn printed(self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", said(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// What it complained of; it has to fail.
    #[must_use]
    pub fn refused(self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// The commands that its help lists.
    #[must_use]
    pub fn commands(self) -> Vec<String> {
        let help = self.printed(&["--help"]);
        let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let list = list.take_while(|line| !line.is_empty());
        // What goes on on the next line is indented further.
        let names =
            list.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
        let names = names.filter_map(|line| line.split(' ').next());
        names.filter(|&name| name != "help").map(str::to_owned).collect()
    }

    /// Runs it with standard output that takes nothing.
    #[must_use]
    pub fn unheard(self, deaf: Deaf, arguments: &[&str]) -> Output {
        deafened(self.command(arguments), deaf).output().unwrap()
    }
}

/// A pipe that nobody reads any more.
#[must_use]
pub fn unread() -> PipeWriter {
    let (reader, mut writer) = std::io::pipe().unwrap();
    drop(reader);
    // A child that another thread has begun meanwhile has the reader, too, until it runs a program of its own.
    wait_until("nobody has the reader", || writer.write(b" ").is_err());
    writer
}

/// A command with standard output that takes nothing.
#[must_use]
pub fn deafened(mut command: Command, deaf: Deaf) -> Command {
    match deaf {
        Deaf::Pipe => drop(command.stdout(unread())),
        Deaf::Full => {
            let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
            command.stdout(full);
        }
        Deaf::Closed => command = in_shell("exec \"$0\" \"$@\" >&-", &command),
    }
    command
}

/// A shell that runs a command after `words`, in which it is `"$0" "$@"`.
#[must_use]
pub fn in_shell(words: &str, command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(words).arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
}

/// Standard output and standard error.
#[must_use]
pub fn said(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr].concat();
    String::from_utf8_lossy(&both).into_owned()
}

/// Asserts that a program ended with the status `expected` and without a panic, having complained in one line at
/// most, or in none where all was well or nobody listened.
#[track_caller]
pub fn assert_ended(output: &Output, expected: i32, what: &str) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(expected), "{what}: {}", said(output));
    assert!(!error.contains("panicked"), "{what}: {error}");
    let complaints = error.lines().count();
    let wanted = usize::from(expected == 1);
    assert_eq!(complaints, wanted, "{what}: expected {wanted} lines, found {error}");
}

/// Asserts that a program which is asked for help or its version, or called wrongly, ends with the status that all
/// programs have for that.
#[track_caller]
pub fn assert_tells_of_itself(program: Program) {
    for &deaf in Deaf::ALL {
        for argument in ["--help", "--version"] {
            let expected = match deaf {
                Deaf::Pipe => 141,
                // Opened anew by Rust: nothing tells that nobody reads.
                Deaf::Closed => 0,
                Deaf::Full => 1,
            };
            let what = format!("{argument} {deaf:?}");
            assert_ended(&program.unheard(deaf, &[argument]), expected, &what);
        }
        let wrong = program.unheard(deaf, &["--no-such-word"]);
        assert_eq!(wrong.status.code(), Some(2), "{deaf:?}: {}", said(&wrong));
        assert!(said(&wrong).contains("no-such-word"), "{}", said(&wrong));
    }
    let mut unseen = program.command(&["--no-such-word"]);
    assert_eq!(unseen.stderr(unread()).output().unwrap().status.code(), Some(2));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn deaf_outputs_take_nothing() {
        let echo = Program::new("/bin/echo");
        for &deaf in Deaf::ALL {
            let output = echo.unheard(deaf, &["word"]);
            assert!(!output.status.success() && output.stdout.is_empty(), "{deaf:?}");
        }
        assert_eq!(echo.printed(&["word"]), "word\n");
        assert_eq!(
            echo.printed(&["Commands:\n  one  word\n         more\n  two\n\n"]).lines().count(),
            6
        );
    }
}
