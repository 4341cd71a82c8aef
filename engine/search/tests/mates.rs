//! Mates: the search against a solver that tries everything, and hand-made positions.

mod common;

use common::search;
use kujira_position::{Great, Paulowich, Position, Threats, Variant, Wanted, Whale, WhaleRule};
use kujira_search::Score;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Whether the side to move has lost: no move, or no whale.
fn lost<V: Variant>(position: &Position<V>) -> bool {
    position.whale(position.side()).is_empty() || position.count_moves() == 0
}

/// In how many plies the side to move wins by force, if in at most `plies` (odd): every move is
/// tried.
fn win<V: Variant>(position: &mut Position<V>, plies: usize) -> Option<usize> {
    let capturing = matches!(V::SPEC.whale, WhaleRule::Capture);
    if capturing && position.whale_attacked(!position.side()) {
        return Some(1);
    }
    if capturing && plies == 1 {
        return None;
    }
    let mut shortest = None;
    for &m in position.legal_moves().iter() {
        position.make(m);
        let length = if lost(position) {
            Some(1)
        } else if plies >= 3 {
            loss(position, plies - 1).map(|length| length + 1)
        } else {
            None
        };
        position.undo();
        if let Some(length) = length
            && shortest.is_none_or(|shortest| length < shortest)
        {
            shortest = Some(length);
        }
    }
    shortest
}

/// In how many plies the side to move loses whatever it does, if in at most `plies` (even).
fn loss<V: Variant>(position: &mut Position<V>, plies: usize) -> Option<usize> {
    if matches!(V::SPEC.whale, WhaleRule::Capture) && position.whale_attacked(!position.side()) {
        return None;
    }
    let mut longest = 0;
    for &m in position.legal_moves().iter() {
        position.make(m);
        let length = win(position, plies - 1);
        position.undo();
        longest = longest.max(length? + 1);
    }
    Some(longest)
}

/// Random games; wherever there is a win in one or three plies the search must find it, and count it
/// exactly. Once it may find a longer win first, and the shortest two plies deeper: in
/// `2pwdh/1bd3/d2g2/1WDdnk/1D1n2/HG3b w 6d 46` reductions hide `D*6d` up to depth 7.
fn check_wins<V: Variant>(seed: u64, games: usize, plies: usize, depth: u32, wanted: [usize; 2]) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut found, mut late) = ([0; 2], 0);
    for _ in 0..games {
        let mut position = Position::<V>::start();
        for _ in 0..plies {
            if lost(&position) {
                break;
            }
            let length = win(&mut position, 3);
            if let Some(length) = length {
                found[length / 2] += 1;
                let mut searched = search(V::ID, &position.sfen(), depth);
                let expected = Score::Mate(length as i32);
                if searched.score() != expected {
                    assert!(matches!(searched.score(), Score::Mate(1..)), "{}", position.sfen());
                    late += 1;
                    searched = search(V::ID, &position.sfen(), depth + 2);
                }
                assert_eq!(searched.score(), expected, "{}", position.sfen());
                assert_eq!(searched.last().pv.len(), length, "{}", position.sfen());
            }
            // Captures half of the time: games in which everything is taken are rich in mates.
            let mut moves = position.legal_moves();
            if random.random_range(0..2) == 0 {
                let mut captures = V::MoveList::default();
                position.generate(Wanted::Captures, &Threats::default(), &mut captures);
                if !captures.is_empty() {
                    moves = captures;
                }
            }
            // The games must not depend on the order of generation.
            moves.sort_unstable();
            position.make(moves[random.random_range(0..moves.len())]);
        }
    }
    assert!(late <= 1, "{late} longer wins first, of {found:?}");
    assert!(found[0] >= wanted[0] && found[1] >= wanted[1], "too few to mean anything: {found:?}");
}

#[test]
fn whale_wins_are_found() {
    check_wins::<Whale>(1, 60, 60, 7, [20, 20]);
}

#[test]
fn paulowich_wins_are_found() {
    check_wins::<Paulowich>(2, 90, 60, 7, [20, 20]);
}

#[test]
fn great_wins_are_found() {
    check_wins::<Great>(7, 6, 200, 6, [30, 1]);
}
