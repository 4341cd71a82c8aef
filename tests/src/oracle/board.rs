//! Squares, pieces, the board and the hands.

use super::Oracle;
use super::game::{Gait, Offset, Species};

/// Files and ranks of the largest board; smaller games use a corner of it.
const LARGEST: usize = 11;
/// Species of the game that has most: 16 adults and 11 calves.
const MOST_SPECIES: usize = 27;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Color {
    Black,
    White,
}

impl Color {
    pub(super) const fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    pub(super) const fn index(self) -> usize {
        match self {
            Self::Black => 0,
            Self::White => 1,
        }
    }
}

/// A square as USI numbers it: file from 1 at Black's right, rank from 1 (`a`)
/// at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Square {
    pub(super) file: i8,
    pub(super) rank: i8,
}

impl std::fmt::Display for Square {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letter = ('a'..='k')
            .zip(1i8..)
            .find(|&(_, rank)| rank == self.rank)
            .map_or('?', |(letter, _)| letter);
        write!(f, "{}{letter}", self.file)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) color: Color,
    /// Place in [`Game::species`](super::Game::species).
    pub(super) species: usize,
    pub(super) promoted: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board([[Option<Piece>; LARGEST]; LARGEST]);

impl Board {
    pub(super) const fn empty() -> Self {
        Self([[None; LARGEST]; LARGEST])
    }

    pub(super) fn get(&self, square: Square) -> Option<Piece> {
        self.0[index(square.file)][index(square.rank)]
    }

    pub(super) fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.0[index(square.file)][index(square.rank)] = piece;
    }
}

fn index(coordinate: i8) -> usize {
    usize::try_from(coordinate - 1).expect("files and ranks count from 1")
}

/// How many of each species each side has in hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hands([[u16; MOST_SPECIES]; 2]);

impl Hands {
    pub(super) const fn empty() -> Self {
        Self([[0; MOST_SPECIES]; 2])
    }

    pub(super) fn count(&self, color: Color, species: usize) -> u16 {
        self.0[color.index()][species]
    }

    pub(super) fn count_mut(&mut self, color: Color, species: usize) -> &mut u16 {
        &mut self.0[color.index()][species]
    }
}

/// What the other modules ask of a position.
impl Oracle {
    /// Every square of the board.
    pub(super) fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let size = self.game.size();
        (1..=size).flat_map(move |rank| (1..=size).map(move |file| Square { file, rank }))
    }

    pub(super) fn species(&self, piece: Piece) -> &'static Species {
        &self.game.species()[piece.species]
    }

    /// How `piece` moves now.
    pub(super) fn gait(&self, piece: Piece) -> &'static Gait {
        let species = self.species(piece);
        match &species.promoted {
            Some(promoted) if piece.promoted => promoted,
            _ => &species.own,
        }
    }

    /// The square `offset` away from `from` as `color` sees it, if it is on the
    /// board.
    pub(super) fn neighbour(&self, from: Square, color: Color, offset: Offset) -> Option<Square> {
        let (right, forward) = offset;
        // Forward is up and right is towards file 1 for Black; White's pieces
        // are Black's turned round.
        let square = match color {
            Color::Black => Square { file: from.file - right, rank: from.rank - forward },
            Color::White => Square { file: from.file + right, rank: from.rank + forward },
        };
        let on_board = 1..=self.game.size();
        (on_board.contains(&square.file) && on_board.contains(&square.rank)).then_some(square)
    }

    /// The rank of `square` counted from the one farthest from `color`, which
    /// is 1.
    pub(super) fn rank_from_farthest(&self, square: Square, color: Color) -> i8 {
        match color {
            Color::Black => square.rank,
            Color::White => self.game.size() + 1 - square.rank,
        }
    }

    pub(super) fn is_empty(&self, square: Square) -> bool {
        self.board.get(square).is_none()
    }

    pub(super) fn holds(&self, square: Square, color: Color) -> bool {
        self.board.get(square).is_some_and(|piece| piece.color == color)
    }

    /// Where the white whale of `color` stands, if it still does.
    pub(super) fn whale_square(&self, color: Color) -> Option<Square> {
        self.squares().find(|&square| {
            self.board
                .get(square)
                .is_some_and(|piece| piece.color == color && self.species(piece).royal)
        })
    }

    /// How many unpromoted dolphins or calves of `color` stand on a file.
    ///
    /// A dolphin on the farthest rank is still a dolphin and counts.
    pub(super) fn minors_on_file(&self, color: Color, file: i8) -> usize {
        self.squares()
            .filter(|square| square.file == file)
            .filter_map(|square| self.board.get(square))
            .filter(|&piece| piece.color == color && !piece.promoted && self.species(piece).minor)
            .count()
    }
}
