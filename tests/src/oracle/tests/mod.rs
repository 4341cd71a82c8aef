//! The oracle's own tests: text, symmetry, the perft counts, and what only it accepts. It is to be trusted, so
//! every rule of the specification that a generator could get wrong has a position besides, in
//! `tests/suites/rules`, where what is expected of it is written out for the oracle and for the engine at once.

mod counts;
mod finals;
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
