//! The solver: one question after another, with a table of its own, in the thread that asks.

use kujira_position::{Move, Outcome, Position, Variant};

use super::moves::{captures, whale_capture};
use super::numbers::{ANY, FOREVER, Length};
use super::proof::{Confirmation, Doubt, best_line, proved_line};
use super::search::{LONGEST, Prover, Question};
use super::table::Table;
use super::watch::{Progress, Watch};
use crate::clock::{Clock, Overhead};
use crate::limits::Limits;
use crate::system::Control;

/// The greatest limit of a search for mates of a certain length, which is odd: no path of it is too long.
const MOST: Length = LONGEST - 3;

/// Bytes that a position takes in the memory of the second pass, about.
const NOTE: usize = 40;

/// Moves that the second pass makes at most while shorter mates are still to be looked for: the first proof may be far
/// larger than that of the shortest.
const PATIENCE: u64 = 200_000;

/// What a solver found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side to move mates by checks alone.
    Mate {
        /// The moves of both sides, with the longest defence.
        line: Vec<Move>,
        /// Whether no shorter mate by checks alone exists.
        shortest: bool,
    },
    /// It is proved that there is no mate by checks alone.
    NoMate,
    /// The search ended before it knew.
    Unknown,
}

/// A verdict and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The verdict.
    pub verdict: Verdict,
    /// Why the mate of the verdict, or one that is not told, was proved once and not twice.
    pub doubt: Option<Doubt>,
    /// Moves made.
    pub nodes: u64,
}

/// Looks for mates by checks alone. It has a table of its own, which takes memory only as it fills.
///
/// ```
/// use kujira_position::{Position, Whale};
/// use kujira_search::mate::{Solver, Verdict};
/// use kujira_search::{Control, Limits};
///
/// let position = Position::<Whale>::from_sfen("2w3/6/2D3/6/6/3W2 b K 1").unwrap();
/// let mut solver = Solver::<Whale>::new(16);
/// let report = solver.solve(&position, &[], &Limits::default(), &Control::new(), &mut |_| ());
/// assert!(matches!(report.verdict, Verdict::Mate { line, shortest: true } if line.len() == 1));
/// ```
pub struct Solver<V: Variant> {
    table: Table<V::Bits>,
    /// How many positions of a proof there is room for, in each of two places.
    room: usize,
    dominance: bool,
}

impl<V: Variant> Solver<V> {
    /// A solver whose table and whose memory of a proof take at most `mebibytes` MiB.
    #[must_use]
    pub fn new(mebibytes: usize) -> Self {
        // A proof is at most as large as what it is made from.
        let table = Table::new((mebibytes * 3 / 4).max(1));
        let room = ((mebibytes / 8).max(1) << 20) / NOTE;
        Self { table, room, dominance: true }
    }

    /// The same solver, which takes what it finds out with one hand for nothing else.
    #[must_use]
    pub fn without_dominance(self) -> Self {
        Self { dominance: false, ..self }
    }

