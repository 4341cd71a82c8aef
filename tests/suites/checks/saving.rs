//! Moves that may save a whale under attack, where whales are captured.

use kujira_position::{Great, Kind, Move, Position, Threats, Variant};

use super::seen::Seen;
use super::tried::Tried;

/// Compares the list, of a position in which the whale is attacked, with the quiet moves that turned out to save it,
/// none of which may be missing, and the captures left out with what they turned out to do.
pub fn compare(position: &Position<Great>, tried: &[Tried], seen: &mut Seen) {
    let stops = position.check_stops();
    let mut found = <Great as Variant>::MoveList::default();
    position.generate_saving(stops, &Threats::default(), &mut found);
    let mut listed: Vec<Move> = found.to_vec();
    listed.sort_unstable();
    for &Tried { m, captures, hangs, .. } in tried {
        let text = || position.usi(m);
        if captures {
            let plain = m.kind() != Kind::WHALE && m.way().is_none();
            if plain && !stops.has(m.to()) {
                assert!(hangs, "{} in {position:?}", text());
                seen.note("captures that save nothing", 1);
            }
        } else if let Ok(index) = listed.binary_search(&m) {
            listed.remove(index);
            seen.note(if hangs { "listed in vain" } else { "quiet moves that save" }, 1);
        } else {
            assert!(hangs, "{} in {position:?}", text());
            seen.note("quiet moves left out", 1);
        }
    }
    // Twice, or no quiet move at all.
    assert_eq!(listed, [], "{position:?}");
    seen.note("positions in check", 1);
}
