//! An evaluation that is linear in its weights: the sum of the weights of the position's features.

use std::marker::PhantomData;
use std::sync::Arc;

use kujira_position::{Bitboard, Board, Color, Kind, Move, Piece, Square, Threats, Variant};

use super::features::{Features, OFFSETS};
use super::tally::Tally;
use super::trail::{Place, Step, Trail, piece_code};
use super::weights::UNIT;
use super::{Evaluator, threats};
use crate::score::{EVAL_LIMIT, Value};

/// Weights laid out for looking up, with White's signs turned.
pub struct Terms<V> {
    /// Of a piece on its square: `[piece][square]`, in rows of [`ROW`].
    placed: Box<[i32; PIECES * ROW]>,
    /// Of a piece as seen from a whale: `[color of the whale][piece][offset]`, in rows of [`ROW`].
    seen: [Box<[i32; PIECES * ROW]>; 2],
    /// Offsets as Black sees the board, `[whale][square]`, in rows of [`ROW`].
    offsets: Box<[u8; ROW * ROW]>,
    /// Of everything else.
    tally: Tally,
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

impl<V: Variant> Terms<V> {
    /// Lays out weights, by feature.
    #[must_use]
    pub fn new(weights: &[i32]) -> Self {
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
                let files = OFFSETS / (2 * super::features::REACH as usize + 1);
                let turned = OFFSETS - files - offset / files * files + offset % files;
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
                offsets[index(whale.index(), square.index())] = offset as u8;
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

    /// What a step changed of the sum of that over all pieces on the board.
    #[inline(always)]
    fn difference(&self, color: Color, whale: Square, step: &Step) -> i32 {
        let at = |place: Place| {
            place.square().map_or(0, |square| self.at(color, whale, place.code(), square))
        };
        step.changes.iter().map(|&(gone, come)| at(come) - at(gone)).sum()
    }

    /// The sum of that over all pieces on the board.
    fn view(&self, board: &Board<V>, color: Color, whale: Square) -> i32 {
        board
            .occupied()
            .into_iter()
            .filter_map(|square| Some((board.piece_on(square)?, square)))
            .map(|(piece, square)| self.at(color, whale, piece_code(piece), square))
            .sum()
    }
}

/// The sums of every position of a line, brought up to date from those of another one where they are
/// asked for.
pub(super) struct Ledger<V: Variant> {
    terms: Arc<Terms<V>>,
    /// By step of the trail and color of a whale, from Black's point of view: the sum over the pieces on
    /// the board of [`Terms::at`], if known.
    sums: Vec<[Option<i32>; 2]>,
}

impl<V: Variant> Ledger<V> {
    /// A ledger by these weights; it begins with [`Self::reset`].
    pub(super) fn new(terms: Arc<Terms<V>>) -> Self {
        Self { terms, sums: vec![[None; 2]; Trail::<V>::ROOM] }
    }

    /// Begins again.
    pub(super) fn reset(&mut self) {
        self.sums[0] = [None; 2];
    }

    /// A move or pass led to step number `at`.
    #[inline(always)]
    pub(super) fn begin(&mut self, at: usize) {
        match self.sums.get_mut(at) {
            Some(sums) => *sums = [None; 2],
            None => self.grow(),
        }
    }

    /// Makes room for one more step: longer lines than a search has.
    #[cold]
    fn grow(&mut self) {
        self.sums.push([None; 2]);
    }

    /// The sum that belongs to the whale of `color`, which stands on `whale`, at the end of `trail`.
    #[inline(always)]
    fn sum(&mut self, board: &Board<V>, trail: &Trail<V>, color: Color, whale: Square) -> i32 {
        let (at, mut known) = (trail.at(), trail.at());
        let mut sum = loop {
            if let Some(sum) = self.sums[known][color.index()] {
                break sum;
            }
            if known == 0 || trail.step(known).moved[color.index()] {
                return self.sum_anew(board, trail, color, whale, known);
            }
            known -= 1;
        };
        let sums = &mut self.sums[known + 1..=at];
        for (step, sums) in trail.after(known).iter().zip(sums) {
            sum += self.terms.difference(color, whale, step);
            sums[color.index()] = Some(sum);
        }
        sum
    }

    /// The same computed from nothing, and with it the sums of all steps from `first` on, after which the
    /// whale did not move.
    #[inline(never)]
    fn sum_anew(
        &mut self,
        board: &Board<V>,
        trail: &Trail<V>,
        color: Color,
        whale: Square,
        first: usize,
    ) -> i32 {
        let sum = self.terms.view(board, color, whale);
        let mut earlier = sum;
        for step in (first..=trail.at()).rev() {
            self.sums[step][color.index()] = Some(earlier);
            earlier -= self.terms.difference(color, whale, trail.step(step));
        }
        sum
    }

    /// The sum of all weights of `board`, the last of `trail`, in their unit, from the point of view of
    /// Black; `controlled` is what each side threats, by color.
    #[inline(always)]
    pub(super) fn total(
        &mut self,
        board: &Board<V>,
        controlled: [Bitboard<V::Bits>; 2],
        trail: &Trail<V>,
    ) -> i32 {
        // Boards without both whales have no features.
        let Some([black, white]) = Features::<V>::whales(board) else { return 0 };
        let placed = self.sum(board, trail, Color::Black, black)
            + self.sum(board, trail, Color::White, white);
        let mut sum = self.terms.tally.sum(placed);
        threats::find(board, controlled, &mut sum);
        sum.sum
    }
}

/// Adds up weights; sums over the pieces on the board follow the moves.
pub struct Linear<V: Variant> {
    trail: Trail<V>,
    ledger: Ledger<V>,
}

impl<V: Variant> Linear<V> {
    /// An evaluation that adds up `terms`; it begins with [`Evaluator::reset`].
    #[must_use]
    pub fn new(terms: Arc<Terms<V>>) -> Self {
        Self { trail: Trail::new(), ledger: Ledger::new(terms) }
    }
}

impl<V: Variant> Evaluator<V> for Linear<V> {
    fn reset(&mut self, _: &Board<V>) {
        self.trail.reset();
        self.ledger.reset();
    }

