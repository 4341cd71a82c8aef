//! Games under the real XBoard, on a display that nobody sees, and what it recorded of them.
//!
//! Where XBoard or Xvfb is missing this says so and does nothing (Debian: `xboard`, `xvfb`). Two quick
//! games of each kind are played; `KUJIRA_XBOARD_GAMES=10` plays ten on clocks of twenty seconds.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kujira_cecp::notation::{move_of_usi, offered};
use kujira_position::{Color, Move, Outcome, Position, Variant, VariantId, with_variant};
use kujira_usi::fairy::fen::{self, letter};

/// Seconds after which games that do not end are given up.
const PATIENCE: u32 = 900;

/// The first of these that is a file.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.push("/usr/games".into());
    folders.into_iter().map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[test]
fn games_under_xboard_are_played_to_their_end() {
    for name in ["xboard", "xvfb-run", "xauth"] {
        if program(name).is_none() {
            assert!(std::env::var_os("KUJIRA_NEED_XBOARD").is_none(), "{name} is missing");
            // Past the harness, which keeps to itself what tests that pass print.
            let _ = writeln!(std::io::stderr(), "skipped: games under XBoard, {name} is missing");
            return;
        }
    }
    let games = std::env::var("KUJIRA_XBOARD_GAMES").ok().map(|n| n.parse().expect("a number"));
    std::thread::scope(|scope| {
        for game in offered() {
            scope.spawn(move || with_variant!(game, V => play::<V>(games)));
        }
    });
}

#[cfg(unix)]
#[test]
fn what_xboard_cannot_show_is_refused_in_words() {
    for (words, expected) in [
        (&["great"][..], "played in Kujira Board"),
        (&["great", "engines"], "played in Kujira Board"),
        (
            &["chess"],
            "expected whale or paulowich, alone or engines, or an option of XBoard, found chess",
        ),
        (&["paulowich", "great"], "found great"),
    ] {
        let play = Path::new(env!("CARGO_MANIFEST_DIR")).join("../xboard/play");
        // No engine is built and none started.
        let output = Command::new(play).args(words).env("KUJIRA", "/dev/null").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains(expected), "{words:?}: {said}");
    }
}

