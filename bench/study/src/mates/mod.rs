//! Sets of positions with a mate in a known number of plies, and how an engine fares on them.
//!
//! A line of a set is `SFEN ;M n`: the side to move mates (or captures the white whale, where whales
//! are captured) with ply `n` at the latest, whatever the other side does. Such sets are written by
//! `bench/study/examples/mates.rs`.

pub mod compose;
pub mod exhaustive;
pub mod harvest;
pub mod problem;
pub mod puzzles;
pub mod selection;

use std::cmp::Ordering;
use std::fmt;
use std::sync::Mutex;
use std::time::Duration;

use kujira_position::{AnyPosition, Position, Rules, Variant, VariantId, with_variant};
use kujira_record::Error;
use kujira_record::list::{self, Entry, NO_MATE, Opening};
use kujira_search::mate::Doubt;
use kujira_search::{Bound, Control, Engine, Info, Limits, MateAnswer, Reporter, Score, Silent};

/// A position with a mate in a known number of plies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// Where the position stands.
    pub opening: Opening,
    /// The mating ply at the latest, from 1, odd.
    pub plies: i32,
}

impl Mate {
    /// A mate in the position of an SFEN.
    #[must_use]
    pub fn new(sfen: impl Into<String>, plies: i32) -> Self {
        Self { opening: Opening { sfen: Some(sfen.into()), moves: Vec::new() }, plies }
    }
}

impl fmt::Display for Mate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.opening {
            Opening { sfen: Some(sfen), moves } if moves.is_empty() => f.write_str(sfen)?,
            opening => opening.fmt(f)?,
        }
        write!(f, " ;M {}", self.plies)
    }
}

/// Reads a set of `game`, a list.
///
/// # Errors
/// If a line is no position of the game with a mate: the line's number and what was expected.
pub fn parse(game: VariantId, text: &str) -> Result<Vec<Mate>, Error> {
    fn mate<V: Variant>(entry: Entry) -> Result<Mate, Error> {
        let plies = entry.mate()?;
        entry.position::<V>(Rules::DEFAULT)?;
        Ok(Mate { opening: entry.opening, plies })
    }
    list::entries(text).map(|entry| with_variant!(game, V => mate::<V>(entry?))).collect()
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
    let position = position(engine.game(), &mate.opening)?;
    let control = Control::new();
    let watch = Watch { plies: mate.plies, control: &control, solution: Mutex::new(None) };
    engine.search(&position, limits, &control, &watch).map_err(|error| error.to_string())?;
    watch.solution.into_inner().map_err(|error| error.to_string())
}

/// Where an opening leads.
fn position(game: VariantId, opening: &Opening) -> Result<AnyPosition, String> {
    let moves = opening.moves.iter().map(String::as_str);
    AnyPosition::replay(game, opening.sfen.as_deref(), moves, Rules::DEFAULT)
        .map_err(|error| error.to_string())
}

/// A position for the solver: with a mate by checks alone, or without one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Where the position stands.
    pub opening: Opening,
    /// The plies of its shortest mate, odd; `None` if there is none.
    pub plies: Option<i32>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies {
            Some(plies) => Mate { opening: self.opening.clone(), plies }.fmt(f),
            None => {
                let opening = self.opening.to_string();
                write!(f, "{} ;{NO_MATE}", opening.strip_prefix("sfen ").unwrap_or(&opening))
            }
        }
    }
}

/// Reads problems of `game`, a list: lines `SFEN ;M n` and `SFEN ;nomate`.
///
/// # Errors
/// If a line is neither: its number and what was expected.
pub fn problems(game: VariantId, text: &str) -> Result<Vec<Problem>, Error> {
    fn checked<V: Variant>(entry: Entry) -> Result<Problem, Error> {
        entry.position::<V>(Rules::DEFAULT)?;
        problem(entry)
    }
    list::entries(text).map(|entry| with_variant!(game, V => checked::<V>(entry?))).collect()
}

/// The problem of a line whose position is one of the game.
fn problem(entry: Entry) -> Result<Problem, Error> {
    let none = entry.operations.iter().any(|operation| operation.opcode == NO_MATE);
    let mated = entry.operations.iter().any(|operation| operation.opcode.starts_with('M'));
    let plies = if none && !mated { None } else { Some(entry.mate()?) };
    Ok(Problem { opening: entry.opening, plies })
}

/// The problem, mirrored, turned with the colors exchanged, and both: all have the same answer.
///
/// # Errors
/// If the problem is none of the game.
pub fn symmetries(game: VariantId, problem: &Problem) -> Result<[Problem; 4], Error> {
    fn sfens<V: Variant>(opening: &Opening) -> Result<[String; 4], Error> {
        let position = opening.position::<V>(Rules::DEFAULT)?;
        let turned = position.turned();
        Ok([&position, &position.mirrored(), &turned, &turned.mirrored()].map(Position::sfen))
    }
    let sfens = with_variant!(game, V => sfens::<V>(&problem.opening))?;
    Ok(sfens.map(|sfen| Problem { opening: Mate::new(sfen, 0).opening, ..problem.clone() }))
}

/// What the solver said of a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// What is known of it; the mate may be longer than the shortest where that is not asked for.
    Right,
    /// Something else.
    Wrong,
    /// Nothing, in the time it had.
    Open,
}

