//! Each crate of others stands in the table of `docs/decisions.md` with its reason, and nothing else does.

use std::collections::BTreeSet;

use super::{packages, section, text};

/// The name in a line `name = …` of a manifest.
fn name(line: &str) -> &str {
    line.split(['=', '.']).next().unwrap_or_default().trim()
}

/// The crates of others that this part of a manifest names.
fn declared(manifest: &str, part: &str) -> BTreeSet<String> {
    let manifest = text(manifest);
    let lines = section(&manifest, |head| head == part);
    lines.into_iter().filter(|l| !l.contains("path =")).map(|l| name(l).to_owned()).collect()
}

/// The crates of others that the workspace may use, by its manifest.
fn of_workspace() -> BTreeSet<String> {
    declared("Cargo.toml", "workspace.dependencies")
}

/// The rows of the table: crate and reason.
fn table() -> Vec<(String, String)> {
    let decisions = text("docs/decisions.md");
    let part = decisions.split("\n## Crates of others, and why\n").nth(1).expect("the section");
    let part = part.split("\n## ").next().expect("its text");
    let rows = part.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| {
        let (name, rest) = row.split_once("` |").expect("a name in backticks");
        (name.to_owned(), rest.to_owned())
    })
    .collect()
}

#[test]
fn each_dependency_has_its_reason() {
    let rows = table();
    let named: BTreeSet<_> = rows.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(named.len(), rows.len(), "a crate stands there twice");
    let mut wanted = of_workspace();
    // These are workspaces of their own.
    for package in ["protocol/python", "tests/fuzz", "tests/clients/usi-crate"] {
        wanted.extend(declared(&format!("{package}/Cargo.toml"), "dependencies"));
    }
    assert_eq!(wanted, named, "the manifests (left) and docs/decisions.md (right) differ");
    for (name, cells) in rows {
        let cells: Vec<_> = cells.trim_end_matches('|').split(" | ").map(str::trim).collect();
        assert_eq!(cells.len(), 2, "{name}: expected what it is for, and why not our own");
        assert!(cells.iter().all(|cell| cell.len() >= 20), "{name}: expected a reason: {cells:?}");
    }
}

#[test]
fn packages_use_what_the_workspace_declares_and_nothing_is_declared_in_vain() {
    let mut used = BTreeSet::new();
    for package in packages() {
        let manifest = text(format!("{package}/Cargo.toml"));
        for line in section(&manifest, |head| head.ends_with("dependencies")) {
            assert!(line.contains("workspace = true"), "{package}: version of its own: {line}");
            used.insert(name(line).to_owned());
        }
    }
    let idle: Vec<_> = of_workspace().difference(&used).cloned().collect();
    assert_eq!(idle, [""; 0], "declared, and used by no package");
}