fn play<V: Variant>(games: Option<usize>) {
    let folder =
        std::env::temp_dir().join(format!("kujira-xboard-{}-{}", V::ID, std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let recorded = play_in(V::ID, games, &folder);
    // XBoard writes settings and records only here.
    std::fs::remove_dir_all(&folder).unwrap();
    let recorded = recorded.unwrap_or_else(|error| panic!("{}: {error}", V::ID));
    let records = read(&recorded);
    assert_eq!(records.len(), games.unwrap_or(2), "{recorded}");
    for record in &records {
        replay::<V>(record);
    }
    let first = &records[0].moves;
    assert!(records[1..].iter().any(|record| record.moves != *first), "one game, over and over");
}

/// Plays games and returns what XBoard recorded.
fn play_in(game: VariantId, games: Option<usize>, folder: &Path) -> Result<String, String> {
    let limits: &[&str] = match games {
        // One searches deeper than the other, so that games with colours changed are different games.
        None => &[
            "-tc",
            "5",
            "-firstInitString",
            "new\nsd 4\n",
            "-secondInitString",
            "new\nsd 3\n",
            "-secondOptions",
            "MultiPV=2",
            "-matchPause",
            "50",
        ],
        Some(_) => &["-tc", "0:20", "-inc", "0", "-matchPause", "500", "-xponder"],
    };
    let pgn = folder.join("games.pgn");
    let output = Command::new("timeout")
        .args(["-k", "10"])
        .arg(PATIENCE.to_string())
        .args(["xvfb-run", "-a", "-s", "-screen 0 1000x800x24"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../xboard/play"))
        .args([game.spec().id, "engines", "-matchGames", &games.unwrap_or(2).to_string()])
        .args(["-popupExitMessage", "false", "-sgf"])
        .arg(&pgn)
        .args(limits)
        .env("KUJIRA", env!("CARGO_BIN_EXE_kujira"))
        .env("HOME", folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(format!("{}: {said}", output.status));
    }
    std::fs::read_to_string(&pgn).map_err(|error| format!("{error}: {said}"))
}

/// A game as XBoard recorded it.
#[derive(Default, Debug)]
struct Record {
    tags: Vec<(String, String)>,
    /// In XBoard's notation, without numbers.
    moves: Vec<String>,
    /// The last comment: the reason of the result.
    comment: String,
    result: String,
}

impl Record {
    fn tag(&self, name: &str) -> &str {
        let tag = self.tags.iter().find(|(known, _)| known == name);
        tag.map_or("", |(_, value)| value)
    }
}

fn read(pgn: &str) -> Vec<Record> {
    let mut records = vec![Record::default()];
    let mut rest = pgn;
    while let Some(c) = rest.chars().next() {
        let record = records.last_mut().unwrap();
        if c == '[' {
            let (tag, tail) = rest[1..].split_once("]\n").expect("the end of a tag");
            let (name, value) = tag.split_once(' ').expect("a value");
            record.tags.push((name.to_owned(), value.trim_matches('"').to_owned()));
            rest = tail;
        } else if c == '{' {
            let (comment, tail) = rest[1..].split_once('}').expect("the end of a comment");
            record.comment = comment.replace('\n', " ");
            rest = tail;
        } else if c.is_whitespace() {
            rest = rest.trim_start();
        } else {
            let (word, tail) = rest.split_at(rest.find([' ', '\n']).unwrap_or(rest.len()));
            rest = tail;
            match word {
                "1-0" | "0-1" | "1/2-1/2" | "*" => {
                    record.result = word.to_owned();
                    records.push(Record::default());
                }
                number if number.ends_with('.') => {}
                m => record.moves.push(m.to_owned()),
            }
        }
    }
    assert!(records.pop().is_some_and(|rest| rest.tags.is_empty()), "the end of a game");
    records
}

/// Plays a record by our rules: every move legal, the result that of the last position.
fn replay<V: Variant>(record: &Record) {
    assert_eq!(record.tag("Variant"), V::SPEC.id, "{record:?}");
    let sfen = fen::to_sfen(V::SPEC, record.tag("FEN")).unwrap();
    let mut position = Position::<V>::from_sfen(&sfen).unwrap();
    assert_eq!(position, Position::start(), "{sfen}");
    for text in &record.moves {
        assert_eq!(position.outcome(), None, "before {text} in {record:?}");
        let moves = position.legal_moves();
        let found: Vec<Move> =
            moves.iter().copied().filter(|&m| is_written(&position, m, text)).collect();
        let &[m] = found.as_slice() else {
            panic!("{} moves are {text} in {}: {record:?}", found.len(), position.sfen())
        };
        position.make(m);
    }
    let result = match position.outcome() {
        Some(Outcome::Win { winner: Color::Black, .. }) => "1-0",
        Some(Outcome::Win { winner: Color::White, .. }) => "0-1",
        Some(Outcome::Draw(_)) => "1/2-1/2",
        None => panic!("no end at {}: {record:?}", position.sfen()),
    };
    assert_eq!((record.result.as_str(), record.tag("Result")), (result, result), "{record:?}");
    for wrong in ["time", "orfeit", "llegal", "claim", "adjudication", "resign"] {
        assert!(!record.comment.contains(wrong), "{record:?}");
    }
}

/// Whether XBoard writes the move so: `De3`, `Dbxc3`, `+Kb6`, `D@e5`.
fn is_written<V: Variant>(position: &Position<V>, m: Move, text: &str) -> bool {
    let coordinates = move_of_usi(V::SPEC, &position.usi(m));
    if m.is_drop() {
        return text == coordinates;
    }
    let (from, to) = coordinates.split_at(2);
    let takes = position.board().piece_on(m.to()).is_some();
    let (file, rank) = from.split_at(1);
    let piece = letter(V::SPEC.kind(m.kind()));
    ["", file, rank, from]
        .iter()
        .any(|origin| text == format!("{piece}{origin}{}{to}", if takes { "x" } else { "" }))
}
