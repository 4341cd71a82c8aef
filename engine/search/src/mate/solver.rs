//! The solver: one question after another, with a table of its own, in the thread that asks.

use kujira_position::{Move, Outcome, Position, Variant};

use super::answer::{MateAnswer, MateReport};
use super::moves::{captures, whale_capture};
use super::numbers::{ANY, FOREVER, Length};
use super::proof::{Confirmation, Doubt, best_line, proved_line};
use super::search::{LONGEST, Prover, Question};
use super::table::Table;
use super::watch::{Progress, Watch};
use crate::limits::Limits;
use crate::options::TimeOptions;
use crate::system::Control;
use crate::time_manager::TimeManager;

/// The greatest limit of a search for mates of a certain length, which is odd: no path of it is too long.
const MOST: Length = LONGEST - 3;

/// Bytes that a position takes in the memory of the second pass, about.
const NOTE: usize = 40;

/// Moves that the second pass makes at most while shorter mates are still to be looked for: the first proof may be far
/// larger than that of the shortest.
const PATIENCE: u64 = 200_000;

/// Moves that it makes at most once the shortest is known: a table that is too small may lose things for ever.
const LAST_PATIENCE: u64 = 10_000_000;

/// Looks for mates by checks alone. It has a table of its own, which takes memory only as it fills.
///
/// ```
/// use kujira_position::{Position, Whale};
/// use kujira_search::mate::Solver;
/// use kujira_search::{Control, Limits, MateAnswer};
///
/// let position = Position::<Whale>::from_sfen("2w3/6/2D3/6/6/3W2 b K 1").unwrap();
/// let mut solver = Solver::<Whale>::new(16);
/// let report = solver.solve(&position, &[], &Limits::default(), &Control::new(), &mut |_| ());
/// assert!(matches!(report.answer, MateAnswer::Mate { line, shortest: true, .. } if line.len() == 1));
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
    ) -> MateReport {
        let side = position.side();
        let clock = TimeManager::new(control.received(), limits, side, TimeOptions::default());
        self.solve_by(clock, position, first_moves, limits, control, tell)
    }

    /// As [`Self::solve`], with a clock that is already made.
    pub(crate) fn solve_by(
        &mut self,
        clock: TimeManager,
        position: &Position<V>,
        first_moves: &[Move],
        limits: &Limits,
        control: &Control,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> MateReport {
        let thrice = if position.rules().repetition { position.recurring(3) } else { Vec::new() };
        // A position that is over with one hand is not with another, nor is that with a choice of moves the same.
        self.table.begin(self.dominance && thrice.is_empty() && first_moves.is_empty());
        let watch = Watch::new(control, clock, limits.nodes.unwrap_or(u64::MAX), tell);
        let question = Question { position: position.clone(), first_moves, thrice };
        let mut prover = Prover::new(&mut self.table, watch, question);
        let (answer, doubt) = match position.outcome() {
            Some(Outcome::Win { .. } | Outcome::Draw(_)) => (MateAnswer::NoMate, None),
            None => decide(&mut prover, first_moves, limits.depth, self.room),
        };
        MateReport { answer, doubt, nodes: prover.watch.nodes() }
    }
}

/// Looks for a mate, and for shorter ones from then on; `room`: for so many positions of a proof.
fn decide<V: Variant>(
    prover: &mut Prover<'_, V>,
    first_moves: &[Move],
    depth: Option<u32>,
    room: usize,
) -> (MateAnswer, Option<Doubt>) {
    let position = &mut prover.position;
    if captures::<V>() && position.whale_attacked(!position.side()) {
        // No move but a capture gives check here.
        let allowed = |m: Move| first_moves.is_empty() || first_moves.contains(&m);
        let verdict = whale_capture(position, allowed).map(|m| MateAnswer::Mate {
            line: vec![m],
            plies: 1,
            shortest: true,
        });
        return (verdict.unwrap_or(MateAnswer::Unknown), None);
    }
    let wanted = depth.and_then(|depth| Length::try_from(depth).ok());
    // An odd number of plies.
    let wanted = wanted.map(|depth| depth.saturating_sub(1 - depth % 2));
    let mut left = wanted.filter(|&depth| depth <= MOST).unwrap_or(ANY);
    let mut best: Option<Found> = None;
    // Why a mate that was proved is not told.
    let mut untold = None;
    // The plies of the shortest mate known, and of the one in which a second pass failed.
    let (mut length, mut failed) = (ANY, ANY);
    while let Ok(known) = prover.prove(left) {
        if !known.value.is_mate(left) {
            return match best {
                _ if length != ANY && left + 2 >= length => settle(prover, best, length, room),
                None if known.value.fewest == FOREVER && !prover.cut => (MateAnswer::NoMate, None),
                _ => told(best, untold),
            };
        }
        length = known.value.proved;
        // Now, as long as the table holds it.
        prover.watch.set_patience(Some(PATIENCE));
        let line = proved_line(prover, &known);
        // A proof hardly smaller than one that was too large would be, too.
        let large = failed != ANY && length > failed - failed / 4;
        let second =
            if large { Err(Doubt::TooLarge) } else { confirm(prover, length, room, PATIENCE) };
        prover.watch.set_patience(None);
        let found = match second {
            Ok(line) => Some(Found { plies: plies_of(&line), line, doubt: None }),
            Err(Doubt::Wrong) => return (told(best, None).0, Some(Doubt::Wrong)),
            // What every reply was looked at in says more than what is a little shorter.
            Err(Doubt::Stopped) if best.as_ref().is_some_and(|best| best.doubt.is_none()) => break,
            Err(doubt) => {
                failed = if large { failed } else { length };
                untold = Some(doubt);
                line.map(|line| Found { line, plies: length, doubt: Some(doubt) })
            }
        };
        if let Some(found) = found {
            length = found.plies;
            let (nodes, hashfull) = (prover.watch.nodes(), prover.table.permille());
            let (plies, line) = (length.into(), &found.line[..]);
            prover.watch.tell(Progress::Mate { plies, line, nodes, hashfull });
            best = Some(found);
        }
        if length <= 1 {
            return settle(prover, best, length, room);
        }
        left = (length - 2).min(MOST);
    }
    told(best, untold)
}

