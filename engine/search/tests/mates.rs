//! Mates: the search against a solver that tries everything, and hand-made positions.

mod common;

use common::search;
use kujira_position::{Great, Paulowich, Position, Threats, Variant, Wanted, Whale};
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
    let capturing = V::SPEC.captures_whales();
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
    if V::SPEC.captures_whales() && position.whale_attacked(!position.side()) {
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
/// exactly, with a line to its end.
///
/// That holds in the games of these seeds, and is no promise for all positions: late move reductions
/// can hide a short win behind a longer one for a ply, see
/// [`a_win_that_reductions_hide_comes_a_ply_later`], and at 11×11 the line is one move long where no
/// answer so much as tries to save the whale.
fn check_wins<V: Variant>(seed: u64, games: usize, plies: usize, depth: u32, wanted: [usize; 2]) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut found = [0; 2];
    for _ in 0..games {
        let mut position = Position::<V>::start();
        for _ in 0..plies {
            if lost(&position) {
                break;
            }
            let length = win(&mut position, 3);
            if let Some(length) = length {
                found[length / 2] += 1;
                let searched = search(V::ID, &position.sfen(), depth);
                let expected = Score::Mate(length as i32);
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
    assert!(found[0] >= wanted[0] && found[1] >= wanted[1], "too few to mean anything: {found:?}");
}

#[test]
fn whale_wins_are_found() {
    check_wins::<Whale>(2, 60, 60, 7, [20, 20]);
}

#[test]
fn paulowich_wins_are_found() {
    check_wins::<Paulowich>(3, 60, 60, 7, [20, 20]);
}

#[test]
fn great_wins_are_found() {
    check_wins::<Great>(7, 6, 200, 6, [30, 1]);
}

/// `D*6d` wins in three plies by leaving Black without a move, and neither of White's moves gives check.
/// Where the enemy is not in check only a full search sees that it cannot move: not quiescence, nor the
/// test for a mate in one. That takes three plies below `D*6d`; at depth 7 the move, the 27th of the root,
/// is reduced to two, at depth 8 to three. Up to depth 7 a mate in seven is all that is found.
#[test]
fn a_win_that_reductions_hide_comes_a_ply_later() {
    let sfen = "2pwdh/1bd3/d2g2/1WDdnk/1D1n2/HG3b w 6d 46";
    let mut position = Position::<Whale>::from_sfen(sfen).unwrap();
    assert_eq!(win(&mut position, 3), Some(3));
    let early = search(Whale::ID, sfen, 7).score();
    assert!(matches!(early, Score::Mate(3..=7)), "{early:?}");
    let searched = search(Whale::ID, sfen, 8);
    assert_eq!((searched.score(), searched.best()), (Score::Mate(3), "D*6d"));
    assert_eq!(searched.last().pv, ["D*6d", "4d4c", "4b4c"]);
}
