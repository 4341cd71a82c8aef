//! Every `unsafe` of the repository is listed here, has its `// SAFETY:`, and all crates but one forbid it.

use std::collections::BTreeMap;

use super::{files, packages, text};

/// The word, in a way that this file does not count as one.
const WORD: &str = concat!("un", "safe");

/// Each file with `unsafe` in it, and how often. What each gains is measured in `docs/decisions.md`.
const LISTED: &[(&str, usize)] = &[
    // AVX2: load and store, and the call of what is compiled for it.
    ("engine/search/src/eval/kernels.rs", 3),
    // Advice on huge pages.
    ("engine/search/src/system/memory.rs", 1),
    // The prefetch of a bucket.
    ("engine/search/src/tt.rs", 1),
    // The race that `tests/races` must find.
    ("engine/search/tests/races.rs", 1),
];

/// The package that may have any: the others forbid it, so that not even an attribute lets it in.
const ALLOWED: &str = "engine/search";

/// The line without its comment and without what its texts say.
fn code(line: &str) -> String {
    let mut kept = String::new();
    let mut quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if quoted => {
                letters.next();
            }
            '"' => quoted = !quoted,
            '/' if !quoted && letters.peek() == Some(&'/') => break,
            _ if quoted => {}
            _ => kept.push(letter),
        }
    }
    kept
}

/// The numbers of the lines with `unsafe` as a word of its own, each as often as it stands there.
fn lines(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = code(line);
        let words = code.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        found.extend(words.filter(|word| *word == WORD).map(|_| number));
    }
    found
}

/// Whether the comment and the attributes right above a line hold a `// SAFETY:`.
fn is_justified(text: &str, line: usize) -> bool {
    let lines: Vec<_> = text.lines().take(line).map(str::trim).collect();
    let above =
        lines.iter().rev().take_while(|line| line.starts_with("//") || line.starts_with('#'));
    above.into_iter().any(|line| line.starts_with("// SAFETY: "))
}

#[test]
fn all_of_it_is_listed_and_justified() {
    let mut found = BTreeMap::new();
    for path in files(".", |name| name.ends_with(".rs")) {
        let text = text(&path);
        for line in lines(&text) {
            assert!(is_justified(&text, line), "{path}:{}: expected // SAFETY: above", line + 1);
            *found.entry(path.clone()).or_insert(0) += 1;
        }
    }
    let listed = LISTED.iter().map(|(path, count)| ((*path).to_owned(), *count)).collect();
    assert_eq!(found, listed, "found (left) and listed (right)");
}

#[test]
fn all_crates_but_one_forbid_it() {
    let attribute = format!("#![forbid({WORD}_code)]");
    let mut roots = 0;
    for package in packages() {
        for path in files(&format!("{package}/src"), |name| name.ends_with(".rs")) {
            let inner = path.trim_start_matches(&package).trim_start_matches("/src/");
            if inner == "lib.rs" || inner == "main.rs" || inner.starts_with("bin/") {
                let forbids = text(&path).lines().any(|line| line == attribute);
                assert_eq!(forbids, package != ALLOWED, "{path}");
                roots += 1;
            }
        }
        let manifest = text(format!("{package}/Cargo.toml"));
        assert!(manifest.contains("\n[lints]\nworkspace = true\n"), "{package}: lints of its own");
    }
    assert!(roots >= 16, "{roots}");
    assert!(text("Cargo.toml").contains(&format!("\n{WORD}_code = \"deny\"\n")));
}

#[test]
fn what_is_not_listed_would_be_found() {
    let block = format!("fn f() {{\n    {WORD} {{ g() }}\n}}\n");
    assert_eq!(lines(&block), [1]);
    assert!(!is_justified(&block, 1));
    let justified = format!("// SAFETY: g wants nothing.\n#[expect(x)]\n{WORD} {{ g() }}\n");
    assert_eq!(lines(&justified), [2]);
    assert!(is_justified(&justified, 2));
    for none in [format!("// {WORD}"), format!("\"\\\"{WORD}\""), format!("{WORD}_code")] {
        assert_eq!(lines(&none), [0; 0], "{none}");
    }
}
