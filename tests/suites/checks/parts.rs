//! Captures, quiet moves and promotions: parts of the list of all moves.

use kujira_position::{Position, Threats, Variant, Wanted};

use super::seen::Seen;
use super::tried::{Tried, assert_same};

/// Compares each list with the moves of all that belong to it.
pub fn compare<V: Variant>(position: &Position<V>, tried: &[Tried], seen: &mut Seen) {
    let list = |wanted: Wanted| {
        let mut list = V::MoveList::default();
        position.generate(wanted, &Threats::default(), &mut list);
        list.to_vec()
    };
    let those = |sort: &dyn Fn(&Tried) -> bool| {
        tried.iter().filter(|tried| sort(tried)).map(|tried| tried.m).collect()
    };
    let captures = list(Wanted::Captures);
    let promotions = list(Wanted::Promotions);
    seen.note("captures", captures.len());
    seen.note("captures on the way", captures.iter().filter(|m| m.way().is_some()).count());
    seen.note("captures that promote", captures.iter().filter(|m| m.promotes()).count());
    seen.note("promotions", promotions.len());
    seen.note("positions with a capture", usize::from(!captures.is_empty()));
    seen.note("positions with a promotion", usize::from(!promotions.is_empty()));
    assert_same(position, "captures", captures, those(&|t| t.captures));
    assert_same(position, "promotions", promotions, those(&|t| t.promotes && !t.captures));
    assert_same(position, "quiet moves", list(Wanted::Quiets), those(&|t| !t.captures));
}
