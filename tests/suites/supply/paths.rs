//! What the documents lead to is there: links with their headings, paths, packages and test programs of commands.

use std::collections::BTreeSet;
use std::path::Path;

use super::{files, packages, root, text};

/// The folders at the top that paths in documents begin with.
const TOP: [&str; 7] = [".ci/", ".github/", "bench/", "docs/", "engine/", "protocol/", "tests/"];

/// The anchors of the headings of a document.
fn anchors(document: &str) -> BTreeSet<String> {
    let mut code = false;
    let mut found = BTreeSet::new();
    for line in document.lines() {
        code ^= line.starts_with("```");
        if let Some(heading) = line.strip_prefix('#').filter(|_| !code) {
            let heading = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = |&c: &char| c.is_alphanumeric() || "-_ ".contains(c);
            found.insert(heading.chars().filter(kept).collect::<String>().replace(' ', "-"));
        }
    }
    found
}

/// Where the links of a document lead, `FILE#ANCHOR`.
fn links(document: &str) -> Vec<&str> {
    let ends = document.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    ends.map(|(link, _)| link).filter(|link| !link.contains([' ', '\n', ':'])).collect()
}

/// Whether a path is there; `GAME` stands for a game. What is told of the static page is below its folder.
fn exists(path: &str) -> bool {
    let path = path.replace("GAME", "whale");
    ["", "protocol/web"].iter().any(|folder| root().join(folder).join(&path).exists())
}

/// What of a document leads nowhere.
fn astray(path: &str) -> Vec<String> {
    let document = text(path);
    let folder = Path::new(path).parent().expect("a folder");
    let mut wrong = Vec::new();
    for link in links(&document) {
        let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
        let file = if file.is_empty() { Path::new(path).to_owned() } else { folder.join(file) };
        let there = root().join(&file).exists()
            && (anchor.is_empty() || anchors(&text(&file)).contains(anchor));
        wrong.extend((!there).then(|| format!("link {link}")));
    }
    for word in document.split('`').skip(1).step_by(2) {
        let named = TOP.iter().any(|top| word.starts_with(top)) && !word.contains([' ', '*', '…']);
        wrong.extend((named && !exists(word)).then(|| format!("path {word}")));
    }
    wrong.extend(programs(&document).into_iter().filter_map(|(package, flag, name)| {
        let named = |manifest: &String| manifest.contains(&format!("name = \"{package}\"\n"));
        let manifest = |folder: &String| text(format!("{folder}/Cargo.toml"));
        let Some(folder) = packages().into_iter().find(|folder| named(&manifest(folder))) else {
            return Some(format!("package {package}"));
        };
        let beside = match flag {
            "--test" => "tests",
            "--example" => "examples",
            "--bench" => "benches",
            _ => return None,
        };
        let program = format!("{folder}/{beside}/{name}");
        let there = exists(&format!("{program}.rs"))
            || exists(&format!("{program}/main.rs"))
            || manifest(&folder).contains(&format!("name = \"{name}\""));
        (!there).then(|| format!("{flag} {name} of {package}"))
    }));
    wrong
}

/// The packages that commands name, with `-p`, and the words behind their flags.
fn programs(document: &str) -> Vec<(&str, &str, &str)> {
    let mut found = Vec::new();
    for command in document.split(['`', '\n', ',']) {
        let words: Vec<_> = command.split_whitespace().collect();
        let mut package = "";
        for pair in words.windows(2) {
            match *pair {
                ["-p", name] if name.starts_with("kujira") => {
                    package = name;
                    found.push((name, "-p", name));
                }
                [flag, name] if flag.starts_with("--") && !package.is_empty() => {
                    found.push((package, flag, name));
                }
                _ => {}
            }
        }
    }
    found
}

#[test]
fn the_documents_lead_somewhere() {
    let mut count = 0;
    for path in files(".", |name| name.ends_with(".md")) {
        count += links(&text(&path)).len();
        assert_eq!(astray(&path), [""; 0], "{path}");
    }
    assert!(count > 150, "only {count} links were looked at");
}

#[test]
fn what_leads_nowhere_is_found() {
    assert_eq!(
        anchors("# A b: `c`\n```\n# d\n```\n### É-1\n"),
        ["a-b-c", "é-1"].map(String::from).into()
    );
    assert_eq!(links("[a](b.md#c) ![d](e.png) [f](https://g) (h)"), ["b.md#c", "e.png"]);
    let command = "`cargo test -p kujira-usi --test a b`, `… -p kujira --lib`";
    let expected = [
        ("kujira-usi", "-p", "kujira-usi"),
        ("kujira-usi", "--test", "a"),
        ("kujira", "-p", "kujira"),
    ];
    assert_eq!(programs(command), expected);
    assert!(exists("protocol/kujira/books/GAME.txt") && !exists("docs/limits.md"));
}
