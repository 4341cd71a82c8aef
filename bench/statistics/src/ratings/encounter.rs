//! What two players did against each other.

use crate::counts::Pentanomial;

/// All games of two players in one setting, from the point of view of the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// The two players by number.
    pub players: [usize; 2],
    /// What was played (the game, its rules, a handicap) by number: Black is worth something else in each.
    pub setting: usize,
    /// Losses, draws, wins with Black, then with White.
    pub by_color: [[u64; 3]; 2],
    /// Those of the same games that were pairs, by points; none where nothing is known of pairs.
    pub pairs: Pentanomial,
}

impl Encounter {
    /// Games of which nothing is known of pairs, all of one setting: losses, draws, wins of the first of the two
    /// players with Black, then with White.
    #[must_use]
    pub fn of_games(players: [usize; 2], by_color: [[u64; 3]; 2]) -> Self {
        Self { players, setting: 0, by_color, pairs: Pentanomial::default() }
    }
}
