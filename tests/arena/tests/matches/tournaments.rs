//! Tournaments from a file: killed and taken up, with engines that cheat and die, looked at without a game.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kujira_record::played::GameRecord;

use crate::harness::{Place, said};

/// Five engines and what they play, as `match --save` writes it, and further settings.
fn file(place: &Place, more: &str) -> PathBuf {
    let engines: Vec<_> = ["A", "B", "C", "D", "E"]
        .iter()
        .enumerate()
        .map(|(seed, name)| {
            let seed = format!("--seed={seed}");
            place.engine(&[&seed, "--pause=1"], &[&format!("name={name}")])
        })
        .collect();
    save(place, &engines, more)
}

fn save(place: &Place, engines: &[Vec<String>], more: &str) -> PathBuf {
    let path = place.path("cup.toml");
    let save = format!("--save={}", path.display());
    let settings = ["--nodes=1", "--max-plies=60", "--seed=11", "--concurrency=2", &save];
    let output = place.command("match whale", engines, &settings).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(!place.path("match.jsonl").exists(), "nothing is played");
    let again = place.command("match whale", engines, &settings).output().unwrap();
    assert!(!again.status.success(), "nothing is written over");
    assert!(said(&again).contains("expected no file yet, found one"), "{}", said(&again));
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("\n\n", &format!("\n\n{more}\n"), 1)).unwrap();
    path
}

fn tournament(file: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
    command.arg("tournament").arg(file).arg("--plain").args(words);
    command
}

fn run(file: &Path, words: &[&str]) -> Output {
    tournament(file, words).output().unwrap()
}

/// Who met whom from which opening.
fn met(games: &[GameRecord]) -> BTreeSet<(u32, [usize; 2])> {
    games.iter().map(|game| (game.id.round, game.id.engines)).collect()
}

#[cfg(unix)]
#[test]
fn tournaments_that_are_killed() {
    use kujira_trial::kills::{Trial, wanted};

    use crate::kills::{FEW, essence};

    let place = Place::new();
    let file = file(&place, "format = \"swiss\"\nrounds = 3\npairs = 2");
    let trial = Trial::new("tournament");
    let command = |folder: &Path| {
        let mut command = tournament(&file, &["--out"]);
        command.arg(folder.join("cup"));
        command
    };
    trial.run(wanted(FEW), command, |folder| {
        let [found, expected] = [folder, &trial.whole()].map(|folder| folder.join("cup"));
        let games = essence(&found.with_extension("jsonl"));
        assert_eq!(games.len(), 3 * 2 * 2 * 2);
        assert_eq!(games, essence(&expected.with_extension("jsonl")));
        let read = |path: &Path| fs::read_to_string(path).unwrap();
        for ending in ["txt", "csv", "svg"] {
            let [found, expected] = [&found, &expected].map(|path| path.with_extension(ending));
            assert_eq!(read(&found), read(&expected), "{ending}");
        }
        let page = read(&found.with_extension("html"));
        assert_eq!(page.matches("\"players\":").count(), games.len());
    });
}

