//! How often the coach of the board is right: games of a bot with the coach looking on, and a deeper search that says
//! which of the moves lose something.

use kujira_arena::bots::{Bot, Material};
use kujira_position::{Move, Position, UsiMove, Variant};
use kujira_search::{Control, Limits, Searcher, Silent};
use kujira_statistics::Stream;
use kujira_table::coach::{Sight, Warning, judge};

/// What is played, and how it is judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Who plays both sides.
    pub bot: Bot,
    /// The most plies of a game.
    pub plies: usize,
    /// Nodes that the coach searches for each position.
    pub nodes: u64,
    /// Centipawns that a move loses from which on the coach counts a piece as lost.
    pub loss: i32,
    /// Nodes that the search has that judges the coach.
    pub truth_nodes: u64,
    /// Centipawns from which on a piece is lost by that search.
    pub truth_loss: i32,
    /// Size of each transposition table in MiB.
    pub hash: usize,
}

/// What came of games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Moves played.
    pub moves: u64,
    /// Those that lose a piece or the white whale.
    pub losing: u64,
    /// Those of them before which the coach warned.
    pub warned: u64,
    /// Best moves of the search that judges, after which the game goes on.
    pub best: u64,
    /// Those of them before which the coach warned.
    pub scared: u64,
}

impl Tally {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            moves: self.moves + other.moves,
            losing: self.losing + other.losing,
            warned: self.warned + other.warned,
            best: self.best + other.best,
            scared: self.scared + other.scared,
        }
    }
}

/// Somebody who searches positions with so many nodes, and remembers what was found as long as a game goes on.
struct Eye<V: Variant> {
    searcher: Searcher<V>,
    limits: Limits,
}

impl<V: Variant> Eye<V> {
    fn new(nodes: u64, hash: usize) -> Result<Self, String> {
        let mut searcher = Searcher::new();
        searcher.set_hash(hash).map_err(|error| error.to_string())?;
        let limits = Limits { nodes: Some(nodes), advice: true, ..Limits::default() };
        Ok(Self { searcher, limits })
    }

    /// What is seen at a position; `None` where there is nothing to search.
    fn see(&mut self, position: &Position<V>) -> Result<Option<Sight>, String> {
        let found = self.searcher.search(position, &self.limits, &Control::new(), &Silent);
        let found = found.map_err(|error| error.to_string())?;
        Ok(found.lines.first().map(|line| {
            let text = |&m: &Move| UsiMove::<V>::new(m).to_string();
            Sight { score: line.score.into(), line: line.pv.iter().map(text).collect() }
        }))
    }

    /// What is wrong with a move, if `before` was seen where it is made.
    fn word(
        &mut self,
        position: &Position<V>,
        m: Move,
        before: &Sight,
        loss: i32,
    ) -> Result<Option<Warning>, String> {
        if before.line.first() == Some(&UsiMove::<V>::new(m).to_string()) {
            return Ok(None);
        }
        let mut after = position.clone();
        after.make(m);
        if after.outcome().is_some() {
            return Ok(None);
        }
        let reply = self.see(&after)?;
        Ok(reply.and_then(|reply| judge(&after, before.score, &reply, loss)))
    }
}

/// Plays a game of the bot against itself, the coach looking on.
///
/// # Errors
/// If there is no memory for the tables.
pub fn watch<V: Variant>(plan: &Plan, chance: &mut Stream) -> Result<Tally, String> {
    let material = Material::of::<V>();
    let mut coach = Eye::<V>::new(plan.nodes, plan.hash)?;
    let mut truth = Eye::<V>::new(plan.truth_nodes, plan.hash)?;
    let mut position = Position::<V>::start();
    let mut tally = Tally::default();
    for _ in 0..plan.plies {
        if position.outcome().is_some() {
            break;
        }
        let Some(choice) = plan.bot.choose(&position, &material, chance) else { break };
        let (Some(seen), Some(known)) = (coach.see(&position)?, truth.see(&position)?) else {
            break;
        };
        tally.moves += 1;
        let lost = truth.word(&position, choice.m, &known, plan.truth_loss)?;
        if lost.is_some_and(|lost| lost.mate || lost.piece.is_some()) {
            tally.losing += 1;
            let word = coach.word(&position, choice.m, &seen, plan.loss)?;
            tally.warned += u64::from(word.is_some());
        }
        if let Some(best) = known.line.first().and_then(|usi| position.parse_usi(usi).ok()) {
            tally.best += 1;
            let word = coach.word(&position, best, &seen, plan.loss)?;
            tally.scared += u64::from(word.is_some());
        }
        position.make(choice.m);
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};
    use kujira_table::coach::{LOSS, NODES};

    use super::*;

    fn eye<V: Variant>() -> Eye<V> {
        Eye::new(NODES, 1).unwrap()
    }

    /// The coach on moves of a position: those that lose something, and those that do not.
    fn check<V: Variant>(sfen: &str, losing: &[&str], good: &[&str]) {
        let position = Position::<V>::from_sfen(sfen).unwrap();
        let mut eye = eye::<V>();
        let before = eye.see(&position).unwrap().unwrap();
        for (moves, expected) in [(losing, true), (good, false)] {
            for usi in moves {
                let m = position.parse_usi(usi).unwrap();
                let found = eye.word(&position, m, &before, LOSS).unwrap();
                assert_eq!(found.is_some(), expected, "{sfen} {usi}");
            }
        }
    }

    #[test]
    fn it_warns_of_a_piece_that_hangs() {
        check::<Whale>("w5/6/6/3d2/6/3G1W b - 1", &["3f3e"], &["3f3d"]);
        check::<Paulowich>("w6/7/7/3d3/7/7/3G2W b - 1", &["4g4e"], &["4g4d"]);
        // In front of a calf; and a usual first move.
        check::<Great>("5,w,5/11/11/11/5,kc,5/11/11/7,S,3/11/11/5,W,5 b - 1", &["4h6f"], &[]);
        check::<Great>(Great::SPEC.start, &[], &["6h6g"]);
    }

    #[test]
    fn games_are_the_same_again() {
        let plan = Plan {
            bot: Bot::Hanging,
            plies: 12,
            nodes: 300,
            loss: 150,
            truth_nodes: 600,
            truth_loss: 200,
            hash: 1,
        };
        let play = || watch::<Whale>(&plan, &mut Stream::new(7)).unwrap();
        let tally = play();
        assert_eq!(tally, play());
        assert_eq!((tally.moves, tally.best), (12, 12));
        assert!(tally.warned <= tally.losing && tally.scared <= tally.best);
        assert_eq!(tally.and(tally).moves, 24);
    }
}
