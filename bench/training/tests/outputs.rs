//! What is written never goes over what is read, nor over a file that somebody else made.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Scratch, make, settings};
use kujira_position::{VariantId, Whale};

/// Runs a command in a folder: whether it did well, and what it said.
fn run(folder: &Path, line: &str) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kujira-training"));
    let output = command.args(line.split(' ')).current_dir(folder).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// Every file of a folder with what it holds.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .filter(|path| path.is_file())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

const TRAIN: &str = "train --game whale --hidden 16 --batch 256 --held-out 0.2 --epochs 1";
const WORTH: &str = "worth --game whale --positions 50";

#[test]
fn nothing_is_written_over_what_is_read_or_foreign() {
    let scratch = Scratch::new("outputs");
    let folder = scratch.file("");
    make::<Whale>(&scratch.file("d.ktd"), &settings(VariantId::Whale), 30, 1);
    assert!(run(&folder, &format!("{TRAIN} --data d.ktd --out n.net")).0);
    for copy in ["b.csv", "c.svg", "e.checkpoint", "f.lock"] {
        fs::copy(scratch.file("d.ktd"), scratch.file(copy)).unwrap();
    }
    assert!(run(&folder, "export d.ktd --out d.npz").0);
    fs::copy(scratch.file("d.ktd"), scratch.file("b.ktd")).unwrap();
    fs::write(scratch.file("x.op"), "startpos moves 2e2d\n").unwrap();
    fs::write(scratch.file("notes"), "mine\n").unwrap();
    for side in ["s.csv", "t.svg", "u.checkpoint", "v.lock"] {
        fs::write(scratch.file(side), "mine\n").unwrap();
    }
    fs::hard_link(scratch.file("d.ktd"), scratch.file("second")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("d.ktd", scratch.file("link")).unwrap();
    let before = contents(&folder);

    let (input, foreign) =
        ("expected another file than ", "found something else (--force writes over it)");
    for (command, expected) in [
        (format!("{TRAIN} --data d.ktd --out d.ktd"), input),
        (format!("{TRAIN} --data d.ktd --out ./d.ktd"), input),
        (
            format!(
                "{TRAIN} --data d.ktd --out ../{}/d.ktd",
                folder.file_name().unwrap().display()
            ),
            input,
        ),
        #[cfg(unix)]
        (format!("{TRAIN} --data d.ktd --out link"), input),
        #[cfg(unix)]
        (format!("{TRAIN} --data link --out d.ktd"), input),
        #[cfg(unix)]
        (format!("{TRAIN} --data d.ktd --out second"), input),
        (format!("{TRAIN} --data d.ktd,b.csv --out b.net"), input),
        (format!("{TRAIN} --data c.svg --out c.net"), input),
        (format!("{TRAIN} --data e.checkpoint --out e.net"), input),
        (format!("{TRAIN} --data f.lock --out f.net"), input),
        (format!("{TRAIN} --data d.ktd --exclude x.op --out x.op"), input),
        (format!("{TRAIN} --data d.ktd --start n.net --out n.net"), input),
        (format!("{WORTH} --net n.net --data d.ktd --out d.ktd"), input),
        (format!("{WORTH} --net n.net --data d.ktd --out ./n.net"), input),
        (format!("{TRAIN} --data d.ktd --out notes"), foreign),
        (format!("{TRAIN} --data d.ktd --out s.net"), foreign),
        (format!("{TRAIN} --data d.ktd --out t.net"), foreign),
        (format!("{TRAIN} --data d.ktd --out u.net"), foreign),
        (format!("{TRAIN} --data d.ktd --out v.net"), foreign),
        ("export d.ktd --out d.ktd".to_owned(), input),
        ("import d.npz --out d.npz".to_owned(), input),
        ("export d.ktd --out notes".to_owned(), foreign),
        // That one may have taken hours to make.
        ("import d.npz --out b.ktd".to_owned(), foreign),
        // Ours, but of another kind.
        (format!("{WORTH} --net n.net --data d.ktd --out n.csv"), foreign),
        (format!("{TRAIN} --data d.ktd --anew --out u.net"), foreign),
    ] {
        let (well, said) = run(&folder, &command);
        assert!(!well && said.contains(expected), "{command}: {said}");
        // No option makes an input an output.
        if expected == input {
            let (well, said) = run(&folder, &format!("{command} --force"));
            assert!(!well && said.contains(expected), "{command}: {said}");
        }
        assert_eq!(contents(&folder), before, "{command}");
    }
    let (well, said) = run(&folder, "datagen --game whale --games 1 --nodes 50 --out notes");
    assert!(!well && said.contains("expected a file of self-play games"), "{said}");
    assert_eq!(contents(&folder), before);

    // What is asked for is done: over other files with --force, over one's own without.
    assert!(run(&folder, &format!("{TRAIN} --data d.ktd --out s.net --force")).0);
    assert!(fs::read(scratch.file("s.csv")).unwrap().starts_with(b"epoch,"));
    assert!(run(&folder, &format!("{TRAIN} --data d.ktd --out notes --force")).0);
    assert!(fs::read(scratch.file("notes")).unwrap().starts_with(b"KujiraNN"));
    for command in [
        format!("{TRAIN} --data d.ktd --out n.net"),
        format!("{TRAIN} --data d.ktd --anew --out n.net"),
        format!("{WORTH} --net n.net --data d.ktd --out s.net"),
    ] {
        let (well, said) = run(&folder, &command);
        assert!(well, "{command}: {said}");
    }
}

/// A run that was killed leaves nothing for ever.
#[test]
fn unfinished_files_are_removed() {
    let scratch = Scratch::new("unfinished");
    make::<Whale>(&scratch.file("d.ktd"), &settings(VariantId::Whale), 30, 1);
    let left = scratch.file(".n.checkpoint.kujira-abc123.part");
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    fs::File::create(&left).unwrap().set_modified(old).unwrap();
    let (well, said) = run(&scratch.file(""), &format!("{TRAIN} --data d.ktd --out n.net"));
    assert!(well && !left.exists(), "{said}");
}
