//! Sums of the linear evaluation, which follow the moves of a line.

use std::sync::Arc;

use kujira_position::{Bitboard, Board, Color, Square, Variant};

use super::extraction;
use super::features::Features;
use super::weights::LinearWeights;
use crate::eval::dirty_pieces::DirtyPieces;

/// The sums of every position of a line, brought up to date from those of another one where they are
/// asked for.
pub(in crate::eval) struct LinearAccumulator<V: Variant> {
    weights: Arc<LinearWeights<V>>,
    /// By step of the line and color of a whale, from Black's point of view: the sum over the pieces on
    /// the board of [`LinearWeights::at`], if known.
    sums: Vec<[Option<i32>; 2]>,
}

impl<V: Variant> LinearAccumulator<V> {
    /// Sums of these weights; they begin with [`Self::reset`].
    pub(in crate::eval) fn new(weights: Arc<LinearWeights<V>>) -> Self {
        Self { weights, sums: vec![[None; 2]; DirtyPieces::<V>::ROOM] }
    }

    /// Begins a new line.
    pub(in crate::eval) fn reset(&mut self) {
        self.sums[0] = [None; 2];
    }

    /// Begins step number `at`, which a move or pass led to.
    #[inline(always)]
    pub(in crate::eval) fn begin(&mut self, at: usize) {
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

    /// The sum that belongs to the whale of `color`, which stands on `whale`, in the last position of `dirty`.
    #[inline(always)]
    fn sum(
        &mut self,
        board: &Board<V>,
        dirty: &DirtyPieces<V>,
        color: Color,
        whale: Square,
    ) -> i32 {
        let (at, mut known) = (dirty.at(), dirty.at());
        let mut sum = loop {
            if let Some(sum) = self.sums[known][color.index()] {
                break sum;
            }
            if known == 0 || dirty.step(known).moved[color.index()] {
                return self.sum_anew(board, dirty, color, whale, known);
            }
            known -= 1;
        };
        let sums = &mut self.sums[known + 1..=at];
        for (step, sums) in dirty.after(known).iter().zip(sums) {
            sum += self.weights.difference(color, whale, step);
            sums[color.index()] = Some(sum);
        }
        sum
    }

    /// The sum that belongs to the whale of `color`, computed from nothing, and from it the sums of all steps
    /// from `first` on, after which the whale did not move.
    #[inline(never)]
    fn sum_anew(
        &mut self,
        board: &Board<V>,
        dirty: &DirtyPieces<V>,
        color: Color,
        whale: Square,
        first: usize,
    ) -> i32 {
        let sum = self.weights.view(board, color, whale);
        let mut earlier = sum;
        for step in (first..=dirty.at()).rev() {
            self.sums[step][color.index()] = Some(earlier);
            earlier -= self.weights.difference(color, whale, dirty.step(step));
        }
        sum
    }

    /// The sum of all weights of `board`, the last of `dirty`, in their unit, from the point of view of Black;
    /// `attacked` is what each side attacks, by color.
    #[inline(always)]
    pub(in crate::eval) fn total(
        &mut self,
        board: &Board<V>,
        attacked: [Bitboard<V::Bits>; 2],
        dirty: &DirtyPieces<V>,
    ) -> i32 {
        // Boards without both whales have no features.
        let Some([black, white]) = Features::<V>::whales(board) else { return 0 };
        let placed = self.sum(board, dirty, Color::Black, black)
            + self.sum(board, dirty, Color::White, white);
        let mut sum = self.weights.tally.sum(placed);
        extraction::find(board, attacked, &mut sum);
        sum.sum
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Move, Paulowich, Position, Whale};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::eval::linear::Sink;

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
    fn random_weights<V: Variant>() -> Vec<i32> {
        let mut weights = vec![0; Features::<V>::LAYOUT.len()];
        let mut random = Xoshiro256PlusPlus::seed_from_u64(99);
        for row in Features::<V>::rows() {
            weights[row.first..row.first + row.width]
                .fill_with(|| random.random_range(-2000..=2000));
        }
        weights
    }

    /// The sums of a line of moves.
    struct Line<V: Variant> {
        sums: LinearAccumulator<V>,
        dirty: DirtyPieces<V>,
    }

    impl<V: Variant> Line<V> {
        fn new(weights: Arc<LinearWeights<V>>) -> Self {
            Self { sums: LinearAccumulator::new(weights), dirty: DirtyPieces::new() }
        }

        fn reset(&mut self) {
            self.dirty.reset();
            self.sums.reset();
        }

        fn make(&mut self, board: &Board<V>, m: Move) {
            self.dirty.make(board, m);
            self.sums.begin(self.dirty.at());
        }

        fn undo(&mut self) {
            self.dirty.undo();
        }

        /// The sum from Black's point of view.
        fn total(&mut self, board: &Board<V>) -> i32 {
            let attacked = Color::BOTH.map(|color| board.attacked_by(color));
            self.sums.total(board, attacked, &self.dirty)
        }
    }

    /// Random games: the sum kept up to date is the sum of the weights of the features found one by
    /// one, turned and mirrored positions have the same, and taking back leads back.
    fn check<V: Variant>(games: usize) {
        let weights = random_weights::<V>();
        let laid_out = Arc::new(LinearWeights::<V>::new(&weights));
        let [mut linear, mut lazy, mut fresh] = [(); 3].map(|()| Line::new(laid_out.clone()));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut seen = vec![false; Features::<V>::LAYOUT.len()];
        for _ in 0..games {
            let mut position = Position::<V>::start();
            linear.reset();
            lazy.reset();
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() || position.board().whale(position.side()).is_empty() {
                    break;
                }
                let m = moves[random.random_range(0..moves.len())];
                let before = linear.total(position.board());
                linear.make(position.board(), m);
                lazy.make(position.board(), m);
                position.make(m);
                let board = position.board();
                if board.whale(board.side()).is_empty() {
                    break;
                }
                let whales = Features::<V>::whales(board).unwrap();
                for (color, whale) in Color::BOTH.into_iter().zip(whales) {
                    let sum = linear.sums.sum(board, &linear.dirty, color, whale);
                    let anew = linear.sums.weights.view(board, color, whale);
                    assert_eq!(sum, anew, "{m:?} {position:?}");
                    if random.random_ratio(1, 4) {
                        let late = lazy.sums.sum(board, &lazy.dirty, color, whale);
                        assert_eq!(late, anew, "{position:?}");
                    }
                }
                let mut count = Count(vec![0; seen.len()]);
                Features::<V>::extract(board, &mut count);
                let dot: i32 = count.0.iter().zip(&weights).map(|(a, b)| a * b).sum();
                assert_eq!(linear.total(board), dot, "{position:?}");
                for (feature, times) in count.0.iter().enumerate() {
                    seen[feature] |= *times != 0;
                }
                for (twin, expected) in [(position.turned(), -dot), (position.mirrored(), dot)] {
                    fresh.reset();
                    assert_eq!(fresh.total(twin.board()), expected, "{twin:?}");
                }
                linear.undo();
                position.undo();
                assert_eq!(linear.total(position.board()), before);
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
        check::<Whale>(120);
        check::<Paulowich>(80);
        check::<Great>(12);
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
