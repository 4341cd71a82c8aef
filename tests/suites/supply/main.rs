//! What the workspace is made of and comes with: crates of others and why, licence texts, `unsafe`, commands that
//! build what was tested.

mod dependencies;
mod licences;
mod locked;
mod paths;
mod programs;
mod unsafety;

use std::path::{Path, PathBuf};

/// The top folder of the repository.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The text of a file of the repository, lines ended by `\n`.
fn text(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    let text = std::fs::read_to_string(&path);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.replace("\r\n", "\n")
}

/// The folders of the workspace's packages, as its manifest lists them.
fn packages() -> Vec<String> {
    let manifest = text("Cargo.toml");
    let list = manifest.split("\nmembers = [\n").nth(1).expect("a list of members");
    let list = list.split(']').next().expect("the end of the list");
    let found: Vec<_> = list.lines().filter_map(|line| line.split('"').nth(1)).collect();
    assert!(found.len() >= 11, "{found:?}");
    found.into_iter().map(str::to_owned).collect()
}

/// The lines of the sections of a manifest whose head `wanted` accepts.
fn section(manifest: &str, wanted: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut within = false;
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        match line.strip_prefix('[').and_then(|head| head.strip_suffix(']')) {
            Some(head) => within = wanted(head),
            None if within && !line.is_empty() && !line.starts_with('#') => found.push(line),
            None => {}
        }
    }
    found
}

/// All files below `folder` of the repository that `wanted` accepts by their name, as paths from the
/// top with `/`; what builds and package managers made is left out.
fn files(folder: &str, wanted: impl Fn(&str) -> bool + Copy) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("a name in UTF-8");
            let path = folder.join(&name);
            if entry.file_type().expect("a type").is_dir() {
                let made = [".git", "node_modules", "target"].contains(&&*name)
                    || name.starts_with("target-");
                if !made {
                    folders.push(path);
                }
            } else if wanted(&name) {
                let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
                found.push(parts.join("/").trim_start_matches("./").to_owned());
            }
        }
    }
    found.sort();
    found
}
