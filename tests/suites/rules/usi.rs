//! USI moves: only the canonical text of a legal move is read.

use kujira_position::{Great, MoveError, Paulowich, Position, Variant, Whale};
use kujira_tests::{for_every_game, playouts, views};
use rand::RngExt;

for_every_game!(every_legal_text_is_read_back, damaged_texts_are_refused);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Move,
    Illegal,
    Syntax,
}
use Verdict::{Illegal, Move, Syntax};

fn check<V: Variant>(sfen: &str, table: &[(&str, Verdict)]) {
    let position = views::position::<V>(sfen);
    let board = format!("{0}x{0}", V::SPEC.geometry.files);
    for &(text, verdict) in table {
        let found = position.parse_usi(text);
        match (&found, verdict) {
            (Ok(m), Move) => {
                assert_eq!(position.usi(*m), text);
                assert!(position.is_legal(*m), "{text}");
            }
            (Err(MoveError::Illegal { text: named, sfen: at }), Illegal) => {
                assert_eq!((named.as_str(), at.as_str()), (text, sfen));
            }
            (Err(error @ MoveError::Syntax { .. }), Syntax) => {
                let error = error.to_string();
                assert!(error.starts_with(&format!("expected a USI move for the {board} board")));
                // What is given as an example of a drop can be one.
                let (_, drop) = error.split_once(" or ").expect("two examples");
                let (token, _) = drop.split_once('*').expect("a drop");
                let kind = V::SPEC.find_kind(token).expect("a kind of this game");
                assert!((1..=V::SPEC.hand_kinds).contains(&kind.index()), "{error}");
                assert!(error.is_ascii() && !error.contains('\0'), "{error:?}");
            }
            _ => panic!("{text:?} in {sfen}: {found:?}"),
        }
    }
}

#[test]
fn moves_of_the_small_games() {
    check::<Whale>(
        Whale::SPEC.start,
        &[
            ("3e3d", Move),
            ("2e2d", Move),
            ("3e3d+", Illegal),
            ("3e3c", Illegal),
            ("3e3e", Illegal),
            ("3b3c", Illegal),
            ("3d3c", Illegal),
            ("3e4e3d", Illegal),
            ("3e4e3e3d", Illegal),
            ("D*3d", Illegal),
            ("3E3D", Syntax),
            ("3e 3d", Syntax),
            (" 3e3d", Syntax),
            ("3e3d ", Syntax),
            ("03e3d", Syntax),
            ("3e03d", Syntax),
            ("3e3g", Syntax),
            ("7e7d", Syntax),
            ("0e0d", Syntax),
            ("3e", Syntax),
            ("3e3d3c3b3a", Syntax),
            ("", Syntax),
            ("+", Syntax),
            ("3e3d++", Syntax),
            ("resign", Syntax),
            ("0000", Syntax),
            ("e3e4", Syntax),
            ("3e3\u{e4}", Syntax),
            ("3e3d\0", Syntax),
            ("\u{ff13}e3d", Syntax),
        ],
    );
    check::<Whale>(
        "w5/6/6/6/6/W5 b D 1",
        &[
            ("D*3c", Move),
            ("D*3a", Illegal),
            ("N*3c", Illegal),
            ("P*3c", Illegal),
            ("W*3c", Illegal),
            ("D*6f", Illegal),
            ("d*3c", Syntax),
            ("A*3c", Syntax),
            ("D*3c+", Syntax),
            ("D*3g", Syntax),
            ("D*", Syntax),
            ("*3c", Syntax),
            ("D**3c", Syntax),
            ("D@3c", Syntax),
            ("+D*3c", Syntax),
            ("D*3c3b", Syntax),
        ],
    );
    check::<Paulowich>(
        "w6/7/7/7/7/7/W6 b A 1",
        &[("A*3c", Move), ("A*7g", Illegal), ("A*8a", Syntax), ("a*3c", Syntax)],
    );
}

