//! Which modules of a crate import which: in a crate that can be read from the bottom up, none imports
//! another that, whatever the detour, imports it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A module as its path within the crate, empty for the root.
type Module = Vec<String>;

/// A crate's modules with the texts of their files, tests and comments left out.
struct Sources(BTreeMap<Module, String>);

/// Circles among the modules of the crate whose sources lie in `folder`, each as `a -> b -> a`.
///
/// Modules are compared on each level of the tree: what lies in `a/` counts as `a` where `a` stands beside
/// `b`. The root and binaries only gather, and modules within tests are no part of the design: neither is
/// looked at.
///
/// # Panics
/// If the folder or a file in it cannot be read.
#[must_use]
pub fn circles(folder: &Path) -> Vec<String> {
    let mut sources = Sources(BTreeMap::new());
    sources.read(folder, &mut Vec::new());
    sources.circles()
}

impl Sources {
    fn read(&mut self, folder: &Path, module: &mut Module) {
        for entry in std::fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
            if path.is_dir() {
                if name != "bin" {
                    module.push(name);
                    self.read(&path, module);
                    module.pop();
                }
            } else if path.extension().is_some_and(|end| end == "rs")
                && !["lib", "main", "tests"].contains(&name.as_str())
            {
                let mut of_file = module.clone();
                if name != "mod" {
                    of_file.push(name);
                }
                let text = std::fs::read_to_string(&path).expect("a source file");
                self.0.insert(of_file, code(&text));
            }
        }
    }

    fn circles(&self) -> Vec<String> {
        let mut levels: BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for (module, text) in &self.0 {
            for path in paths(text, module, &self.0) {
                let target = self.resolve(&path, 8);
                let shared = module.iter().zip(&target).take_while(|(a, b)| a == b).count();
                // What a module declares is its own; `mod.rs` beside its parts has a place of its own.
                let place = |of: &Module| of.get(shared).cloned().unwrap_or("mod".to_owned());
                let (from, to) = (place(module), place(&target));
                if from != to && !target.is_empty() {
                    let level = levels.entry(module[..shared].to_vec()).or_default();
                    level.entry(from).or_default().insert(to);
                }
            }
        }
        levels.values().filter_map(circle).collect()
    }

    /// The module that holds what `path` names: the longest part of it that is a module, or where that
    /// takes it from.
    fn resolve(&self, path: &[String], detours: usize) -> Module {
        let known = (0..=path.len()).rev().find(|&len| self.0.contains_key(&path[..len]));
        let Some(len) = known else { return Vec::new() };
        let module = path[..len].to_vec();
        let Some(name) = path.get(len) else { return module };
        let passed_on = exports(&self.0[&module], &module, &self.0)
            .into_iter()
            .find(|path| path.last() == Some(name) && path[..path.len() - 1] != module);
        match passed_on {
            Some(path) if detours > 0 => self.resolve(&path, detours - 1),
            _ => module,
        }
    }
}

/// A file without comments and without what stands behind `#[cfg(test)]` on a line of its own.
fn code(text: &str) -> String {
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]");
    lines.filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Every path of the crate in a text, from the root.
fn paths(text: &str, module: &Module, known: &BTreeMap<Module, String>) -> Vec<Module> {
    let mut found = Vec::new();
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].chars().next_back();
            // Only the first segment of a path, and `$crate` is a matter of the caller.
            if !before.is_some_and(|c| c.is_alphanumeric() || ['_', ':', '$'].contains(&c)) {
                found.extend(absolute(&text[at..], module));
            }
        }
    }
    found.extend(imports(text, "use ", module, known));
    found
}

/// What a module passes on from others.
fn exports(text: &str, module: &Module, known: &BTreeMap<Module, String>) -> Vec<Module> {
    let mut found = imports(text, "use ", module, known);
    for (at, _) in text.match_indices("use crate::").chain(text.match_indices("use super::")) {
        if text[..at].ends_with("pub ") || text[..at].ends_with(") ") {
            found.extend(absolute(&text[at + 4..], module));
        }
    }
    found
}

/// The paths of imports that begin with a part of the module itself.
fn imports(
    text: &str,
    word: &str,
    module: &Module,
    known: &BTreeMap<Module, String>,
) -> Vec<Module> {
    let begins = text.match_indices(word).map(|(at, _)| &text[at + word.len()..]);
    begins
        .filter_map(|rest| {
            let first = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
            let part: Module = module.iter().cloned().chain([first.to_owned()]).collect();
            known.contains_key(&part).then(|| tree(rest).0)
        })
        .flatten()
        .map(|path| module.iter().cloned().chain(path).collect())
        .collect()
}

