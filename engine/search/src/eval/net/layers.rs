//! A network laid out for looking up.

use std::marker::PhantomData;
use std::sync::Arc;

use arrayvec::ArrayVec;
use kujira_position::{Bitboard, Board, Color, Kind, Piece, Square, Variant};

use super::file::Net;
use super::inputs::{Inputs, View};
use super::kernels::{Block, Kernel, LANES};
use super::{ACTIVATION, OUTPUT};
use crate::eval::Terms;
use crate::eval::weights::UNIT;
use crate::score::{EVAL_LIMIT, Value};

/// What a sum of the output layer is divided by to give the output.
pub(super) const ONE: i64 = ACTIVATION as i64 * ACTIVATION as i64 * OUTPUT as i64;

/// As many pieces as any game has.
const MOST_ATTACKED: usize = 64;

/// Something a network sees, whoever looks: a piece on a square, or one of the pieces in a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    piece: Piece,
    /// A square, or [`Self::HELD`] and so many pieces of the kind held before this one.
    at: u8,
}

impl Place {
    /// Beyond all squares.
    const HELD: u8 = 128;

    /// A piece on a square.
    #[inline(always)]
    pub(super) fn on(piece: Piece, square: Square) -> Self {
        Self { piece, at: square.index() as u8 }
    }

    /// A piece in the hand of its color, with `before` of its kind held already.
    #[inline(always)]
    pub(super) fn held(piece: Piece, before: usize) -> Self {
        Self { piece, at: Self::HELD + before as u8 }
    }
}

/// The weights of a network, by what pieces are and where.
///
/// Where a piece on the board has two inputs, their weights are added up beforehand: one row a place.
pub struct Layers<V> {
    pub(super) kernel: Kernel,
    /// Blocks of a row.
    pub(super) blocks: usize,
    /// Weights of places: `[ours, theirs][kind][square]`, then `[ours, theirs][place in hand]`, then of
    /// attacked pieces, `[ours, theirs][move class][square]`; flat.
    rows: Box<[Block]>,
    biases: Box<[Block]>,
    /// `[bucket][side to move, other][block]`, flat.
    outputs: Box<[Block]>,
    output_biases: Box<[i32]>,
    /// In sixteenths of a centipawn.
    scale: i64,
    /// The linear part, if there is one.
    pub(super) linear: Option<Arc<Terms<V>>>,
    /// What each kind promotes to, itself if it does not.
    pub(super) promoted: Box<[Kind]>,
    /// What each kind is in the captor's hand.
    pub(super) captured: Box<[Kind]>,
    game: PhantomData<V>,
}

fn blocks(numbers: &[i16]) -> Box<[Block]> {
    Block::row(numbers).collect()
}

impl<V: Variant> Layers<V> {
    /// Rows of pieces on the board; those of hands and of attacked pieces follow.
    const ON_BOARD: usize = {
        assert!(Inputs::<V>::PIECES <= MOST_ATTACKED);
        2 * V::SPEC.kinds.len() * Inputs::<V>::AREA
    };

    /// Lays out a network for the fastest kernel of this machine.
    ///
    /// # Panics
    /// If [`Net::check`] refuses it.
    #[must_use]
    pub fn new(net: &Net) -> Self {
        if let Err(error) = net.check::<V>() {
            panic!("a network that was not checked: {error}");
        }
        Self::with_kernel(net, Kernel::detect())
    }

    pub(super) fn with_kernel(net: &Net, kernel: Kernel) -> Self {
        let spec = V::SPEC;
        let mut rows = Vec::new();
        for theirs in [false, true] {
            for kind in spec.all_kinds() {
                for seen in 0..Inputs::<V>::AREA {
                    let mut row = net.row(Inputs::<V>::square(theirs, kind, seen)).to_vec();
                    if Inputs::<V>::RANKED {
                        let more = net.row(Inputs::<V>::rank(theirs, kind, seen));
                        for (weight, more) in row.iter_mut().zip(more) {
                            // Sums that count fit in the end, see the kernels.
                            *weight = weight.wrapping_add(*more);
                        }
                    }
                    rows.extend(Block::row(&row));
                }
            }
        }
        rows.extend(Block::row(&net.weights[Inputs::<V>::HANDS * net.hidden..]));
        let linear = (!net.linear.is_empty()).then(|| Arc::new(Terms::new(&net.linear)));
        let named = |token: &str| spec.kind_named(token);
        Self {
            kernel,
            blocks: net.hidden / LANES,
            rows: rows.into_boxed_slice(),
            biases: blocks(&net.biases),
            outputs: blocks(&net.outputs),
            output_biases: net.output_biases.clone().into_boxed_slice(),
            scale: i64::from(net.scale * UNIT),
            linear,
            promoted: spec
                .all_kinds()
                .map(|kind| spec.kind(kind).promotes_to.map_or(kind, named))
                .collect(),
            captured: spec.all_kinds().map(|kind| named(spec.kind(kind).in_hand)).collect(),
            game: PhantomData,
        }
    }

