//! Games replayed as labelled positions.

use kujira_position::{Board, Move, Position, Variant};

use crate::ending::Ending;
use crate::error::DataError;
use crate::file::Reader;
use crate::record::{GameRecord, Ply};
use crate::score::PackedScore;

/// A searched position with what the search and the game said about it, for trainers.
#[derive(Clone, Copy)]
pub struct Sample<V: Variant> {
    /// Board, hands and side to move.
    pub board: Board<V>,
    /// What the search found, from the point of view of the side to move.
    pub score: PackedScore,
    /// What the game brought the side to move: 1 for a win, 0 for a draw, -1 for a loss.
    pub result: i8,
    /// Plies played since the starting position, opening included.
    pub ply: usize,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The best move; `None` where it is not known: a random one was played instead, or the search was
    /// broken off.
    pub best: Option<Move>,
    /// Whether the move played was drawn at random.
    pub random: bool,
    /// Whether the search was broken off, so that its score stands for nothing.
    pub broken_off: bool,
    /// Whether the move played captures, on its way or at its end.
    pub captures: bool,
    /// Whether the move played promotes.
    pub promotes: bool,
}

impl<V: Variant> Sample<V> {
    /// Whether an evaluation without search can be held to the score: not in check, the best move
    /// known and neither capture nor promotion, the score within `limit` centipawns.
    #[must_use]
    pub fn is_quiet(&self, limit: i32) -> bool {
        !self.in_check
            && self.best.is_some()
            && !self.captures
            && !self.promotes
            && self.score.value().abs() <= limit
    }
}

/// How many positions of a game there were, by a part of their keys.
struct Seen([u8; 1 << 10]);

impl Seen {
    /// Whether this position may be there for the fourth time: never missed, and seldom said of others.
    fn fourth(&mut self, key: u64) -> bool {
        let place = key as usize % self.0.len();
        let Some(count) = self.0.get_mut(place) else { return false };
        *count = count.saturating_add(1);
        *count >= 4
    }
}

/// Replays a game, telling `visit` each searched position and what was played there; returns the
/// final position.
///
/// # Errors
/// If a move is not legal or made after the end, or the rules do not end the game as it says.
pub fn replay<V: Variant>(
    game: &GameRecord,
    mut visit: impl FnMut(&Position<V>, &Ply),
) -> Result<Position<V>, DataError> {
    let illegal = |fault: String| DataError::Illegal { number: game.number, fault };
    let mut position = Position::<V>::start();
    position.reserve(game.opening.len() + game.plies.len());
    let mut seen = Seen([0; 1 << 10]);
    let mut check = |position: &Position<V>, m: Move| {
        // After any other end no move is legal. To ask for the outcome everywhere takes half as long as the rest.
        let fourth = seen.fourth(position.key());
        let found = match fourth.then(|| position.outcome()).flatten() {
            None if position.is_legal(m) => return Ok(()),
            None => format!("found {m:?}"),
            Some(outcome) => format!("found {m:?} after the end ({})", Ending::from(outcome)),
        };
        Err(illegal(format!("expected a legal move in {}, {found}", position.sfen())))
    };
    for &m in &game.opening {
        check(&position, m)?;
        position.make(m);
    }
    for ply in &game.plies {
        check(&position, ply.m)?;
        visit(&position, ply);
        position.make(ply.m);
    }
    let by_rules = position.outcome().map(Into::into);
    // Impasse is claimed: the position alone does not end the game.
    let claimed = position.impasse().map(Into::into);
    let as_told = if game.ending.reason().is_by_rules() {
        by_rules == Some(game.ending) || claimed == Some(game.ending)
    } else {
        by_rules.is_none()
    };
    if as_told {
        return Ok(position);
    }
    let found = by_rules.map_or("nothing".to_owned(), |ending: Ending| ending.to_string());
    Err(illegal(format!(
        "expected the rules to end it as it says ({}), found {found} in {}",
        game.ending,
        position.sfen()
    )))
}

/// The samples of a game, one a searched ply.
///
/// # Errors
/// As for [`replay`].
pub fn samples<V: Variant>(game: &GameRecord) -> Result<Vec<Sample<V>>, DataError> {
    let mut samples: Vec<Sample<V>> = Vec::with_capacity(game.plies.len());
    let last = replay::<V>(game, |position, ply| {
        if let (Some(sample), Some((_, captures))) = (samples.last_mut(), position.last_move()) {
            sample.captures = captures;
        }
        samples.push(Sample {
            board: *position.board(),
            score: ply.score,
            result: game.ending.result(position.side()),
            ply: position.moves_made(),
            in_check: position.checked(),
            best: (!ply.random && !ply.broken_off).then_some(ply.m),
            random: ply.random,
            broken_off: ply.broken_off,
            captures: false,
            promotes: ply.m.promotes(),
        });
    })?;
    if let (Some(sample), Some((_, captures))) = (samples.last_mut(), last.last_move()) {
        sample.captures = captures;
    }
    Ok(samples)
}

/// The samples of all games of a file, one game in memory at a time.
pub struct Samples<V: Variant, R> {
    reader: Reader<R>,
    game: std::vec::IntoIter<Sample<V>>,
}

impl<V: Variant, R: std::io::Read> Samples<V, R> {
    /// The samples of what `reader` reads.
    ///
    /// # Errors
    /// If its games are of another game.
    pub fn new(reader: Reader<R>) -> Result<Self, DataError> {
        Ok(Self { reader: reader.of(V::ID)?, game: Vec::new().into_iter() })
    }

    /// Those of the next game, all together; `None` at the end.
    ///
    /// # Errors
    /// What is wrong with the game, or that the file cannot be read.
    pub fn next_game(&mut self) -> Option<Result<Vec<Sample<V>>, DataError>> {
        Some(self.reader.next()?.and_then(|game| samples::<V>(&game)))
    }
}

impl<V: Variant, R: std::io::Read> Iterator for Samples<V, R> {
    type Item = Result<Sample<V>, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(sample) = self.game.next() {
                return Some(Ok(sample));
            }
            match self.next_game()? {
                Ok(samples) => self.game = samples.into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
