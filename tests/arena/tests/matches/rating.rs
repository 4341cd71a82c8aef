//! `ratings` on journals made here, so that the counts are known.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use kujira_position::VariantId;

use crate::harness::{Place, resummed, said};
use crate::pooling::{journal, write};

fn ratings(journals: &[&PathBuf], more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
    command.arg("ratings").args(journals).args(more).output().unwrap()
}

fn refused(journals: &[&PathBuf], more: &[&str]) -> String {
    let output = ratings(journals, more);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    said(&output)
}

/// A beats B at 6×6, B beats C at 7×7: the list joins them, and says the same in all its forms.
#[test]
fn journals_are_rated_together() {
    let place = Place::new();
    let (whale, paulowich) = (VariantId::Whale, VariantId::Paulowich);
    let one = journal(whale, &["A", "B"], [4, 2, 20, 4, 20], 1);
    let one = write(&place, "one.jsonl", &one);
    let other = journal(paulowich, &["C", "B"], [20, 4, 20, 2, 4], 2);
    let other = write(&place, "other.jsonl", &other);
    let (csv, svg) = (place.path("table.csv"), place.path("table.svg"));
    let files = ["--csv", csv.to_str().unwrap(), "--svg", svg.to_str().unwrap()];
    let output = ratings(&[&one, &other], &[&files[..], &["--anchor=B=1000"]].concat());
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.starts_with("200 games in whale | paulowich\n"), "{text}");
    let rows = text.lines().skip(3).take(3);
    let rows: Vec<Vec<&str>> = rows.map(|line| line.split_whitespace().collect()).collect();
    // 67 points of 100 are 123.0 Elo, and a little more where Black has an advantage; 68.4 is the error in the
    // account of that match.
    for (row, name, elo) in [(0, "A", 1123.5), (1, "B", 1000.0), (2, "C", 876.5)] {
        let [rating, error] = [2, 3].map(|column| rows[row][column].parse::<f64>().unwrap());
        assert!(rows[row][1] == name && (rating - elo).abs() < 0.6, "{text}");
        assert!((error - if row == 1 { 0.0 } else { 68.4 }).abs() < 1.0, "{text}");
    }
    assert_eq!(rows[1][4..], ["200", "50.0", "%", "46.0", "%", "1000.0", "100.0", "%"], "{text}");
    assert!(text.contains("   2 B      100.0/200 33.0/100        x 67.0/100\n"), "{text}");

    let mut table = csv::Reader::from_path(&csv).unwrap();
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    assert_eq!((rows.len(), &rows[0][1], &rows[1][2], &rows[1][9]), (3, "A", "1000.00", "100.0"));
    let picture = fs::read_to_string(&svg).unwrap();
    assert!(picture.contains(">67.0/100<"), "{picture}");

    // What it made it writes again; what another made only if it must.
    assert!(ratings(&[&one], &files).status.success());
    assert_ne!(fs::read_to_string(&svg).unwrap(), picture);
    fs::write(&svg, "<svg/>").unwrap();
    let error = refused(&[&one], &files);
    assert!(error.contains("expected a cross-table (SVG) or no file, found something"), "{error}");
    assert_eq!(fs::read_to_string(&svg).unwrap(), "<svg/>");
    assert!(ratings(&[&one], &[&files[..], &["--force"]].concat()).status.success());
    let before = fs::read(&one).unwrap();
    let error = refused(&[&one], &["--force", "--csv", one.to_str().unwrap()]);
    assert!(error.contains("expected another file than a journal"), "{error}");
    assert_eq!(fs::read(&one).unwrap(), before);
}

#[test]
fn what_cannot_be_rated_is_refused() {
    let place = Place::new();
    let text = |names: &[&str], seed| journal(VariantId::Whale, names, [1, 0, 2, 0, 1], seed);
    let match_of_two = text(&["A", "B"], 1);
    let one = write(&place, "one.jsonl", &match_of_two);
    let copy = write(&place, "copy.jsonl", &match_of_two);
    let void = text(&["A", "C"], 2).replace("\"resignation\"", "\"illegal-move\"");
    let void = write(&place, "void.jsonl", &resummed(&void));
    let header = text(&["A", "B"], 3).split_inclusive('\n').take(1).collect::<String>();
    let empty = write(&place, "empty.jsonl", &header);
    let broken = write(&place, "broken.jsonl", &format!("{header}{{\"game\":7}}\n{{}}\n"));
    let twins = write(&place, "twins.jsonl", &text(&["A", "A"], 5));
    let opening = text(&["A", "B"], 4).replace("\"opening\":\"startpos", "\"opening\":\"x");
    let opening = write(&place, "opening.jsonl", &resummed(&opening));
    for (journals, more, expected) in [
        (&[&one, &copy] as &[&PathBuf], &[] as &[&str], "copy.jsonl: expected every journal once"),
        (&[&one, &void], &[], "void.jsonl: expected matches that are not void"),
        (&[&empty], &[], "expected finished games, found none"),
        (&[&broken], &[], "broken.jsonl: line 2: expected a line of a journal: "),
        (
            &[&one, &twins],
            &[],
            "twins.jsonl: line 1: expected engines of different names, found A twice",
        ),
        (&[&opening], &[], "opening.jsonl: game 1.1: "),
        (&[&one], &["--anchor=C=1"], "--anchor: expected one of A, B, found C"),
    ] {
        let error = refused(journals, more);
        assert!(error.contains(expected), "{expected} in {error}");
    }
}

/// What the games leave open is named, and nothing is told of it, in any form.
#[test]
fn what_games_leave_open_is_named() {
    let place = Place::new();
    // S wins with White and draws with Black.
    let text = journal(VariantId::Whale, &["S", "B"], [0, 0, 0, 12, 0], 1);
    let one = write(&place, "one.jsonl", &text);
    let csv = place.path("table.csv");
    let output = ratings(&[&one], &["--csv", csv.to_str().unwrap()]);
    let text = said(&output);
    assert!(output.status.success() && !text.contains("Black is worth -"), "{text}");
    for note in [
        "  NOTE: what Black is worth cannot be told from these games: it is taken for nothing\n",
        "  NOTE: how often even engines draw cannot be told from these games\n",
        "   1 S          95.4        –      24   75.0 %",
    ] {
        assert!(text.contains(note), "{note}: {text}");
    }
    // One who lost every game is not rated, and takes nothing from those who are.
    let alone =
        write(&place, "alone.jsonl", &journal(VariantId::Whale, &["A", "B"], [4, 2, 20, 4, 20], 2));
    let lost =
        write(&place, "lost.jsonl", &journal(VariantId::Whale, &["A", "Z"], [0, 0, 0, 0, 9], 3));
    let rows = |journals: &[&PathBuf]| {
        let text = said(&ratings(journals, &[]));
        let rows = text.lines().skip(3).take_while(|line| !line.is_empty());
        let row = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        (rows.map(row).collect::<Vec<_>>(), text)
    };
    let (before, _) = rows(&[&alone]);
    let (after, text) = rows(&[&alone, &lost]);
    assert_eq!((&before[0][1..4], &before[1][1..4]), (&after[0][1..4], &after[1][1..4]), "{text}");
    assert_eq!(after[2][1..4], ["Z", "–", "–"], "{text}");
    assert!(
        text.contains("  NOTE: what these are worth cannot be told from these games: Z\n"),
        "{text}"
    );
}
