//! Mates by checks alone, found by trying everything: slow, simple, and made of nothing that the solver is made of
//! but the rules, so that it can be tested against this.

use std::collections::HashMap;

use kujira_position::{Move, Position, Variant};

/// Whether whales are captured, so that nobody has to answer a check.
const fn captures<V: Variant>() -> bool {
    V::SPEC.captures_whales()
}

/// Searches by trying every move. What it finds out of a position it keeps.
#[derive(Debug, Default)]
pub struct Exhaustive {
    /// By position and plies: whether there is a mate.
    known: HashMap<(u64, usize), bool>,
    /// Positions it may look at; beyond that it gives up.
    left: u64,
    /// Whether it gave up.
    gave_up: bool,
}

impl Exhaustive {
    /// The plies of the shortest mate by checks alone, if there is one in at most `plies` (odd); `Err` once more than
    /// `effort` moves were made.
    ///
    /// Repetition is not looked at: in the shortest mate no position comes twice.
    ///
    /// # Errors
    /// If it takes more moves.
    pub fn shortest<V: Variant>(
        &mut self,
        position: &Position<V>,
        plies: usize,
        effort: u64,
    ) -> Result<Option<usize>, TooMuch> {
        self.known.clear();
        (self.left, self.gave_up) = (effort, false);
        let mut position = position.clone();
        let found = (1..=plies).step_by(2).find(|&plies| self.mates(&mut position, plies));
        if self.gave_up { Err(TooMuch) } else { Ok(found) }
    }

    /// The first moves that mate in at most `plies`.
    ///
    /// # Errors
    /// If it takes more than `effort` moves.
    pub fn first_moves<V: Variant>(
        &mut self,
        position: &Position<V>,
        plies: usize,
        effort: u64,
    ) -> Result<Vec<Move>, TooMuch> {
        self.known.clear();
        (self.left, self.gave_up) = (effort, false);
        let mut position = position.clone();
        let moves = position.legal_moves();
        let mating = moves.iter().copied().filter(|&m| self.mates_with(&mut position, m, plies));
        let mating = mating.collect();
        if self.gave_up { Err(TooMuch) } else { Ok(mating) }
    }

    /// Whether the side to move has a check after which the other is mated within `plies` from here.
    fn mates<V: Variant>(&mut self, position: &mut Position<V>, plies: usize) -> bool {
        if captures::<V>() && position.whale_attacked(!position.side()) {
            return true;
        }
        let at = (position.key(), plies);
        if let Some(&known) = self.known.get(&at) {
            return known;
        }
        let moves = position.legal_moves();
        let mates = moves.iter().any(|&m| self.mates_with(position, m, plies));
        self.known.insert(at, mates);
        mates
    }

    fn mates_with<V: Variant>(
        &mut self,
        position: &mut Position<V>,
        m: Move,
        plies: usize,
    ) -> bool {
        self.left = self.left.saturating_sub(1);
        self.gave_up |= self.left == 0;
        if self.gave_up {
            return false;
        }
        position.make(m);
        let mates = if position.whale(position.side()).is_empty() {
            true
        } else {
            position.checked() && self.is_mated(position, plies - 1)
        };
        position.undo();
        mates
    }

    /// Whether the side to move, in check, is mated within `plies` whatever it plays.
    fn is_mated<V: Variant>(&mut self, position: &mut Position<V>, plies: usize) -> bool {
        if captures::<V>() && position.whale_attacked(!position.side()) {
            return false;
        }
        let replies = position.legal_moves();
        if replies.is_empty() {
            // Where whales are captured that is the end of the game, but no capture.
            return !captures::<V>();
        }
        plies >= 2
            && replies.iter().all(|&m| {
                position.make(m);
                let mates = self.mates(position, plies - 1);
                position.undo();
                mates
            })
    }
}

/// It would have taken too many moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMuch;
