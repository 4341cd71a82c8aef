//! Mate in one.

use kujira_position::{Great, Move, Paulowich, Position, Retreat, Rules, Threats, Variant, Whale};
use kujira_tests::{for_small_games, views};

use super::on_positions;
use super::seen::Seen;
use super::tried::{Tried, tried};

for_small_games!(mates_are_found_under_other_rules);

/// Compares the mate found with the moves that turned out to mate.
pub fn compare<V: Variant>(position: &Position<V>, tried: &[Tried], seen: &mut Seen) {
    let mates: Vec<Move> = tried.iter().filter(|tried| tried.mates).map(|tried| tried.m).collect();
    match position.mate_in_one(&Threats::default()) {
        Some(m) => {
            assert!(mates.contains(&m), "{} is no mate in {position:?}", position.usi(m));
            seen.note("mates", 1);
            let moved = mates.iter().all(|m| !m.is_drop());
            seen.note("mates by moves of pieces only", usize::from(moved));
        }
        None => {
            let texts: Vec<_> = mates.iter().map(|&m| position.usi(m)).collect();
            assert!(texts.is_empty(), "{texts:?} mate in {position:?}");
        }
    }
}

fn mates_are_found_under_other_rules<V: Variant>() {
    for (seed, retreat_file_limit) in [(52, false), (53, true)] {
        let rules = Rules { retreat: Retreat::Two, retreat_file_limit, ..Rules::DEFAULT };
        let seen = on_positions::<V>(seed, rules, 6_000, |position, seen| {
            compare(position, &tried(position), seen);
        });
        seen.assert_enough(&[("mates", 150), ("mates by moves of pieces only", 40)]);
    }
}

fn check<V: Variant>(sfen: &str, expected: Option<&str>) {
    let position = views::position::<V>(sfen);
    let found = position.mate_in_one(&Threats::default()).map(|m| position.usi(m));
    assert_eq!(found.as_deref(), expected, "{sfen}");
}

#[test]
fn mates_made_by_hand() {
    // Dropped beside the whale and covered by a dolphin.
    check::<Whale>("2w3/6/2D3/6/6/3W2 b K 1", Some("K*4b"));
    // What could take the piece that checks is pinned once that has left the line between.
    check::<Whale>("wBb1K1/6/W5/6/6/6 b - 1", Some("5a5b"));
    // As the first, with a dolphin in hand: that may not be dropped to mate, and gives none elsewhere.
    check::<Whale>("2w3/6/2D3/6/6/3W2 b D 1", None);
}

#[test]
fn whales_that_are_captured_are_not_mated() {
    let sfen = Position::<Great>::start().sfen();
    check::<Great>(&sfen, None);
    check::<Paulowich>(Paulowich::SPEC.start, None);
}
