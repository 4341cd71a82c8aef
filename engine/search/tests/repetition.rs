//! Positions that return: draws to seek and to shun, perpetual checks, other hands on the same board, and the passes
//! and captures on the spot of the largest game.

mod common;

use common::{Player, Searched, depth_limit, go};
use kujira_position::{DrawReason, Outcome, Rules, VariantId};
use kujira_search::Score;

/// What it is worth to win by a perpetual check of the enemy, and by a better hand on the same board, with no plies
/// to go.
const CLAIM: i32 = 20_000;
const SUPERIOR: i32 = 19_000;

/// A search of one move alone.
fn only(engine: &mut Player, m: &str, depth: u32) -> Score {
    let limits = engine.only(&[m], depth_limit(depth));
    go(engine, &limits).score()
}

/// An engine with a game in progress, the moves with blanks between them.
fn playing(game: VariantId, sfen: &str, moves: &str) -> Player {
    let mut engine = Player::new(game);
    let moves: Vec<&str> = moves.split_whitespace().collect();
    engine.set_position(Some(sfen), &moves).unwrap();
    engine
}

/// What the last of `moves` comes to, of all that could be played then, and what is answered when all are free.
fn last_move(game: VariantId, sfen: &str, moves: &str, depth: u32) -> (Score, Searched) {
    let (before, last) = moves.trim().rsplit_once(' ').unwrap();
    let mut engine = playing(game, sfen, before);
    let score = only(&mut engine, last, depth);
    (score, go(&mut engine, &depth_limit(depth)))
}

/// Whales alone, one side with what may be dropped beside one of them: the side that gives it away holds less when
/// the whales are back.
struct Gift {
    game: VariantId,
    sfen: &'static str,
    /// The gift, its capture, and a walk of the whales back to where they stood; the side that gave moves first.
    moves: &'static str,
}

const GIFTS: [Gift; 3] = [
    Gift {
        game: VariantId::Whale,
        sfen: "5w/6/6/6/6/W5 b D 1",
        moves: "D*1b 1a1b 6f5f 1b1a 5f5e 1a2a 5e6f 2a1a",
    },
    Gift {
        game: VariantId::Paulowich,
        sfen: "6w/7/7/7/7/7/W6 b A 1",
        moves: "A*1b 1a1b 7g6g 1b1a 6g6f 1a2a 6f7g 2a1a",
    },
    Gift {
        game: VariantId::Great,
        sfen: "10,w/11/11/11/11/11/11/11/11/11/W,10 b BRC 1",
        moves: "BRC*1b 1a1b 11k10k 1b1a 10k10j 1a2a 10j11k 2a1a",
    },
];

#[test]
fn a_better_hand_on_the_same_board_is_sought() {
    for Gift { game, sfen, moves } in GIFTS {
        for depth in [1, 4] {
            let (score, free) = last_move(game, sfen, moves, depth);
            assert_eq!(score, Score::Centipawns(SUPERIOR - 1), "{sfen} depth {depth}");
            assert_eq!(free.score(), Score::Centipawns(SUPERIOR - 1), "{sfen} depth {depth}");
            assert!(moves.ends_with(free.best()), "{sfen}: {}", free.best());
        }
    }
}

#[test]
fn a_worse_hand_on_the_same_board_is_shunned() {
    for Gift { game, sfen, moves } in GIFTS {
        // The last move but one lets the other side back.
        let (moves, _) = moves.rsplit_once(' ').unwrap();
        for depth in [2, 5] {
            let (score, free) = last_move(game, sfen, moves, depth);
            assert_eq!(score, Score::Centipawns(2 - SUPERIOR), "{sfen} depth {depth}");
            assert!(!moves.ends_with(free.best()), "{sfen}: {}", free.best());
            assert!(matches!(free.score(), Score::Centipawns(-10_000..)), "{sfen}");
        }
    }
}

#[test]
fn a_hand_lost_within_the_search_counts() {
    // Black checks with its humpback, and goes on until it is captured: the board is the first again. One ply deeper
    // White mates instead.
    let sfen = "2W3/6/1w1k2/6/6/2g3 b Hk 1";
    let mut engine = playing(VariantId::Whale, sfen, "");
    let found = go(&mut engine, &depth_limit(3));
    assert_eq!(found.score(), Score::Centipawns(4 - SUPERIOR));
    assert_eq!(found.last().pv, ["H*5b", "5c6b", "5b5c", "6b5c"]);
    engine.set_rules(Rules { repetition: false, ..Rules::DEFAULT });
    let found = go(&mut engine, &depth_limit(3));
    assert!(matches!(found.score(), Score::Centipawns(-10_000..)), "{:?}", found.score());
}

