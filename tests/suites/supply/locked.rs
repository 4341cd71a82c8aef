//! Commands that build take the versions that were tested: `--locked` in every script and in every block of commands
//! that the documents give, and in the documentation of sources.

use super::{files, text};

/// The commands of Cargo that choose versions.
const CHOOSE: [&str; 10] =
    ["bench", "build", "check", "clippy", "deny", "doc", "install", "package", "run", "test"];

/// The lines of a script, of the blocks of commands of a document, or of the documentation of a source; with their
/// numbers.
fn commands(path: &str, text: &str) -> Vec<(usize, String)> {
    let (document, source) = (path.ends_with(".md"), path.ends_with(".rs"));
    let told = |line: &str| !source || line.starts_with("//!") || line.starts_with("///");
    let mut within = !document;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if document && line.trim_start().starts_with("```") {
            within = !within;
        } else if within && !line.trim_start().starts_with('#') && told(line.trim_start()) {
            found.push((number, line.to_owned()));
        }
    }
    found
}

/// What in a line chooses versions without being told which, and gives no reason.
fn free(line: &str) -> Option<&str> {
    if line.contains("# unlocked: ") {
        return None;
    }
    line.split(['&', ';', '|']).find(|part| {
        let mut words = part.split_whitespace().map(|word| word.trim_matches(['(', ')', '`', '"']));
        let cargo = words.any(|word| word.ends_with("cargo"));
        let verb = words.find(|word| !word.starts_with(['+', '-']));
        cargo
            && verb.is_some_and(|verb| CHOOSE.contains(&verb))
            && !part.split_whitespace().any(|word| word.trim_matches([')', '`', '"']) == "--locked")
    })
}

#[test]
fn every_command_that_builds_is_locked() {
    let scripts = ["run", "build", "play", "races", "target", "aarch64", "ci.yml", "release.yml"];
    let named =
        |name: &str| name.ends_with(".md") || name.ends_with(".rs") || scripts.contains(&name);
    let mut count = 0;
    for path in files(".", named) {
        for (number, line) in commands(&path, &text(&path)) {
            count += usize::from(line.contains("--locked"));
            assert_eq!(free(&line), None, "{path}:{number}: expected --locked");
        }
    }
    assert!(count > 30, "only {count} commands were looked at");
}

#[test]
fn a_command_that_is_not_locked_is_found() {
    for line in ["cargo test -p x", "X=1 cargo +nightly build", "a --locked && (cargo run)"] {
        assert!(free(line).is_some(), "{line}");
    }
    for line in [
        "cargo fmt --all",
        "(cargo test --locked)",
        "cargo run --locked -- x",
        "cargo",
        "cargo run # unlocked: x",
    ] {
        assert_eq!(free(line), None, "{line}");
    }
    let document = "cargo test\n```sh\ncargo build\n```\ncargo run\n";
    assert_eq!(commands("a.md", document), [(3, "cargo build".to_owned())]);
    let source = "let a = \"cargo build\";\n    /// cargo build\n";
    assert_eq!(commands("a.rs", source), [(2, "    /// cargo build".to_owned())]);
}
