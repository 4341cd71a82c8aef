//! The rules of Whale Shogi and Paulowich Whale Shogi.

use kujira_position::{
    Color, Kind, Outcome, Paulowich, Position, Retreat, Rules, Variant, Whale, WinReason,
};
use kujira_tests::for_small_games;
use kujira_tests::views::{moves, moves_with};

use super::{here, picture, played, under};

for_small_games!(handicap_starts);

fn whale(sfen: &str) -> Position<Whale> {
    here(sfen)
}

#[test]
fn each_piece_moves_as_its_table_says() {
    for (piece, expected) in [
        ("W", "4d3c 4d3d 4d3e 4d4c 4d4e 4d5c 4d5d 4d5e"),
        ("K", "4d1d 4d2d 4d3c 4d3d 4d3e 4d4a 4d4b 4d4c 4d4e 4d4f 4d4g 4d5c 4d5d 4d5e 4d6d 4d7d"),
        ("P", "4d3d 4d5d"),
        ("H", "4d3c 4d3e 4d4e 4d5c 4d5e"),
        ("G", "4d1g 4d2f 4d3e 4d4a 4d4b 4d4c 4d5e 4d6f 4d7g"),
        ("N", "4d3d 4d4b 4d4e 4d5d"),
        ("B", "4d3c 4d4c 4d4e 4d5c"),
        ("D", "4d4c"),
        ("A", "4d3e 4d4c 4d5e"),
    ] {
        let own = if piece == "W" { "7" } else { "W6" };
        let board = here::<Paulowich>(&format!("6w/7/7/3{piece}3/7/{own}/7 b - 1"));
        assert_eq!(moves_with(&board, "4d"), expected, "{piece}");
    }
    // The narwhal leaps over anything.
    assert_eq!(moves_with(&whale("w5/6/3d2/3N2/6/5W b - 1"), "3d"), "3d2d 3d3b 3d3e 3d4d");
}

#[test]
fn a_captured_porpoise_is_a_killer_whale_for_good() {
    let taken = played(whale("w5/6/6/p5/D5/5W b - 1"), "6e6d");
    assert_eq!(taken.sfen(), "w5/6/6/D5/6/5W w K 2");
    let dropped = played(taken, "6a6b K*1e 6b6a 1e1d 6a6b");
    assert_eq!(dropped.sfen(), "6/w5/6/D4K/6/5W b - 7");
    // A captured killer whale stays one.
    let back = played(whale("w5/6/d5/P4K/6/5W w - 1"), "6c6d");
    assert_eq!(back.sfen(), "w5/6/6/d4K/6/5W b k 2");
    let again = played(whale("w5/6/5d/5K/6/5W w - 1"), "1c1d");
    assert_eq!(again.sfen(), "w5/6/6/5d/6/5W b k 2");
    assert_eq!(moves(&again), "1f2e 1f2f", "the dolphin on 1d looks at 1e");
}

#[test]
fn a_dolphin_on_the_farthest_rank_attacks_backward_and_not_forward() {
    let sfen = "2wD2/6/6/5d/6/W5 b - 1";
    assert_eq!(moves_with(&whale(sfen), "3a"), "3a1c 3a2b 3a4b 3a5c 3a6d");
    let two = Rules { retreat: Retreat::Two, ..Rules::DEFAULT };
    assert_eq!(moves_with(&under::<Whale>(sfen, two), "3a"), "3a1c 3a2b 3a4b 3a5c");
    // It captures, stops there, and own pieces stop it.
    assert_eq!(moves_with(&whale("w2D2/6/1d3D/6/6/W5 b - 1"), "3a"), "3a2b 3a4b 3a5c");
    // The whale beside it on the rank is safe; one on its slide is in check.
    assert!(!whale("2wD2/6/6/6/6/W5 w - 1").checked());
    assert!(whale("3D2/6/1w4/6/6/W5 w - 1").checked());
    // A rank below it is ordinary again: forward, not back.
    assert_eq!(moves_with(&whale("6/3D2/1w4/6/6/W5 b - 1"), "3b"), "3b3a");
    assert!(whale("3w2/3D2/6/6/6/W5 w - 1").checked());
    // White's farthest rank is at the bottom.
    assert_eq!(moves_with(&whale("5w/6/6/6/6/W1d3 w - 1"), "4f"), "4f1c 4f2d 4f3e 4f5e 4f6d");
    // A move away and up again restores the retreat.
    let cycle = played(whale("5w/6/6/6/3D2/W5 b - 1"), "3e3d 1a1b 3d3c 1b1a 3c3b 1a1b 3b3a");
    assert_eq!(cycle.sfen(), "3D2/5w/6/6/6/W5 w - 8");
    assert!(!cycle.checked());
    assert_eq!(moves_with(&played(cycle, "1b1a"), "3a"), "3a1c 3a2b 3a4b 3a5c 3a6d");
}

