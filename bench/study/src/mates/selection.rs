//! A set of problems from files of candidates: so many of each length, each verified once more.
//!
//! Candidates are taken in the order in which they were found, the files by turns. How long a solver takes plays no part.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use kujira_position::{Position, Rules, Variant};
use kujira_record::Error;
use kujira_record::list;
use kujira_search::MateAnswer;
use kujira_search::mate::Solver;
use kujira_search::{Control, Limits};

use super::exhaustive::Exhaustive;
use super::problem::is_mate;
use super::{Problem, problem};

/// A line of a file of problems.
#[derive(Clone, Debug)]
pub struct Candidate<V: Variant> {
    /// The position and what is known of it.
    pub problem: Problem,
    /// The position.
    pub position: Position<V>,
    /// The moves of the mate, as USI texts.
    pub line: Vec<String>,
    /// Nodes it took the solver.
    pub nodes: u64,
    /// The line as it is written.
    pub text: String,
}

/// Reads the candidates of a file.
///
/// # Errors
/// If a line is no problem of the game: its number and what was expected.
pub fn candidates<V: Variant>(text: &str) -> Result<Vec<Candidate<V>>, Error> {
    list::entries(text)
        .map(|entry| {
            let entry = entry?;
            let position = entry.position::<V>(Rules::DEFAULT)?;
            let line = entry.operand("pv").unwrap_or_default();
            let line = line.split(' ').map(str::to_owned).collect();
            let nodes = entry.operand("nodes").and_then(|nodes| nodes.parse().ok()).unwrap_or(0);
            let text = text.lines().nth(entry.line - 1).unwrap_or_default().to_owned();
            Ok(Candidate { problem: problem(entry)?, position, line, nodes, text })
        })
        .collect()
}

/// Plies up to which everything is tried.
const fn tried<V: Variant>() -> usize {
    if V::SPEC.captures_whales() { 3 } else { 7 }
}

/// Moves made in trying everything, at most.
const EFFORT: u64 = 30_000_000;

/// Nodes of the solver, which verifies what is too long to try everything.
const NODES: u64 = 50_000_000;

/// Verifies a candidate by trying everything as far as that can be done, and by the solver.
///
/// # Errors
/// If it is not what it says: what was found.
pub fn verify<V: Variant>(solver: &mut Solver<V>, candidate: &Candidate<V>) -> Result<(), String> {
    let wrong = |found: String| Err(format!("{}: found {found}", candidate.text));
    let mut exhaustive = Exhaustive::default();
    let position = &candidate.position;
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let verdict = solver.solve(position, &[], &limits, &Control::new(), &mut |_| ()).answer;
    let Some(plies) = candidate.problem.plies else {
        if verdict != MateAnswer::NoMate {
            return wrong("no proof that there is none".to_owned());
        }
        return match exhaustive.shortest(position, tried::<V>().min(5), EFFORT) {
            Ok(Some(plies)) => wrong(format!("a mate in {plies}")),
            _ => Ok(()),
        };
    };
    let mut line = Vec::new();
    let mut walker = position.clone();
    for text in &candidate.line {
        let Ok(m) = walker.parse_usi(text) else { return wrong(format!("no move {text}")) };
        walker.make(m);
        line.push(m);
    }
    if i32::try_from(line.len()) != Ok(plies) || !is_mate(position, &line) {
        return wrong(format!("a line of {} moves", line.len()));
    }
    let plies = line.len();
    match verdict {
        MateAnswer::Mate { line, shortest: true, .. } if line.len() == plies => {}
        verdict => return wrong(format!("{verdict:?}")),
    }
    if plies > tried::<V>() {
        return Ok(());
    }
    match exhaustive.shortest(position, plies, EFFORT) {
        Ok(Some(shortest)) if shortest == plies => {}
        Ok(shortest) => return wrong(format!("a mate in {shortest:?}")),
        Err(_) => return wrong("more to try than allowed".to_owned()),
    }
    match exhaustive.first_moves(position, plies, EFFORT) {
        Ok(moves) if moves == line[..1] => Ok(()),
        Ok(moves) => wrong(format!("{} first moves", moves.len())),
        Err(_) => wrong("more to try than allowed".to_owned()),
    }
}

/// What was chosen, and what was refused.
#[derive(Debug)]
pub struct Selection<V: Variant> {
    /// Mates, by length and nodes, then positions without.
    pub chosen: Vec<Candidate<V>>,
    /// What was found where a candidate is not what it says.
    pub refused: Vec<String>,
}

/// Chooses up to `each` mates of each length, and as many positions without a mate as mates in all; `None` once it is
/// `stopped`.
pub fn select<V: Variant>(
    files: Vec<Vec<Candidate<V>>>,
    each: usize,
    stopped: &AtomicBool,
) -> Option<Selection<V>> {
    let mut turns: Vec<_> = files.into_iter().map(Vec::into_iter).collect();
    let mut queue = Vec::new();
    loop {
        let round: Vec<_> = turns.iter_mut().filter_map(Iterator::next).collect();
        if round.is_empty() {
            break;
        }
        queue.extend(round);
    }
    let mut solver = Solver::new(512);
    let (mut chosen, mut refused): (Vec<Candidate<V>>, _) = (Vec::new(), Vec::new());
    // Problems with the same moves are the same problem.
    let (mut boards, mut lines) = (HashSet::new(), HashSet::new());
    let (mates, none): (Vec<_>, Vec<_>) =
        queue.into_iter().partition(|candidate| candidate.problem.plies.is_some());
    let mut take = |chosen: &mut Vec<Candidate<V>>, candidate: Candidate<V>| {
        let new = candidate.problem.plies.is_none() || lines.insert(candidate.line.clone());
        if new && boards.insert(candidate.position.key()) {
            match verify(&mut solver, &candidate) {
                Ok(()) => chosen.push(candidate),
                Err(found) => refused.push(found),
            }
        }
    };
    for candidate in mates {
        if stopped.load(Ordering::Relaxed) {
            return None;
        }
        let plies = candidate.problem.plies;
        let there = chosen.iter().filter(|other| other.problem.plies == plies).count();
        if there < each {
            take(&mut chosen, candidate);
        }
    }
    let most = 2 * chosen.len();
    for candidate in none {
        if stopped.load(Ordering::Relaxed) {
            return None;
        }
        if chosen.len() < most {
            take(&mut chosen, candidate);
        }
    }
    chosen.sort_by_key(|candidate| {
        (candidate.problem.plies.is_none(), candidate.problem.plies, candidate.nodes)
    });
    Some(Selection { chosen, refused })
}
