//! Sets of positions with a mate in a known number of plies, and how an engine fares on them.
//!
//! A line of a set is `SFEN ;M n`: the side to move mates (or captures the white whale, where whales
//! are captured) with ply `n` at the latest, whatever the other side does. Such sets are written by
//! `bench/examples/mates.rs`.

use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;

use kujira_position::{Position, Variant, VariantId, with_variant};
use kujira_search::{Bound, Control, Engine, Info, Limits, Reporter, Score};

/// A position with a mate in a known number of plies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// The position, which has been read by nobody yet.
    pub sfen: String,
    /// The mating ply at the latest, from 1, odd.
    pub plies: i32,
}

impl FromStr for Mate {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let expected = || format!("expected SFEN ;M n with n odd, found `{line}`");
        let (sfen, plies) = line.split_once(';').ok_or_else(expected)?;
        let plies = plies.trim().strip_prefix("M ").ok_or_else(expected)?;
        let plies = plies.trim().parse().ok().filter(|n: &i32| *n > 0 && n % 2 == 1);
        Ok(Self { sfen: sfen.trim().to_owned(), plies: plies.ok_or_else(expected)? })
    }
}

impl fmt::Display for Mate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ;M {}", self.sfen, self.plies)
    }
}

/// Reads a set of `game`; empty lines are skipped.
///
/// # Errors
/// If a line is no position of the game with a mate: the line's number and what was expected.
pub fn parse(game: VariantId, text: &str) -> Result<Vec<Mate>, String> {
    fn check<V: Variant>(mate: &Mate) -> Result<(), String> {
        Position::<V>::from_sfen(&mate.sfen).map(drop).map_err(|error| error.to_string())
    }
    let mut mates = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let read = || {
            let mate: Mate = line.parse()?;
            with_variant!(game, V => check::<V>(&mate))?;
            Ok(mate)
        };
        mates.push(read().map_err(|error: String| format!("line {number}: {error}"))?);
    }
    Ok(mates)
}

/// What it took to announce a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Nodes searched until then.
    pub nodes: u64,
}

/// Waits for a mate with ply `plies` at the latest, and stops the search then.
struct Watch<'a> {
    plies: i32,
    control: &'a Control,
    solution: Mutex<Option<Solution>>,
}

impl Reporter for Watch<'_> {
    fn info(&self, info: &Info) {
        let mate = matches!(info.score, Score::Mate(plies) if plies > 0 && plies <= self.plies);
        if mate && info.bound != Bound::Upper {
            let solution = Solution { nodes: info.nodes };
            if let Ok(mut slot) = self.solution.lock() {
                slot.get_or_insert(solution);
            }
            self.control.stop();
        }
    }

    fn current_move(&self, _: u32, _: &str, _: usize) {}

    fn note(&self, _: &str) {}
}

/// Searches a position with an engine that has forgotten everything, until it announces the mate
/// or a limit is reached (`None`).
///
/// # Errors
/// If the engine refuses the position.
pub fn solve(
    engine: &mut dyn Engine,
    mate: &Mate,
    limits: &Limits,
) -> Result<Option<Solution>, String> {
    engine.new_game();
    engine.set_position(Some(&mate.sfen), &[]).map_err(|error| error.to_string())?;
    let control = Control::new();
    let watch = Watch { plies: mate.plies, control: &control, solution: Mutex::new(None) };
    engine.go(limits, &control, &watch);
    watch.solution.into_inner().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use kujira_search::engine;

    use super::*;

    const THREE: &str = "2w3/6/2D3/6/6/3W2 b K 1";

    #[test]
    fn lines_are_read_and_written() {
        let mate: Mate = format!("{THREE} ;M 3").parse().unwrap();
        assert_eq!(mate, Mate { sfen: THREE.to_owned(), plies: 3 });
        assert_eq!(mate.to_string().parse(), Ok(mate));
        for wrong in ["", THREE, "x ;M", "x ;M 2", "x ;M 0", "x ;M -3", "x ;D1 3", "x ;M three"] {
            let error = wrong.parse::<Mate>().unwrap_err();
            assert_eq!(error, format!("expected SFEN ;M n with n odd, found `{wrong}`"));
        }
    }

    #[test]
    fn sets_name_the_line_that_is_wrong() {
        let text = format!("{THREE} ;M 3\n\n{THREE} ;M 5\n");
        let mates = parse(VariantId::Whale, &text).unwrap();
        assert_eq!(mates.iter().map(|mate| mate.plies).collect::<Vec<_>>(), [3, 5]);
        let error = parse(VariantId::Whale, &format!("{text}{THREE}\n")).unwrap_err();
        assert!(error.starts_with("line 4: expected SFEN ;M n"), "{error}");
        assert!(parse(VariantId::Great, &text).unwrap_err().starts_with("line 1: "));
    }

    #[test]
    fn the_sets_can_be_read() {
        for (game, text) in [
            (VariantId::Whale, include_str!("../positions/mates-whale.epd")),
            (VariantId::Paulowich, include_str!("../positions/mates-paulowich.epd")),
            (VariantId::Great, include_str!("../positions/mates-great.epd")),
        ] {
            let mates = parse(game, text).unwrap();
            assert!(mates.len() >= 50, "{game}: {}", mates.len());
            assert!(mates.iter().all(|mate| (3..=9).contains(&mate.plies)), "{game}");
        }
    }

    #[test]
    fn a_mate_is_announced_or_not() {
        let mut engine = engine(VariantId::Whale);
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let mate = |plies| Mate { sfen: THREE.to_owned(), plies };
        let solution = solve(engine.as_mut(), &mate(1), &limits).unwrap().unwrap();
        assert!(solution.nodes <= 20_000);
        // Nothing but two whales.
        let none = Mate { sfen: "w5/6/6/6/6/5W b - 1".to_owned(), plies: 9 };
        assert_eq!(solve(engine.as_mut(), &none, &limits), Ok(None));
        let wrong = Mate { sfen: "x".to_owned(), plies: 3 };
        assert!(solve(engine.as_mut(), &wrong, &limits).unwrap_err().starts_with("sfen: "));
    }
}
