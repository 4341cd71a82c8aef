//! A game defined for XBoard: board, pieces, start and moves of a variant that it does not know.
//!
//! XBoard keeps its pieces in slots, each with rules and a picture of its own. Which slots are taken
//! follows from its sources (4.9.1, `common.h`, `moves.c`, `backend.c`):
//! - the slots of pawn and lance stay empty, their pieces move and promote like pawns of chess, and so
//!   do those of falcon, cobra and lion, which have rules of their own in all variants;
//! - the king's slot stays empty: XBoard would enforce check by the moves told here, which cannot say
//!   where a dolphin retreats and where it steps;
//! - kinds in hand lie in slots one after the other, in the order of the hand; the royal piece, which
//!   never gets there, in a slot behind them that is the same in all games, for the sake of its picture;
//! - a slot's promoted form lies 11 slots behind it.

use kujira_position::{Hook, Kind, KindSpec, Retreat, Rules, Spec};
use kujira_usi::fairy::fen::{self, Style, letter};

/// Slot of the first kind in hand.
const HAND: usize = 1;

/// Slot of the royal piece.
const ROYAL: usize = 10;

/// From a slot to that of its promoted form.
const PROMOTED: usize = 11;

/// Slots told of, without the king's.
const SLOTS: usize = HAND + ROYAL + PROMOTED;

/// XBoard's names of the slots told of, which are also the names of their pictures' files.
const NAMES: [&str; SLOTS] = [
    "Pawn",
    "Knight",
    "Bishop",
    "Rook",
    "Queen",
    "Advisor",
    "Elephant",
    "Archbishop",
    "Marshall",
    "Gold",
    "Commoner",
    "Canon",
    "Nightrider",
    "CrownedBishop",
    "CrownedRook",
    "Crown",
    "Chancellor",
    "Hawk",
    "Lance",
    "Cobra",
    "Unicorn",
    "Lion",
];

/// The slot of a kind; `None` if the game has more kinds in hand than there is room for.
fn slot(spec: &Spec, kind: &KindSpec) -> Option<usize> {
    if kind.token == spec.kind(Kind::WHALE).token {
        return Some(ROYAL);
    }
    let base = spec.kinds.iter().skip(1).position(|other| other.token == kind.in_hand)?;
    let promoted = if kind.in_hand == kind.token { 0 } else { PROMOTED };
    (HAND + base < ROYAL).then_some(HAND + base + promoted)
}

/// The piece that lies in each slot, as [`letter`] writes it.
fn slots(spec: &Spec) -> [Option<String>; SLOTS] {
    let mut slots = [const { None }; SLOTS];
    for kind in spec.kinds {
        if let Some(place) = slot(spec, kind).and_then(|slot| slots.get_mut(slot)) {
            *place = Some(letter(kind));
        }
    }
    slots
}

/// The name of the picture of a kind, without colour and ending: `Knight`.
#[must_use]
pub fn picture(spec: &Spec, kind: &KindSpec) -> Option<&'static str> {
    slot(spec, kind).and_then(|slot| NAMES.get(slot)).copied()
}

/// The moves of a kind in Betza's notation: everything a rule of the game may allow somewhere. What is
/// not legal on the square it stands on, the engine refuses.
fn betza(spec: &Spec, kind: Kind, rules: Rules) -> String {
    let class = spec.class(spec.class_of(kind));
    let retreat = match (class.hook, rules.retreat) {
        (Hook::Retreat { betza, .. }, Retreat::Slide) => betza,
        (Hook::Retreat { short, .. }, Retreat::Two) => short,
        _ => "",
    };
    format!("{}{retreat}", class.betza)
}

/// The answer to `variant`: a line `setup`, then a line `piece` for each kind.
#[must_use]
pub fn lines(spec: &Spec, rules: Rules) -> Vec<String> {
    let mut table = String::new();
    for lower in [false, true] {
        // Where nothing is, and in the king's slot at the end, stands a dot.
        for piece in slots(spec) {
            let piece = piece.map_or(".".to_owned(), |piece| piece.replace('+', "^"));
            table.push_str(&if lower { piece.to_ascii_lowercase() } else { piece });
        }
        table.push('.');
    }
    let (files, ranks, hand) = (spec.geometry.files, spec.geometry.ranks, spec.hand_kinds);
    let start = fen::of_sfen(spec, spec.start, Style::XBoard);
    let mut lines = vec![format!("setup ({table}) {files}x{ranks}+{hand}_fairy {start}")];
    for (kind, data) in spec.all_kinds().zip(spec.kinds) {
        lines.push(format!("piece {}& {}", letter(data), betza(spec, kind, rules)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::offered;
    use kujira_position::VariantId;

    #[test]
    fn whale_shogi_as_xboard_is_told_of_it() {
        assert_eq!(
            lines(VariantId::Whale.spec(), Rules::DEFAULT),
            [
                "setup (.KHGNBD...W.^K...........khgnbd...w.^k..........) 6x6+6_fairy \
                 bn+kwgh/dddddd/6/6/DDDDDD/HGW+KNB[-] w 0 1",
                "piece W& K",
                "piece K& FR",
                "piece H& FbW",
                "piece G& fRbB",
                "piece N& fDsbW",
                "piece B& fFfbW",
                "piece D& fWbB",
                "piece +K& sW",
            ]
        );
        let short = Rules { retreat: Retreat::Two, ..Rules::DEFAULT };
        assert!(lines(VariantId::Whale.spec(), short).contains(&"piece D& fWbB2".to_owned()));
    }

    #[test]
    fn every_kind_of_every_game_has_a_slot_of_its_own() {
        for game in offered() {
            let spec = game.spec();
            let taken = slots(spec);
            assert_eq!(taken.iter().flatten().count(), spec.kinds.len());
            for (slot, piece) in taken.iter().enumerate() {
                let pawnlike = ["Pawn", "Lance", "Hawk", "Cobra", "Lion"].contains(&NAMES[slot]);
                assert!(piece.is_none() || !pawnlike, "{piece:?} in {}", NAMES[slot]);
            }
            // XBoard numbers ranks from 0 where there are ten, also if that is for the hand's sake.
            assert!(spec.hand_kinds <= usize::from(spec.geometry.ranks));
            assert_eq!(picture(spec, spec.kind(Kind::WHALE)), Some("Commoner"));
        }
        let spec = VariantId::Paulowich.spec();
        let names: Vec<_> = spec.kinds.iter().filter_map(|kind| picture(spec, kind)).collect();
        assert_eq!(
            names,
            [
                "Commoner",
                "Knight",
                "Bishop",
                "Rook",
                "Queen",
                "Advisor",
                "Elephant",
                "Archbishop",
                "Nightrider"
            ]
        );
    }
}
