//! Positions without a white whale: the oracle reads them, and takes them for final.

use super::super::Game;
use super::position;

#[test]
fn a_captured_whale_leaves_no_moves() {
    let gone = position(Game::Whale, "6/6/6/6/H5/5W b N 1");
    assert!(gone.whale_captured());
    assert!(!gone.in_check());
    assert_eq!(gone.moves(), [] as [&str; 0]);
}

#[test]
fn the_capture_of_a_whale_is_a_leaf_with_none_below() {
    let hung = position(Game::Great, "w,10/11/11/11/W,9,s/11/P,10/11/11/11/11 w - 2");
    let capture = "1e11e";
    let below = |usi: &String| hung.play(usi).expect("a move of the list").perft(1);
    let moves = hung.moves();
    assert!(moves.iter().any(|usi| usi == capture));
    assert_eq!(below(&capture.to_owned()), 0);
    assert!(moves.len() > 1);
    assert_eq!(hung.perft(1), moves.len() as u64);
    assert_eq!(hung.perft(2), moves.iter().map(below).sum::<u64>());
}