    /// Number of hidden units of each view.
    #[must_use]
    pub fn hidden(&self) -> usize {
        self.blocks * LANES
    }

    /// The weights of a place in a view.
    #[inline(always)]
    pub(super) fn row(&self, view: View, place: Place) -> &[Block] {
        let (theirs, kind) = (place.piece.color() != view.us(), place.piece.kind());
        let row = if place.at < Place::HELD {
            let seen = Inputs::<V>::seen(view, Square::from_index(usize::from(place.at)));
            (usize::from(theirs) * V::SPEC.kinds.len() + kind.index()) * Inputs::<V>::AREA + seen
        } else {
            let before = usize::from(place.at - Place::HELD);
            Self::ON_BOARD + Inputs::<V>::hand(theirs, kind) - Inputs::<V>::HANDS + before
        };
        &self.rows[row * self.blocks..][..self.blocks]
    }

    /// Where the weights begin, in blocks, that a piece adds in a view while it is attacked.
    #[inline(always)]
    fn attacked(&self, view: View, piece: Piece, at: Square) -> u32 {
        let (theirs, seen) = (piece.color() != view.us(), Inputs::<V>::seen(view, at));
        let input = Inputs::<V>::attacked(theirs, piece.kind(), seen);
        ((Self::ON_BOARD + input - Inputs::<V>::HANDS) * self.blocks) as u32
    }

    /// The units of a view computed from nothing, but for attacked pieces.
    pub(super) fn units_anew(&self, board: &Board<V>, us: Color, units: &mut [Block]) {
        units.copy_from_slice(&self.biases);
        let view = View::of(board, us);
        let mut add = |place| self.kernel.add(units, self.row(view, place));
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                add(Place::on(piece, square));
            }
        }
        for owner in Color::BOTH {
            let hand = board.hand(owner);
            for kind in hand.iter() {
                for before in 0..hand.count(kind) {
                    add(Place::held(Piece::new(owner, kind), before));
                }
            }
        }
    }

    /// The score for the side to move, of the units of its view and of the other side's, to which attacked
    /// pieces, those on `under_attack`, are still to be added; `linear` is the linear part, in sixteenths
    /// of a centipawn.
    #[inline(always)]
    pub(super) fn score(
        &self,
        board: &Board<V>,
        [ours, theirs]: [&[Block]; 2],
        under_attack: Bitboard<V::Bits>,
        linear: i32,
    ) -> Value {
        let views = [board.side(), !board.side()].map(|us| View::of(board, us));
        let mut more = [const { ArrayVec::<u32, MOST_ATTACKED>::new_const() }; 2];
        for at in under_attack {
            let Some(piece) = board.piece_on(at) else { continue };
            for (more, view) in more.iter_mut().zip(views) {
                // There are no more pieces than have room.
                more.push(self.attacked(view, piece, at));
            }
        }
        let bucket = Inputs::<V>::bucket(board, self.output_biases.len());
        let weights = &self.outputs[bucket * 2 * self.blocks..][..2 * self.blocks];
        let (our_weights, their_weights) = weights.split_at(self.blocks);
        // At most 1024 × 8,258,175 + 2^31, below 2^34; times the scale below 2^52.
        let sum = self.kernel.weigh(ours, &self.rows, &more[0], our_weights)
            + self.kernel.weigh(theirs, &self.rows, &more[1], their_weights)
            + i64::from(self.output_biases[bucket]);
        let score = sum * self.scale / ONE + i64::from(linear);
        let limit = i64::from(EVAL_LIMIT);
        (score / i64::from(UNIT)).clamp(-limit, limit) as Value
    }
}
