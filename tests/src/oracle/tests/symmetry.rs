//! What must hold of every position: random games, seen from both sides.

use rand::RngExt;

use super::super::game::{Gait, Offset};
use super::super::{Game, Oracle, Switches};
use super::with;
use crate::playouts;

#[test]
fn every_piece_is_left_right_symmetric() {
    let symmetric = |gait: &Gait| {
        let mirrored = |set: &[Offset]| set.iter().all(|&(dx, dy)| set.contains(&(-dx, dy)));
        mirrored(&gait.jumps) && mirrored(&gait.slides)
    };
    for game in Game::ALL {
        for species in game.species() {
            assert!(symmetric(&species.own), "{}", species.token);
            assert!(species.promoted.as_ref().is_none_or(symmetric), "+{}", species.token);
        }
    }
}

#[test]
fn a_random_game_reads_the_same_from_the_other_side() {
    let switched = Switches { retreat_two: true, retreat_file_limit: true };
    for game in Game::ALL {
        for switches in [Switches::default(), switched] {
            let mut random = playouts::random(1);
            let mut here = with(game, game.start_sfen(), switches);
            let mut longest = 0;
            for ply in 0..300 {
                let moves = here.moves();
                check(game, &here, &moves, switches);
                if moves.is_empty() {
                    here = with(game, game.start_sfen(), switches);
                    continue;
                }
                longest = longest.max(ply);
                let usi = &moves[random.random_range(0..moves.len())];
                here = here.play(usi).expect("a move of the list");
            }
            assert!(longest > 250, "the games were too short to show much");
        }
    }
}

fn check(game: Game, here: &Oracle, moves: &[String], switches: Switches) {
    let sfen = here.sfen();
    assert_eq!(&with(game, &sfen, switches), here, "{sfen} read again");
    assert!(moves.is_sorted_by(|one, two| one < two), "{sfen}: {moves:?}");

    let turned = here.turned();
    assert_eq!(&turned.turned(), here, "{sfen} turned twice");
    assert_eq!(turned.in_check(), here.in_check(), "{sfen}");
    assert_eq!(turned.whale_captured(), here.whale_captured(), "{sfen}");
    let mut expected: Vec<String> = moves.iter().map(|usi| turned_text(game, usi)).collect();
    expected.sort();
    assert_eq!(turned.moves(), expected, "{sfen} turned");
}

/// A move's text with its squares turned by 180 degrees.
fn turned_text(game: Game, usi: &str) -> String {
    let beyond = game.size() + 1;
    let mut turned = String::new();
    let mut file = String::new();
    for c in usi.chars() {
        if c.is_ascii_digit() {
            file.push(c);
        } else if c.is_ascii_lowercase() {
            let number: i8 = file.parse().expect("a file before each rank");
            let letters = &"abcdefghijk"[..usize::try_from(game.size()).expect("a size")];
            let place = letters.find(c).expect("a rank of the board");
            let letter = letters.chars().rev().nth(place).expect("as many back");
            turned.push_str(&format!("{}{letter}", beyond - number));
            file.clear();
        } else {
            turned.push(c);
        }
    }
    turned
}
