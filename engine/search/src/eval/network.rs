//! A network laid out for looking up.

use std::marker::PhantomData;

use arrayvec::ArrayVec;
use kujira_position::{Bitboard, Board, Color, Piece, Square, Variant};

use super::inputs::{Inputs, View};
use super::kernels::{Block, Kernel, LANES};
use super::network_file::{ACTIVATION, NetworkError, NetworkFile, OUTPUT};
use super::piece_values::PieceValues;
use crate::eval::dirty_pieces::Place;
use crate::eval::siege;
use crate::score::{EVAL_LIMIT, Value};

/// What a sum of the output layer is divided by to give the output.
pub(super) const ONE: i64 = ACTIVATION as i64 * ACTIVATION as i64 * OUTPUT as i64;

/// The weights of a network, by what pieces are and where.
///
/// Where a place has two inputs, their weights are added up beforehand: one row a place and zone of the whale.
pub struct Network<V> {
    pub(super) kernel: Kernel,
    /// Hidden units.
    hidden: usize,
    /// Blocks of a row.
    pub(super) blocks: usize,
    /// Weights of places: for each zone `[ours, theirs][kind][square]`, then `[ours, theirs][place in hand]`;
    /// then of attacked pieces, `[defended or not][ours, theirs][move class][square]`; then of both sieges; flat.
    rows: Box<[Block]>,
    /// The first row of a piece in the first zone, by [`Place::code`], in the view of each color.
    first: [Box<[u32; CODES]>; 2],
    /// The first row of what a piece adds while it is attacked, by [`Place::code`], in the view of each color.
    attacked: [Box<[u32; CODES]>; 2],
    /// The first row of sieges.
    siege: usize,
    biases: Box<[Block]>,
    /// `[bucket][side to move, other][block]`, flat; 0 for the direct unit.
    outputs: Box<[Block]>,
    /// The output weights of the direct unit, `[bucket][side to move, other]`.
    direct: Box<[[i64; 2]]>,
    output_biases: Box<[i32]>,
    /// What an output of 1 counts, in centipawns.
    scale: i64,
    /// What a dolphin or the average calf in hand counts, in centipawns.
    pawn: i32,
    /// What pieces are worth in exchanges.
    piece_values: PieceValues,
    game: PhantomData<V>,
}

/// At least as many pieces as any game has.
const MOST_PIECES: usize = 64;

/// Entries of a table by code: as many as a byte has values, so that no index is checked.
const CODES: usize = 256;

/// The number of a row or block as tables hold it.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a network has fewer than 2^32 blocks")]
const fn word(number: usize) -> u32 {
    debug_assert!(number <= u32::MAX as usize);
    number as u32
}

/// A score in whole centipawns, cut off at the limit of evaluations.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "within the limit")]
pub(super) fn centipawns(score: i64) -> Value {
    let limit = i64::from(EVAL_LIMIT);
    score.clamp(-limit, limit) as Value
}

fn blocks(numbers: &[i16]) -> Box<[Block]> {
    Block::row(numbers).collect()
}

impl<V: Variant> Network<V> {
    /// Rows of pieces on the board in a zone; those of hands follow.
    const ON_BOARD: usize = 2 * V::SPEC.kinds.len() * Inputs::<V>::AREA;

    /// Rows of a zone, of pieces on the board and in hand.
    const ROWS_OF_ZONE: usize = Self::ON_BOARD + Inputs::<V>::HANDS.end - Inputs::<V>::HANDS.start;

    /// Lays out a network for the fastest kernel of this machine.
    ///
    /// # Panics
    /// If [`NetworkFile::check`] refuses it.
    #[must_use]
    pub fn new(net: &NetworkFile) -> Self {
        if let Err(error) = net.check::<V>() {
            panic!("a network that was not checked: {error}");
        }
        Self::with_kernel(net, Kernel::detect())
    }

