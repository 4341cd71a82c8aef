//! All lists that quiescence uses, on the same positions: every move is tried once, and each list compared with what
//! the moves turned out to do.

use kujira_position::{Great, Position, Rules, Variant};
use kujira_tests::for_small_games;

use super::seen::Seen;
use super::tried::{Tried, tried};
use super::{answers, mate, on_positions, parts, quiet, saving};

for_small_games!(every_list_is_exact);

/// Positions of each game, at least.
const POSITIONS: usize = 100_000;

/// Positions in check of the largest game, where few moves of many save the whale.
const GREAT_CHECKED: usize = 25_000;

fn every_list_is_exact<V: Variant>() {
    let seen = on_positions::<V>(51, Rules::DEFAULT, 120_000, |position, seen| {
        let tried = tried(position);
        parts::compare(position, &tried, seen);
        quiet::compare(position, &tried, seen);
        mate::compare(position, &tried, seen);
        if position.checked() {
            answers::compare(position, seen);
        }
        check_and_compare_answers(position, &tried, seen);
    });
    seen.assert_enough(&[
        ("positions", POSITIONS),
        ("positions with a capture", 80_000),
        ("positions with a quiet check", 60_000),
        ("checks by a drop", 100_000),
        ("checks by a move", 50_000),
        ("checks by opening a line", 1_000),
        ("checks answered by a check", 100),
        ("mates", 3_000),
        ("mates by moves of pieces only", 1_000),
        ("positions in check", POSITIONS),
        ("positions without an answer", 1_000),
        ("answers by a capture", 100_000),
        ("answers by a drop", 30_000),
        ("answers of the whale", 300_000),
        ("moves that leave the whale hanging", 1_000_000),
    ]);
    assert_eq!(seen.count("promotions"), 0);
}

/// Gives check in up to two ways, and compares the answers.
fn check_and_compare_answers<V: Variant>(position: &Position<V>, tried: &[Tried], seen: &mut Seen) {
    for drop in [false, true] {
        let checks: Vec<_> = tried.iter().filter(|t| t.checks && t.m.is_drop() == drop).collect();
        if checks.is_empty() {
            continue;
        }
        // Any of them.
        let chosen = checks[seen.count("positions") % checks.len()];
        let mut checked = position.clone();
        checked.make(chosen.m);
        answers::compare(&checked, seen);
    }
}

#[test]
fn every_list_of_the_largest_game_is_exact() {
    let seen = on_positions::<Great>(61, Rules::DEFAULT, POSITIONS, |position, seen| {
        let tried = tried(position);
        parts::compare(position, &tried, seen);
        quiet::compare(position, &tried, seen);
        if position.checked() {
            saving::compare(position, &tried, seen);
        }
    });
    seen.assert_enough(&[
        ("positions", POSITIONS),
        ("positions with a capture", 80_000),
        ("captures on the way", 50_000),
        ("captures that promote", 50_000),
        ("positions with a promotion", 50_000),
        ("promotions", 200_000),
        ("positions with a quiet check", 25_000),
        ("checks by a drop", 100_000),
        ("checks by a move", 50_000),
        ("checks by a promotion", 10_000),
        ("checks by opening a line", 2_000),
        ("checks answered by a check", 5_000),
        ("positions in check", GREAT_CHECKED),
        ("quiet moves that save", 100_000),
        ("quiet moves left out", 5_000_000),
        ("captures that save nothing", 100_000),
    ]);
    // What is listed and does not save the whale costs time.
    assert!(seen.count("listed in vain") < seen.count("quiet moves left out") / 4, "{seen:?}");
}
