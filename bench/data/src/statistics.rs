//! What a file of games holds.

use std::collections::HashSet;
use std::fmt;

use kujira_position::{Color, Variant};

use crate::ending::Reason;
use crate::error::DataError;
use crate::record::GameRecord;
use crate::sample::{Sample, samples};

/// Upper ends of the bins of scores, in centipawns from the point of view of the side to move. The
/// last bin holds all that is beyond, mates among it.
const BINS: [i32; 17] = [
    -2000,
    -1000,
    -600,
    -400,
    -250,
    -150,
    -75,
    -25,
    25,
    75,
    150,
    250,
    400,
    600,
    1000,
    2000,
    i32::MAX,
];

/// Widest bar of the histogram, in characters.
const BAR: u64 = 40;

/// Positions with scores in one bin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bin {
    /// Positions.
    pub positions: u64,
    /// Games won by the side to move less games lost by it.
    pub balance: i64,
}

impl Bin {
    /// Mean result of the side to move, from 0 (lost) to 1 (won); `None` without positions.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.positions > 0).then(|| 0.5 + 0.5 * self.balance as f64 / self.positions as f64)
    }
}

/// An account of games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Scores beyond this are filtered, in centipawns.
    pub limit: i32,
    /// Games by result: lost by Black, drawn, won by Black.
    pub results: [u64; 3],
    /// Games by reason of their end, in the order of [`Reason::ALL`].
    pub reasons: [u64; Reason::ALL.len()],
    /// Lengths of the games in plies, opening included.
    pub lengths: Vec<usize>,
    /// Searched positions.
    pub positions: u64,
    /// Keys of the searched positions, each once.
    pub distinct: HashSet<u64>,
    /// Positions by score.
    pub bins: [Bin; BINS.len()],
    /// Positions in check.
    pub in_check: u64,
    /// Positions in which the move played captures or promotes.
    pub noisy: u64,
    /// Positions whose best move is not known: a random one was played, or the search was broken off.
    pub unknown: u64,
    /// Positions with scores beyond the limit.
    pub beyond: u64,
    /// Positions that none of these filters takes away.
    pub quiet: u64,
}

impl Statistics {
    /// An account of no games; scores beyond `limit` centipawns count as filtered.
    #[must_use]
    pub fn new(limit: i32) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Counts a game, after replaying it.
    ///
    /// # Errors
    /// If the rules do not allow the game; then nothing is counted.
    pub fn add<V: Variant>(&mut self, game: &GameRecord) -> Result<(), DataError> {
        let samples = samples::<V>(game)?;
        let [lost, drawn, won] = &mut self.results;
        *match game.ending.winner() {
            Some(Color::White) => lost,
            None => drawn,
            Some(Color::Black) => won,
        } += 1;
        self.reasons[usize::from(game.ending.reason().number())] += 1;
        self.lengths.push(game.opening.len() + game.plies.len());
        for sample in &samples {
            self.add_sample(sample);
        }
        Ok(())
    }

    fn add_sample<V: Variant>(&mut self, sample: &Sample<V>) {
        self.positions += 1;
        self.distinct.insert(sample.board.key());
        let value = sample.score.value();
        if let Some(bin) = BINS.iter().position(|&end| value < end) {
            self.bins[bin].positions += 1;
            self.bins[bin].balance += i64::from(sample.result);
        }
        self.in_check += u64::from(sample.in_check);
        self.noisy += u64::from(sample.captures || sample.promotes);
        self.unknown += u64::from(sample.best.is_none());
        self.beyond += u64::from(value.abs() > self.limit);
        self.quiet += u64::from(sample.is_quiet(self.limit));
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (games, positions) = (self.games(), self.positions);
        writeln!(f, "games      {games}")?;
        writeln!(f, "positions  {positions}")?;
        let [lost, drawn, won] = self.results;
        for (name, count) in [("Black wins", won), ("draws", drawn), ("White wins", lost)] {
            writeln!(f, "  {name:<26} {count:>9}  {:5.1} %", percent(count, games))?;
        }
        writeln!(f, "ended by")?;
        for (reason, &count) in Reason::ALL.iter().zip(&self.reasons) {
            if count > 0 {
                let name = reason.to_string();
                writeln!(f, "  {name:<26} {count:>9}  {:5.1} %", percent(count, games))?;
            }
        }
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        let at = |part: usize| lengths.get(lengths.len().saturating_sub(1) * part / 100);
        let ends: Vec<String> =
            [0, 10, 50, 90, 100].iter().filter_map(|&part| Some(at(part)?.to_string())).collect();
        if !ends.is_empty() {
            let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
            writeln!(
                f,
                "plies a game (least, 10 %, 50 %, 90 %, most): {}; mean {mean:.1}",
                ends.join(", ")
            )?;
        }
        writeln!(f, "score of the side to move, positions, its mean result (1 won, 0 lost)")?;
        let most = self.bins.iter().map(|bin| bin.positions).max().unwrap_or(0);
        for (index, bin) in self.bins.iter().enumerate() {
            let range = match (index.checked_sub(1).and_then(|below| BINS.get(below)), BINS[index])
            {
                (None, end) => format!("below {end}"),
                (Some(begin), i32::MAX) => format!("from {begin}"),
                (Some(begin), end) => format!("{begin} to {}", end - 1),
            };
            let mean = bin.mean().map_or("     ".to_owned(), |mean| format!("{mean:5.3}"));
            let bar = "#".repeat((bin.positions * BAR / most.max(1)) as usize);
            let line = format!("  {range:<14} {:>9}  {mean}  {bar}", bin.positions);
            writeln!(f, "{}", line.trim_end())?;
        }
        let filtered = positions - self.quiet;
        let rows = [
            ("seen before".to_owned(), positions - self.distinct.len() as u64),
            ("in check".to_owned(), self.in_check),
            ("capture or promotion next".to_owned(), self.noisy),
            ("best move not known".to_owned(), self.unknown),
            (format!("score beyond {}", self.limit), self.beyond),
            ("any of the last four".to_owned(), filtered),
        ];
        writeln!(f, "positions that trainers may leave out")?;
        for (name, count) in rows {
            writeln!(f, "  {name:<26} {count:>9}  {:5.1} %", percent(count, positions))?;
        }
        Ok(())
    }
}
