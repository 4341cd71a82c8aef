//! The files of puzzles and openings: what their format is, and that what they say can be played.
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use kujira_position::VariantId;
use kujira_table::{Levels, new_game};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    game: String,
    puzzles: Vec<Puzzle>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Puzzle {
    id: String,
    sfen: String,
    moves: Vec<String>,
    only: Option<usize>,
    kind: Kind,
    rating: u32,
    themes: Vec<String>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Mate,
    Best,
}

/// How a game of these moves ends, if it does.
fn ending(game: &str, puzzle: &Puzzle) -> Option<String> {
    let human = json!({"kind": "human"});
    let text =
        format!("# USI_Variant {game}\nsfen {} moves {}", puzzle.sfen, puzzle.moves.join(" "));
    let wishes = json!({"variant": game, "text": text, "players": [human, human]});
    let made = new_game(&serde_json::from_value(wishes).unwrap(), &Levels::kujira());
    let game = made.unwrap_or_else(|error| panic!("{}: {error}", puzzle.id)).saved.game;
    let line = game.line_through(0);
    assert_eq!(line.len(), puzzle.moves.len() + 1, "{}", puzzle.id);
    game.node(game.end()).unwrap().ending.map(|ending| ending.to_string())
}

fn check(game: &str, puzzle: &Puzzle) {
    let Puzzle { id, sfen, moves, only, kind, rating, themes } = puzzle;
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    assert!(!id.is_empty() && id.chars().all(plain), "{id:?} can stand in an address");
    assert!((100..=3500).contains(rating), "{id}: {rating}");
    let known = |theme: &String| !theme.is_empty() && theme.trim() == theme;
    assert!(themes.iter().all(known), "{id}: {themes:?}");
    assert_eq!(moves.len() % 2, 1, "{id}: the last move is the solver's");
    let found = only.is_none_or(|only| only % 2 == 1 && only < moves.len());
    assert!(found, "{id}: {only:?} of {} moves to be found", moves.len());
    let solver = match sfen.split(' ').nth(1) {
        Some("b") => "Black",
        Some("w") => "White",
        other => panic!("{id}: expected a side to move, found {other:?}"),
    };
    let end = ending(game, puzzle);
    match kind {
        Kind::Mate => {
            let end = end.unwrap_or_else(|| panic!("{id}: expected an end, found none"));
            assert!(end.starts_with(&format!("{solver} wins")), "{id}: {end}");
        }
        Kind::Best => assert_eq!(moves.len(), 1, "{id}"),
    }
}

#[test]
fn every_puzzle_is_played_from_its_first_move_to_its_last() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../page/src/puzzles");
    for variant in VariantId::ALL {
        let game = variant.spec().id;
        let text = fs::read(folder.join(format!("{game}.json"))).unwrap();
        let file: File = serde_json::from_slice(&text).unwrap();
        assert_eq!(file.game, game);
        assert!(!file.puzzles.is_empty(), "{game}");
        let ids: BTreeSet<_> = file.puzzles.iter().map(|puzzle| &puzzle.id).collect();
        assert_eq!(ids.len(), file.puzzles.len(), "{game}: each has a name of its own");
        for puzzle in &file.puzzles {
            check(game, puzzle);
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Openings {
    openings: String,
    moves: Vec<[String; 2]>,
    names: Vec<[String; 3]>,
    positions: BTreeMap<String, Vec<Vec<Value>>>,
}

/// Some of the moves: all would take long.
#[test]
fn openings_can_be_played() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../page/src/openings");
    for variant in VariantId::ALL {
        let spec = variant.spec();
        let text = fs::read(folder.join(format!("{}.json", spec.id))).unwrap();
        let file: Openings = serde_json::from_slice(&text).unwrap();
        assert_eq!(file.openings, spec.id);
        let start = spec.start.trim_end_matches(" 1");
        let game = |sfen: &str| {
            let human = json!({"kind": "human"});
            let wishes = json!({"variant": spec.id, "sfen": sfen, "players": [human, human]});
            let made = new_game(&serde_json::from_value(wishes).unwrap(), &Levels::kujira());
            made.unwrap_or_else(|error| panic!("{sfen}: {error}")).saved.game
        };
        let others = file.positions.keys().step_by(25).map(String::as_str);
        for sfen in others.chain([start]) {
            let mut game = game(sfen);
            for row in &file.positions[sfen] {
                let number = usize::try_from(row[0].as_u64().unwrap()).unwrap();
                let [usi, text] = &file.moves[number];
                let node = game.play(0, usi).unwrap_or_else(|error| panic!("{sfen}: {error}"));
                assert_eq!(&game.notations([node])[&node].text[0], text, "{sfen}");
                assert!([3, 6].contains(&row.len()), "{sfen}: {row:?}");
            }
        }
        for [line, sfen, name] in &file.names {
            let mut game = game(start);
            let end = line.split(' ').fold(0, |node, usi| game.play(node, usi).unwrap());
            let found = kujira_table::view::view(&game, end).sfen;
            assert_eq!(found.rsplit_once(' ').unwrap().0, sfen, "{name}");
        }
    }
}
