//! Perft counts: the starting positions, and the lines of the count files.

use super::{Game, Oracle, position};

/// Counts above this are left to slower runs.
const BUDGET: u64 = 30_000;
/// Where the count files lie.
const COUNTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/perft");

#[test]
fn starting_positions_have_the_known_counts() {
    let known: [(Game, &[u64]); 3] = [
        (Game::Whale, &[1, 7, 49, 398, 3_230, 30_664]),
        (Game::Paulowich, &[1, 8, 64, 584, 5_329, 54_323]),
        (Game::Great, &[1, 42, 1_764, 73_627]),
    ];
    for (game, counts) in known {
        for (depth, &count) in (0u32..).zip(counts) {
            assert_eq!(Oracle::start(game).perft(depth), count, "{} to depth {depth}", game.id());
        }
    }
}

#[test]
fn whale_file_holds() {
    check_file(Game::Whale, "whale.epd", 40);
}

#[test]
fn paulowich_file_holds() {
    check_file(Game::Paulowich, "paulowich.epd", 40);
}

#[test]
fn great_file_holds() {
    check_file(Game::Great, "great.epd", 40);
}

#[test]
fn great_rich_file_holds() {
    check_file(Game::Great, "great-rich.epd", 41);
}

/// Checks every line `SFEN ;D1 n ;D2 n …` of a file up to the budget.
fn check_file(game: Game, name: &str, lines: usize) {
    let text = std::fs::read_to_string(format!("{COUNTS}/{name}")).expect("the count file");
    assert_eq!(text.lines().count(), lines, "lines of {name}");
    for line in text.lines() {
        let (sfen, counts) = line.split_once(" ;").expect("a position and counts");
        let position = position(game, sfen);
        assert_eq!(position.sfen(), sfen);
        for item in counts.split(" ;") {
            let (depth, count) = item
                .strip_prefix('D')
                .and_then(|item| item.split_once(' '))
                .expect("a count written `D1 7`");
            let count: u64 = count.parse().expect("a count");
            if count <= BUDGET {
                let depth = depth.parse().expect("a depth");
                assert_eq!(position.perft(depth), count, "{sfen} to depth {depth}");
            }
        }
    }
}
