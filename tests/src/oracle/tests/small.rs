//! The points of Whale Shogi and Paulowich Whale Shogi.

use super::super::{Game, Switches};
use super::{moves_with, played, position, with};

#[test]
fn a_captured_porpoise_is_a_killer_whale_for_good() {
    let before = position(Game::Whale, "w5/6/6/p5/D5/5W b - 1");
    let after = played(before, "6e6d");
    assert_eq!(after.sfen(), "w5/6/6/D5/6/5W w K 2");
    let dropped = played(after, "6a6b K*1e 6b6a 1e1d 6a6b");
    assert_eq!(dropped.sfen(), "6/w5/6/D4K/6/5W b - 7");
    // Both ways, and the captured killer whale stays what it is.
    let white = position(Game::Whale, "w5/6/d5/P4K/6/5W w - 1");
    assert_eq!(played(white, "6c6d").sfen(), "w5/6/6/d4K/6/5W b k 2");
}

#[test]
fn a_dolphin_on_the_farthest_rank_slides_back_instead() {
    //   6 5 4 3 2 1
    // a . . w D . .
    // b . . . . . .
    // c . . . . . .
    // d . . . . . d
    let sfen = "2wD2/6/6/5d/6/W5 b - 1";
    assert_eq!(moves_with(&position(Game::Whale, sfen), "3a"), "3a1c 3a2b 3a4b 3a5c 3a6d");
    let two = Switches { retreat_two: true, ..Switches::default() };
    assert_eq!(moves_with(&with(Game::Whale, sfen, two), "3a"), "3a1c 3a2b 3a4b 3a5c");
    // It captures, and stops there, and own pieces stop it.
    let blocked = position(Game::Whale, "w2D2/6/1d3D/6/6/W5 b - 1");
    assert_eq!(moves_with(&blocked, "3a"), "3a2b 3a4b 3a5c");
    // It gives check along the slide, and is ordinary again on the next rank.
    let check = position(Game::Whale, "3D2/6/1w4/6/6/W5 w - 1");
    assert!(check.in_check());
    let back = position(Game::Whale, "6/3D2/1w4/6/6/W5 b - 1");
    assert_eq!(moves_with(&back, "3b"), "3b3a");
    // White's farthest rank is at the bottom.
    let white = position(Game::Whale, "5w/6/6/6/6/W1d3 w - 1");
    assert_eq!(moves_with(&white, "4f"), "4f1c 4f2d 4f3e 4f5e 4f6d");
}

#[test]
fn the_retreat_file_limit_binds_where_it_is_on() {
    let limit = Switches { retreat_file_limit: true, ..Switches::default() };
    // Two dolphins on file 5, one of them on the farthest rank: passed, but not
    // entered. Two enemies on file 2 do not count, nor one dolphin on file 4.
    let sfen = "1D1D1w/6/6/1DD1d1/4d1/W5 b - 1";
    assert_eq!(moves_with(&with(Game::Whale, sfen, limit), "3a"), "3a1c 3a2b 3a4b 3a6d");
    assert_eq!(moves_with(&position(Game::Whale, sfen), "3a"), "3a1c 3a2b 3a4b 3a5c 3a6d");
    // A retreat that is no move gives check all the same: file 5 is full, but
    // the dolphin on 3a attacks 5c, where the whale may not go either.
    let sfen = "1D1D2/6/1w4/6/1D4/W5 w - 1";
    assert!(position(Game::Whale, sfen).in_check());
    assert!(with(Game::Whale, sfen, limit).in_check());
    let beside = with(Game::Whale, "1D1D2/6/2w3/6/1D4/W5 w - 1", limit);
    assert!(!beside.in_check());
    assert_eq!(beside.moves().join(" "), "4c3b 4c3d 4c4d 4c5b");
}

#[test]
fn a_dolphin_is_not_dropped_on_the_farthest_rank_or_a_full_file() {
    // File 6 holds two dolphins of Black, one of them on the farthest rank;
    // file 5 one, file 4 two of White.
    let here = position(Game::Whale, "D4w/2d3/2d3/DD4/6/W5 b DN 1");
    assert_eq!(
        moves_with(&here, "D*"),
        "D*1b D*1c D*1d D*1e D*1f D*2b D*2c D*2d D*2e D*2f D*3b D*3c D*3d D*3e D*3f \
         D*4d D*4e D*4f D*5b D*5c D*5e D*5f"
    );
    // Any other piece goes anywhere, also onto the farthest rank.
    let narwhal = moves_with(&here, "N*");
    assert_eq!(narwhal.split(' ').count(), 36 - 7);
    assert!(narwhal.contains("N*2a"));
}

#[test]
fn a_dolphin_drop_does_not_mate() {
    let drops = |sfen| moves_with(&position(Game::Whale, sfen), "D*1b") == "D*1b";
    // 1b is covered by the blue whale on 1c, 2a and 2b by the killer whale.
    let mate = "5w/6/5B/4K1/6/W5 b GD 1";
    assert!(!drops(mate));
    // The same by another piece is a move like any other.
    assert_eq!(moves_with(&position(Game::Whale, mate), "G*1b"), "G*1b");
    // The whale can go to 2a.
    assert!(drops("5w/6/5B/3K2/6/W5 b D 1"));
    // The porpoise can take the dolphin, and shields 2b; the grey whale of
    // the next position looks on.
    assert!(drops("5w/4p1/5B/4K1/6/W5 b D 1"));
    assert!(!drops("5w/3g2/5B/4K1/6/W5 b D 1"));
    // So can the humpback, unless the killer whale pins it.
    assert!(drops("4hw/6/5B/6/6/W5 b D 1"));
    assert!(!drops("K3hw/6/5B/6/6/W5 b D 1"));
}

#[test]
fn a_drop_that_leaves_no_move_without_check_is_legal_and_ends_the_game() {
    let before = position(Game::Whale, "5w/6/5B/4K1/6/W5 b D 1");
    let after = played(before, "D*4c");
    assert!(!after.in_check());
    assert!(after.moves().is_empty());
    assert!(!after.whale_captured());
    assert_eq!(after.perft(1), 0);
}

#[test]
fn the_own_whale_is_not_left_or_put_under_attack() {
    // The grey whale pins the humpback on the file, but not against capture.
    let pinned = position(Game::Whale, "w5/5g/6/5H/6/5W b - 1");
    assert_eq!(moves_with(&pinned, "1d"), "1d1e");
    assert_eq!(moves_with(&pinned, "1f"), "1f1e 1f2e 1f2f");
    let check = position(Game::Whale, "w4g/6/6/6/H5/5W b N 1");
    assert!(check.in_check());
    assert_eq!(check.moves().join(" "), "1f2e 1f2f N*1b N*1c N*1d N*1e");
    // A captured whale, were one to be taken, leaves no moves.
    let gone = position(Game::Whale, "6/6/6/6/H5/5W b N 1");
    assert!(gone.whale_captured());
    assert!(gone.moves().is_empty());
}

#[test]
fn each_piece_moves_as_its_table_says() {
    // One piece on 4d of the empty 7×7 board, the whales out of its way.
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
        let here = position(Game::Paulowich, &format!("6w/7/7/3{piece}3/7/{own}/7 b - 1"));
        assert_eq!(moves_with(&here, "4d"), expected, "{piece}");
    }
    // The narwhal leaps over anything.
    let leap = position(Game::Whale, "w5/6/3d2/3N2/6/5W b - 1");
    assert!(leap.moves().contains(&String::from("3d3b")));
}