#[test]
fn a_tournament_goes_on_with_engines_that_cheat_and_die() {
    let place = Place::new();
    let engine = |fault: &str, name: &str| {
        let fault = format!("--fault={fault}");
        let fault: &[&str] = if fault.ends_with('=') { &[] } else { &[&fault] };
        place.engine(fault, &[&format!("name={name}")])
    };
    let engines = [engine("illegal", "Cheat"), engine("die", "Frail"), engine("", "<Good>")];
    let file = save(&place, &engines, "title = \"A & B\"\nformat = \"knockout\"\nextra-pairs = 1");
    let output = run(&file, &[]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let games = place.games();
    // The first seed has a bye, and loses the final.
    assert_eq!(met(&games), [(0, [1, 2]), (2, [0, 2])].into());
    let table: Vec<_> = text.lines().skip_while(|line| !line.ends_with("claim")).take(4).collect();
    let expected = [
        "     engine  points        results  rounds won  lost by failure  by an illegal move or claim",
        "   1 <Good>     4.0       +4 =0 -0           2                0                            0",
        "   2 Cheat      0.0       +0 =0 -2           1                2                            2",
        "   3 Frail      0.0       +0 =0 -2           0                2                            0",
    ];
    assert_eq!(table, expected, "{text}");
    let page = fs::read_to_string(place.path("match.html")).unwrap();
    assert!(page.contains("<title>A &amp; B</title>") && page.contains("\"\\u003cGood>\""));
    // A tournament that is over is over, and makes its tables again.
    fs::remove_file(place.path("match.html")).unwrap();
    assert!(run(&file, &[]).status.success());
    assert_eq!((place.games(), place.path("match.html").exists()), (games, true));
    // Not over what somebody else made.
    fs::write(place.path("match.csv"), "mine").unwrap();
    let refused = run(&file, &[]);
    assert!(said(&refused).contains("match.csv: expected a cross-table"), "{}", said(&refused));
    assert_eq!(fs::read_to_string(place.path("match.csv")).unwrap(), "mine");
    assert!(!place.something_runs());
}

#[test]
fn a_file_is_checked_without_a_game() {
    let place = Place::new();
    let path = file(&place, "format = \"knockout\"");
    let output = run(&path, &["--check"]);
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    let expected = "Knock-out of 5 engines, 1 pair of games for each pairing, up to 4 more while it is even: \
                    8 games or more\n";
    assert!(text.contains(expected) && text.contains("\n  5 E: nodes 1, "), "{text}");
    let good = fs::read_to_string(&path).unwrap();
    for (old, new, expected) in [
        ("nodes = 1\n", "nodes = 0\n", "cup.toml: line 7: nodes: "),
        ("nodes = 1\n", "node = 1\n", "cup.toml: line 7: expected [[engine]] or one of affinity, "),
        ("name = \"B\"", "nam = \"B\"", "nam: expected one of cmd=PROGRAM, "),
        (
            "\"knockout\"",
            "\"league\"",
            "line 3: format: expected one of round-robin, gauntlet, swiss",
        ),
        ("game = \"whale\"", "game = \"chess\"", "game: "),
        ("game = \"whale\"\n", "", "expected game = \"whale\", \"paulowich\" or \"great\""),
        ("nodes = 1\n", "nodes = 1\nrounds = 3\n", "line 8: rounds: expected format = \"swiss\""),
        ("nodes = 1\n", "nodes = 1\nfresh = true\n", "line 8: expected [[engine]] or one of"),
        ("nodes = 1\n", "", "expected a limit"),
        ("cmd = ", "cmd == ", "cup.toml: line "),
    ] {
        fs::write(&path, good.replacen(old, new, 1)).unwrap();
        let output = run(&path, &["--check"]);
        let text = said(&output);
        assert!(!output.status.success() && text.contains(expected), "{new}: {text}");
        assert!(text.lines().count() == 1 && !text.contains("panicked"), "{text}");
    }
    assert!(!place.path("match.jsonl").exists() && !place.something_runs());
}

#[test]
fn a_check_looks_at_the_journal_that_is_there() {
    let place = Place::new();
    let engines =
        ["A", "B", "C"].map(|name| place.engine(&["--pause=1"], &[&format!("name={name}")]));
    let path = save(&place, &engines, "pairs = 3");
    let check = || {
        let output = run(&path, &["--check"]);
        (output.status.success(), said(&output))
    };
    let (well, text) = check();
    assert!(well && !text.contains("journal: "), "{text}");
    assert!(run(&path, &[]).status.success());
    let (well, text) = check();
    assert!(well && text.ends_with("\njournal: 18 of 18 played\n"), "{text}");
    let journal = place.path("match.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    let part: String = whole.split_inclusive('\n').take(1 + 7).collect();
    fs::write(&journal, format!("{part}{{\"game\":{{\"rou")).unwrap();
    let (well, text) = check();
    assert!(well && text.contains("\njournal: 7 of 18 played, about "), "{text}");
    assert!(text.ends_with(" left at 2 at a time\n"), "{text}");
    // What playing would refuse.
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("nodes = 1\n", "nodes = 2\n"))
        .unwrap();
    let (well, text) = check();
    assert!(
        !well && text.contains("this one differs: engine A: limit nodes 2, there nodes 1; "),
        "{text}"
    );
    fs::write(&journal, whole.replacen("\"leg\":0", "\"leg\":1", 1)).unwrap();
    let (well, text) = check();
    // Games are there in the order of their ends.
    let line = whole.lines().position(|line| line.contains("\"leg\":0")).unwrap() + 1;
    let expected = format!("match.jsonl: line {line}: expected a line of a journal as it was");
    assert!(!well && text.contains(&expected), "{text}");
}