#[test]
fn a_dolphin_is_not_dropped_on_the_farthest_rank_or_a_file_with_two() {
    // File 6 holds two of Black, one of them on the farthest rank; file 5 one; file 4 two of White.
    let board = picture::<Whale>(
        "D . . . . w
         . . d . . .
         . . d . . .
         D D . . . .
         . . . . . .
         W . . . . .",
        "b DN",
    );
    assert_eq!(
        moves_with(&board, "D*"),
        "D*1b D*1c D*1d D*1e D*1f D*2b D*2c D*2d D*2e D*2f D*3b D*3c D*3d D*3e D*3f \
         D*4d D*4e D*4f D*5b D*5c D*5e D*5f"
    );
    // Anything else goes anywhere, the farthest rank too.
    let narwhals = moves_with(&board, "N*");
    assert_eq!(narwhals.split(' ').count(), 36 - 7);
    assert!(narwhals.contains("N*2a"));
}

#[test]
fn retreats_can_bring_three_dolphins_onto_a_file() {
    let board = whale("3D1w/6/1D4/1D4/6/W5 b D 1");
    assert_eq!(moves_with(&board, "3a"), "3a1c 3a2b 3a4b", "an own dolphin stands on 5c");
    let board = whale("2D2w/6/1D4/1D4/6/W5 b D 1");
    let three = played(board, "4a5b");
    assert_eq!(three.sfen(), "5w/1D4/1D4/1D4/6/W5 w D 2");
    let three = played(three, "1a1b");
    assert!(!moves(&three).contains("D*5"));
    assert!(moves(&three).contains("D*4"));
    // Such a position can be set up as well.
    assert_eq!(whale("1D3w/1D4/1D4/1D4/6/W5 b D 1").sfen(), "1D3w/1D4/1D4/1D4/6/W5 b D 1");
}

#[test]
fn the_retreat_file_limit_restricts_moves_and_not_attacks() {
    let limit = Rules { retreat_file_limit: true, ..Rules::DEFAULT };
    let sfen = "1D1D1w/6/6/1DD1d1/4d1/W5 b - 1";
    assert_eq!(moves_with(&under::<Whale>(sfen, limit), "3a"), "3a1c 3a2b 3a4b 3a6d");
    assert_eq!(moves_with(&whale(sfen), "3a"), "3a1c 3a2b 3a4b 3a5c 3a6d");
    let sfen = "1D1D2/6/1w4/6/1D4/W5 w - 1";
    assert!(under::<Whale>(sfen, limit).checked());
    let beside = under::<Whale>("1D1D2/6/2w3/6/1D4/W5 w - 1", limit);
    assert_eq!(moves(&beside), "4c3b 4c3d 4c4d 4c5b");
}

/// 1b is the square in front of White's whale in the corner.
fn dolphin_drop(sfen: &str) -> bool {
    moves_with(&whale(sfen), "D*1b") == "D*1b"
}

#[test]
fn a_dolphin_drop_does_not_mate() {
    let mate = "5w/6/5B/4K1/6/W5 b GD 1";
    assert!(!dolphin_drop(mate));
    assert_eq!(moves_with(&whale(mate), "G*1b"), "G*1b", "any other piece may mate");
    let mated = played(whale(mate), "G*1b");
    let won = Outcome::Win { winner: Color::Black, reason: WinReason::Checkmate };
    assert_eq!(mated.outcome(), Some(won));
    // A flight square, a taker, a pinned taker.
    assert!(dolphin_drop("5w/6/5B/3K2/6/W5 b D 1"));
    assert!(dolphin_drop("5w/4p1/5B/4K1/6/W5 b D 1"));
    assert!(!dolphin_drop("5w/3g2/5B/4K1/6/W5 b D 1"));
    assert!(dolphin_drop("4hw/6/5B/6/6/W5 b D 1"));
    assert!(!dolphin_drop("K3hw/6/5B/6/6/W5 b D 1"));
    // The dolphin that mates by a move may.
    let moved = played(whale("5w/6/5D/4KB/6/W5 b - 1"), "1c1b");
    assert!(moved.checked());
}

