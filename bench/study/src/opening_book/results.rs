//! How games went on from the positions of their first plies.

use std::collections::{HashMap, HashSet};

use kujira_position::{Move, Position, Variant};
use kujira_record::list::Opening;
use kujira_record::played::GameRecord;
use kujira_usi::Side;

/// Games by their results.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Won by Black.
    pub black: u32,
    /// Drawn.
    pub draws: u32,
    /// Won by White.
    pub white: u32,
}

impl Tally {
    /// All of them.
    #[must_use]
    pub fn games(self) -> u32 {
        self.black + self.draws + self.white
    }

    fn add(&mut self, winner: Option<Side>) {
        match winner {
            Some(Side::Black) => self.black += 1,
            Some(Side::White) => self.white += 1,
            None => self.draws += 1,
        }
    }
}

/// A position that games came to.
#[derive(Clone, Debug)]
pub(super) struct Occurred<V: Variant> {
    pub(super) position: Position<V>,
    /// The moves played there, each with what became of the games.
    pub(super) moves: Vec<(Move, Tally)>,
}

impl<V: Variant> Occurred<V> {
    pub(super) fn games(&self) -> u32 {
        self.moves.iter().map(|(_, tally)| tally.games()).sum()
    }
}

/// What became of games, by the positions of their first plies, in whatever order of moves they came there.
#[derive(Clone, Debug)]
pub struct Results<V: Variant> {
    plies: usize,
    positions: HashMap<u64, Occurred<V>>,
}

impl<V: Variant> Results<V> {
    /// No games yet; of each so many plies count.
    #[must_use]
    pub fn new(plies: usize) -> Self {
        Self { plies, positions: HashMap::new() }
    }

    /// Adds a game; whether it counts: one that began elsewhere, or that time or a failure ended, does not.
    ///
    /// # Errors
    /// If a move is not legal.
    pub fn add(&mut self, game: &GameRecord) -> Result<bool, String> {
        let played: Opening = game.usi().parse()?;
        if played.sfen.is_some() || !game.ending.reason.is_regular() {
            return Ok(false);
        }
        let mut position = Position::<V>::start();
        let mut passed = Vec::new();
        let mut known = HashSet::new();
        for (index, text) in played.moves.iter().take(self.plies).enumerate() {
            let m = position.parse_usi(text);
            let m = m.map_err(|error| format!("move {}: {error}", index + 1))?;
            // Where a game comes back it counts once.
            if known.insert(position.key()) {
                passed.push((position.clone(), m));
            }
            position.make(m);
        }
        for (position, m) in passed {
            self.occurred(&position, m).add(game.ending.winner);
        }
        Ok(true)
    }

    fn occurred(&mut self, position: &Position<V>, m: Move) -> &mut Tally {
        let new = || Occurred { position: position.clone(), moves: Vec::new() };
        let moves = &mut self.positions.entry(position.key()).or_insert_with(new).moves;
        let index = moves.iter().position(|(known, _)| *known == m).unwrap_or_else(|| {
            moves.push((m, Tally::default()));
            moves.len() - 1
        });
        &mut moves[index].1
    }

    /// The position with this key, if so many games came there.
    pub(super) fn at(&self, key: u64, least: u32) -> Option<&Occurred<V>> {
        self.positions.get(&key).filter(|occurred| occurred.games() >= least)
    }

    /// The positions that so many games came to, in no order.
    pub(super) fn common(&self, least: u32) -> impl Iterator<Item = &Occurred<V>> {
        self.positions.values().filter(move |occurred| occurred.games() >= least)
    }
}
