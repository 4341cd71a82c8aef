//! All programs begin in one place, which gives them one exit status and one way with files that may not grow.

use super::{files, packages, text};

/// A program of tests alone, which has to fail in its own ways.
const APART: &str = "tests/arena/src/bin/scripted_engine.rs";

#[test]
fn all_programs_begin_in_one_place() {
    let mut programs = 0;
    for package in packages() {
        for path in files(&format!("{package}/src"), |name| name.ends_with(".rs")) {
            if path == APART || !(path.ends_with("/src/main.rs") || path.contains("/src/bin/")) {
                continue;
            }
            let text = text(&path);
            let main = text.split_once("\nfn main() -> ExitCode {\n").expect("a main").1;
            let line = main.lines().next().expect("a line").trim_start();
            assert!(
                line.replace("kujira_program::", "").replace("status::", "").starts_with("begin("),
                "{path}"
            );
            programs += 1;
        }
    }
    assert!(programs >= 6, "{programs}");
}
