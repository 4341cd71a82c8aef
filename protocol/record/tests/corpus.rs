//! Files as people and programs have them, and what they say.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kujira_position::{Rules, VariantId, Whale};
use kujira_record::{Error, Read, list, pgn, read, text};
use kujira_usi::{Ending, Reason, Side};

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus"))
}

fn path(name: &str) -> PathBuf {
    folder().join(name)
}

fn load(name: &str) -> Result<Read, Error> {
    let text = text::open(&path(name))?;
    read(&text, VariantId::Whale).map_err(|error| error.in_file(name))
}

/// File, moves of the main line, moves of all branches, games that follow, and how it ended.
type Row = (&'static str, &'static str, usize, usize, Option<(Option<Side>, Reason)>);

const HODGES: &str = "startpos moves 2e2d 4b4c 3e3d 5a5c 3d3c 3b3c";
const BLACK: Option<Side> = Some(Side::Black);
const WHITE: Option<Side> = Some(Side::White);

const GAMES: [Row; 12] = [
    ("annotated.pgn", HODGES, 12, 0, Some((BLACK, Reason::Recorded))),
    ("western-without-tags.txt", HODGES, 6, 0, None),
    ("japanese-without-tags.txt", HODGES, 6, 0, Some((None, Reason::Recorded))),
    ("great.pgn", "startpos moves 6h6g 6d6e 9h9g 9d9e", 5, 0, None),
    (
        "handicap.pgn",
        "sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1 moves 5b5c 2e2d",
        2,
        0,
        Some((None, Reason::Recorded)),
    ),
    (
        "match.pgn",
        "sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1 moves 6b6c 2e2d 5b5c 1e1d",
        4,
        1,
        Some((WHITE, Reason::Time)),
    ),
    ("several.pgn", "startpos moves 2f2e", 1, 3, None),
    ("windows.pgn", "startpos moves 2e2d 5b5c", 2, 0, None),
    ("no-result.pgn", "startpos moves 2e2d 5b5c", 2, 0, Some((WHITE, Reason::Resignation))),
    ("games.usi", "startpos moves 2e2d 5b5c", 2, 3, Some((WHITE, Reason::Resignation))),
    ("long.usi", "startpos moves 2f2e 6b6c", 2, 0, None),
    ("mixed.epd", "startpos moves 2e2d 5b5c", 2, 3, None),
];

const ERRORS: [(&str, &str); 5] = [
    ("latin1.pgn", "line 1, column 13: expected a text in UTF-8, found the byte 0xe9"),
    (
        "null-move.pgn",
        "null-move.pgn: line 3, column 9: move 2: expected a move, found the null move --",
    ),
    (
        "mixed-squares.pgn",
        "line 3, column 9: move 2: expected a move in Western squares, as before, found \"D-5c\"",
    ),
    ("unended-comment.pgn", "line 3, column 9: expected } at the end of a comment, found nothing"),
    ("illegal.pgn", "line 3, column 17: move 3: expected a legal move, found \"Gx6a\" in "),
];

#[test]
fn every_file_says_what_it_says() {
    for (name, line, nodes, more, end) in GAMES {
        let Read { game, more: found } = load(name).unwrap();
        assert_eq!(game.usi(game.end()), line, "{name}");
        assert_eq!((game.reachable().len() - 1, found), (nodes, more), "{name}");
        let ending = game.node(game.end()).unwrap().ending;
        assert_eq!(ending, end.map(|(winner, reason)| Ending { winner, reason }), "{name}");
    }
    for (name, expected) in ERRORS {
        let error = load(name).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains(name), "{name}: {error}");
    }
    let told: BTreeSet<_> =
        GAMES.iter().map(|row| row.0).chain(ERRORS.iter().map(|row| row.0)).collect();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(told.contains(&name[..]), "{name} is in no table");
    }
}