#[test]
fn a_drop_that_leaves_no_move_without_check_is_legal_and_wins() {
    let left = played(whale("5w/6/5B/4K1/6/W5 b D 1"), "D*4c");
    assert!(!left.checked());
    assert_eq!(moves(&left), "");
    let won = Outcome::Win { winner: Color::Black, reason: WinReason::NoMoves };
    assert_eq!(left.outcome(), Some(won));
    assert_eq!(left.outcome().map(|o| o.to_string()).as_deref(), Some("Black wins: no legal move"));
}

#[test]
fn the_own_whale_is_not_left_or_put_under_attack() {
    // The grey whale pins the humpback on the file.
    let pinned = whale("w5/5g/6/5H/6/5W b - 1");
    assert_eq!(moves_with(&pinned, "1d"), "1d1e");
    assert_eq!(moves_with(&pinned, "1f"), "1f1e 1f2e 1f2f");
    // A slide is answered between, too.
    let check = whale("w4g/6/6/6/H5/5W b N 1");
    assert!(check.checked());
    assert_eq!(moves(&check), "1f2e 1f2f N*1b N*1c N*1d N*1e");
}

#[test]
fn a_double_check_is_answered_by_the_whale_alone() {
    // The grey whale on 1a and the humpback on 2e; a narwhal could take neither or come between.
    let double = whale("w4g/6/6/6/4h1/5W b NB 1");
    assert!(double.checked());
    assert_eq!(moves(&double), "1f2e 1f2f");
    // One check alone is blocked.
    assert_eq!(moves_with(&whale("w4g/6/6/6/6/5W b N 1"), "N*"), "N*1b N*1c N*1d N*1e");
}

#[test]
fn the_check_of_a_leaper_cannot_be_blocked() {
    let leapt = whale("w5/6/6/5n/6/5W b N 1");
    assert!(leapt.checked());
    assert_eq!(moves(&leapt), "1f1e 1f2e 1f2f", "no drop on 1e");
    // Taking the leaper answers it.
    assert_eq!(moves(&whale("w5/6/6/5n/4H1/5W b N 1")), "1f1e 1f2f 2e1d");
}

#[test]
fn a_narwhal_is_pinned_by_the_piece_it_can_jump() {
    for (sfen, expected) in [
        // Jumping over the grey whale on 3d would open the file.
        ("w5/6/6/3g2/3N2/3W2 b - 1", ""),
        // It takes the one on 3c, and stays between the one on 3b and its whale.
        ("w5/6/3g2/6/3N2/3W2 b - 1", "3e3c"),
        ("w5/3g2/6/6/3N2/3W2 b - 1", "3e3c"),
        // Not pinned it goes all ways.
        ("w5/6/6/3g2/3N2/W5 b - 1", "3e2e 3e3c 3e3f 3e4e"),
    ] {
        assert_eq!(moves_with(&whale(sfen), "3e"), expected, "{sfen}");
    }
}

fn handicap_starts<V: Variant>() {
    let ids: Vec<&str> = V::SPEC.handicaps.iter().map(|handicap| handicap.id).collect();
    assert_eq!(ids, ["G", "H", "P", "PG", "PH", "PHG"]);
    let level = Position::<V>::start();
    for handicap in V::SPEC.handicaps {
        let start = here::<V>(handicap.sfen);
        assert_eq!(start.sfen(), handicap.sfen);
        assert_eq!(start.side(), Color::White);
        assert!(!start.checked() && start.outcome().is_none());
        assert!(Color::BOTH.into_iter().all(|color| start.hand(color).is_empty()));
        // Black has everything; White lacks the pieces named, from where they stand otherwise.
        let mut missing = Vec::new();
        for square in V::SPEC.geometry.reading_order() {
            let (given, usual) = (start.piece_on(square), level.piece_on(square));
            if given != usual {
                assert_eq!(given, None);
                let piece = usual.expect("a piece of the usual start");
                assert_eq!(piece.color(), Color::White);
                assert_ne!(piece.kind(), Kind::WHALE);
                missing.push(V::SPEC.kind(piece.kind()).token);
            }
        }
        let mut named: Vec<String> = handicap.id.chars().map(String::from).collect();
        named.sort_unstable();
        missing.sort_unstable();
        assert_eq!(missing, named, "{}", handicap.id);
    }
}
