//! Quiet moves that give check.

use kujira_position::{Move, MoveList, Position, Retreat, Rules, Threats, Variant, Wanted};
use kujira_tests::for_every_game;

use super::seen::Seen;
use super::tried::{Tried, assert_same, tried};
use super::{on_positions, positions};

for_every_game!(quiet_checks_are_listed_under_other_rules, nothing_is_listed_twice_or_taken_out);

/// Compares the list with the moves that turned out to check.
pub fn compare<V: Variant>(position: &Position<V>, tried: &[Tried], seen: &mut Seen) {
    let mut found = V::MoveList::default();
    position.generate_checks(&Threats::default(), &mut found);
    // Where the enemy whale can be captured at once none is listed.
    let free = !position.whale_attacked(!position.side());
    let mut expected: Vec<Move> = Vec::new();
    for tried in tried.iter().filter(|tried| free && tried.checks && !tried.captures) {
        seen.note("checks by a drop", usize::from(tried.m.is_drop()));
        seen.note("checks by a move", usize::from(!tried.m.is_drop()));
        seen.note("checks by a promotion", usize::from(tried.m.promotes()));
        seen.note("checks by opening a line", usize::from(tried.opens));
        expected.push(tried.m);
    }
    seen.note("positions with a quiet check", usize::from(!expected.is_empty()));
    seen.note(
        "checks answered by a check",
        usize::from(position.checked() && !expected.is_empty()),
    );
    assert_same(position, "quiet checks", found.to_vec(), expected);
}

fn quiet_checks_are_listed_under_other_rules<V: Variant>() {
    let wanted = if V::SPEC.promotion_zone > 0 { 500 } else { 2_000 };
    for (seed, retreat_file_limit) in [(62, false), (63, true)] {
        let rules = Rules { retreat: Retreat::Two, retreat_file_limit, ..Rules::DEFAULT };
        let seen = on_positions::<V>(seed, rules, wanted, |position, seen| {
            compare(position, &tried(position), seen);
        });
        seen.assert_enough(&[("positions", wanted), ("positions with a quiet check", wanted / 8)]);
    }
}

fn nothing_is_listed_twice_or_taken_out<V: Variant>() {
    let mut list = V::MoveList::default();
    for position in positions::<V>(64, Rules::DEFAULT, 400) {
        list.clear();
        position.generate(Wanted::Captures, &Threats::default(), &mut list);
        let captures = list.to_vec();
        position.generate_checks(&Threats::default(), &mut list);
        assert_eq!(list[..captures.len()], captures, "{position:?}");
        assert!(list[captures.len()..].iter().all(|m| !captures.contains(m)), "{position:?}");
    }
}