/// What it took the solver to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// What it said.
    pub finding: Finding,
    /// Time until the first mate was told, or until the answer.
    pub time: Duration,
    /// Moves made until then.
    pub nodes: u64,
}

/// Waits for the first mate and ends the search then.
struct First<'a> {
    control: &'a Control,
    found: Mutex<Option<(Duration, u64)>>,
}

impl Reporter for First<'_> {
    fn info(&self, info: &Info) {
        if let Ok(mut slot) = self.found.lock() {
            slot.get_or_insert((info.time, info.nodes));
        }
        self.control.stop();
    }
}

/// Asks the solver about a problem, and stops it at the first mate unless the `shortest` is wanted.
///
/// # Errors
/// If the engine refuses the position.
pub fn ask(
    engine: &mut dyn Engine,
    problem: &Problem,
    limits: &Limits,
    shortest: bool,
) -> Result<Asked, String> {
    engine.new_game();
    let position = position(engine.game(), &problem.opening)?;
    let control = Control::new();
    let first = First { control: &control, found: Mutex::new(None) };
    let reporter: &dyn Reporter = if shortest { &Silent } else { &first };
    let report = engine.mate(&position, limits, &control, reporter);
    let report = report.map_err(|error| error.to_string())?;
    let wrong = report.doubt == Some(Doubt::Wrong);
    let until = control.received().elapsed();
    let found = first.found.into_inner().map_err(|error| error.to_string())?;
    let finding = match (report.answer, problem.plies) {
        _ if wrong => Finding::Wrong,
        (MateAnswer::Unknown, _) => Finding::Open,
        (MateAnswer::NoMate, None) => Finding::Right,
        (MateAnswer::Mate { shortest: false, .. }, Some(_)) if shortest => Finding::Open,
        (MateAnswer::Mate { plies: found, shortest: least, .. }, Some(plies)) => {
            match i32::try_from(found).map(|found| found.cmp(&plies)) {
                Ok(Ordering::Equal) => Finding::Right,
                Ok(Ordering::Greater) if !least => Finding::Right,
                _ => Finding::Wrong,
            }
        }
        _ => Finding::Wrong,
    };
    let (time, nodes) = found.unwrap_or((until, report.nodes));
    Ok(Asked { finding, time, nodes })
}

#[cfg(test)]
mod tests {
    use kujira_search::engine;

    use super::*;

    const THREE: &str = "2w3/6/2D3/6/6/3W2 b K 1";

    #[test]
    fn lines_are_read_and_written() {
        for spelt in [" ;M 3", ";M3 ; id \"x\"", "\t M 3; id \"x\";"] {
            let mates = parse(VariantId::Whale, &format!("{THREE}{spelt}")).unwrap();
            assert_eq!(mates, [Mate::new(THREE, 3)]);
            assert_eq!(mates[0].to_string(), format!("{THREE} ;M 3"));
        }
        let moved = parse(VariantId::Whale, "startpos moves 2e2d ;M 3").unwrap();
        assert_eq!(moved[0].to_string(), "startpos moves 2e2d ;M 3");
        let none = problems(VariantId::Whale, &format!("{THREE} ;nomate; id \"x\"")).unwrap();
        assert_eq!(none[0].plies, None);
        for both in [" ;M 3 ;nomate", " ;nomate ;M 3", " ;nomate ;M 2"] {
            let error = problems(VariantId::Whale, &format!("{THREE}{both}")).unwrap_err();
            assert!(
                error.to_string().starts_with("line 1: expected SFEN ;M n with n odd"),
                "{error}"
            );
        }
        for wrong in ["", " ;M", " ;M 2", " ;M 0", " ;M -3", " ;D1 3", " ;M three"] {
            let line = format!("{THREE}{wrong}");
            let error = parse(VariantId::Whale, &line).unwrap_err().to_string();
            assert_eq!(error, format!("line 1: expected SFEN ;M n with n odd, found `{line}`"));
        }
    }

    #[test]
    fn sets_name_the_line_that_is_wrong() {
        let text = format!("{THREE} ;M 3\n\n{THREE} ;M 5\n");
        let mates = parse(VariantId::Whale, &text).unwrap();
        assert_eq!(mates.iter().map(|mate| mate.plies).collect::<Vec<_>>(), [3, 5]);
        let error = parse(VariantId::Whale, &format!("{text}{THREE}\n")).unwrap_err().to_string();
        assert!(error.starts_with("line 4: expected SFEN ;M n"), "{error}");
        assert!(parse(VariantId::Great, &text).unwrap_err().to_string().starts_with("line 1: "));
    }

    #[test]
    fn the_sets_can_be_read() {
        for (game, text) in [
            (VariantId::Whale, include_str!("../../../positions/mates-whale.epd")),
            (VariantId::Paulowich, include_str!("../../../positions/mates-paulowich.epd")),
            (VariantId::Great, include_str!("../../../positions/mates-great.epd")),
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
        let mate = |plies| Mate::new(THREE, plies);
        let solution = solve(engine.as_mut(), &mate(1), &limits).unwrap().unwrap();
        assert!(solution.nodes <= 20_000);
        // Nothing but two whales.
        let none = Mate::new("w5/6/6/6/6/5W b - 1", 9);
        assert_eq!(solve(engine.as_mut(), &none, &limits), Ok(None));
        let wrong = Mate::new("x", 3);
        assert!(solve(engine.as_mut(), &wrong, &limits).unwrap_err().starts_with("sfen: "));
    }
}
