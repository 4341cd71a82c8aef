//! Programs in files of their own, which can be started at once.
//!
//! Linux starts no program whose file somebody has open for writing ("Text file busy"). A test that writes one has it
//! open, and so has every child that another of its threads begins meanwhile, until that child runs a program of its
//! own. Here processes write that begin no others, and that have ended.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Gives a program another name: the same file where the file system allows, a copy elsewhere. It must not be changed.
pub fn link(from: &Path, to: &Path) {
    if fs::hard_link(from, to).is_err() {
        copy(from, to);
    }
}

/// Copies a program.
pub fn copy(from: &Path, to: &Path) {
    write("cp \"$0\" \"$1\"", from, to);
}

/// Makes another build of a program: it does the same, and its file is another.
pub fn rebuild(from: &Path, to: &Path) {
    // A byte after its end changes nothing.
    write("cp \"$0\" \"$1\" && printf ' ' >>\"$1\"", from, to);
}

/// Makes a program of a text for the shell.
pub fn script(text: &str, to: &Path) {
    write("printf '#!/bin/sh\\n%s\\n' \"$0\" >\"$1\" && chmod 755 \"$1\"", Path::new(text), to);
}

/// Lets a shell write `to`, of `from`.
fn write(words: &str, from: &Path, to: &Path) {
    let status = Command::new("sh").arg("-c").arg(words).arg(from).arg(to).status();
    assert!(status.unwrap().success(), "{}", to.display());
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::*;

    type Make = fn(&Path, &Path);

    /// With `fs::copy` in place of `copy` some of them are busy.
    #[test]
    fn what_is_made_is_never_busy() {
        let folder = tempfile::tempdir().unwrap();
        let own = std::env::current_exe().unwrap();
        let over = AtomicBool::new(false);
        let started = thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while !over.load(Ordering::Relaxed) {
                        let _ = Command::new("true").status();
                    }
                });
            }
            let makers: [(_, Make); 4] = [
                ("linked", link),
                ("copied", copy),
                ("rebuilt", rebuild),
                ("written", |_, to| script("exit 0", to)),
            ];
            let rounds = (0..25).flat_map(|round| makers.map(|maker| (round, maker)));
            let started: Vec<_> = rounds
                .map(|(round, (name, make))| {
                    let path = folder.path().join(format!("{name}-{round}"));
                    make(&own, &path);
                    (name, Command::new(path).arg("--list").output())
                })
                .collect();
            over.store(true, Ordering::Relaxed);
            started
        });
        for (name, output) in started {
            assert!(output.unwrap_or_else(|error| panic!("{name}: {error}")).status.success());
        }
        let bytes = |name| fs::read(folder.path().join(name)).unwrap();
        assert!(bytes("copied-0") == fs::read(&own).unwrap());
        assert!(bytes("rebuilt-0") == [bytes("linked-0"), b" ".to_vec()].concat());
    }
}
