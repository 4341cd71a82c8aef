//! The moves that matter: checks of the attacker, and replies that may save the whale.

use kujira_position::{Move, MoveList, Position, Threats, Variant, Wanted};

/// Whether the white whale is captured, so that checks need not be answered.
pub(super) const fn captures<V: Variant>() -> bool {
    V::SPEC.captures_whales()
}

/// Keeps the moves of `list` that are `wanted`.
pub(super) fn keep<L: MoveList>(list: &mut L, mut wanted: impl FnMut(Move) -> bool) {
    let mut kept = 0;
    for index in 0..list.len() {
        let m = list[index];
        if wanted(m) {
            list[kept] = m;
            kept += 1;
        }
    }
    list.truncate(kept);
}

/// Puts the attacker's moves that give check into `list`. Where the whale can be captured at once there may be none.
pub(super) fn list_checks<V: Variant>(position: &mut Position<V>, list: &mut V::MoveList) {
    list.clear();
    let threats = Threats::default();
    position.generate(Wanted::Captures, &threats, list);
    keep(list, |m| {
        position.make(m);
        let checks = position.checked();
        position.undo();
        checks
    });
    position.generate_checks(&threats, list);
}

/// Puts the replies to a check into `list`: all that are legal where whales must be saved, else those that may
/// save it. After any other the whale can be captured, unless `past_counts`, so that the game may be over before.
pub(super) fn list_replies<V: Variant>(
    position: &Position<V>,
    past_counts: bool,
    list: &mut V::MoveList,
) {
    list.clear();
    let threats = Threats::default();
    if captures::<V>() && !past_counts {
        position.generate(Wanted::Captures, &threats, list);
        position.generate_saving(position.check_stops(), &threats, list);
    } else {
        position.generate(Wanted::All, &threats, list);
    }
}

/// A number for drops that differ in the piece alone: what is put between a slide and the whale. They are
/// looked at one after the other, since most often all are refuted alike.
#[inline]
pub(super) fn group(m: Move) -> Option<usize> {
    m.is_drop().then(|| m.to().index())
}

/// How many different groups and other moves there are.
pub(super) fn count_groups(moves: &[Move]) -> u32 {
    let mut met = 0_u128;
    let mut count = 0;
    for &m in moves {
        match group(m) {
            Some(square) if met >> square & 1 != 0 => {}
            Some(square) => {
                met |= 1 << square;
                count += 1;
            }
            None => count += 1,
        }
    }
    count
}

/// A move among those allowed by which the whale of the side that is not to move is captured, if there is one.
// Not inlined: the list would lie on the stack of whoever goes deep.
#[inline(never)]
pub(super) fn whale_capture<V: Variant>(
    position: &mut Position<V>,
    allowed: impl Fn(Move) -> bool,
) -> Option<Move> {
    let mut list = V::MoveList::default();
    position.generate(Wanted::Captures, &Threats::default(), &mut list);
    list.iter().copied().filter(|&m| allowed(m)).find(|&m| {
        position.make(m);
        let captured = position.whale(position.side()).is_empty();
        position.undo();
        captured
    })
}
