//! What a step needs: the fewest moves, and which moves are right.

use std::collections::{BTreeMap, HashSet};

use kujira_position::{
    Hook, Kind, Move, Origin, Outcome, Position, Square, UsiMove, Variant, WhyNotReason,
};

use super::plan::Aim;

/// The position in which the side that has just moved moves again; `None` where the other side could not leave it so.
pub(super) fn again<V: Variant>(position: &Position<V>) -> Option<Position<V>> {
    let mut setup = position.setup();
    setup.side = !setup.side;
    setup.validate().ok()
}

pub(super) fn after<V: Variant>(position: &Position<V>, m: Move) -> Position<V> {
    let mut next = position.clone();
    next.make(m);
    next
}

/// The marks that a move settles, as bits: where it ends, or what it captures.
fn settled<V: Variant>(position: &Position<V>, m: Move, marks: &[Square], captures: bool) -> u32 {
    let bit = |square| marks.iter().position(|&mark| mark == square).map_or(0, |index| 1 << index);
    if captures {
        position.captured(m).fold(0, |bits, (square, _)| bits | bit(square))
    } else {
        bit(m.to())
    }
}

/// A shortest line of moves of the learner alone that goes to all marked squares, or captures what stands there, in at
/// most `most` moves; with promotions or without.
#[must_use]
pub fn fewest<V: Variant>(
    start: &Position<V>,
    marks: &[Square],
    captures: bool,
    most: usize,
    promotions: bool,
) -> Option<Vec<Move>> {
    (1..=most).find_map(|moves| within(start, marks, captures, moves, promotions))
}

/// The most marks that a move settles.
fn at_once<V: Variant>(captures: bool) -> usize {
    let lion = |hook| match hook {
        Hook::Lion { reach, .. } => usize::from(reach),
        _ => 1,
    };
    let reach = V::SPEC.classes.iter().map(|class| lion(class.hook)).max();
    if captures { reach.unwrap_or(1) } else { 1 }
}

fn within<V: Variant>(
    start: &Position<V>,
    marks: &[Square],
    captures: bool,
    most: usize,
    promotions: bool,
) -> Option<Vec<Move>> {
    let all = (1_u32 << marks.len()) - 1;
    let mut known = HashSet::from([(start.key(), 0)]);
    let mut front = vec![(start.clone(), 0, Vec::new())];
    for left in (0..most).rev() {
        let mut next = Vec::new();
        for (position, done, line) in front {
            for &m in position.legal_moves().iter() {
                if m.promotes() && !promotions {
                    continue;
                }
                let bits: u32 = done | settled(&position, m, marks, captures);
                // What is left takes moves, too.
                if (all & !bits).count_ones() as usize > left * at_once::<V>(captures) {
                    continue;
                }
                let line = [&line[..], &[m]].concat();
                let moved = after(&position, m);
                if bits == all && moved.outcome().is_none() {
                    return Some(line);
                }
                if let Some(turn) = again(&moved)
                    && known.insert((turn.key(), bits))
                {
                    next.push((turn, bits, line));
                }
            }
        }
        front = next;
    }
    None
}

/// The moves of the other side that capture a square's piece.
fn takers<V: Variant>(position: &Position<V>, square: Square) -> Option<Move> {
    let moves = position.legal_moves();
    moves.iter().copied().find(|&m| position.captured(m).any(|(taken, _)| taken == square))
}

/// The move that captures the white whale of the side that is not to move.
fn whale_taker<V: Variant>(position: &Position<V>) -> Option<Move> {
    let whale = position.whale(!position.side()).first()?;
    takers(position, whale)
}

/// An answer after which the attacker can't capture the white whale, or that captures the attacker's; `None`: it is mate.
fn escape<V: Variant>(position: &Position<V>) -> Option<Move> {
    let moves = position.legal_moves();
    moves.iter().copied().find(|&m| {
        let next = after(position, m);
        next.outcome().is_some() || whale_taker(&next).is_none()
    })
}

fn wins<V: Variant>(position: &Position<V>) -> bool {
    matches!(position.outcome(), Some(Outcome::Win { winner, .. }) if winner != position.side())
}

/// Whether a move does what is asked for.
fn does<V: Variant>(position: &Position<V>, m: Move, aim: Aim) -> bool {
    let spec = V::SPEC;
    let capturing = spec.captures_whales();
    let next = after(position, m);
    let takes = position.is_capture(m) || position.captured(m).next().is_some();
    let stays = !m.is_drop() && m.from() == m.to();
    match aim {
        Aim::Safe => takes && !wins(&next) && takers(&next, m.to()).is_none(),
        Aim::Check => next.checked(),
        Aim::Parry => !capturing || (next.outcome().is_none() && whale_taker(&next).is_none()),
        Aim::Mate | Aim::MateWithoutDrop if capturing => {
            next.outcome().is_none() && next.checked() && escape(&next).is_none()
        }
        Aim::Mate | Aim::MateWithoutDrop => wins(&next) && next.checked(),
        Aim::Whale => wins(&next),
        Aim::PawnDrop => m.is_drop() && spec.is_pawn(m.kind()),
        Aim::Igui => takes && stays,
        Aim::Pass => stays && !takes,
    }
}

/// Every move that does what is asked for.
#[must_use]
pub fn right<V: Variant>(position: &Position<V>, aim: Aim) -> Vec<Move> {
    let moves = position.legal_moves();
    moves.iter().copied().filter(|&m| does(position, m, aim)).collect()
}

/// How the other side shows that moves do not do what is asked for, where it can.
#[must_use]
pub fn replies<V: Variant>(position: &Position<V>, aim: Aim) -> BTreeMap<String, String> {
    let usi = |m| UsiMove::<V>::new(m).to_string();
    let moves = position.legal_moves();
    let answer = |&m: &Move| {
        let next = after(position, m);
        if does(position, m, aim) || next.outcome().is_some() {
            return None;
        }
        let reply = match aim {
            Aim::Parry => whale_taker(&next),
            Aim::Mate | Aim::MateWithoutDrop if next.checked() => escape(&next),
            Aim::Safe | Aim::Igui if position.captured(m).next().is_some() => takers(&next, m.to()),
            _ => None,
        };
        Some((usi(m), usi(reply?)))
    };
    moves.iter().filter_map(answer).collect()
}

/// Whether the rule against mating drops of pawn-like pieces forbids one here.
pub(super) fn forbids_mating_drop<V: Variant>(position: &Position<V>) -> bool {
    let pawn = |kind: &Kind| V::SPEC.is_pawn(*kind);
    position.hand(position.side()).iter().filter(pawn).any(|kind| {
        V::SPEC.geometry.reading_order().any(|to| {
            position
                .why_not(Origin::Hand(kind), to)
                .is_some_and(|why| matches!(why.reason, WhyNotReason::MatingDrop(_)))
        })
    })
}
