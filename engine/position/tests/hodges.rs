//! Hodges notation over random games of every game, and special moves by hand.

use std::collections::HashMap;

use kujira_position::{Coordinates, Great, HodgesError, Move, Paulowich, Position, Variant, Whale};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const BOTH: [Coordinates; 2] = [Coordinates::Japanese, Coordinates::Western];

/// Every legal move has a text of its own, which reads back to it, with and without the starting
/// square.
fn check_position<V: Variant>(position: &Position<V>, coordinates: Coordinates) {
    let geometry = V::SPEC.geometry;
    let mut texts: HashMap<String, Move> = HashMap::new();
    for &m in position.legal_moves().iter() {
        let text = position.hodges(m, coordinates);
        assert_eq!(position.parse_hodges(&text, coordinates), Ok(m), "{text} in {position:?}");
        let mut spellings = vec![text.clone()];
        let name = V::SPEC.written_name(m.kind());
        let origin = coordinates.name(geometry, m.from());
        if !m.is_drop() && !text.starts_with(&format!("{name}{origin}")) {
            let full = format!("{name}{origin}{}", &text[name.len()..]);
            assert_eq!(position.parse_hodges(&full, coordinates), Ok(m), "{full}");
            spellings.push(full);
        }
        for spelling in spellings {
            if let Some(other) = texts.insert(spelling.clone(), m) {
                panic!("{spelling} is both {other:?} and {m:?} in {position:?}");
            }
        }
    }
}

/// Plays `games` random games, each move of which is written and read, and checks all moves of every
/// `every`-th position; captures on the way and promotions are preferred, so that many kinds get into play.
/// Returns how many moves played promoted, captured on the way, and ended where they started.
fn check_games<V: Variant>(games: usize, plies: usize, every: usize) -> [usize; 3] {
    let mut played = [0; 3];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for game in 0..games {
        let mut position = Position::<V>::start();
        let coordinates = BOTH[game % 2];
        for ply in 0..plies {
            if position.outcome().is_some() {
                break;
            }
            if ply % every == game % every {
                check_position(&position, BOTH[(ply / every + game) % 2]);
            }
            let legal = position.legal_moves();
            let lively: Vec<Move> = legal
                .iter()
                .copied()
                .filter(|&m| m.promotes() || m.way().is_some() || m.from() == m.to())
                .collect();
            let m = if !lively.is_empty() && random.random_range(0..3) == 0 {
                lively[random.random_range(0..lively.len())]
            } else {
                legal[random.random_range(0..legal.len())]
            };
            let traits = [m.promotes(), m.way().is_some(), !m.is_drop() && m.from() == m.to()];
            for (count, has) in played.iter_mut().zip(traits) {
                *count += usize::from(has);
            }
            let text = position.hodges(m, coordinates);
            assert_eq!(position.parse_hodges(&text, coordinates), Ok(m), "{text}");
            position.make(m);
        }
    }
    played
}

#[test]
fn texts_are_unique_and_read_back_6x6() {
    check_games::<Whale>(25, 120, 3);
}

#[test]
fn texts_are_unique_and_read_back_7x7() {
    check_games::<Paulowich>(20, 140, 4);
}

#[test]
fn texts_are_unique_and_read_back_11x11() {
    let played = check_games::<Great>(12, 220, 11);
    assert!(played.iter().all(|&count| count > 10), "too tame a sample: {played:?}");
}

/// Lions that meet enemies, pieces of one written name, a piece in hand.
const RICH: &str = concat!(
    "1,w,9/11/4,NB,1,+NBC,4/5,m,5/5,f,5/5,+BR,5/9,+S,1/11/2,+BR,5,p,2/7,+KC,1,K,1/5,W,5 ",
    "b BRC 1"
);