#[test]
fn a_repetition_is_a_draw_to_seek_and_to_shun() {
    // White is a killer whale ahead; whales step to and fro.
    let sfen = "w5/6/3k2/6/6/5W b - 1";
    let mut engine = playing(VariantId::Whale, sfen, "1f2f 6a5a 2f1f");
    // Back to the first position: a draw, thrown away.
    assert_eq!(only(&mut engine, "5a6a", 5), Score::Centipawns(0));
    let free = go(&mut engine, &depth_limit(6));
    assert_ne!(free.best(), "5a6a");
    assert!(matches!(free.score(), Score::Centipawns(300..) | Score::Mate(1..)));
    // The other side may go back, and does.
    engine.set_position(Some(sfen), &["1f2f", "6a5a", "2f1f", "5a6a"]).unwrap();
    assert_eq!(only(&mut engine, "1f2f", 5), Score::Centipawns(0));
    engine.set_rules(Rules { repetition: false, ..Rules::DEFAULT });
    let lost = only(&mut engine, "1f2f", 5);
    assert!(matches!(lost, Score::Centipawns(..=-300) | Score::Mate(..0)));
}

#[test]
fn perpetual_check_is_no_way_out() {
    // Black checks along the ranks, the white whale steps up and down.
    let sfen = "w5/6/3K2/6/6/W5 b - 1";
    let mut engine = playing(VariantId::Whale, sfen, "3c3a 6a6b 3a3b 6b6a");
    // The check on the first rank repeats a position, with checks all the way: that loses.
    let again = only(&mut engine, "3b3a", 4);
    assert!(matches!(again, Score::Centipawns(..=-15_000)), "{again:?}");
    let free = go(&mut engine, &depth_limit(5));
    assert_ne!(free.best(), "3b3a");
}

#[test]
fn who_is_checked_for_ever_can_rely_on_it() {
    // Black, a killer whale ahead, has checked along the ranks: the white whale goes back to where it was.
    let sfen = "w5/5K/6/6/6/5W b - 1";
    for depth in [1, 4] {
        let (score, free) = last_move(VariantId::Whale, sfen, "1b1a 6a6b 1a1b 6b6a", depth);
        assert_eq!(score, Score::Centipawns(CLAIM - 1));
        assert_eq!((free.best(), free.score()), ("6b6a", Score::Centipawns(CLAIM - 1)));
    }
    // One move earlier Black sees that coming.
    for depth in [2, 5] {
        let (score, free) = last_move(VariantId::Whale, sfen, "1b1a 6a6b 1a1b", depth);
        assert_eq!(score, Score::Centipawns(2 - CLAIM));
        assert_ne!(free.best(), "1a1b");
        assert!(matches!(free.score(), Score::Centipawns(300..) | Score::Mate(1..)));
    }
    // With a quiet move in between nobody has lost anything.
    let (score, _) = last_move(VariantId::Whale, sfen, "1b1c 6a6b 1c1b 6b6a", 4);
    assert_eq!(score, Score::Centipawns(0));
    // Nor where the game ends with the fourth occurrence, and the quiet move lies two cycles back.
    let checks = "1b1a 6a6b 1a1b 6b6a ";
    let moves = format!("1b1c 6a6b 1c1b 6b6a {checks}{checks}");
    let (score, _) = last_move(VariantId::Whale, sfen, &moves, 4);
    assert_eq!(score, Score::Centipawns(0));
}

#[test]
fn a_side_whose_only_way_out_is_perpetual_check_has_lost() {
    // The whale takes the killer whale, and White is mated in eight plies more unless its narwhal checks for ever.
    let sfen = "5P/6/6/4k1/3W2/4nw b - 1";
    let mut engine = playing(VariantId::Whale, sfen, "");
    for depth in 5..=8 {
        let found = go(&mut engine, &depth_limit(depth));
        assert_eq!(found.score(), Score::Centipawns(CLAIM - 6), "depth {depth}");
        assert_eq!(found.last().pv, ["3e2d", "2f2e", "2d1d", "2e1e", "1d2d", "1e2e"]);
    }
    // White sees the same.
    let mut white = playing(VariantId::Whale, sfen, "3e2d");
    let found = go(&mut white, &depth_limit(6));
    assert_eq!((found.best(), found.score()), ("2f2e", Score::Centipawns(5 - CLAIM)));
    engine.set_rules(Rules { repetition: false, ..Rules::DEFAULT });
    assert_eq!(go(&mut engine, &depth_limit(8)).score(), Score::Mate(9));
}

