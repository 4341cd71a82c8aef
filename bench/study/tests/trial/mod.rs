//! The solver against trying everything, on positions of random games.

use kujira_position::{Move, Position, Threats, Variant, Wanted};
use kujira_search::MateAnswer;
use kujira_search::mate::{Doubt, Solver};
use kujira_search::{Control, Limits};
use kujira_study::mates::exhaustive::Exhaustive;
use kujira_study::mates::problem::is_mate;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How a trial came out: positions by what the solver said of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Mates no longer than was tried exhaustively.
    pub mates: u64,
    /// Longer ones, checked move by move.
    pub longer: u64,
    /// Positions proved to have none.
    pub none: u64,
    /// Positions that took more nodes than allowed, or more moves for trying everything.
    pub open: u64,
    /// Moves made by the solver.
    pub nodes: u64,
}

impl Tally {
    /// All positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.mates + self.longer + self.none + self.open
    }
}

/// What is asked of each position.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// Plies up to which everything is tried, odd.
    pub plies: usize,
    /// Nodes of the solver.
    pub nodes: u64,
    /// Moves made in trying everything.
    pub effort: u64,
}

/// Positions of random games, for ever: at every turn one of all moves or, as often, of the captures, since games in
/// which everything is taken are rich in mates.
#[derive(Debug)]
pub struct RandomPositions<V: Variant> {
    random: Xoshiro256PlusPlus,
    position: Position<V>,
}

impl<V: Variant> RandomPositions<V> {
    /// The positions that this number leads to.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { random: Xoshiro256PlusPlus::seed_from_u64(seed), position: Position::start() }
    }

    /// Plays a move, or begins another game where none is left.
    fn step(&mut self) {
        let mut moves = self.position.legal_moves();
        let over = self.position.outcome().is_some() || self.position.moves_made() > 300;
        if over || moves.is_empty() {
            self.position = Position::start();
            moves = self.position.legal_moves();
        } else if self.random.random_range(0..2) == 0 {
            let mut captures = V::MoveList::default();
            self.position.generate(Wanted::Captures, &Threats::default(), &mut captures);
            if !captures.is_empty() {
                moves = captures;
            }
        }
        // The games must not depend on the order of generation.
        moves.sort_unstable();
        if let Some(&m) = moves.choose(&mut self.random) {
            self.position.make(m);
        }
    }
}

impl<V: Variant> Iterator for RandomPositions<V> {
    type Item = Position<V>;

    fn next(&mut self) -> Option<Position<V>> {
        loop {
            // Not every position of a game: neighbours are alike.
            for _ in 0..self.random.random_range(1..4) {
                self.step();
            }
            let capturable =
                V::SPEC.captures_whales() && self.position.whale_attacked(!self.position.side());
            if self.position.outcome().is_none() && !capturable {
                return Some(self.position.clone());
            }
        }
    }
}

/// Asks the solver about a position and tries everything.
///
/// # Errors
/// If the two contradict each other, or a line is no mate: what was expected and found.
pub fn compare<V: Variant>(
    solver: &mut Solver<V>,
    exhaustive: &mut Exhaustive,
    position: &Position<V>,
    question: Question,
    tally: &mut Tally,
) -> Result<(), String> {
    // What was before is not tried.
    let Ok(position) = &position.setup().validate() else {
        tally.open += 1;
        return Ok(());
    };
    let limits = Limits { nodes: Some(question.nodes), ..Limits::default() };
    let report = solver.solve(position, &[], &limits, &Control::new(), &mut |_| ());
    tally.nodes += report.nodes;
    let Ok(shortest) = exhaustive.shortest(position, question.plies, question.effort) else {
        tally.open += 1;
        return Ok(());
    };
    let wrong = |found: String| {
        Err(format!("{}: expected a mate in {shortest:?} plies, found {found}", position.sfen()))
    };
    if report.doubt == Some(Doubt::Wrong) {
        return wrong(Doubt::Wrong.to_string());
    }
    match (report.answer, shortest) {
        (MateAnswer::Unknown, _) => tally.open += 1,
        (MateAnswer::NoMate, None) => tally.none += 1,
        (MateAnswer::NoMate, Some(_)) => return wrong("that there is none".to_owned()),
        (MateAnswer::Mate { line, plies: found, shortest: least }, _) => {
            let found = found as usize;
            if !is_mate(position, &line) {
                return wrong(format!("a line of {} moves that is none", line.len()));
            }
            match shortest {
                Some(plies) if found == plies => {
                    let sure = least && report.doubt.is_none();
                    if sure && !is_best(exhaustive, position, &line, question.effort) {
                        return wrong("a defence that is not the longest".to_owned());
                    }
                    tally.mates += 1;
                }
                // There was no time to make it shorter.
                Some(plies) if found > plies && !least => tally.open += 1,
                None if found > question.plies => tally.longer += 1,
                _ => return wrong(format!("one in {found}")),
            }
        }
    }
    Ok(())
}

/// Whether the mate takes as long as it can after every reply of the line, as far as that can be found out.
fn is_best<V: Variant>(
    exhaustive: &mut Exhaustive,
    position: &Position<V>,
    line: &[Move],
    effort: u64,
) -> bool {
    let mut position = position.clone();
    (0..line.len()).step_by(2).all(|index| {
        let left = line.len() - index;
        let shortest = exhaustive.shortest(&position, left, effort);
        line[index..].iter().take(2).for_each(|&m| position.make(m));
        shortest.is_ok_and(|shortest| shortest == Some(left))
    })
}
