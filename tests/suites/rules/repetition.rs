//! Fourfold repetition, perpetual check, passes.

use kujira_position::{
    Color, DrawReason, Great, Outcome, Position, Recurrence, Repetition, Rules, Variant, Whale,
    WinReason,
};
use kujira_tests::views::{played, ruled};

const DRAW: Option<Outcome> = Some(Outcome::Draw(DrawReason::Repetition));

fn perpetual(winner: Color) -> Option<Outcome> {
    Some(Outcome::Win { winner, reason: WinReason::PerpetualCheck })
}

/// The position after the moves, none of which ends the game but perhaps the last.
fn through<V: Variant>(sfen: &str, moves: &str) -> Position<V> {
    let mut position = ruled::<V>(sfen, Rules::DEFAULT);
    for text in moves.split_whitespace() {
        assert_eq!(position.outcome(), None, "before {text} in {}", position.sfen());
        position = played(position, text);
    }
    position
}

#[test]
fn the_fourth_occurrence_is_a_draw() {
    let cycle = "1f1e 6a6b 1e1f 6b6a ";
    let start = "w5/6/6/6/6/5W b - 1";
    let third = through::<Whale>(start, &cycle.repeat(2));
    assert_eq!((third.occurrences(), third.outcome()), (3, None));
    assert_eq!(third.repetition(8), Some(Repetition::Repeated(Recurrence::Draw)));
    assert_eq!(third.repetition(3), None, "four plies ago is farther back than three");
    let fourth = through::<Whale>(start, &cycle.repeat(3));
    assert_eq!((fourth.occurrences(), fourth.outcome()), (4, DRAW));
    assert_eq!(
        fourth.outcome().map(|o| o.to_string()).as_deref(),
        Some("draw: fourfold repetition")
    );
    let off = ruled::<Whale>(start, Rules { repetition: false, ..Rules::DEFAULT });
    let off = played(off, &cycle.repeat(5));
    assert_eq!((off.occurrences(), off.outcome()), (6, None));
}

#[test]
fn other_hands_or_another_side_to_move_are_other_positions() {
    // The same board, Black to move once and White to move once: a triangle of the whale.
    let board = through::<Whale>("w5/6/6/6/6/5W b - 1", "1f1e 6a6b 1e2f 6b6a 2f1f");
    assert_eq!(board.sfen(), "w5/6/6/6/6/5W w - 6");
    assert_eq!(board.occurrences(), 1);
    // The board of six plies ago, but the dolphin has changed hands.
    let board = through::<Whale>("w5/6/6/6/6/5W b D 1", "D*6b 6a6b 1f1e 6b5a 1e1f 5a6a");
    assert_eq!(board.sfen(), "w5/6/6/6/6/5W b d 7");
    assert_eq!(board.occurrences(), 1);
    // With pieces left in hand, and the same ones, it is the same position.
    let board = through::<Whale>("w5/6/6/6/6/5W b NDd 1", "N*3d 6a6b 3d2d 6b6a 2d3d");
    assert_eq!(board.occurrences(), 2);
}

#[test]
fn a_perpetual_checker_loses() {
    let start = "w5/5K/6/6/6/5W b - 1";
    let cycle = "1b1a 6a6b 1a1b 6b6a ";
    let third = through::<Whale>(start, &cycle.repeat(2));
    assert_eq!(
        (third.outcome(), third.repetition(100)),
        (None, Some(Repetition::Repeated(Recurrence::Loss)))
    );
    let fourth = through::<Whale>(start, &cycle.repeat(3));
    assert_eq!(fourth.outcome(), perpetual(Color::White));
    assert_eq!(
        fourth.outcome().map(|o| o.to_string()).as_deref(),
        Some("White wins: perpetual check")
    );
    // Seen from the side that is checked, and with colors swapped.
    let checked = "w4K/6/6/6/6/5W w - 1";
    let cycle = "6a6b 1a1b 6b6a 1b1a ";
    let fourth = through::<Whale>(checked, &cycle.repeat(3));
    assert_eq!(fourth.repetition(100), Some(Repetition::Repeated(Recurrence::Win)));
    assert_eq!(fourth.outcome(), perpetual(Color::White));
    let turned = ruled::<Whale>(checked, Rules::DEFAULT).turned();
    assert_eq!(turned.sfen(), "w5/6/6/6/6/k4W b - 1");
    let fourth = through::<Whale>(&turned.sfen(), &"1f1e 6f6e 1e1f 6e6f ".repeat(3));
    assert_eq!(fourth.outcome(), perpetual(Color::Black));
}

