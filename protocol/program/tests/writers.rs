//! Every file that a program writes is written by this crate, which syncs and renames as it should.

use std::fs;
use std::path::{Path, PathBuf};

/// What makes, renames or opens a file for writing.
const WRITES: [&str; 11] = [
    "fs::rename",
    "fs::write",
    "fs::copy",
    "fs::hard_link",
    "File::create",
    "File::options",
    "OpenOptions",
    "create_dir",
    "create_new",
    ".persist(",
    "NamedTempFile",
];

/// Who may: this crate.
const MAY: &str = "protocol/program/src/";

/// Lines outside of comments and of the tests at the end of a file that write on their own, with their numbers.
fn writers(source: &str) -> Vec<(usize, &str)> {
    let program = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = program.lines().zip(1..).map(|(line, number)| (number, line.trim()));
    lines
        .filter(|(_, line)| {
            !line.starts_with("//") && WRITES.iter().any(|word| line.contains(word))
        })
        .collect()
}

/// Sources below `folder`, without those of tests and what is built.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if entry.file_type().unwrap().is_dir() {
            if !name.starts_with('.') && !["target", "tests", "node_modules"].contains(&&*name) {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn nobody_else_writes_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    assert!(paths.len() > 150, "found {} sources", paths.len());
    let mut seen = 0;
    for path in paths {
        let source = fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(&root).unwrap().display().to_string().replace('\\', "/");
        let found = writers(&source);
        if name.starts_with(MAY) {
            seen += found.len();
        } else {
            assert_eq!(found, [], "{name}: expected kujira_program::whole or ::growing to write");
        }
    }
    assert!(seen > 5, "this crate writes, found {seen} lines");
}

/// `println!` and its kin panic where nobody reads; what builds cargo reads, and examples of the libraries are programs of
/// their users.
#[test]
fn nobody_prints_past_this_crate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    for path in paths.iter().filter(|path| !path.ends_with("build.rs")) {
        let source = fs::read_to_string(path).unwrap();
        let name = path.strip_prefix(&root).unwrap().display().to_string().replace('\\', "/");
        let example = name.contains("/examples/") && !name.starts_with("bench/");
        if example || name.starts_with(MAY) {
            continue;
        }
        let program = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let found: Vec<_> = program
            .lines()
            .map(str::trim)
            .filter(|line| !line.starts_with("//"))
            .filter(|line| ["print!(", "println!(", "dbg!("].iter().any(|word| line.contains(word)))
            .collect();
        assert_eq!(
            found, [""; 0],
            "{name}: expected kujira_program::status::say, ::tell or ::warn"
        );
    }
}

#[test]
fn writers_are_found() {
    let source = "use std::fs;\n// fs::write(a, b)\nfn f() {\n    fs::write(a, b);\n}\n\
                  let file = File::create(path)?;\n#[cfg(test)]\nmod tests {\n    fs::rename(a, b);\n}\n";
    let expected = [(4, "fs::write(a, b);"), (6, "let file = File::create(path)?;")];
    assert_eq!(writers(source), expected);
    assert_eq!(writers("let text = fs::read(path)?;\n"), []);
}