#[test]
fn moves_of_great_whale_shogi() {
    // A false killer whale with nothing before it: it jumps and passes.
    check::<Great>(
        "w,10/11/11/11/11/5,+BR,5/11/11/11/11/W,10 b BRC 1",
        &[
            ("6f6f", Move),
            ("6f6e", Move),
            ("6f6c", Move),
            ("6f6e6f", Illegal),
            ("6f6e6d", Illegal),
            ("6f6e6d6c", Illegal),
            ("6f6f6f", Illegal),
            ("6f6c+", Illegal),
            ("6f6f+", Illegal),
            ("BRC*10f", Move),
            ("BRC*10a", Illegal),
            ("brc*10f", Syntax),
            ("Brc*10f", Syntax),
            ("BR*10f", Illegal),
            ("+BRC*10f", Illegal),
            ("BRC*12f", Syntax),
            ("BRC*010f", Syntax),
            ("BRC*10l", Syntax),
            ("6f6e6d6c6b", Syntax),
            ("6f", Syntax),
        ],
    );
    // Enemies on 6e and 6d.
    check::<Great>(
        "w,10/11/11/5,p,5/5,h,5/5,+BR,5/11/11/11/11/W,10 b - 1",
        &[
            ("6f6e6f", Move),
            ("6f6e6d", Move),
            ("6f6e6d6c", Move),
            ("6f6d6c", Move),
            ("6f6e6c", Move),
            ("6f6c", Move),
            // The squares captured are named in the order travelled, and no others.
            ("6f6d6e6c", Illegal),
            ("6f6d6f", Illegal),
            ("6f6f", Illegal),
            ("6f6e6e", Illegal),
            ("6f6e6d6f", Illegal),
            ("6f6e6d6c+", Illegal),
            ("6f6e6c6c", Illegal),
        ],
    );
    // Promotion: offered, forced, and not for what never promotes.
    check::<Great>(
        "w,10/9,MC,1/3,M,3,K,3/11/11/11/11/11/11/11/W,10 b - 1",
        &[
            ("2b2a+", Move),
            ("2b2a", Illegal),
            ("8c8b", Move),
            ("8c8b+", Move),
            ("4c4b", Move),
            ("4c4b+", Illegal),
            ("11k11j", Move),
            ("11k11j+", Illegal),
            ("11k011j", Syntax),
        ],
    );
}

fn every_legal_text_is_read_back<V: Variant>() {
    for position in playouts::sample::<V>(61, 60) {
        for &m in position.legal_moves().iter().step_by(7) {
            assert_eq!(position.parse_usi(&position.usi(m)), Ok(m), "{}", position.sfen());
        }
    }
}

/// Texts one change away from a move: read only if they are the text of another legal move.
fn damaged_texts_are_refused<V: Variant>() {
    let alphabet: Vec<char> = "123456789abcdefghijkDK+*\0\u{e9} ".chars().collect();
    let mut rng = playouts::random(62);
    for position in playouts::sample::<V>(63, 60) {
        let texts: Vec<String> = position.legal_moves().iter().map(|&m| position.usi(m)).collect();
        if texts.is_empty() {
            continue;
        }
        for _ in 0..40 {
            let mut text: Vec<char> = texts[rng.random_range(0..texts.len())].chars().collect();
            let place = rng.random_range(0..text.len());
            let letter = alphabet[rng.random_range(0..alphabet.len())];
            match rng.random_range(0..3) {
                0 => text[place] = letter,
                1 => text.insert(place, letter),
                _ => {
                    text.remove(place);
                }
            }
            let text: String = text.into_iter().collect();
            let read = position.parse_usi(&text).map(|m| position.usi(m)).ok();
            let expected = texts.contains(&text).then(|| text.clone());
            assert_eq!(read, expected, "{text:?} in {}", position.sfen());
        }
    }
    let start = Position::<V>::start();
    for long in ["1a".repeat(1 << 19), "D*".repeat(1 << 19), "9".repeat(1 << 20)] {
        let error = start.parse_usi(&long).expect_err("no move").to_string();
        assert!(error.len() < 200, "{} bytes", error.len());
    }
}
