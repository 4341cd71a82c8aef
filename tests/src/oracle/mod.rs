//! A slow, simple move generator for the three games, to compare fast ones with.
//!
//! It is written straight from the rules text and shares nothing with any
//! other code of the project: no bitboards, no tables but the piece tables of
//! the rules, no incremental state. Text goes in (SFEN, USI moves) and text
//! comes out, so that a comparison can depend on nothing but text. Where a rule
//! can be decided by trying (is the whale safe, is this drop mate), it is
//! decided by trying.
//!
//! Repetition, impasse and handicaps are no concern of a move generator and are
//! not here.

mod board;
mod drops;
mod game;
mod lions;
mod moves;
#[cfg(test)]
mod tests;
mod text;
mod turned;

use board::{Board, Color, Hands};

pub use game::Game;

/// The rule switches that change which moves exist; the default is all off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// A dolphin's retreat from the farthest rank covers at most two squares.
    pub retreat_two: bool,
    /// A dolphin may not retreat from the farthest rank onto a file that
    /// already holds two or more dolphins of its side. It still attacks the
    /// squares there.
    pub retreat_file_limit: bool,
}

/// On how many squares a drop of a dolphin or calf gives check, by what becomes
/// of it: a measure of how well a set of positions tries the rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactDrops {
    /// Refused: they mate.
    pub mating: u64,
    /// Refused, and more than the whale can take the dropped piece: others mate,
    /// or the taker is pinned.
    pub mating_though_taken: u64,
    /// Legal.
    pub legal: u64,
    /// Legal for one reason only: the reply captures the dropper's own whale.
    pub saved_by_capture: u64,
}

/// A position of one of the three games, under given rule switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oracle {
    game: Game,
    switches: Switches,
    board: Board,
    hands: Hands,
    side: Color,
    ply: u32,
}

impl Oracle {
    /// The starting position of `game`, all switches off.
    ///
    /// # Panics
    ///
    /// Never: the starting positions are constants, and the tests read them.
    #[must_use]
    pub fn start(game: Game) -> Self {
        Self::from_sfen(game, game.start_sfen(), Switches::default())
            .expect("the starting positions are well-formed")
    }

    /// The position written in `sfen`.
    ///
    /// Only the syntax is checked: positions that cannot arise are accepted,
    /// among them those without a white whale, which count as final.
    ///
    /// # Errors
    ///
    /// Says what was expected and what was found, if `sfen` is not well-formed.
    pub fn from_sfen(game: Game, sfen: &str, switches: Switches) -> Result<Self, String> {
        text::read(game, sfen, switches)
    }

    /// The canonical SFEN: hands in the order of the rules' table, Black's
    /// first, `-` if both are empty.
    #[must_use]
    pub fn sfen(&self) -> String {
        text::write(self)
    }

    /// Every legal move in canonical USI text, sorted, each once.
    ///
    /// Empty where a whale has been captured.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.legal_moves().iter().map(ToString::to_string).collect();
        texts.sort();
        texts
    }

    /// Every legal move with the position after it, in no particular order.
    #[must_use]
    pub fn successors(&self) -> Vec<(String, Self)> {
        self.legal_moves().into_iter().map(|mv| (mv.to_string(), self.after(mv))).collect()
    }

    /// What became of the drops here that give check by a dolphin or a calf.
    #[must_use]
    pub fn contact_drops(&self) -> ContactDrops {
        drops::contact(self)
    }

    /// The position after the move `usi`.
    ///
    /// # Errors
    ///
    /// If `usi` is not, letter by letter, one of [`Oracle::moves`].
    pub fn play(&self, usi: &str) -> Result<Self, String> {
        self.legal_moves()
            .into_iter()
            .find(|mv| mv.to_string() == usi)
            .map(|mv| self.after(mv))
            .ok_or_else(|| {
                format!("expected the text of a legal move in `{}`, found `{usi}`", self.sfen())
            })
    }

    /// Whether the opponent, if it were to move now, could capture the white
    /// whale of the side to move, by whatever piece.
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.can_capture_whale(self.side.opponent())
    }

    /// Whether a side is without white whale, which ends the game.
    #[must_use]
    pub fn whale_captured(&self) -> bool {
        [Color::Black, Color::White].into_iter().any(|color| self.whale_square(color).is_none())
    }

    /// The number of lines of exactly `depth` legal moves from here.
    ///
    /// A line that ends early, by the capture of a whale or for want of a legal
    /// move, has no leaf.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        let Some(below) = depth.checked_sub(1) else {
            return 1;
        };
        self.legal_moves()
            .into_iter()
            .map(|mv| {
                // A leaf is a leaf whatever it looks like: no need to play the
                // last move of a line.
                if below == 0 { 1 } else { self.after(mv).perft(below) }
            })
            .sum()
    }

    /// The same position seen from the other side: the board turned by 180
    /// degrees, with colours, hands and side to move swapped.
    #[must_use]
    pub fn turned(&self) -> Self {
        turned::position(self)
    }
}
