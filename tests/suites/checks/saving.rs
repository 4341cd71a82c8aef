//! Moves that may save a whale under attack, where whales are captured.

use kujira_position::{Controls, Great, Kind, Move, Position, Rules, Variant, Wanted};
use rayon::prelude::*;

use super::positions;

/// Moves met: quiet ones that save the whale, that are listed and do not, that are not listed, and captures
/// elsewhere.
type Seen = [usize; 4];

fn compare(position: &Position<Great>) -> Seen {
    let us = position.side();
    let mut found = <Great as Variant>::MoveList::default();
    position.generate_saving(position.check_stops(), &Controls::default(), &mut found);
    let mut listed: Vec<Move> = found.to_vec();
    listed.sort_unstable();
    let mut quiets = <Great as Variant>::MoveList::default();
    position.generate(Wanted::Quiets, &mut quiets);
    let mut seen = Seen::default();
    let mut after = position.clone();
    for &m in quiets.iter() {
        after.make(m);
        let saved = !after.whale_attacked(us);
        after.undo();
        match listed.binary_search(&m) {
            Ok(index) => {
                listed.remove(index);
                seen[usize::from(!saved)] += 1;
            }
            Err(_) => {
                assert!(!saved, "{} in {position:?}", position.usi(m));
                seen[2] += 1;
            }
        }
    }
    // Twice, or no quiet move at all.
    assert_eq!(listed, [], "{position:?}");
    let mut captures = <Great as Variant>::MoveList::default();
    position.generate(Wanted::Captures, &mut captures);
    let stops = position.check_stops();
    let plain = |m: &&Move| m.kind() != Kind::WHALE && m.way().is_none();
    for &m in captures.iter().filter(plain).filter(|m| !stops.has(m.to())) {
        after.make(m);
        assert!(after.whale_attacked(us), "{} in {position:?}", position.usi(m));
        after.undo();
        seen[3] += 1;
    }
    seen
}

#[test]
fn no_move_that_saves_the_whale_is_left_out() {
    let seen = positions::<Great>(65, Rules::DEFAULT, 12_000)
        .par_iter()
        .filter(|position| position.checked())
        .map(compare)
        .reduce(Seen::default, |a, b| std::array::from_fn(|i| a[i] + b[i]));
    let [saving, vain, left_out, captures] = seen;
    assert!(saving > 1_000 && left_out > 100_000 && vain < left_out / 4, "{seen:?}");
    assert!(captures > 1_000, "{seen:?}");
}