#[test]
fn special_moves_of_the_large_game() {
    let position = Position::<Great>::from_sfen(RICH).unwrap();
    for (usi, japanese, western) in [
        // The false killer whale steps, jumps, captures on the way, captures and stays, passes.
        ("6f6e", "FKx6e", "FKxf7"),
        ("6f6d", "FKx6d", "FKxf8"),
        ("6f6e6d", "FKx6ex6d", "FKxf7xf8"),
        ("6f6c", "FK-6c", "FK-f9"),
        ("6f6e6c", "FKx6e-6c", "FKxf7-f9"),
        ("6f6d6c", "FKx6d-6c", "FKxf8-f9"),
        ("6f6e6d6c", "FKx6ex6d-6c", "FKxf7xf8-f9"),
        ("6f6e6f", "FKx!6e", "FKx!f7"),
        ("9i9i", "FK-pass", "FK-pass"),
        ("2g2g", "Bl-pass", "Bl-pass"),
        // Two killer whales beside one enemy.
        ("4j3i", "K4jx3i", "Kh2xi3"),
        ("4j3i4j", "K4jx!3i", "Kh2x!i3"),
        ("2j3i2j", "K2jx!3i", "Kj2x!i3"),
        ("4j3i2h", "Kx3i-2h", "Kxi3-j4"),
        ("4j2h", "K-2h", "K-j4"),
        // A northern bottlenose whale and a promoted calf are both written NB. Only one of them can
        // promote, but a reader need not know which.
        ("7c6b+", "NB7c-6b+", "NBe9-f10+"),
        ("7c6b", "NB7c-6b=", "NBe9-f10="),
        ("5c6b", "NB5c-6b", "NBg9-f10"),
        ("7c8b", "NB-8b=", "NB-d10="),
        ("5c4b", "NB-4b", "NB-h10"),
        ("BRC*6i", "BRC*6i", "BRC*f3"),
    ] {
        let m = position.parse_usi(usi).unwrap();
        assert_eq!(position.hodges(m, Coordinates::Japanese), japanese, "{usi}");
        assert_eq!(position.hodges(m, Coordinates::Western), western, "{usi}");
    }
    for coordinates in BOTH {
        check_position(&position, coordinates);
        check_position(&position.turned(), coordinates);
    }
}

#[test]
fn two_pieces_of_a_name_that_can_both_pass() {
    let sfen = RICH.replace("5,f,5", "5,1,5").replace("5,1,5", "11");
    let position = Position::<Great>::from_sfen(&sfen).unwrap();
    let pass = position.parse_usi("6f6f").unwrap();
    assert_eq!(position.hodges(pass, Coordinates::Japanese), "FK6f-pass");
    assert_eq!(
        position.parse_hodges("FK-pass", Coordinates::Japanese).unwrap_err().to_string(),
        "expected one of FK9i-pass, FK6f-pass, found \"FK-pass\""
    );
}

#[test]
fn refusals_say_what_was_expected() {
    let position = Position::<Great>::from_sfen(RICH).unwrap();
    let square = "expected a square of a 11x11 board such as 10i, found";
    for (text, message) in [
        ("", "expected the name of a piece of Great Whale Shogi such as W or Bw, found nothing"),
        (
            "nb-8b+",
            "expected the name of a piece of Great Whale Shogi such as W or Bw, found \"nb-8b+\"",
        ),
        (
            "FK",
            "expected - and a square, x and a square, or * and a square, found nothing in \"FK\"",
        ),
        ("FK-12a", &format!("{square} \"12a\" in \"FK-12a\"")),
        ("FKx6ex", &format!("{square} nothing in \"FKx6ex\"")),
        ("FKx!", &format!("{square} nothing in \"FKx!\"")),
        ("FK-f9", &format!("{square} \"f9\" in \"FK-f9\"")),
        ("BRC*6i+", "expected the end of the move, found \"+\" in \"BRC*6i+\""),
        ("FK-pass ", "expected the end of the move, found \" \" in \"FK-pass \""),
        ("NB-8b++", "expected the end of the move, found \"+\" in \"NB-8b++\""),
        ("Kx3i", "expected one of K4jx3i, K2jx3i, found \"Kx3i\""),
        ("NB-6b+", "expected one of NB7c-6b+, NB7c-6b=, NB5c-6b, found \"NB-6b+\""),
    ] {
        let error = position.parse_hodges(text, Coordinates::Japanese).unwrap_err();
        let found = error.to_string();
        if matches!(error, HodgesError::Ambiguous { .. }) {
            let sorted = |text: &str| {
                let mut words: Vec<_> = text.split([' ', ',']).map(str::to_owned).collect();
                words.sort();
                words
            };
            assert_eq!(sorted(&found), sorted(message));
        } else {
            assert_eq!(found, message, "{text}");
        }
    }
    // Well written, but not legal here: a capture mark, a promotion mark, a lion that meets nothing.
    for (text, near) in [
        ("NB-8b", "NB-8b"),
        ("FK-6e", "FKx6e"),
        ("FKx6d=", "FKx6d"),
        ("FKx6cx6b", ""),
        ("FK6f-pass", "FK-pass"),
        ("P-5e", ""),
        ("K2j-2h", "K-2h"),
    ] {
        match position.parse_hodges(text, Coordinates::Japanese).unwrap_err() {
            HodgesError::Illegal { candidates, .. } => {
                assert_eq!(candidates.is_empty(), near.is_empty(), "{text}: {candidates:?}");
                assert!(
                    near.is_empty() || candidates.iter().any(|c| c.starts_with(near)),
                    "{text}"
                );
            }
            error => panic!("{text}: {error}"),
        }
    }
}

