//! Openings by seeded random play.

use std::collections::HashSet;
use std::marker::PhantomData;

use kujira_position::{Move, Position, Variant};
use kujira_statistics::Stream;

use crate::settings::Settings;

/// Where a game begins.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Its number in the run, from 0.
    pub number: u32,
    /// Moves from the starting position.
    pub moves: Vec<Move>,
    /// Random numbers for the rest of the game.
    pub random: Stream,
}

/// All openings of a run, in order, no two of them the same position. Each depends on the settings
/// and its number alone, so that a run that is taken up again makes the same ones.
#[derive(Debug)]
pub struct RandomOpenings<V: Variant> {
    seed: u64,
    plies: (usize, usize),
    next: u32,
    keys: HashSet<u64>,
    game: PhantomData<V>,
}

/// Candidates tried for one opening before there seems to be none left.
const MOST_TRIES: usize = 2_000;

impl<V: Variant> RandomOpenings<V> {
    /// The openings of a run, from number 0 on.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self {
            seed: settings.seed,
            plies: settings.random_plies,
            next: 0,
            keys: HashSet::new(),
            game: PhantomData,
        }
    }

    /// Makes the next opening.
    ///
    /// # Errors
    /// If there seem to be no more.
    pub fn make(&mut self) -> Result<Opening, String> {
        let number = self.next;
        let mut random = Stream::numbered(self.seed, number);
        for _ in 0..MOST_TRIES {
            if let Some((moves, key)) = self.candidate(&mut random)
                && self.keys.insert(key)
            {
                self.next = number.checked_add(1).ok_or("expected fewer openings than 2^32")?;
                return Ok(Opening { number, moves, random });
            }
        }
        let (least, most) = self.plies;
        Err(format!(
            "expected another opening of {least} to {most} random plies, found none in {MOST_TRIES} \
             tries after {number}: ask for more plies"
        ))
    }

    /// Makes the next opening that is wanted; those on the way there are made, too, and dropped.
    ///
    /// # Errors
    /// As for [`Self::make`].
    pub fn make_wanted(&mut self, wanted: impl Fn(u32) -> bool) -> Result<Opening, String> {
        loop {
            let opening = self.make()?;
            if wanted(opening.number) {
                return Ok(opening);
            }
        }
    }

    /// As [`Self::make_wanted`], but none of number `end` or a later one.
    ///
    /// # Errors
    /// As for [`Self::make`].
    pub fn make_before(
        &mut self,
        end: u32,
        wanted: impl Fn(u32) -> bool,
    ) -> Result<Option<Opening>, String> {
        while self.next < end {
            let opening = self.make()?;
            if wanted(opening.number) {
                return Ok(Some(opening));
            }
        }
        Ok(None)
    }

    /// The number of the opening that is made next.
    #[must_use]
    pub const fn next(&self) -> u32 {
        self.next
    }

    fn candidate(&self, random: &mut Stream) -> Option<(Vec<Move>, u64)> {
        let (least, most) = self.plies;
        let plies = least + random.below(most + 1 - least);
        let mut position = Position::<V>::start();
        let mut moves = Vec::with_capacity(plies);
        for _ in 0..plies {
            let legal = position.legal_moves();
            let m = *legal.get(random.below(legal.len()))?;
            moves.push(m);
            position.make(m);
            if position.outcome().is_some() {
                return None;
            }
        }
        Some((moves, position.key()))
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, VariantId, Whale};

    use super::*;

    fn settings(game: VariantId, random_plies: (usize, usize)) -> Settings {
        Settings { seed: 3, random_plies, ..Settings::new(game) }
    }

    fn distinct_and_repeatable<V: Variant>() {
        let settings = settings(V::ID, (4, 7));
        let mut openings = RandomOpenings::<V>::new(&settings);
        let made: Vec<Opening> = (0..300).map(|_| openings.make().unwrap()).collect();
        let mut keys = HashSet::new();
        for (number, opening) in made.iter().enumerate() {
            assert_eq!(opening.number as usize, number);
            assert!((4..=7).contains(&opening.moves.len()));
            let mut position = Position::<V>::start();
            for &m in &opening.moves {
                assert!(position.is_legal(m));
                position.make(m);
            }
            assert!(position.outcome().is_none() && keys.insert(position.key()));
        }
        let lengths: HashSet<usize> = made.iter().map(|opening| opening.moves.len()).collect();
        assert_eq!(lengths.len(), 4);
        // A run that is taken up again.
        let mut again = RandomOpenings::<V>::new(&settings);
        for opening in made.iter().filter(|opening| opening.number % 3 == 0) {
            let mut same = again.make_wanted(|number| number % 3 == 0).unwrap();
            assert_eq!(again.next(), opening.number + 1);
            assert_eq!((same.number, &same.moves), (opening.number, &opening.moves));
            assert_eq!(same.random.below(1000), opening.random.clone().below(1000));
        }
    }

    #[test]
    fn openings_are_distinct_and_repeatable() {
        distinct_and_repeatable::<Whale>();
        distinct_and_repeatable::<Paulowich>();
        distinct_and_repeatable::<Great>();
    }

    #[test]
    fn there_are_only_so_many() {
        let mut openings = RandomOpenings::<Whale>::new(&settings(VariantId::Whale, (2, 2)));
        let mut made = 0;
        let error = loop {
            match openings.make() {
                Ok(_) => made += 1,
                Err(error) => break error,
            }
        };
        // Distinct 6×6 positions after two plies.
        assert_eq!(made, 49);
        assert!(error.starts_with("expected another opening of 2 to 2 random plies"), "{error}");
    }

    #[test]
    fn streams_stay_the_same_for_ever() {
        let mut first = Stream::numbered(1, 0);
        let numbers = [first.below(1000), first.below(1000), first.below(1000)];
        assert_eq!(numbers, [148, 89, 875]);
        assert_eq!(first.below(0), 0);
        let mut second = Stream::numbered(1, 1);
        assert_ne!([second.below(1000), second.below(1000), second.below(1000)], numbers);
        assert!((0..1000).all(|_| (0.0..1.0).contains(&first.unit())));
    }
}
