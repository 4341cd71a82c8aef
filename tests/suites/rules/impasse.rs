//! The impasse rule of the small games, where it is switched on.

use kujira_position::{Color, DrawReason, Great, Outcome, Rules, Variant, Whale, WinReason};
use kujira_tests::views::ruled;

use super::under;

const ON: Rules = Rules { impasse: true, ..Rules::DEFAULT };

fn win(winner: Color) -> Option<Outcome> {
    Some(Outcome::Win { winner, reason: WinReason::Impasse })
}

#[test]
fn points_decide() {
    for (hands, expected) in [
        // Two grey whales are ten; four dolphins more make fourteen.
        ("b 2G4D8d", win(Color::Black)),
        ("b 2G3D9d", win(Color::White)),
        ("w 2G4D8d", win(Color::Black)),
        ("b GKHNB5Dgkhnb5d", Some(Outcome::Draw(DrawReason::Impasse))),
        ("w GKHNB5Dgkhnb5d", Some(Outcome::Draw(DrawReason::Impasse))),
        // The claimant's points are looked at first.
        ("b -", win(Color::White)),
        ("w -", win(Color::Black)),
    ] {
        let board = under::<Whale>(&format!("W5/6/6/6/5w/6 {hands} 1"), ON);
        assert_eq!(board.impasse(), expected, "{hands}");
    }
    // Pieces on the board count as those in hand do; white whales do not count.
    let board = under::<Whale>("WG4/GDDD2/6/6/5w/6 b D 1", ON);
    assert_eq!(board.impasse(), win(Color::Black));
    let board = under::<Whale>("WG4/GDDD2/6/6/5w/6 b - 1", ON);
    assert_eq!(board.impasse(), win(Color::White));
}

#[test]
fn a_claim_needs_both_whales_far_up_and_no_check() {
    for (sfen, allowed) in [
        ("W5/6/6/6/5w/6 b 2G4D8d 1", true),
        ("6/W5/6/6/6/5w b 2G4D8d 1", true),
        ("6/6/W5/6/5w/6 b 2G4D8d 1", false),
        ("W5/6/6/5w/6/6 b 2G4D8d 1", false),
        // Enough points, but the grey whale looks down the file.
        ("g5/W5/6/6/5w/6 b G9D 1", false),
        ("5g/W5/6/6/5w/6 b G9D 1", true),
    ] {
        let position = ruled::<Whale>(sfen, ON);
        assert_eq!(position.impasse().is_some(), allowed, "{sfen}");
    }
    // Without a legal move the claimant has lost already.
    let stuck = ruled::<Whale>("Wd4/2g3/1g4/6/5w/6 b - 1", ON);
    let lost = Outcome::Win { winner: Color::White, reason: WinReason::NoMoves };
    assert_eq!((stuck.outcome(), stuck.impasse()), (Some(lost), None));
    let off = ruled::<Whale>("W5/6/6/6/5w/6 b 2G4D8d 1", Rules::DEFAULT);
    assert_eq!(off.impasse(), None);
    let great = ruled::<Great>("W,10/11/11/11/11/11/11/11/11/11/w,10 b - 1", ON);
    assert_eq!(great.impasse(), None);
    assert!(Great::SPEC.impasse.is_none());
}

#[test]
fn a_game_that_repetition_has_ended_cannot_be_claimed() {
    let mut position = ruled::<Whale>("W5/6/6/6/5w/6 b 2G4D8d 1", ON);
    for round in 0..3 {
        assert_eq!((position.outcome(), position.impasse()), (None, win(Color::Black)), "{round}");
        for text in ["6a6b", "1e1f", "6b6a", "1f1e"] {
            position.make(position.parse_usi(text).unwrap());
        }
    }
    let drawn = Some(Outcome::Draw(DrawReason::Repetition));
    assert_eq!((position.outcome(), position.impasse()), (drawn, None));
    let endless = Rules { repetition: false, ..ON };
    position.set_rules(endless).unwrap();
    assert_eq!((position.outcome(), position.impasse()), (None, win(Color::Black)));
}
