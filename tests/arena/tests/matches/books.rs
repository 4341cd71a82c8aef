//! Books, built and used by the program as people do.

use std::fs;
use std::io::Write;

use kujira_position::{Position, VariantId, Whale};
use kujira_record::book::Compact;
use kujira_trial::Program;

use crate::harness::{Place, said};

const BENCH: Program = Program::new(env!("CARGO_BIN_EXE_bench-in-matches"));

/// The path of a file of the place.
fn named(place: &Place, name: &str) -> String {
    place.path(name).display().to_string()
}

/// Builds on to a book of so many positions.
fn build(journal: &str, positions: &str, more: &[&str]) -> String {
    let words = ["book", "build", "whale", "--nodes=200", "--hash=1", "--journal", journal];
    BENCH.printed(&[&words, &["--positions", positions][..], more].concat())
}

#[test]
fn a_book_grows_where_it_was_and_with_others() {
    let place = Place::new();
    let [one, two] = ["one", "two"].map(|name| named(&place, name));
    let told = build(&one, "12", &[]);
    assert!(told.starts_with(&format!("{one}: 12 positions, start ")), "{told}");
    let before = fs::read_to_string(&one).unwrap();
    // A killed run leaves half a line, which is no reason to begin anew.
    let half = "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - depth 3; nodes 200; score cp 4";
    fs::OpenOptions::new().append(true).open(&one).unwrap().write_all(half.as_bytes()).unwrap();
    let told = BENCH.output(&["book", "show", &one]);
    assert!(said(&told).contains(": cut off, and left out\n"), "{}", said(&told));
    assert!(BENCH.refused(&["book", "check", &one]).contains("expected a line that ends with ;"));
    build(&one, "20", &[]);
    let after = fs::read_to_string(&one).unwrap();
    assert!(after.starts_with(&before) && after.len() > before.len(), "{after}");
    let told = BENCH.printed(&["book", "check", &one]);
    let lines = after.lines().count() - 1;
    let sound = format!("{one}: {lines} lines, all sound; 20 positions, start ");
    assert!(
        told.starts_with(&sound) && told.ends_with("; 0 out of reach of the start\n"),
        "{told}"
    );
    // Another process shares what is there, and one that is not there yet is waited for by nobody.
    let none = named(&place, "none");
    let words = ["book", "build", "whale", "--nodes=200", "--hash=1", "--journal", &two];
    let with = ["--positions=30", "--with", &one, "--with", &none, "--seed=2"];
    let told = said(&BENCH.output(&[&words[..], &with].concat()));
    assert!(told.contains(&format!("--with: {none}: not there yet\n")), "{told}");
    let merged = named(&place, "merged");
    let told = BENCH.printed(&["book", "merge", &one, &two, "--out", &merged]);
    assert!(told.starts_with("30 positions, start "), "{told}");
    let text = fs::read_to_string(&merged).unwrap();
    let again = named(&place, "again");
    let _ = BENCH.printed(&["book", "merge", &two, &merged, &one, "--out", &again]);
    assert_eq!(fs::read_to_string(&again).unwrap(), text);
}

#[test]
fn a_wrong_line_is_found() {
    let place = Place::new();
    let book = named(&place, "book");
    build(&book, "5", &[]);
    let text = fs::read_to_string(&book).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let check = |edited: String| {
        let mut lines = lines.clone();
        lines[3] = &edited;
        fs::write(&book, lines.join("\n") + "\n").unwrap();
        for command in ["check", "show", "export"] {
            let out = named(&place, "out");
            let more = if command == "export" { vec!["--out", &out] } else { vec![] };
            let error = BENCH.refused(&[vec!["book", command, &book], more].concat());
            let named = error.contains(&format!("{book}: line 4: ")) && error.contains("expected ");
            assert!(named, "{command}: {error}");
            assert!(!place.path("out").exists());
        }
    };
    check(lines[3].replacen(" pv ", " pv 1a1b ", 1));
    check(lines[3].replacen("score ", "socre ", 1));
    check(lines[3].replacen(" cp ", " cp 30001", 1));
    check(lines[3].trim_end_matches(';').to_owned());
    check(lines[3].replacen('/', "", 1));
}

