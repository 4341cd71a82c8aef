//! The oracle's own tests. It is to be trusted, so every rule of the
//! specification that a generator could get wrong has a position here, besides
//! the perft counts.

mod counts;
mod great;
mod small;
mod symmetry;
mod text;

use super::{Game, Oracle, Switches};

fn position(game: Game, sfen: &str) -> Oracle {
    with(game, sfen, Switches::default())
}

fn with(game: Game, sfen: &str, switches: Switches) -> Oracle {
    match Oracle::from_sfen(game, sfen, switches) {
        Ok(position) => position,
        Err(error) => panic!("{error}"),
    }
}

/// The moves that begin with `start`, a square or a piece to drop, in sorted
/// order and separated by spaces.
fn moves_with(position: &Oracle, start: &str) -> String {
    let mut moves = position.moves();
    moves.retain(|usi| usi.starts_with(start));
    moves.join(" ")
}

/// The position after some moves.
fn played(mut position: Oracle, moves: &str) -> Oracle {
    for usi in moves.split(' ') {
        position = match position.play(usi) {
            Ok(next) => next,
            Err(error) => panic!("{error}"),
        };
    }
    position
}

/// A 11×11 position, from a picture: one row of text a rank, the items
/// separated by blanks, `.` for an empty square; then side and hands.
fn picture(rows: &str, side_and_hands: &str) -> Oracle {
    let ranks: Vec<String> = rows
        .lines()
        .map(str::trim)
        .filter(|row| !row.is_empty())
        .map(|row| {
            let items: Vec<&str> =
                row.split_whitespace().map(|item| if item == "." { "1" } else { item }).collect();
            items.join(",")
        })
        .collect();
    position(Game::Great, &format!("{} {side_and_hands} 1", ranks.join("/")))
}
