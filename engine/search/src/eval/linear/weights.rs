//! The weights of the linear evaluation, laid out for adding up.

use std::marker::PhantomData;

use kujira_position::{Board, Color, Kind, Piece, Square, Variant};

use super::extraction::Sink;
use super::features::{FILES, Features, OFFSETS};
use crate::eval::dirty_pieces::{Place, Step, byte, piece_code};

/// Weights laid out for looking up, with White's signs turned.
pub(in crate::eval) struct LinearWeights<V> {
    /// The weight of a piece on its square: `[piece][square]`, in rows of [`ROW`].
    placed: Box<[i32; PIECES * ROW]>,
    /// The weight of a piece as seen from a whale: `[color of the whale][piece][offset]`, in rows of [`ROW`].
    seen: [Box<[i32; PIECES * ROW]>; 2],
    /// Offsets as Black sees the board, `[whale][square]`, in rows of [`ROW`].
    offsets: Box<[u8; ROW * ROW]>,
    /// The weights of everything else.
    pub(super) tally: Tally,
    game: PhantomData<V>,
}

/// More squares and offsets than there are. Rows of tables are so long, and tables have so many of them,
/// that indices put together by shifts need no check.
const ROW: usize = 128;

/// As many pieces as a [`Place`] tells apart.
const PIECES: usize = 256;

/// The index of an element in a table of rows.
#[inline(always)]
const fn index(row: usize, column: usize) -> usize {
    (row & (PIECES - 1)) << ROW.ilog2() | column & (ROW - 1)
}

impl<V: Variant> LinearWeights<V> {
    /// Lays out weights, by feature.
    pub(in crate::eval) fn new(weights: &[i32]) -> Self {
        let (spec, geometry) = (V::SPEC, V::SPEC.geometry);
        const { assert!(OFFSETS <= ROW && Place::codes::<V>() <= PIECES) };
        let of = |feature: usize| weights[feature];
        let mut placed = Box::new([0; PIECES * ROW]);
        let mut seen = [(); 2].map(|()| Box::new([0; PIECES * ROW]));
        let mut offsets = Box::new([0; ROW * ROW]);
        for kind in spec.all_kinds() {
            let class = spec.class_of(kind).index();
            let (black, white) = (
                piece_code(Piece::new(Color::Black, kind)),
                piece_code(Piece::new(Color::White, kind)),
            );
            for square in geometry.reading_order() {
                let value = of(Features::<V>::square(class, square))
                    + of(Features::<V>::rank(kind, square));
                placed[index(black, square.index())] = value;
                placed[index(white, geometry.turned(square).index())] = -value;
            }
            if kind == Kind::WHALE {
                continue;
            }
            for offset in 0..OFFSETS {
                // Turned round, an offset has its ranks the other way.
                let turned = OFFSETS - FILES - offset / FILES * FILES + offset % FILES;
                let own = of(Features::<V>::own_whale(class, offset));
                let enemy = of(Features::<V>::enemy_whale(class, offset));
                seen[Color::Black.index()][index(black, offset)] = own;
                seen[Color::White.index()][index(black, offset)] = enemy;
                seen[Color::White.index()][index(white, turned)] = -own;
                seen[Color::Black.index()][index(white, turned)] = -enemy;
            }
        }
        for whale in geometry.reading_order() {
            for square in geometry.reading_order() {
                let offset = Features::<V>::offset(Color::Black, whale, square);
                offsets[index(whale.index(), square.index())] = byte(offset);
            }
        }
        Self { placed, seen, offsets, tally: Tally::new::<V>(weights), game: PhantomData }
    }

    /// What a piece, given by its code, on `square` counts beside the whale of `color` on `whale`: how it
    /// is seen from there, and for the black one its place.
    #[inline(always)]
    fn at(&self, color: Color, whale: Square, code: usize, square: Square) -> i32 {
        // Whales have fewer rows than pieces.
        let offset = self.offsets[index(whale.index() & (ROW - 1), square.index())];
        let seen = self.seen[color.index()][index(code, usize::from(offset))];
        match color {
            Color::Black => seen + self.placed[index(code, square.index())],
            Color::White => seen,
        }
    }

    /// What a step changed of the sum of [`Self::at`] over all pieces on the board.
    #[inline(always)]
    pub(super) fn difference(&self, color: Color, whale: Square, step: &Step) -> i32 {
        let at = |place: Place| {
            place.square().map_or(0, |square| self.at(color, whale, place.code(), square))
        };
        step.changes.iter().map(|&(gone, come)| at(come) - at(gone)).sum()
    }

    /// The sum of [`Self::at`] over all pieces on the board.
    pub(super) fn view(&self, board: &Board<V>, color: Color, whale: Square) -> i32 {
        board
            .occupied()
            .into_iter()
            .filter_map(|square| Some((board.piece_on(square)?, square)))
            .map(|(piece, square)| self.at(color, whale, piece_code(piece), square))
            .sum()
    }
}

/// Weights by feature.
pub(super) struct Tally {
    single: Box<[i32]>,
    /// Weights by feature, each with those before it in its row added where the row climbs.
    climbed: Box<[i32]>,
}

impl Tally {
    /// A tally with the weights of all features.
    pub(super) fn new<V: Variant>(features: &[i32]) -> Self {
        let mut climbed = features.to_vec();
        for row in Features::<V>::rows().iter().filter(|row| row.climbs) {
            for feature in row.first + 1..row.first + row.width {
                climbed[feature] += climbed[feature - 1];
            }
        }
        Self { single: features.into(), climbed: climbed.into() }
    }

    /// Begins a sum.
    #[inline(always)]
    pub(super) fn sum(&self, start: i32) -> Sum<'_> {
        Sum { tally: self, sum: start }
    }
}

/// Adds up weights of features.
pub(super) struct Sum<'a> {
    tally: &'a Tally,
    pub(super) sum: i32,
}

impl Sink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, feature: usize, times: i32) {
        self.sum += times * self.tally.single[feature];
    }

    #[inline(always)]
    fn climb(&mut self, first: usize, steps: usize, times: i32) {
        if steps > 0 {
            self.sum += times * self.tally.climbed[first + steps - 1];
        }
    }
}