#[test]
fn a_book_for_engines_holds_what_the_book_says() {
    let place = Place::new();
    let [book, out] = ["book", "out"].map(|name| named(&place, name));
    build(&book, "40", &[]);
    let more = "--search 1 --nodes 400 --margin 0".split(' ');
    let export: Vec<&str> =
        ["book", "export", &book, "--out", &out].into_iter().chain(more).collect();
    let told = BENCH.printed(&export);
    assert!(told.contains(" positions with ") && told.ends_with(&format!(" in {out}\n")), "{told}");
    let compact = Compact::from_bytes(&fs::read(&out).unwrap()).unwrap();
    assert_eq!(compact.game(), VariantId::Whale);
    let best = &compact.moves(Position::<Whale>::start().key())[0];
    let shown = BENCH.printed(&["book", "show", &book]);
    let first = shown.lines().nth(4).unwrap();
    let words: Vec<&str> = first.split_ascii_whitespace().collect();
    assert_eq!(words[..2], [best.text.clone(), best.score.to_string()], "{shown}");
    let shown = BENCH.printed(&["book", "show", &book, &best.text]);
    assert!(shown.contains(" w - 2\n"), "{shown}");
    // It goes over what it made, over nothing else, and never over what it reads.
    let usual = BENCH.refused(&["book", "export", &book, "--out", &out]);
    let expected =
        "expected a position searched with 300000 nodes, and more behind it, found none: ";
    assert!(usual.contains(expected) && usual.contains("took 200 "), "{usual}");
    let _ = BENCH.printed(&export);
    fs::write(&out, "# compact book paulowich\n").unwrap();
    let error = BENCH.refused(&export);
    assert!(
        error.contains("expected one of this game or no file, found another game's"),
        "{error}"
    );
    for mine in ["my own notes\n", "# book whale\n"] {
        fs::write(&out, mine).unwrap();
        let error = BENCH.refused(&["book", "export", &book, "--out", &out]);
        let expected =
            format!("--out: {out}: expected a compact book or no file, found something else");
        assert!(error.contains(&expected), "{error}");
        assert_eq!(fs::read_to_string(&out).unwrap(), mine);
    }
    // A journal is hours of work, and begins like what is merged.
    let other = named(&place, "other");
    fs::copy(&book, &other).unwrap();
    let error = BENCH.refused(&["book", "merge", &book, "--out", &other]);
    assert!(error.contains(&format!("expected no file yet at {other}, found one")), "{error}");
    let _ = BENCH.printed(&["book", "merge", &book, "--out", &other, "--force"]);
    let error = BENCH.refused(&["book", "merge", &book, "--out", &book, "--force"]);
    assert!(error.contains("expected another file than a book that is read"), "{error}");
}