/// The paths of a use tree or expression that begins with `crate`, `super` or `self`, from the root.
fn absolute(text: &str, module: &Module) -> Vec<Module> {
    let mut paths = tree(text).0;
    for path in &mut paths {
        let mut base = module.clone();
        let up = path.iter().take_while(|segment| *segment == "super").count();
        match path.first().map(String::as_str) {
            Some("crate") => base.clear(),
            _ => base.truncate(module.len().saturating_sub(up)),
        }
        let skipped = up.max(1);
        *path = base.into_iter().chain(path.iter().skip(skipped).cloned()).collect();
        path.retain(|segment| segment != "self");
    }
    paths
}

/// The paths of a tree such as `a::{b, c::d}`, and what stands behind it.
fn tree(text: &str) -> (Vec<Module>, &str) {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (segment, rest) = text.split_at(end);
    let Some(mut rest) = rest.strip_prefix("::") else {
        return (vec![vec![segment.to_owned()]], rest);
    };
    let mut below = Vec::new();
    if let Some(inner) = rest.strip_prefix('{') {
        rest = inner;
        loop {
            rest = rest.trim_start_matches([' ', '\n', ',']);
            if rest.is_empty() || rest.starts_with('}') {
                break;
            }
            let (paths, tail) = tree(rest);
            if tail.len() == rest.len() {
                break;
            }
            below.extend(paths);
            // `as`, and whatever else no tree holds.
            rest = &tail[tail.find([',', '}']).unwrap_or(tail.len())..];
        }
        rest = rest.strip_prefix('}').unwrap_or(rest);
    } else {
        (below, rest) = tree(rest);
    }
    for path in &mut below {
        path.insert(0, segment.to_owned());
    }
    (below, rest)
}

/// A circle of the graph, if it has one.
fn circle(graph: &BTreeMap<String, BTreeSet<String>>) -> Option<String> {
    fn walk<'a>(
        graph: &'a BTreeMap<String, BTreeSet<String>>,
        at: &'a str,
        way: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> Option<String> {
        if let Some(begin) = way.iter().position(|passed| *passed == at) {
            return Some([&way[begin..], &[at]].concat().join(" -> "));
        }
        if !done.insert(at) {
            return None;
        }
        way.push(at);
        let found = graph.get(at).into_iter().flatten().find_map(|to| walk(graph, to, way, done));
        way.pop();
        found
    }
    let mut done = BTreeSet::new();
    graph.keys().find_map(|from| walk(graph, from, &mut Vec::new(), &mut done))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Crates that have no circles.
    const CRATES: &[&str] = &[
        "bench/arena",
        "bench/command",
        "bench/data",
        "bench/statistics",
        "bench/study",
        "bench/training",
        "engine/position",
        "engine/search",
        "protocol/board",
        "protocol/cecp",
        "protocol/kujira",
        "protocol/page",
        "protocol/record",
        "protocol/program",
        "protocol/table",
        "protocol/usi",
        "tests",
    ];

    #[test]
    fn no_modules_import_each_other_in_a_circle() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        for name in CRATES {
            assert_eq!(circles(&root.join(name).join("src")), [] as [String; 0], "{name}");
        }
    }

    fn made_up(files: &[(&str, &str)]) -> Vec<String> {
        let module = |path: &str| path.split("::").map(str::to_owned).collect();
        Sources(files.iter().map(|(path, text)| (module(path), code(text))).collect()).circles()
    }

    #[test]
    fn circles_are_found() {
        assert_eq!(
            made_up(&[("a", "use crate::b::B;"), ("b", "use crate::c;"), ("c", "")]),
            [""; 0]
        );
        let three =
            [("a", "crate::b::f()"), ("b", "use crate::{d, c::C};"), ("c", "use super::a;")];
        assert_eq!(made_up(&three), ["a -> b -> c -> a"]);
        // A folder as a whole.
        let folder = [("a::x", "use crate::b;"), ("a::y", ""), ("b", "use crate::a::y::{Y};")];
        assert_eq!(made_up(&folder), ["a -> b -> a"]);
        // Comments and tests import what they like.
        let tests =
            [("a", "use crate::b;"), ("b", "/// [`crate::a`]\n#[cfg(test)]\nuse crate::a;")];
        assert_eq!(made_up(&tests), [""; 0]);
    }

    #[test]
    fn what_a_module_passes_on_is_where_it_comes_from() {
        let parts = [
            ("a", "mod x;\nmod y;\npub use x::X;\npub use y::{Y, Z};"),
            ("a::x", "use super::Z;"),
            ("a::y", ""),
        ];
        assert_eq!(made_up(&parts), [""; 0]);
        let mut circle = parts;
        circle[2].1 = "use super::X;";
        assert_eq!(made_up(&circle), ["x -> y -> x"]);
        circle[2].1 = "";
        circle[0].1 = "mod x;\nmod y;\nuse x::X;\npub struct Z;";
        assert_eq!(made_up(&circle), ["mod -> x -> mod"]);
    }
}