/// A line of play, written in both ways to call squares, and in USI.
fn check_line<V: Variant>(start: &str, [western, japanese, usi]: [&str; 3]) {
    let mut position = Position::<V>::from_sfen(start).unwrap();
    let lines = [western, japanese, usi].map(|line| line.split(' ').collect::<Vec<_>>());
    assert!(lines.iter().all(|line| line.len() == lines[0].len()));
    for (index, &text) in lines[0].iter().enumerate() {
        let m = position.parse_hodges(text, Coordinates::Western).unwrap();
        assert_eq!(position.parse_hodges(lines[1][index], Coordinates::Japanese), Ok(m));
        assert_eq!(position.hodges(m, Coordinates::Western), text);
        assert_eq!(position.hodges(m, Coordinates::Japanese), lines[1][index]);
        assert_eq!(position.usi(m), lines[2][index]);
        position.make(m);
    }
}

#[test]
fn a_sample_opening() {
    check_line::<Whale>(
        Whale::SPEC.start,
        [
            "D-e3 D-c4 D-d3 N-b4 D-d4 Dxd4",
            "D-2d D-4c D-3d N-5c D-3c Dx3c",
            "2e2d 4b4c 3e3d 5a5c 3d3c 3b3c",
        ],
    );
}

#[test]
fn in_a_handicap_game_white_begins() {
    check_line::<Whale>(
        Whale::SPEC.handicaps[0].sfen,
        ["N-b4 D-d3 Nxb2", "N-5c D-3d Nx5e", "5a5c 3e3d 5c5e"],
    );
}

/// No text panics, and what is read is what was meant: texts of one position, damaged at random.
#[test]
fn damaged_texts() {
    let position = Position::<Great>::from_sfen(RICH).unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let alphabet: Vec<char> = "xK-=+!*16bcdfpaseBRCNW…é \u{1f40b}".chars().collect();
    let moves = position.legal_moves();
    let mut refused = 0;
    for round in 0..2000 {
        let coordinates = BOTH[round % 2];
        let m = moves[random.random_range(0..moves.len())];
        let mut text: Vec<char> = position.hodges(m, coordinates).chars().collect();
        for _ in 0..=random.random_range(0..2) {
            let at = random.random_range(0..text.len());
            match random.random_range(0..3) {
                0 => text[at] = alphabet[random.random_range(0..alphabet.len())],
                1 => text.insert(at, alphabet[random.random_range(0..alphabet.len())]),
                _ if text.len() > 1 => drop(text.remove(at)),
                _ => {}
            }
        }
        let text: String = text.into_iter().collect();
        match position.parse_hodges(&text, coordinates) {
            // Only an unneeded starting square may differ.
            Ok(read) => {
                let written = position.hodges(read, coordinates);
                assert!(text.len() >= written.len(), "{text} was read as {written}");
                assert!(
                    text.ends_with(written.trim_start_matches(|c: char| c.is_ascii_alphanumeric()))
                );
            }
            Err(error) => {
                refused += 1;
                assert!(error.to_string().starts_with("expected "), "{error}");
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}