    /// Looks for a mate by the side to move, with one of `first_moves` if there are any, all of them legal. The
    /// past of the position counts: where a position would stand for the fourth time the game is over.
    ///
    /// Of `limits` the time, the nodes and the depth count; a depth is the length of the longest mate looked for, in
    /// plies. `tell` hears every second how far it is, and of every mate found, each shorter than the one before.
    pub fn solve(
        &mut self,
        position: &Position<V>,
        first_moves: &[Move],
        limits: &Limits,
        control: &Control,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> Report {
        let side = position.side();
        let clock = Clock::new(control.received(), limits, side, Overhead::default());
        self.solve_by(clock, position, first_moves, limits, control, tell)
    }

    /// As [`Self::solve`], with a clock that is already made.
    pub(crate) fn solve_by(
        &mut self,
        clock: Clock,
        position: &Position<V>,
        first_moves: &[Move],
        limits: &Limits,
        control: &Control,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> Report {
        let thrice = if position.rules().repetition { position.recurring(3) } else { Vec::new() };
        // A position that is over with one hand is not with another.
        self.table.begin(self.dominance && thrice.is_empty());
        let watch = Watch::new(control, clock, limits.nodes.unwrap_or(u64::MAX), tell);
        let question = Question { position: position.clone(), first_moves, thrice };
        let mut prover = Prover::new(&mut self.table, watch, question);
        let (verdict, doubt) = match position.outcome() {
            Some(Outcome::Win { .. } | Outcome::Draw(_)) => (Verdict::NoMate, None),
            None => decide(&mut prover, first_moves, limits.depth, self.room),
        };
        Report { verdict, doubt, nodes: prover.watch.nodes() }
    }
}

/// Looks for a mate, and for shorter ones from then on; `room`: for so many positions of a proof.
fn decide<V: Variant>(
    prover: &mut Prover<'_, V>,
    first_moves: &[Move],
    depth: Option<u32>,
    room: usize,
) -> (Verdict, Option<Doubt>) {
    let position = &mut prover.position;
    if captures::<V>() && position.whale_attacked(!position.side()) {
        // No move but a capture gives check here.
        let allowed = |m: Move| first_moves.is_empty() || first_moves.contains(&m);
        let line = whale_capture(position, allowed).map(|m| vec![m]);
        return (mate(line, true), None);
    }
    let wanted = depth.and_then(|depth| Length::try_from(depth).ok());
    // An odd number of plies.
    let wanted = wanted.map(|depth| depth.saturating_sub(1 - depth % 2));
    let mut left = wanted.filter(|&depth| depth <= MOST).unwrap_or(ANY);
    let (mut best, mut doubt) = (None, None);
    // The plies of the shortest mate known.
    let mut length = ANY;
    while let Ok(known) = prover.prove(left) {
        if !known.value.is_mate(left) {
            return match best {
                Some(_) if left + 2 < length => break,
                Some(line) => {
                    if doubt.is_some() {
                        doubt = Confirmation::new(room, u64::MAX).confirm(prover, length).err();
                    }
                    if doubt == Some(Doubt::Wrong) {
                        return (Verdict::Unknown, doubt);
                    }
                    // Where the time is up before that, the line found is a defence like others.
                    let line = best_line(prover, length).unwrap_or(line);
                    (mate(Some(line), true), doubt)
                }
                None if known.value.fewest == FOREVER && !prover.cut => (Verdict::NoMate, None),
                None => break,
            };
        }
        length = known.value.proved;
        let until = prover.watch.nodes() + PATIENCE;
        let (line, found) = match Confirmation::new(room, until).confirm(prover, length) {
            Ok(line) => (Some(line), None),
            Err(Doubt::Wrong) => return (mate(best, false), Some(Doubt::Wrong)),
            // What every reply was looked at in says more than what is a little shorter.
            Err(Doubt::Stopped) if best.is_some() && doubt.is_none() => break,
            Err(other) => (proved_line(prover, &known), Some(other)),
        };
        doubt = found;
        let Some(line) = line else { break };
        let plies = Length::try_from(line.len()).unwrap_or(length);
        // The true length of the whole proof; without a second pass that is not known.
        length = if doubt.is_none() { plies } else { length };
        let (nodes, hashfull) = (prover.watch.nodes(), prover.table.permille());
        let progress = Progress::Mate { plies: length.into(), line: &line, nodes, hashfull };
        prover.watch.tell(progress);
        best = Some(line);
        if length <= 1 {
            return (mate(best, true), doubt);
        }
        left = (length - 2).min(MOST);
    }
    (mate(best, false), doubt)
}

fn mate(line: Option<Vec<Move>>, shortest: bool) -> Verdict {
    line.map_or(Verdict::Unknown, |line| Verdict::Mate { line, shortest })
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Outcome, Paulowich, Whale};

    use super::*;

    /// What a solver without room for any proof says of a position.
    fn without_room<V: Variant>(sfen: &str) -> (Report, Position<V>) {
        let position = Position::<V>::from_sfen(sfen).unwrap();
        let mut solver = Solver { room: 1, ..Solver::<V>::new(16) };
        let limits = Limits { nodes: Some(2_000_000), ..Limits::default() };
        (solver.solve(&position, &[], &limits, &Control::new(), &mut |_| ()), position)
    }

    fn check<V: Variant>(sfen: &str, plies: usize) {
        let (report, mut position) = without_room::<V>(sfen);
        assert_eq!(report.doubt, Some(Doubt::TooLarge), "{sfen}");
        let Verdict::Mate { line, shortest: true } = report.verdict else { panic!("{report:?}") };
        assert_eq!(line.len(), plies, "{sfen}");
        let side = position.side();
        for m in line {
            assert!(position.outcome().is_none() && position.is_legal(m), "{sfen}");
            position.make(m);
        }
        let outcome = position.outcome();
        assert!(matches!(outcome, Some(Outcome::Win { winner, .. }) if winner == side), "{sfen}");
    }

    /// A mate whose proof there is no memory for is told, with a line that mates.
    #[test]
    fn what_there_is_no_room_for_is_told() {
        check::<Whale>("1W1Hk1/5N/4G1/1w4/3N2/6 b khg2b12d 1", 19);
        check::<Paulowich>("5g1/Kb1dawd/1dk1dd1/WD3hD/H4b1/D3n2/2D4 w N3Dg2da 146", 21);
        check::<Great>("w,10/11/3,HP,3,W,3/1,+br,5,F,3/11/11/11/11/11/11/11 b M,DP 1", 15);
    }
}
