//! `kujira-training` as people run it.

mod common;

use std::process::Command;

use common::{Scratch, read};
use kujira_position::{Position, Whale};
use kujira_trial::Program;

const PROGRAM: Program = Program::new(env!("CARGO_BIN_EXE_kujira-training"));

fn printed(arguments: &[&str]) -> String {
    PROGRAM.printed(arguments)
}

fn refused(arguments: &[&str]) -> String {
    PROGRAM.refused(arguments)
}

#[test]
fn games_are_made_counted_and_shown() {
    let scratch = Scratch::new("commands");
    let path = scratch.file("games");
    let name = path.display().to_string();
    let datagen = |games| {
        ["datagen", "--game", "whale", "--out", &name, "--nodes", "60", "--games", games]
            .map(str::to_owned)
    };
    let make = |games| {
        let arguments = datagen(games);
        printed(&arguments.each_ref().map(String::as_str))
    };
    assert!(make("3").starts_with("3 games, "));
    assert!(make("8").contains("; this run: 5 games, "));
    let games = read(&path);
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    assert_eq!(games.len(), 8);

    let text = printed(&["stats", &name]);
    let numbers = |label: &str| -> Vec<u64> {
        let line = text.lines().find(|line| line.trim_start().starts_with(label));
        let line = line.unwrap_or_else(|| panic!("{label}: {text}"));
        line.trim_start()[label.len()..].split_whitespace().filter_map(|w| w.parse().ok()).collect()
    };
    assert_eq!(numbers("games "), [8]);
    assert_eq!(numbers("positions "), [plies as u64]);
    let won = |color| games.iter().filter(|game| game.ending.winner() == Some(color)).count();
    assert_eq!(numbers("Black wins")[0], won(kujira_position::Color::Black) as u64);
    assert_eq!(numbers("White wins")[0], won(kujira_position::Color::White) as u64);
    let doubled = printed(&["stats", &name, &name]);
    assert!(doubled.contains("\ngames      16\n"), "{doubled}");

    let text = printed(&["dump", &name]);
    assert_eq!(text.lines().count(), plies);
    let (game, winner) = (&games[0], games[0].ending.winner());
    let mut position = Position::<Whale>::start();
    for &m in &game.opening {
        position.make(m);
    }
    for (line, ply) in text.lines().zip(&game.plies) {
        let result = match winner {
            None => "draw",
            Some(winner) if winner == position.side() => "win",
            Some(_) => "loss",
        };
        let (sfen, m) = (position.sfen(), position.usi(ply.m));
        assert_eq!(line, format!("{sfen}\t{}\t{result}\t{m}", ply.score));
        position.make(ply.m);
    }
    let first = printed(&["dump", &name, "--games", "1"]);
    assert_eq!(first.lines().count(), games[0].plies.len());

    let mut other = datagen("9").to_vec();
    other.extend(["--seed".to_owned(), "5".to_owned()]);
    let other: Vec<&str> = other.iter().map(String::as_str).collect();
    let error = refused(&other);
    assert!(error.contains("\"seed 1\" there, \"seed 5\" here"), "{error}");
}

/// Ctrl-C ends a run after the games in progress, and nothing is lost.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_run_cleanly() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let scratch = Scratch::new("interrupt");
    let path = scratch.file("games");
    let name = path.display().to_string();
    let arguments = ["datagen", "--game", "whale", "--out", &name, "--nodes", "50", "--games"];
    let child = Command::new(env!("CARGO_BIN_EXE_kujira-training"))
        .args(arguments)
        .arg("1000000")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The handler is in place before the file is begun.
    let begun = || std::fs::metadata(&path).is_ok_and(|file| file.len() > 0);
    kujira_trial::wait_until("the file is begun", begun);
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("finishing the games in progress"), "{said}");
    // A script does not go on as if the run were whole.
    assert_eq!(output.status.code(), Some(130), "{said}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let games = read(&path);
    assert!(text.starts_with(&format!("{} games, ", games.len())), "{text}");
    assert!(text.contains("the same command goes on"), "{text}");
    let wanted = (games.len() + 2).to_string();
    assert!(printed(&[&arguments[..], &[&wanted]].concat()).contains("; this run: 2 games, "));
    assert_eq!(read(&path)[..games.len()], games);
}

