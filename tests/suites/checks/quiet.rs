//! Quiet moves that give check.

use kujira_position::{Move, MoveList, Position, Retreat, Rules, Variant, Wanted};
use kujira_tests::for_every_game;
use rayon::prelude::*;

use super::positions;

for_every_game!(quiet_checks_are_listed_exactly, nothing_is_listed_twice_or_taken_out);

/// What the compared positions contained.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Seen {
    drops: usize,
    promotions: usize,
    moves: usize,
    /// Checks by opening a line: the piece that moved does not attack the whale.
    opened: usize,
    /// Positions in which the side to move is in check itself and can check back.
    answered: usize,
}

impl Seen {
    fn plus(self, other: Self) -> Self {
        Self {
            drops: self.drops + other.drops,
            promotions: self.promotions + other.promotions,
            moves: self.moves + other.moves,
            opened: self.opened + other.opened,
            answered: self.answered + other.answered,
        }
    }
}

fn compare<V: Variant>(position: &Position<V>) -> Seen {
    let mut found = V::MoveList::default();
    position.generate_checks(&mut found);
    let mut seen = Seen::default();
    let mut expected = Vec::new();
    let mut quiets = V::MoveList::default();
    let enemy = !position.side();
    if !position.whale_attacked(enemy) {
        position.generate(Wanted::Quiets, &mut quiets);
    }
    let mut after = position.clone();
    for &m in quiets.iter() {
        after.make(m);
        if after.checked() {
            expected.push(m);
            seen.drops += usize::from(m.is_drop());
            seen.promotions += usize::from(m.promotes());
            seen.moves += usize::from(!m.is_drop());
            let attackers = after
                .whale(enemy)
                .first()
                .map(|whale| after.attackers(whale, !enemy, after.occupied()));
            seen.opened += usize::from(attackers.is_some_and(|set| !set.has(m.to())));
        }
        after.undo();
    }
    seen.answered += usize::from(position.checked() && !expected.is_empty());
    let mut found: Vec<Move> = found.to_vec();
    found.sort_unstable();
    expected.sort_unstable();
    let texts = |moves: &[Move]| moves.iter().map(|&m| position.usi(m)).collect::<Vec<_>>();
    assert_eq!(texts(&found), texts(&expected), "{position:?}");
    seen
}

fn quiet_checks_are_listed_exactly<V: Variant>() {
    // A position of the largest game has ten times the moves.
    let wanted = if V::SPEC.promotion_zone > 0 { 4_000 } else { 16_000 };
    let seen = positions::<V>(61, Rules::DEFAULT, wanted)
        .par_iter()
        .map(compare)
        .reduce(Seen::default, Seen::plus);
    assert!(seen.drops > 1_000 && seen.moves > 1_000, "{seen:?}");
    assert!(seen.opened > 100 && seen.answered > 10, "{seen:?}");
    assert!((seen.promotions > 100) == (V::SPEC.promotion_zone > 0), "{seen:?}");
    for (seed, retreat_file_limit) in [(62, false), (63, true)] {
        let rules = Rules { retreat: Retreat::Two, retreat_file_limit, ..Rules::DEFAULT };
        positions::<V>(seed, rules, wanted / 8).par_iter().for_each(|position| {
            compare(position);
        });
    }
}

fn nothing_is_listed_twice_or_taken_out<V: Variant>() {
    let mut list = V::MoveList::default();
    for position in positions::<V>(64, Rules::DEFAULT, 400) {
        list.clear();
        position.generate(Wanted::Captures, &mut list);
        let captures = list.to_vec();
        position.generate_checks(&mut list);
        assert_eq!(list[..captures.len()], captures, "{position:?}");
        assert!(list[captures.len()..].iter().all(|m| !captures.contains(m)), "{position:?}");
    }
}
