//! The weights of a network and what goes with them.

/// The weights of a network for one game, and what goes with them.
///
/// Its bounds keep all integer arithmetic from overflowing, see [`NetworkFile::check`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkFile {
    /// Number of hidden units of each view: a multiple of [`Self::HIDDEN_STEP`] up to
    /// [`Self::MOST_HIDDEN`].
    pub hidden: usize,
    /// Number of sets of output weights, 1 to [`Self::MOST_BUCKETS`], see [`Inputs::bucket`](crate::eval::Inputs::bucket).
    pub buckets: usize,
    /// What an output of 1 counts, in centipawns: 1 to [`Self::MOST_SCALE`].
    pub scale: i32,
    /// What a dolphin or the average calf in hand counts on average, in centipawns: 1 to
    /// [`Self::MOST_SCALE`]. Scores told to people are divided by this, so that it is 100 of theirs.
    pub pawn: i32,
    /// What a piece on the board is worth in exchanges, by kind, in centipawns: within
    /// ±[`Self::MOST_VALUE`], 0 for the white whale.
    pub on_board: Vec<i32>,
    /// What the first piece of a kind in hand is worth in exchanges, by kind, in centipawns: within
    /// ±[`Self::MOST_VALUE`], 0 for kinds that are never in hand.
    pub in_hand: Vec<i32>,
    /// Weights of the inputs in units of [`ACTIVATION`](super::ACTIVATION): `[input][hidden]`, flat.
    pub weights: Vec<i16>,
    /// Biases of the hidden units, the same for both views, in units of [`ACTIVATION`](super::ACTIVATION).
    pub biases: Vec<i16>,
    /// Output weights in units of [`OUTPUT`](super::OUTPUT): `[bucket][2 × hidden]`, flat, the view of the side to move
    /// first; within ±[`Self::MOST_OUTPUT`].
    pub outputs: Vec<i16>,
    /// Output biases by bucket in units of [`ACTIVATION`](super::ACTIVATION)² × [`OUTPUT`](super::OUTPUT).
    pub output_biases: Vec<i32>,
}

impl NetworkFile {
    /// No file is as large as this, in bytes: no more is read of what is said to be one.
    pub const LARGEST: u64 = 32 << 20;
    /// The number of hidden units is a multiple of this.
    pub const HIDDEN_STEP: usize = 16;
    /// The most hidden units of a view.
    pub const MOST_HIDDEN: usize = 512;
    /// The most sets of output weights.
    pub const MOST_BUCKETS: usize = 16;
    /// The greatest scale, and the most that a pawn may count, in centipawns.
    pub const MOST_SCALE: i32 = 10_000;
    /// The greatest output weight, of either sign: its product with an active unit fits 16 bits.
    pub const MOST_OUTPUT: i16 = 127;
    /// The greatest value of a piece in exchanges, of either sign, in centipawns.
    pub const MOST_VALUE: i32 = 4_000;

    /// The number of the direct unit: the last one, which is neither clipped nor squared.
    #[must_use]
    pub fn direct(&self) -> usize {
        self.hidden - 1
    }

    /// The weights of `input`, one a hidden unit.
    pub(in crate::eval) fn row(&self, input: usize) -> &[i16] {
        &self.weights[input * self.hidden..][..self.hidden]
    }
}