#[test]
fn one_quiet_move_in_the_cycle_makes_it_a_draw() {
    let start = "w5/5K/6/6/6/5W b - 1";
    let checks = "1b1a 6a6b 1a1b 6b6a ";
    let quiet = "1b1c 6a6b 1c1b 6b6a ";
    for order in [[checks, checks, quiet], [checks, quiet, checks], [quiet, checks, checks]] {
        assert_eq!(through::<Whale>(start, &order.concat()).outcome(), DRAW, "{order:?}");
    }
    // A search judges by the latest cycle, but where the game ends as the rules do.
    let third = through::<Whale>(start, &[quiet, checks].concat());
    assert_eq!(third.repetition(8), Some(Repetition::Repeated(Recurrence::Loss)));
    let fourth = through::<Whale>(start, &[quiet, checks, checks].concat());
    assert_eq!(fourth.repetition(12), Some(Repetition::Repeated(Recurrence::Draw)));
    assert_eq!(fourth.repetition(8), Some(Repetition::Repeated(Recurrence::Loss)));
    // Quiet moves before the first occurrence do not help.
    let early = "1c1d 6a5a 1d1b 5a6a ";
    let board = format!("{early}{}", checks.repeat(3));
    let before = "w5/6/5K/6/6/5W b - 1";
    assert_eq!(through::<Whale>(before, &board).outcome(), perpetual(Color::White));
}

/// Both sides pass with a false killer whale. `bw` on file 1 looks at Black's whale, `BW` on file 11
/// at White's.
fn passes(black_checks: bool, white_checks: bool, times: usize) -> Position<Great> {
    let bowhead = |there: bool, token: &str| if there { token.to_owned() } else { "1".to_owned() };
    let sfen = format!(
        "w,9,{}/11/11/11/11/5,+BR,2,+br,2/11/11/11/11/{},9,W b - 1",
        bowhead(white_checks, "bw"),
        bowhead(black_checks, "BW")
    );
    through(&sfen, &"6f6f 3f3f ".repeat(times))
}

#[test]
fn a_pass_counts_as_a_move() {
    assert_eq!(passes(false, false, 2).outcome(), None);
    assert_eq!(passes(false, false, 2).ply(), 5);
    assert_eq!(passes(false, false, 3).outcome(), DRAW);
}

#[test]
fn a_standing_attack_is_a_check_at_every_move() {
    assert_eq!(
        passes(true, false, 2).repetition(100),
        Some(Repetition::Repeated(Recurrence::Loss))
    );
    assert_eq!(passes(true, false, 3).outcome(), perpetual(Color::White));
    assert_eq!(passes(false, true, 2).repetition(100), Some(Repetition::Repeated(Recurrence::Win)));
    assert_eq!(passes(false, true, 3).outcome(), perpetual(Color::Black));
    assert_eq!(passes(true, true, 3).outcome(), DRAW, "both sides checked all the way");
}

/// The same board with other hands: the side to move has gained or lost, or the position
/// is the same.
#[test]
fn hands_are_compared_where_the_board_returns() {
    // Black gives a dolphin away while the whales go round and come back.
    let gained = through::<Whale>("5w/6/6/6/6/W5 w D 1", "1a2a D*1b 2a1b 6f5f 1b1a 5f6f");
    assert_eq!(gained.sfen(), "5w/6/6/6/6/W5 w d 7");
    assert_eq!(gained.repetition(6), Some(Repetition::Superior));
    assert_eq!(gained.repetition(5), None, "six plies ago is farther back than five");
    let lost = through::<Whale>("5w/6/6/6/6/W5 b D 1", "D*1b 1a1b 6f5f 1b1a 5f5e 1a2a 5e6f 2a1a");
    assert_eq!(lost.sfen(), "5w/6/6/6/6/W5 b d 9");
    assert_eq!(lost.repetition(8), Some(Repetition::Inferior));
    let again = played(lost, "6f5f 1a2a 5f6f 2a1a");
    let repeated = Some(Repetition::Repeated(Recurrence::Draw));
    assert_eq!(again.repetition(40), repeated, "the latest time counts");
    // Beyond a passed turn nothing is compared.
    let mut passed = through::<Whale>("5w/6/6/6/6/W5 w D 1", "1a2a D*1b 2a1b 6f5f");
    passed.pass();
    passed.pass();
    let passed = played(passed, "1b1a 5f6f");
    assert_eq!(passed.repetition(8), None);
}