#[test]
fn a_pass_and_a_step_repeat_like_other_moves() {
    // White's whale steps between two squares that neither kind of piece attacks.
    for token in ["+BR", "+S"] {
        let sfen = format!("1,w,9/11/11/11/11/5,{token},5/11/11/11/11/10,W b - 1");
        let cycle = "6f6f 10a11b 6f6f 11b10a ";
        let game =
            |times| playing(VariantId::Great, &sfen, &cycle.repeat(times)).position.outcome();
        assert_eq!(game(2), None, "{token}: the third time");
        let draw = Some(Outcome::Draw(DrawReason::Repetition));
        assert_eq!(game(3), draw, "{token}: the fourth time");
        for times in [1, 3] {
            let (score, free) = last_move(VariantId::Great, &sfen, &cycle.repeat(times), 3);
            assert_eq!(score, Score::Centipawns(0), "{token} {times}");
            // White, far behind, is glad of it.
            assert_eq!((free.best(), free.score()), ("11b10a", Score::Centipawns(0)), "{token}");
        }
        // The pass that comes back to where the other one led is none of Black's ideas.
        let (score, free) = last_move(VariantId::Great, &sfen, &format!("{cycle}6f6f"), 3);
        assert_eq!(score, Score::Centipawns(0), "{token}");
        assert_ne!(free.best(), "6f6f");
        assert!(matches!(free.score(), Score::Centipawns(300..) | Score::Mate(1..)), "{token}");
    }
}

#[test]
fn a_pass_that_leaves_the_whale_attacked_is_a_check() {
    let great = VariantId::Great;
    let sfen = "w,10/11/11/11/11/5,+BR,2,+br,2/11/11/11/1,H,9/10,W b - 1";
    // The humpback attacks the whale, White passes, and Black passes instead of capturing it.
    let checks = "10j11j 3f3f 6f6f 11a10a 11j10j 10a11a";
    let (score, free) = last_move(great, sfen, checks, 3);
    assert_eq!(score, Score::Centipawns(CLAIM - 1));
    assert_eq!((free.best(), free.score()), ("10a11a", Score::Centipawns(CLAIM - 1)));
    let (checks, _) = checks.rsplit_once(' ').unwrap();
    let (score, free) = last_move(great, sfen, checks, 3);
    assert_eq!(score, Score::Centipawns(2 - CLAIM));
    assert_ne!(free.best(), "11j10j");
    // A pass that attacks nothing is a quiet move.
    let quiet = "10j11j 11a10a 6f6f 3f3f 11j10j 10a11a";
    assert_eq!(last_move(great, sfen, quiet, 3).0, Score::Centipawns(0));
}

#[test]
fn what_was_captured_on_the_spot_is_not_repeated() {
    // A minke whale before the lion, another in White's hand.
    let sfen = "w,10/11/11/11/5,m,5/5,+BR,5/11/11/11/11/10,W b m 1";
    let great = VariantId::Great;
    let step = "1k2k 11a10a 2k1k 10a11a";
    assert_eq!(last_move(great, sfen, step, 3).0, Score::Centipawns(0));
    // The same with a capture in place of the first step, and a pass in place of the second.
    let (score, _) = last_move(great, sfen, "6f6e6f 11a10a 6f6f 10a11a", 3);
    assert!(matches!(score, Score::Centipawns(-10_000..=-300)), "{score:?}");
    // From then on everything can be repeated again.
    let after = "6f6e6f 11a10a 6f6f 10a11a 6f6f";
    assert_eq!(last_move(great, sfen, after, 3).0, Score::Centipawns(0));
    // The board returns when another is dropped there, but not what White had in hand.
    let (score, _) = last_move(great, sfen, "6f6e6f M*6e", 3);
    assert_eq!(score, Score::Centipawns(1 - SUPERIOR));
}