/// A mate that was found.
struct Found {
    line: Vec<Move>,
    /// The plies it takes at most.
    plies: Length,
    doubt: Option<Doubt>,
}

impl Found {
    fn verdict(self, shortest: bool) -> (MateAnswer, Option<Doubt>) {
        let Self { line, plies, doubt } = self;
        (MateAnswer::Mate { line, plies: plies.into(), shortest }, doubt)
    }
}

fn plies_of(line: &[Move]) -> Length {
    Length::try_from(line.len()).unwrap_or(ANY)
}

/// The verdict where it is not known whether a shorter mate exists.
fn told(best: Option<Found>, untold: Option<Doubt>) -> (MateAnswer, Option<Doubt>) {
    best.map_or((MateAnswer::Unknown, untold), |best| best.verdict(false))
}

/// The verdict where the shortest mate takes `length` plies: its best defence, and a second pass if it had none.
fn settle<V: Variant>(
    prover: &mut Prover<'_, V>,
    best: Option<Found>,
    length: Length,
    room: usize,
) -> (MateAnswer, Option<Doubt>) {
    let mut best = best.filter(|best| best.plies == length);
    let mut doubt = best.as_ref().map_or(Some(Doubt::TooLarge), |best| best.doubt);
    if doubt.is_some() {
        match confirm(prover, length, room, LAST_PATIENCE) {
            Ok(line) => {
                doubt = None;
                best = Some(Found { plies: plies_of(&line), line, doubt });
            }
            Err(Doubt::Wrong) => return (MateAnswer::Unknown, Some(Doubt::Wrong)),
            Err(other) => doubt = Some(other),
        }
    }
    prover.watch.set_patience(Some(LAST_PATIENCE));
    let line = best_line(prover, length);
    prover.watch.set_patience(None);
    match (line, best) {
        (Ok(line), _) => Found { line, plies: length, doubt }.verdict(true),
        // Where the time is up before that, the line found is a defence like others.
        (Err(_), Some(best)) => Found { doubt, ..best }.verdict(true),
        (Err(_), None) => (MateAnswer::Unknown, doubt),
    }
}

/// The second pass over the proof of a mate within `length` plies, in so many moves.
fn confirm<V: Variant>(
    prover: &mut Prover<'_, V>,
    length: Length,
    room: usize,
    moves: u64,
) -> Result<Vec<Move>, Doubt> {
    prover.watch.set_patience(Some(moves));
    let result = Confirmation::new(room).confirm(prover, length);
    prover.watch.set_patience(None);
    match result {
        Err(Doubt::Stopped) if !prover.watch.ended() => Err(Doubt::TooLarge),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Outcome, Paulowich, Whale};

    use super::*;

    /// What a solver without room for any proof says of a position.
    fn without_room<V: Variant>(sfen: &str) -> (MateReport, Position<V>) {
        let position = Position::<V>::from_sfen(sfen).unwrap();
        let mut solver = Solver { room: 1, ..Solver::<V>::new(16) };
        let limits = Limits { nodes: Some(2_000_000), ..Limits::default() };
        (solver.solve(&position, &[], &limits, &Control::new(), &mut |_| ()), position)
    }

    fn check<V: Variant>(sfen: &str, plies: usize) {
        let (report, mut position) = without_room::<V>(sfen);
        assert_eq!(report.doubt, Some(Doubt::NoRoom), "{sfen}");
        let MateAnswer::Mate { line, shortest: true, .. } = report.answer else {
            panic!("{report:?}")
        };
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
