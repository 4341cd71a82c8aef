//! Changing the rule switches of a game in progress.

use kujira_position::{Color, Position, Retreat, Rules, SetupFault, SfenError, Variant, Whale};
use kujira_tests::{for_every_game, views};

const TWO: Rules = Rules { retreat: Retreat::Two, ..Rules::DEFAULT };

/// A dolphin of Black retreats towards a whale three squares away: a check by slide alone.
const APART: &str = "5D/6/6/2w3/6/W5 b - 1";

for_every_game!(every_start_fits_every_rule);

fn every_start_fits_every_rule<V: Variant>() {
    for retreat in [Retreat::Slide, Retreat::Two] {
        for retreat_file_limit in [false, true] {
            let rules = Rules { retreat, retreat_file_limit, impasse: true, repetition: false };
            let mut position = Position::<V>::start();
            assert_eq!(position.set_rules(rules), Ok(()));
            assert_eq!(position.rules(), rules);
            assert_eq!(Position::from_sfen_under(V::SPEC.start, rules), Ok(position));
            for handicap in V::SPEC.handicaps {
                let position = Position::<V>::from_sfen_under(handicap.sfen, rules);
                assert_eq!(position.map(|p| p.sfen()).as_deref(), Ok(handicap.sfen));
            }
        }
    }
}

#[test]
fn the_rules_decide_what_is_possible() {
    match Position::<Whale>::from_sfen(APART) {
        Err(SfenError::Impossible(error)) => {
            assert_eq!(error.reasons(), [SetupFault::CheckLeft { side: Color::White }]);
        }
        other => panic!("{other:?}"),
    }
    let position = Position::<Whale>::from_sfen_under(APART, TWO).expect("no check by two");
    assert_eq!((position.sfen().as_str(), position.rules()), (APART, TWO));
}

#[test]
fn a_switch_that_would_leave_a_check_is_refused() {
    let start = Position::<Whale>::from_sfen_under("5D/6/6/6/2w3/W5 w - 1", TWO).expect("possible");
    let position = views::played(start, "4e4d");
    let mut switched = position.clone();
    let error = switched.set_rules(Rules::DEFAULT).expect_err("the whale could be captured");
    assert_eq!(error.reasons(), [SetupFault::CheckLeft { side: Color::White }]);
    assert_eq!((&switched, switched.rules()), (&position, TWO));
    assert_eq!(switched.moves_made(), 1);
    assert!(!switched.checked());
}

#[test]
fn the_past_stays_as_far_as_it_is_possible() {
    // The white whale passes 4d, where only an unlimited retreat attacks it.
    let start = Position::<Whale>::from_sfen_under("5D/6/6/6/3w2/W5 w - 1", TWO).expect("possible");
    let mut position = views::played(start, "3e4d 6f6e 4d4e 6e6f");
    assert_eq!(position.set_rules(Rules::DEFAULT), Ok(()));
    assert_eq!(position.ply(), 5);
    // Kept: the whale leaves 4d, in check now, and the move after it. The position before, with
    // Black to move and White in check, is forgotten.
    assert_eq!(position.moves_made(), 2);
    position.undo();
    assert!(!position.checked());
    position.undo();
    assert!(position.checked(), "what was no check under the old rules is one now");
    assert_eq!(position.sfen(), "5D/6/6/2w3/W5/6 w - 3");
    position.undo();
    assert_eq!(position.ply(), 3, "nothing is left to take back");
}