#[test]
fn annotations_are_where_they_belong() {
    let game = load("annotated.pgn").unwrap().game;
    let notes = |usi: &str| {
        let ids = game.reachable();
        let found = ids.into_iter().find(|&id| game.usi(id).ends_with(usi));
        game.node(found.unwrap()).unwrap().clone()
    };
    let root = game.node(0).unwrap();
    assert_eq!(root.notes.comment, "Analysis of an opening, kept by a club Both sides know this.");
    let first = notes("startpos moves 2e2d");
    assert_eq!((&first.notes.comment[..], &first.notes.nags[..]), ("The usual way.", &[1][..]));
    assert_eq!(first.notes.clock, Some(598_000));
    let branch = notes("startpos moves 5e5d");
    assert_eq!((&branch.notes.before[..], &branch.notes.nags[..]), ("Or", &[5][..]));
    let nested = notes("5e5d 2b2c");
    assert_eq!(
        (&nested.notes.comment[..], &nested.notes.nags[..]),
        ("a line of words } with a brace", &[6][..])
    );
    let answer = notes("2e2d 4b4c");
    assert_eq!((answer.score.map(|score| score.1), answer.notes.spent), (Some(12), Some(4000)));
    let third = notes("4b4c 3e3d");
    assert_eq!((third.notes.spent, &third.notes.nags[..]), (Some(1500), &[6][..]));
    let slow = notes("3d3c 1b1c");
    let told = Ending { winner: BLACK, reason: Reason::Recorded };
    assert_eq!((slow.ending, &slow.notes.comment[..]), (Some(told), "too slow"));
    let end = game.node(game.end()).unwrap();
    assert_eq!(end.notes.comment, "takes [Event \"no tag\"] White resigns");
}

#[test]
fn every_game_of_a_file_is_read() {
    let games = |name: &str| {
        let text = text::open(&path(name)).unwrap();
        pgn::games(text.as_bytes(), VariantId::Paulowich).collect::<Result<Vec<_>, _>>()
    };
    let matches = games("match.pgn").unwrap();
    assert_eq!(matches.len(), 2);
    assert_eq!(matches[0].tags.players(), ["a \\ \"b\"", "w"]);
    assert_eq!(matches[1].tags.players(), ["w", "a \\ \"b\""]);
    assert_eq!(matches[1].tags.get("termination"), Some("ply-limit"));
    let several = games("several.pgn").unwrap();
    let moves: Vec<_> = several.iter().map(|game| game.game.usi(game.game.end())).collect();
    assert_eq!(
        moves,
        ["startpos moves 2f2e", "startpos moves 3f3e", "startpos moves 4f4e", "startpos"]
    );
    // A wrong move is wrong with its game; behind what is no PGN there is nothing more.
    let text = "1. 2f2e * 1. 2e2e * 1. 2f2e * 1. 2f2e {no end * 1. 2f2e *";
    let read: Vec<_> =
        pgn::games(text.as_bytes(), VariantId::Paulowich).map(|game| game.is_ok()).collect();
    assert_eq!(read, [true, false, true, false]);
}

#[test]
fn a_list_of_everything_is_read() {
    let entries = list::open(&path("mixed.epd")).unwrap();
    let lines: Vec<_> = entries.iter().map(|entry| entry.line).collect();
    assert_eq!(lines, [4, 5, 6, 7]);
    for entry in &entries {
        entry.position::<Whale>(Rules::DEFAULT).unwrap();
    }
    assert_eq!((entries[1].operand("bm"), entries[1].operand("id")), (Some("2e2d"), Some("a; b")));
    assert_eq!(entries[2].counts(64), Ok(vec![(1, 7), (2, 49)]));
    assert_eq!(entries[3].mate(), Ok(3));
    let error = list::open(&path("latin1.pgn")).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "latin1.pgn: line 1, column 13: expected a text in UTF-8, found the byte 0xe9"
        ),
        "{error}"
    );
}
