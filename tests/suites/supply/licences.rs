//! Each package says its licence and carries the texts, so that whoever has the package alone has them.

use super::{packages, root, section, text};

const TEXTS: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

#[test]
fn each_package_carries_the_licence_texts() {
    for package in packages() {
        for name in TEXTS {
            let path = format!("{package}/{name}");
            assert_eq!(text(&path), text(name), "{path} differs from {name}");
            // A link is a file with a path in it where the system, or git on it, makes none.
            let kind = root().join(&path).symlink_metadata().expect("a file").file_type();
            assert!(kind.is_file(), "{path}: expected a file, found a link");
        }
    }
    assert!(text("LICENSE-MIT").starts_with("MIT License\n"));
    assert!(text("LICENSE-APACHE").contains("Version 2.0, January 2004"));
}

#[test]
fn each_package_says_its_licence() {
    let manifest = text("Cargo.toml");
    assert!(manifest.contains("\nlicense = \"MIT OR Apache-2.0\"\n"));
    for package in packages() {
        let manifest = text(format!("{package}/Cargo.toml"));
        let lines = section(&manifest, |head| head == "package");
        assert!(lines.contains(&"license.workspace = true"), "{package} names no licence");
        // Lists that would leave the texts out of the package.
        for line in lines.iter().filter(|line| line.starts_with("include")) {
            assert!(TEXTS.iter().all(|name| line.contains(name)), "{package}: {line}");
        }
        for line in lines.iter().filter(|line| line.starts_with("exclude")) {
            assert!(!line.contains("LICENSE"), "{package}: {line}");
        }
    }
}

/// The package for Python is a workspace of its own, which cannot take this from the one around it.
#[test]
fn the_package_for_python_is_of_this_version_and_licence() {
    let (ours, python) = (text("Cargo.toml"), text("protocol/python/Cargo.toml"));
    let ours = section(&ours, |head| head == "workspace.package");
    let python = section(&python, |head| head == "package");
    for name in ["version", "edition", "rust-version", "license", "authors"] {
        let line = ours.iter().find(|line| line.starts_with(&format!("{name} = ")));
        let line = line.unwrap_or_else(|| panic!("the workspace names no {name}"));
        assert!(python.contains(line), "protocol/python: expected {line}");
    }
    for name in TEXTS {
        assert_eq!(text(format!("protocol/python/{name}")), text(name), "{name}");
    }
}