#[test]
fn the_board_is_given_openings() {
    let place = Place::new();
    let [book, out, list] = ["book", "out", "names"].map(|name| named(&place, name));
    build(&book, "10", &[]);
    let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    place.run("match whale", &engines, &["--nodes=1", "--pairs=2"]);
    let journal = named(&place, "match.jsonl");
    fs::write(&list, "startpos moves 2e2d ;id \"Narwhal\";\n").unwrap();
    let words = ["book", "page", &book, "--out", &out, "--least=1", "--names", &list];
    let games = ["--games", &journal];
    let told = BENCH.printed(&[&words[..], &games].concat());
    assert!(told.starts_with("4 games counted, 0 left out\n"), "{told}");
    assert!(told.ends_with(&format!(" bytes in {out}\n")), "{told}");
    let text = fs::read_to_string(&out).unwrap();
    assert!(text.starts_with("{\"openings\":\"whale\",\n\"moves\":[["), "{text}");
    assert!(text.contains("\"Narwhal\"]\n],\n\"positions\":{\n"), "{text}");
    let begins = format!("\n\"{}\":[[", Position::<Whale>::start().sfen().trim_end_matches(" 1"));
    assert!(text.contains(&begins), "{text}");
    // It goes over its own file, and over nothing else; wrong input leaves that as it is.
    for (more, expected) in [
        (
            vec!["--games", &journal, &journal],
            format!("{journal}: expected every journal once, found the match of {journal} again"),
        ),
        (vec!["--games", &list], format!("{list}: line 1: expected a line of a journal")),
        (vec!["--games", &out], "expected another file than a book that is read".to_owned()),
    ] {
        let error = BENCH.refused(&[&words[..], &more].concat());
        assert!(error.contains(&expected), "{error}");
    }
    fs::write(&list, "startpos moves 2e2c ;id \"Narwhal\";\n").unwrap();
    let error = BENCH.refused(&words);
    assert!(error.contains(&format!("{list}: line 1: move 1: expected a legal move")), "{error}");
    assert_eq!(fs::read_to_string(&out).unwrap(), text);
    fs::write(&out, text.replacen("whale", "great", 1)).unwrap();
    let error = BENCH.refused(&["book", "page", &book, "--out", &out]);
    assert!(
        error.contains("expected one of this game or no file, found another game's"),
        "{error}"
    );
    fs::write(&out, "mine\n").unwrap();
    let error = BENCH.refused(&["book", "page", &book, "--out", &out]);
    assert!(error.contains("expected a file of openings or no file, found something"), "{error}");
    // A book is to know what was played; a match of another game leaves nothing behind.
    let more = ["--least=1", "--plies=3", "--nodes=200", "--hash=1", "--positions=20"];
    let taught = |game, book| {
        [&["book", "build", game, "--journal", book, "--games", &journal][..], &more].concat()
    };
    let told = BENCH.printed(&taught("whale", &book));
    assert!(told.starts_with("4 games counted, 0 left out\n"), "{told}");
    let first = fs::read_to_string(&journal).unwrap();
    let first = first.split_once("startpos moves ").unwrap().1[..4].to_owned();
    let told = BENCH.printed(&["book", "show", &book, &first]);
    assert!(told.contains(" w - 2\n"), "{told}");
    let none = named(&place, "none");
    let error = BENCH.refused(&taught("paulowich", &none));
    assert!(error.contains("expected a match of paulowich, found one of whale"), "{error}");
    assert!(!fs::exists(&none).unwrap());
    let error = BENCH.refused(&taught("whale", &journal));
    assert!(error.contains(&format!("{journal}: expected another file than ")), "{error}");
}

#[test]
fn what_is_no_book_is_refused() {
    let place = Place::new();
    let book = named(&place, "book");
    for (text, expected) in [
        (
            "",
            "expected a book, which begins with `# book ` and whale, paulowich, great, found nothing",
        ),
        ("startpos\n", "found \"startpos\""),
    ] {
        fs::write(&book, text).unwrap();
        let error = BENCH.refused(&["book", "show", &book]);
        assert!(
            error.contains(&format!("{book}: line 1: ")) && error.contains(expected),
            "{error}"
        );
        if !text.is_empty() {
            let error = BENCH.refused(&["book", "build", "whale", "--journal", &book]);
            assert!(error.contains("expected a file that begins with `# book whale`"), "{error}");
            let other = named(&place, "other");
            let words = ["book", "build", "whale", "--journal", &other, "--with", &book];
            assert!(BENCH.refused(&words).contains("expected a book that begins with"));
            assert!(!fs::exists(&other).unwrap());
            assert_eq!(fs::read_to_string(&book).unwrap(), text);
        }
    }
    fs::write(&book, b"# compact book whale\n\xff").unwrap();
    let error = BENCH.refused(&["book", "check", &book]);
    assert!(error.ends_with(": expected a book as text, found a compact one\n"), "{error}");
    fs::write(&book, "# book great\n").unwrap();
    let whale = named(&place, "whale");
    build(&whale, "1", &[]);
    let error = BENCH.refused(&["book", "merge", &whale, &book, "--out", &named(&place, "out")]);
    assert!(
        error.contains(&format!("{book}: line 1: expected a book for whale, found one for great"))
    );
    let error = BENCH.refused(&["book", "show", &whale, "1a1b"]);
    assert!(error.contains("move 1: expected a legal move, found 1a1b"), "{error}");
    let error = BENCH.refused(&["book", "show", &whale, "6e6d"]);
    assert!(error.contains("expected a position of the book, found bnpwgh/"), "{error}");
}