    /// The network in a file, laid out for the fastest kernel of this machine.
    ///
    /// # Errors
    /// If the bytes are no network for the game.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        Ok(Self::with_kernel(&NetworkFile::from_bytes::<V>(bytes)?, Kernel::detect()))
    }

    /// The network that the program was built with for the game.
    pub(crate) fn built_in() -> Self {
        Self::with_kernel(&NetworkFile::built_in::<V>(), Kernel::detect())
    }

    /// What pieces are worth in exchanges.
    pub(crate) fn piece_values(&self) -> &PieceValues {
        &self.piece_values
    }

    pub(super) fn with_kernel(net: &NetworkFile, kernel: Kernel) -> Self {
        let mut rows = Vec::new();
        let mut add = |inputs: &mut dyn Iterator<Item = usize>| {
            let mut row = vec![0_i16; net.hidden];
            for input in inputs {
                for (weight, more) in row.iter_mut().zip(net.row(input)) {
                    // Sums that count fit in the end, see the kernels.
                    *weight = weight.wrapping_add(*more);
                }
            }
            rows.extend(Block::row(&row));
        };
        for zone in 0..Inputs::<V>::ZONES {
            for theirs in [false, true] {
                for kind in V::SPEC.all_kinds() {
                    for seen in 0..Inputs::<V>::AREA {
                        add(&mut Inputs::<V>::on_board(zone, theirs, kind, seen));
                    }
                }
            }
            Inputs::<V>::HANDS
                .for_each(|input| add(&mut [Inputs::<V>::placed(zone, input)].into_iter()));
        }
        Inputs::<V>::ATTACKED.for_each(|input| add(&mut [input].into_iter()));
        let siege = Inputs::<V>::ZONES * Self::ROWS_OF_ZONE + Inputs::<V>::ATTACKED.len();
        Inputs::<V>::SIEGE.for_each(|input| add(&mut [input].into_iter()));
        let views: Vec<&[i16]> = net.outputs.chunks(net.hidden).collect();
        let direct = |view: &[i16]| i64::from(view[net.direct()]);
        let clipped =
            |view: &&[i16]| Block::row(&[&view[..net.direct()], &[0]].concat()).collect::<Vec<_>>();
        Self {
            kernel,
            hidden: net.hidden,
            blocks: net.hidden.div_ceil(LANES),
            rows: rows.into_boxed_slice(),
            first: Color::BOTH.map(Self::first_rows),
            attacked: Color::BOTH.map(Self::attacked_rows),
            siege,
            biases: blocks(&net.biases),
            outputs: views.iter().flat_map(clipped).collect(),
            direct: views.chunks(2).map(|pair| [direct(pair[0]), direct(pair[1])]).collect(),
            output_biases: net.output_biases.clone().into_boxed_slice(),
            scale: i64::from(net.scale),
            pawn: net.pawn,
            piece_values: PieceValues::of::<V>(net),
            game: PhantomData,
        }
    }

    /// The first row of each piece in the view of `us`, in the first zone, by [`Place::code`].
    fn first_rows(us: Color) -> Box<[u32; CODES]> {
        const { assert!(Place::codes::<V>() <= CODES, "an entry for every code") };
        let spec = V::SPEC;
        let mut first = Box::new([0; CODES]);
        for kind in spec.all_kinds() {
            for color in Color::BOTH {
                let (piece, theirs) = (Piece::new(color, kind), color != us);
                let row =
                    (usize::from(theirs) * spec.kinds.len() + kind.index()) * Inputs::<V>::AREA;
                first[Place::on(piece, Square::from_index(0)).code()] = word(row);
                if (1..=spec.hand_kinds).contains(&kind.index()) {
                    let row = Self::ON_BOARD + Inputs::<V>::hand(theirs, kind);
                    let row = row - Inputs::<V>::HANDS.start;
                    first[Place::held::<V>(piece, 0).code()] = word(row);
                }
            }
        }
        first
    }

    /// The first row of what each piece adds in the view of `us` while it is attacked, by [`Place::code`]; where
    /// it is not defended.
    fn attacked_rows(us: Color) -> Box<[u32; CODES]> {
        let mut first = Box::new([0; CODES]);
        for kind in V::SPEC.all_kinds() {
            for color in Color::BOTH {
                let row = Inputs::<V>::ZONES * Self::ROWS_OF_ZONE
                    + Inputs::<V>::attacked(color != us, kind, 0, false)
                    - Inputs::<V>::ATTACKED.start;
                let place = Place::on(Piece::new(color, kind), Square::from_index(0));
                first[place.code()] = word(row);
            }
        }
        first
    }

    /// What a dolphin or the average calf in hand counts, in centipawns.
    #[must_use]
    pub fn pawn(&self) -> i32 {
        self.pawn
    }

    /// Number of hidden units of each view.
    #[must_use]
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// The blocks of a row: `B` if that is not 0, for code compiled for one width alone.
    #[inline(always)]
    pub(super) fn blocks<const B: usize>(&self) -> usize {
        if B == 0 { self.blocks } else { B }
    }

    /// The number of the row of a place in a view.
    #[inline(always)]
    fn index(&self, view: View, place: Place) -> usize {
        let first = self.first[view.us().index()][place.code()] as usize;
        // Known to be 0 where there is one zone.
        let zone = if Inputs::<V>::ZONES > 1 { view.zone() * Self::ROWS_OF_ZONE } else { 0 };
        first + zone + Inputs::<V>::seen(view, place.at())
    }

    /// The weights of a place in a view.
    #[inline(always)]
    pub(super) fn row<const B: usize>(&self, view: View, place: Place) -> &[Block] {
        let blocks = self.blocks::<B>();
        &self.rows[self.index(view, place) * blocks..][..blocks]
    }

    /// The units of a view computed from nothing, but for attacked pieces.
    pub(super) fn units_anew(&self, board: &Board<V>, view: View, units: &mut [Block]) {
        let mut rows = ArrayVec::<u32, MOST_PIECES>::new();
        const { assert!(Inputs::<V>::PIECES <= MOST_PIECES, "room for every piece") };
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                let row = self.index(view, Place::on(piece, square));
                rows.push(word(row * self.blocks));
            }
        }
        for owner in Color::BOTH {
            let hand = board.hand(owner);
            for kind in hand.iter() {
                let first = self.index(view, Place::held::<V>(Piece::new(owner, kind), 0));
                let pieces = first..first + hand.count(kind);
                rows.extend(pieces.map(|row| word(row * self.blocks)));
            }
        }
        self.kernel.gather(units, &self.biases, &self.rows, &rows);
    }

    /// The score for the side to move, of the units of its view and of the other side's, to which attacked
    /// pieces and sieges are still to be added; `attacked` is what each side attacks, by color.
    #[inline(always)]
    pub(super) fn score<const B: usize>(
        &self,
        board: &Board<V>,
        units: [&[Block]; 2],
        attacked: [Bitboard<V::Bits>; 2],
    ) -> Value {
        let bucket = Inputs::<V>::bucket(board, self.output_biases.len());
        let blocks = self.blocks::<B>();
        let views = [board.side(), !board.side()].map(|us| View::of(board, us));
        let mut more = [const { ArrayVec::<u32, MOST_PIECES>::new_const() }; 2];
        let defended = Inputs::<V>::defended(board, attacked);
        for at in Inputs::<V>::under_attack(board, attacked) {
            let Some(piece) = board.piece_on(at) else { continue };
            let place = Place::on(piece, at);
            let step = if defended.has(at) { Inputs::<V>::DEFENDED } else { 0 };
            for (more, view) in more.iter_mut().zip(views) {
                let first = self.attacked[view.us().index()][place.code()] as usize + step;
                more.push(word((first + Inputs::<V>::seen(view, place.at())) * blocks));
            }
        }
        const { assert!(Inputs::<V>::PIECES + siege::ALWAYS <= MOST_PIECES, "room for every row") };
        for us in Color::BOTH {
            siege::each(board, attacked, us, |number| {
                for (more, view) in more.iter_mut().zip(views) {
                    let side = if us == view.us() { 0 } else { Inputs::<V>::SIEGE_OF_SIDE };
                    more.push(word((self.siege + side + number) * blocks));
                }
            });
        }
        let weights = &self.outputs[bucket * 2 * blocks..][..2 * blocks];
        let (our_weights, their_weights) = weights.split_at(blocks);
        // The direct unit is the last number of a row; what blocks are filled up with lies behind it.
        let (last, lane) = ((self.hidden - 1) / LANES, (self.hidden - 1) % LANES);
        let direct = |view: usize| -> i64 {
            let rows = more[view].iter().map(|&first| self.rows[first as usize + last].0[lane]);
            i64::from(rows.fold(units[view][last].0[lane], i16::wrapping_add))
        };
        let [ours, theirs] = self.direct[bucket];
        let direct = (direct(0) * ours + direct(1) * theirs) * i64::from(ACTIVATION);
        // At most 1024 × 2,048,383 + 2^31 and the direct units' 2^30, below 2^33; times the scale below 2^47.
        let sum = self.kernel.weigh(
            units,
            &self.rows,
            [&more[0], &more[1]],
            [our_weights, their_weights],
        ) + direct
            + i64::from(self.output_biases[bucket]);
        centipawns(sum * self.scale / ONE)
    }
}
