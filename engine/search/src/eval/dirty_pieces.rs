//! What the moves of a line changed (the "dirty pieces" of NNUE in shogi engines and Stockfish), for
//! evaluations that follow them only where a position is evaluated.

use std::marker::PhantomData;

use arrayvec::ArrayVec;
use kujira_position::{Board, Kind, Move, Piece, Spec, Square, Variant};

use super::captured;
use crate::score::MAX_PLY;

/// More kinds than any game has.
const KINDS: usize = 64;

/// A piece on a square, or one of the pieces in a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// The piece as a number, see [`Self::code`]; in hand beyond all those on the board.
    code: u8,
    /// A square, or [`Self::HELD`] and so many pieces of the kind held before this one.
    at: u8,
}

/// A small number as tables hold it: the code of a piece, a square, a count.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "below 256")]
pub(super) const fn byte(number: usize) -> u8 {
    debug_assert!(number <= u8::MAX as usize);
    number as u8
}

/// The number of a piece on the board.
#[inline(always)]
pub(super) const fn piece_code(piece: Piece) -> usize {
    2 * piece.kind().index() + piece.color().index()
}

impl Place {
    /// The first place in a hand; squares lie below it.
    pub(super) const HELD: usize = 128;

    /// One more than the greatest number of a piece, on the board or in hand.
    pub(super) const fn codes<V: Variant>() -> usize {
        4 * V::SPEC.kinds.len()
    }

    /// A piece on a square.
    #[inline(always)]
    pub(super) fn on(piece: Piece, square: Square) -> Self {
        Self { code: byte(piece_code(piece)), at: byte(square.index()) }
    }

    /// A piece in the hand of its color, with `before` of its kind held already.
    #[inline(always)]
    pub(super) fn held<V: Variant>(piece: Piece, before: usize) -> Self {
        let code = 2 * V::SPEC.kinds.len() + piece_code(piece);
        Self { code: byte(code), at: byte(Self::HELD + before) }
    }

    /// The number of the piece, below [`Self::codes`]: by kind and color, those in hand after those on
    /// the board.
    #[inline(always)]
    pub(super) fn code(self) -> usize {
        usize::from(self.code)
    }

    /// The square, or [`Self::HELD`] and so many pieces of the kind held before this one.
    #[inline(always)]
    pub(super) fn at(self) -> usize {
        usize::from(self.at)
    }

    /// The square, for a piece on the board.
    #[inline(always)]
    pub(super) fn square(self) -> Option<Square> {
        (self.at() < Self::HELD).then(|| Square::from_index(self.at()))
    }
}

/// Pairs of what has gone and what has come instead. A move exchanges a square for another, a drop a
/// place in hand for a square, a capture a square for a place in hand.
type Changes = ArrayVec<(Place, Place), 4>;

/// How a position of the line differs from the one before.
#[derive(Clone, Default)]
pub(super) struct Step {
    /// What the move changed; a white whale that moves comes first. Not complete where one is lost.
    pub(super) changes: Changes,
    /// Whether the white whale of a color moved, by color.
    pub(super) moved: [bool; 2],
    /// Whether a white whale was captured: it goes to no hand, so that `changes` cannot tell of it.
    pub(super) lost: bool,
}

/// The moves of a line from where an evaluation began.
pub(super) struct DirtyPieces<V> {
    /// The step of each position of the line, and room for more.
    steps: Vec<Step>,
    /// The step of the position arrived at.
    at: usize,
    game: PhantomData<V>,
}

impl<V: Variant> DirtyPieces<V> {
    /// Steps for which there is room without growing: more than a search makes.
    pub(super) const ROOM: usize = MAX_PLY + 4;

    /// The kind that each kind promotes to; itself if it does not promote.
    const PROMOTED: [Kind; KINDS] = promoted(V::SPEC);

    /// What each kind is in the captor's hand.
    const IN_HAND: [Kind; KINDS] = in_hand(V::SPEC);

    pub(super) fn new() -> Self {
        Self { steps: vec![Step::default(); Self::ROOM], at: 0, game: PhantomData }
    }

    /// Begins a new line.
    pub(super) fn reset(&mut self) {
        self.at = 0;
        self.steps[0] = Step::default();
    }

    /// The number of the step of the position arrived at.
    #[inline(always)]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Step number `index`; how step 0 came about is not known.
    #[inline(always)]
    pub(super) fn step(&self, index: usize) -> &Step {
        &self.steps[index]
    }

    /// Goes on to the next step, with no change noted yet.
    #[inline(always)]
    fn next(&mut self) -> &mut Step {
        self.at += 1;
        if self.at == self.steps.len() {
            self.grow();
        }
        let step = &mut self.steps[self.at];
        step.changes.clear();
        step.moved = [false; 2];
        step.lost = false;
        step
    }

    /// Makes room for one more step: longer lines than a search has.
    #[cold]
    fn grow(&mut self) {
        self.steps.push(Step::default());
    }

    /// Notes the legal move `m`, which is about to be made on `board`.
    #[inline(always)]
    pub(super) fn make(&mut self, board: &Board<V>, m: Move) {
        let step = self.next();
        let (us, kind, to) = (board.side(), m.kind(), m.to());
        let mover = Piece::new(us, kind);
        if m.is_drop() {
            let before = board.hand(us).count(kind) - 1;
            step.changes.push((Place::held::<V>(mover, before), Place::on(mover, to)));
            return;
        }
        let from = m.from();
        if from != to {
            let arriving = if m.promotes() { Self::PROMOTED[kind.index()] } else { kind };
            let arrived = Place::on(Piece::new(us, arriving), to);
            step.changes.push((Place::on(mover, from), arrived));
            step.moved[us.index()] = kind == Kind::WHALE;
        }
        let Some(capture) = captured(board, m) else { return };
        for (square, piece) in capture.pieces(board) {
            if piece.kind() == Kind::WHALE {
                step.lost = true;
                return;
            }
            let kind = Self::IN_HAND[piece.kind().index()];
            let held = |before| Place::held::<V>(Piece::new(us, kind), before);
            let mut before = board.hand(us).count(kind);
            // Several pieces of a kind may be captured at once.
            while step.changes.iter().any(|&(_, come)| come == held(before)) {
                before += 1;
            }
            step.changes.push((Place::on(piece, square), held(before)));
        }
    }

    /// Notes that the turn is about to be passed.
    #[inline(always)]
    pub(super) fn pass(&mut self) {
        self.next();
    }

    /// Takes the last move or pass back.
    #[inline(always)]
    pub(super) fn undo(&mut self) {
        self.at -= 1;
    }
}

const fn promoted(spec: &Spec) -> [Kind; KINDS] {
    let mut promoted = [Kind::WHALE; KINDS];
    let mut index = 0;
    while index < spec.kinds.len() {
        promoted[index] = match spec.kinds[index].promotes_to {
            Some(token) => spec.kind_named(token),
            None => Kind::from_index(index),
        };
        index += 1;
    }
    promoted
}

const fn in_hand(spec: &Spec) -> [Kind; KINDS] {
    let mut in_hand = [Kind::WHALE; KINDS];
    let mut index = 0;
    while index < spec.kinds.len() {
        in_hand[index] = spec.kind_named(spec.kinds[index].in_hand);
        index += 1;
    }
    in_hand
}