#[test]
fn wrong_arguments_are_named() {
    let scratch = Scratch::new("wrong");
    let text = scratch.file("text");
    std::fs::write(&text, "something else").unwrap();
    let name = text.display().to_string();
    let whale = ["datagen", "--game", "whale", "--out", &name];
    for (arguments, expected) in [
        (&["--games", "1", "--positions", "1"] as &[_], "cannot be used with"),
        (&[], "--games <N>|--positions <N>"),
        (&["--games", "1", "--nodes", "0"], "invalid value '0'"),
        (&["--games", "1", "--count", "5"], "expected --first with --count, found another target"),
        (&["--openings", "9", "--shard", "0/2", "--count", "5"], "expected --first with --count"),
        (&["--games", "1", "--threads", "0"], "invalid value '0'"),
        (&["--games", "1", "--random-plies", "9-6"], "a range such as 6-9"),
        (&["--games", "1", "--random-plies", "6-999"], "found 6-999"),
        (&["--games", "1", "--random-move", "2"], "expected a chance from 0 to 1, found 2"),
        (&["--games", "1", "--max-plies", "9"], "expected a longest game of more plies"),
        (&["--games", "1", "--win-score", "9", "--no-adjudication"], "cannot be used with"),
        (&["--games", "1"], "expected a file of self-play games, found something else"),
    ] {
        let error = refused(&[&whale[..], arguments].concat());
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    for (arguments, expected) in [
        (
            &["datagen", "--game", "chess", "--out", "x", "--games", "1"] as &[_],
            "expected one of whale",
        ),
        (&["stats", &name], "found something else"),
        (&["stats", "./none"], "./none: "),
        (&["stats"], "<FILES>"),
        (&["dump", &name], "found something else"),
    ] {
        let error = refused(arguments);
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    assert_eq!(std::fs::read_to_string(&text).unwrap(), "something else");
}

/// As after `| head -0`: what only prints ends at once and quietly, what makes files makes them.
#[test]
fn a_closed_output_ends_quietly() {
    let scratch = Scratch::new("closed");
    let (path, out) = (scratch.file("games"), scratch.file("x.net"));
    let (games, net) = (path.display().to_string(), out.display().to_string());
    let run = |arguments: &[&str]| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_kujira-training"));
        let output = command.args(arguments).stdout(writer).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        output.status.code()
    };
    let datagen = ["datagen", "--game", "whale", "--out", &games, "--nodes", "50", "--games", "30"];
    assert_eq!((run(&datagen), read(&path).len()), (Some(0), 30));
    let (arrays, back) = (scratch.file("x.npz"), scratch.file("x.ktd"));
    let (arrays, back) = (arrays.display().to_string(), back.display().to_string());
    let there = ["export", &games, "--out", &arrays];
    assert_eq!((run(&there), run(&["import", &arrays, "--out", &back])), (Some(0), Some(0)));
    assert_eq!(read(back.as_ref()), read(&path));
    let train = [
        "train",
        "--game",
        "whale",
        "--data",
        &games,
        "--out",
        &net,
        "--hidden",
        "16",
        "--batch",
        "256",
        "--held-out",
        "0.2",
        "--epochs",
        "1",
    ];
    assert_eq!(run(&train), Some(0));
    let worth = ["worth", "--game", "whale", "--data", &games, "--net", &net];
    let again = scratch.file("y.net").display().to_string();
    assert_eq!(run(&[&worth[..], &["--out", &again]].concat()), Some(0));
    assert!(scratch.file("y.net").exists());
    for arguments in
        [&["--help"] as &[&str], &["--version"], &["stats", &games], &["dump", &games], &worth]
    {
        assert_eq!(run(arguments), Some(141), "{arguments:?}");
    }
}

/// Output that cannot be written is a failure, other than output that nobody wants.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let scratch = Scratch::new("full");
    let games = scratch.file("games").display().to_string();
    printed(&["datagen", "--game", "whale", "--out", &games, "--nodes", "50", "--games", "1"]);
    for what in ["stats", "dump"] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_kujira-training"));
        let output = command.args([what, &games]).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{what}");
        assert!(said.starts_with("kujira-training: standard output: "), "{said}");
    }
}