    #[inline]
    fn make(&mut self, board: &Board<V>, m: Move) {
        self.trail.make(board, m);
        self.ledger.begin(self.trail.at());
    }

    #[inline]
    fn pass(&mut self) {
        self.trail.pass();
        self.ledger.begin(self.trail.at());
    }

    #[inline]
    fn undo(&mut self) {
        self.trail.undo();
    }

    #[inline]
    fn evaluate_knowing(&mut self, board: &Board<V>, threats: &Threats<V>) -> Value {
        let controlled = threats::known(board, threats);
        let black = self.ledger.total(board, controlled, &self.trail) / UNIT;
        let ours = if board.side() == Color::Black { black } else { -black };
        ours.clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Position, Whale};

    use super::super::features::Sink;
    use super::*;
    use crate::eval::mirror::mirrored;
    use crate::eval::weights::Weights;

    /// Features counted one by one.
    struct Count(Vec<i32>);

    impl Sink for Count {
        fn add(&mut self, feature: usize, times: i32) {
            self.0[feature] += times;
        }

        fn climb(&mut self, first: usize, steps: usize, times: i32) {
            for feature in first..first + steps {
                self.add(feature, times);
            }
        }
    }

    /// Weights that tell every feature from every other.
    fn random_weights<V: Variant>() -> Weights {
        let mut weights = Weights::zero::<V>();
        let mut random = 99_u64;
        for row in Features::<V>::rows() {
            for feature in row.first..row.first + row.width {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                weights.features[feature] = (random >> 33) as i32 % 4001 - 2000;
            }
        }
        weights
    }

    /// Random games: the value kept up to date is the sum of the weights of the features found one by
    /// one, turned and mirrored positions have the same, and taking back leads back.
    fn check<V: Variant>(games: usize) {
        let weights = random_weights::<V>();
        let mut linear = Linear::<V>::new(Arc::new(Terms::new(&weights.features)));
        let mut lazy = Linear::<V>::new(linear.ledger.terms.clone());
        let mut fresh = Linear::<V>::new(linear.ledger.terms.clone());
        let mut random = 1_u64;
        let mut seen = vec![false; Features::<V>::LAYOUT.len()];
        for _ in 0..games {
            let mut position = Position::<V>::start();
            linear.reset(position.board());
            lazy.reset(position.board());
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() || position.board().whale(position.side()).is_empty() {
                    break;
                }
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let m = moves[(random >> 33) as usize % moves.len()];
                let before = linear.evaluate(position.board());
                linear.make(position.board(), m);
                lazy.make(position.board(), m);
                position.make(m);
                let board = position.board();
                if board.whale(board.side()).is_empty() {
                    break;
                }
                let whales = Features::<V>::whales(board).unwrap();
                for (color, whale) in Color::BOTH.into_iter().zip(whales) {
                    let sum = linear.ledger.sum(board, &linear.trail, color, whale);
                    let anew = linear.ledger.terms.view(board, color, whale);
                    assert_eq!(sum, anew, "{m:?} {position:?}");
                    if random >> 33 & 3 == 0 {
                        let late = lazy.ledger.sum(board, &lazy.trail, color, whale);
                        assert_eq!(late, anew, "{position:?}");
                    }
                }
                let mut count = Count(vec![0; seen.len()]);
                Features::<V>::extract(board, &mut count);
                let dot: i32 = count.0.iter().zip(&weights.features).map(|(a, b)| a * b).sum();
                assert_eq!(
                    linear.ledger.total(board, threats::controlled(board), &linear.trail),
                    dot,
                    "{position:?}"
                );
                for (feature, times) in count.0.iter().enumerate() {
                    seen[feature] |= *times != 0;
                }
                for twin in [position.turned(), mirrored(&position)] {
                    fresh.reset(twin.board());
                    assert_eq!(fresh.evaluate(twin.board()), linear.evaluate(board), "{twin:?}");
                }
                linear.undo();
                position.undo();
                assert_eq!(linear.evaluate(position.board()), before);
                linear.make(position.board(), m);
                position.make(m);
            }
        }
        // Nothing is found that belongs to no row.
        let mut rows = vec![false; seen.len()];
        for row in Features::<V>::rows() {
            rows[row.first..row.first + row.width].fill(true);
        }
        let stray: Vec<usize> = (0..seen.len()).filter(|&i| seen[i] && !rows[i]).collect();
        assert_eq!(stray, [0; 0]);
        // The sections without rows of kinds and squares occur as a whole.
        let row = |name: &str| Features::<V>::rows().into_iter().find(|row| row.name == name);
        for name in ["ring moving", "bare waiting", "flights moving", "squeeze waiting 1", "tempo"]
        {
            let row = row(name).unwrap();
            assert!(seen[row.first], "{name}");
        }
    }

    #[test]
    fn sums_follow_the_moves() {
        check::<Whale>(60);
        check::<Paulowich>(40);
        check::<Great>(6);
    }

    #[test]
    fn rows_do_not_overlap() {
        fn check<V: Variant>() {
            let rows = Features::<V>::rows();
            assert!(rows.windows(2).all(|pair| pair[0].first + pair[0].width <= pair[1].first));
            let last = rows.last().unwrap();
            assert_eq!(last.first + last.width, Features::<V>::LAYOUT.len());
        }
        check::<Whale>();
        check::<Paulowich>();
        check::<Great>();
    }
}
