//! SFEN and move text: what is read, what is written, what is refused.

use super::super::{Game, Oracle, Switches};
use super::position;

#[test]
fn hands_are_read_in_any_order_and_written_in_table_order() {
    for (game, read, written) in [
        (Game::Whale, "w5/6/6/6/6/W5 w d2Nk12DGK", "w5/6/6/6/6/W5 w KG2N12Dkd 1"),
        (Game::Paulowich, "w6/7/7/7/7/7/W6 b AaD 3", "w6/7/7/7/7/7/W6 b DAa 3"),
        (
            Game::Great,
            "w,10/11/11/11/11/11/11/11/11/11/W,10 b bwc,k,2PC,NBC,P,BW,2BRC 35",
            "w,10/11/11/11/11/11/11/11/11/11/W,10 b BW,P,2BRC,NBC,2PC,k,bwc 35",
        ),
    ] {
        assert_eq!(position(game, read).sfen(), written);
    }
}

#[test]
fn starting_positions_round_trip() {
    for game in Game::ALL {
        assert_eq!(Oracle::start(game).sfen(), game.start_sfen());
        assert_eq!(Game::from_id(game.id()), Some(game));
    }
    assert_eq!(Game::from_id("shogi"), None);
}

#[test]
fn malformed_text_is_refused_with_what_was_expected() {
    const ROWS: &str = "11/11/11/11/11/11/11/11/11/11";
    for (game, sfen, expected) in [
        (Game::Whale, "", "expected the board"),
        (Game::Whale, "6/6/6/6/6/6", "expected the side to move"),
        (Game::Whale, "6/6/6/6/6/6 b", "expected the hands"),
        (Game::Whale, "6/6/6/6/6/6 x - 1", "expected the side `b` or `w`"),
        (Game::Whale, "6/6/6/6/6 b - 1", "expected 6 ranks, found 5"),
        (Game::Whale, "6/6/6/6/6/6/6 b - 1", "expected 6 ranks, found one more"),
        (Game::Whale, "6/6/6/6/6/5 b - 1", "expected 6 squares, found 5"),
        (Game::Whale, "6/6/6/6/6/7 b - 1", "expected 6 squares, found more"),
        (Game::Whale, "6/6/6/6/6/6D b - 1", "expected 6 squares, found more"),
        (Game::Whale, "6/6/6/6/6/06 b - 1", "expected a number of empty"),
        (Game::Whale, "6/6/6/6/6//6 b - 1", "expected 6 squares, found 0"),
        (Game::Whale, "6/6/6/6/6/A5 b - 1", "expected a piece of whale"),
        (Game::Whale, "6/6/6/6/6/+D5 b - 1", "expected a piece of whale"),
        (Game::Whale, "6/6/6/6/6/é5 b - 1", "expected a piece all upper"),
        (Game::Whale, "6/6/6/6/6/6 b P 1", "expected a piece that can be in hand"),
        (Game::Whale, "6/6/6/6/6/6 b W 1", "expected a piece that can be in hand"),
        (Game::Whale, "6/6/6/6/6/6 b DKD 1", "expected each kind once"),
        (Game::Whale, "6/6/6/6/6/6 b 0D 1", "expected a count"),
        (Game::Whale, "6/6/6/6/6/6 b 1D 1", "expected a count"),
        (Game::Whale, "6/6/6/6/6/6 b 256D 1", "expected a count"),
        (Game::Whale, "6/6/6/6/6/6 b D2 1", "expected a piece after `2`"),
        (Game::Whale, "6/6/6/6/6/6 b - 0", "expected a move number"),
        (Game::Whale, "6/6/6/6/6/6 b - +1", "expected a move number"),
        (Game::Whale, "6/6/6/6/6/6 b - 1 1", "expected the end"),
    ] {
        refuse(game, sfen, expected);
    }
    for (row, hands, expected) in [
        ("Br,10", "-", "expected a piece all upper or all lower"),
        ("+K,10", "-", "expected a piece of great"),
        ("+W,10", "-", "expected a piece of great"),
        ("+,10", "-", "expected a piece of great"),
        ("W10", "-", "expected a piece all upper"),
        ("W,,9", "-", "expected a piece of great"),
        ("-1,11", "-", "expected a piece all upper"),
        ("+1,10", "-", "expected a piece all upper"),
        ("01,10", "-", "expected a number of empty"),
        ("1x,10", "-", "expected a number of empty"),
        ("300", "-", "expected 11 squares, found more"),
        ("12", "-", "expected 11 squares, found more"),
        ("11", "+S", "expected a piece that can be in hand"),
        ("11", "W", "expected a piece that can be in hand"),
        ("11", "BRC,2", "expected a piece of great"),
        ("11", "BRC,,K", "expected a piece of great"),
    ] {
        refuse(Game::Great, &format!("{row}/{ROWS} b {hands} 1"), expected);
    }
}

fn refuse(game: Game, sfen: &str, expected: &str) {
    match Oracle::from_sfen(game, sfen, Switches::default()) {
        Ok(position) => panic!("`{sfen}` is read as `{}`", position.sfen()),
        Err(error) => assert!(error.starts_with(expected), "`{sfen}` gives: {error}"),
    }
}

#[test]
fn only_canonical_text_is_a_move() {
    let start = Oracle::start(Game::Whale);
    assert_eq!(
        start.play("3e3d").map(|next| next.sfen()),
        Ok(String::from("bnpwgh/dddddd/6/3D2/DDD1DD/HGWPNB w - 2"))
    );
    let dropping = position(Game::Whale, "w5/6/6/6/6/W5 b D 1");
    assert!(dropping.play("D*3c").is_ok());
    for (position, usi) in [
        (&start, ""),
        (&start, "3e3d+"),
        (&start, "3e3c"),
        (&start, "3E3D"),
        (&start, "D*3d"),
        (&dropping, "d*3c"),
        (&dropping, "N*3c"),
    ] {
        let error = position.play(usi).expect_err(usi);
        assert!(error.ends_with(&format!("found `{usi}`")), "{error}");
    }
}
