//! The proof that actions tell moves apart: move, action, move is the identity, and no two legal moves of a position
//! have the same action.

use std::sync::atomic::{AtomicBool, Ordering};

use kujira_binding::encode::Numbering;
use kujira_position::{Color, Piece, Position, Rules, Setup, Variant, with_variant};
use pyo3::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::errors::{self, wrong};
use crate::numbers::number;
use crate::run::stoppable;
use crate::{names, random};

/// Plies of the games that positions are taken from.
const LONGEST: u32 = 120;

/// Looks at all legal moves of a position; returns how many there are.
fn check<V: Variant>(position: &Position<V>) -> Result<u64, String> {
    let numbering = Numbering::of(V::ID);
    let moves = position.legal_moves();
    let fail = |what: &str, m| Err(format!("{what}: {} in {}", position.usi(m), position.sfen()));
    let actions = |of: &Position<V>| {
        let moves = of.legal_moves();
        let mut all: Vec<usize> = moves.iter().map(|&m| numbering.action(of.side(), m)).collect();
        all.sort_unstable();
        all
    };
    for &m in moves.iter() {
        let action = numbering.action(position.side(), m);
        if action >= numbering.actions() {
            return fail("expected an action of the game, found one beyond", m);
        }
        if numbering.decode(position, action) != Some(m) {
            return fail("expected the move back from its action, found another", m);
        }
        let black = position.side() == Color::Black;
        if black && numbering.name(action) != Some(position.usi(m)) {
            return fail(
                "expected the text of the move as the name of its action, found another",
                m,
            );
        }
    }
    let all = actions(position);
    if let Some(pair) = all.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!(
            "expected one move an action, found more of {} in {}",
            pair[0],
            position.sfen()
        ));
    }
    if all != actions(&position.turned()) {
        return Err(format!(
            "expected the same actions on the turned board, found others in {}",
            position.sfen()
        ));
    }
    let mut mirrored: Vec<usize> = all.iter().map(|&action| numbering.mirrored(action)).collect();
    mirrored.sort_unstable();
    if mirrored != actions(&position.mirrored()) {
        return Err(format!(
            "expected the mirrored actions on the mirrored board, found others in {}",
            position.sfen()
        ));
    }
    Ok(moves.len() as u64)
}

/// Looks at every position up to so many plies away; returns positions and moves.
fn tree<V: Variant>(
    position: &mut Position<V>,
    plies: u32,
    stopped: &AtomicBool,
) -> Result<(u64, u64), String> {
    let (mut positions, mut moves) = (1, check(position)?);
    if plies > 0 && position.outcome().is_none() && !stopped.load(Ordering::Relaxed) {
        for &m in position.legal_moves().iter() {
            position.make(m);
            let below = tree(position, plies - 1, stopped)?;
            position.undo();
            positions += below.0;
            moves += below.1;
        }
    }
    Ok((positions, moves))
}

/// A position made of another one: pieces promoted, pieces put into hands.
fn enriched<V: Variant>(
    position: &Position<V>,
    random: &mut Xoshiro256PlusPlus,
) -> Option<Position<V>> {
    let mut setup: Setup<V> = position.setup();
    let (to_hand, promoted) = (random.random_range(0.0..0.8), random.random_range(0.0..0.8));
    for (square, piece) in position.setup().pieces() {
        let kind = V::SPEC.kind(piece.kind());
        if piece.kind() == kujira_position::Kind::WHALE {
            continue;
        }
        if random.random_bool(to_hand) {
            let held = V::SPEC.kind_named(kind.in_hand);
            let side = Color::BOTH[random.random_range(0..2)];
            setup.set(square, None);
            setup.set_in_hand(side, held, setup.in_hand(side, held) + 1);
        } else if let Some(token) = kind.promotes_to
            && random.random_bool(promoted)
        {
            setup.set(square, Some(Piece::new(piece.color(), V::SPEC.kind_named(token))));
        }
    }
    setup.validate().ok()
}

/// Looks at so many positions of random games, and at as many made of them with full hands and promoted pieces.
fn sample<V: Variant>(
    count: u64,
    random: &mut Xoshiro256PlusPlus,
    stopped: &AtomicBool,
) -> Result<(u64, u64), String> {
    let (mut positions, mut moves) = (0, 0);
    while positions < count {
        let Some(plain) = random::position::<V>((0, LONGEST), Rules::DEFAULT, random, stopped)
        else {
            break;
        };
        moves += check(&plain)?;
        positions += 1;
        if let Some(rich) = enriched(&plain, random) {
            moves += check(&rich)?;
            positions += 1;
        }
    }
    Ok((positions, moves))
}

/// Proves by all positions up to `plies` plies from the start, and by `positions` of random games and made of them, that
/// actions tell moves apart; returns how many positions and moves were looked at. `ValueError` if they do not.
#[pyfunction]
#[pyo3(signature = (game, *, positions=1000, plies=2, seed=0))]
pub fn check_actions(
    py: Python<'_>,
    game: &str,
    #[pyo3(from_py_with = number)] positions: u64,
    #[pyo3(from_py_with = number)] plies: u32,
    #[pyo3(from_py_with = number)] seed: Option<u64>,
) -> PyResult<(u64, u64)> {
    let game = errors::game(game)?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(names::seed(seed));
    let found = stoppable(py, false, |stopped| {
        with_variant!(game, V => {
            let near = tree(&mut Position::<V>::start(), plies, stopped)?;
            let far = sample::<V>(positions, &mut random, stopped)?;
            Ok((near.0 + far.0, near.1 + far.1))
        })
    })?;
    found.map_err(|text: String| wrong(text))
}

/// Action names of a game, see `docs/encoding.md`: the USI text of the move as Black would write it, empty where it
/// would leave the board.
#[pyfunction]
pub fn action_names(game: &str) -> PyResult<Vec<String>> {
    let numbering = Numbering::of(errors::game(game)?);
    Ok((0..numbering.actions()).map(|action| numbering.name(action).unwrap_or_default()).collect())
}

/// Plane names of a game.
#[pyfunction]
pub fn plane_names(game: &str) -> PyResult<Vec<String>> {
    Ok(Numbering::of(errors::game(game)?).plane_names())
}
