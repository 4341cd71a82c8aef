//! An evaluation that is linear in its weights: the sum of the weights of the position's features.

use std::marker::PhantomData;
use std::sync::Arc;

use kujira_position::{Bitboard, Board, Color, Kind, Move, Piece, Square, Variant};

use super::features::{Features, OFFSETS};
use super::tally::Tally;
use super::weights::UNIT;
use super::{Evaluator, captured, threats};
use crate::score::{EVAL_LIMIT, MAX_PLY, Value};

/// Weights laid out for looking up, with White's signs turned.
pub struct Terms<V> {
    /// Of a piece on its square: `[piece][square]`, flat.
    placed: Box<[i32]>,
    /// Of a piece as seen from a whale: `[color of the whale][piece][offset]`, flat.
    seen: [Box<[i32]>; 2],
    /// Offsets as Black sees the board, `[whale][square]`, flat.
    offsets: Box<[u8]>,
    /// Of everything else.
    tally: Tally,
    /// What each kind promotes to, itself if it does not.
    promoted: Box<[Kind]>,
    squares: usize,
    game: PhantomData<V>,
}

const fn code(piece: Piece) -> usize {
    2 * piece.kind().index() + piece.color().index()
}

impl<V: Variant> Terms<V> {
    /// Lays out weights, by feature.
    #[must_use]
    pub fn new(weights: &[i32]) -> Self {
        let (spec, geometry) = (V::SPEC, V::SPEC.geometry);
        let squares = geometry.squares();
        let of = |feature: usize| weights[feature];
        let mut placed = vec![0; 2 * spec.kinds.len() * squares];
        let mut seen = [(); 2].map(|()| vec![0; 2 * spec.kinds.len() * OFFSETS]);
        for kind in spec.all_kinds() {
            let class = spec.class_of(kind).index();
            let (black, white) =
                (code(Piece::new(Color::Black, kind)), code(Piece::new(Color::White, kind)));
            for square in geometry.reading_order() {
                let value = of(Features::<V>::square(class, square))
                    + of(Features::<V>::rank(kind, square));
                placed[black * squares + square.index()] = value;
                placed[white * squares + geometry.turned(square).index()] = -value;
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
                seen[Color::Black.index()][black * OFFSETS + offset] = own;
                seen[Color::White.index()][black * OFFSETS + offset] = enemy;
                seen[Color::White.index()][white * OFFSETS + turned] = -own;
                seen[Color::Black.index()][white * OFFSETS + turned] = -enemy;
            }
        }
        let mut offsets = vec![0; squares * squares];
        for whale in geometry.reading_order() {
            for square in geometry.reading_order() {
                let offset = Features::<V>::offset(Color::Black, whale, square);
                offsets[whale.index() * squares + square.index()] = offset as u8;
            }
        }
        Self {
            placed: placed.into_boxed_slice(),
            seen: seen.map(Vec::into_boxed_slice),
            offsets: offsets.into_boxed_slice(),
            tally: Tally::new::<V>(weights),
            promoted: spec
                .all_kinds()
                .map(|kind| spec.kind(kind).promotes_to.map_or(kind, |to| spec.kind_named(to)))
                .collect(),
            squares,
            game: PhantomData,
        }
    }

    #[inline(always)]
    fn placed(&self, piece: Piece, square: Square) -> i32 {
        self.placed[code(piece) * self.squares + square.index()]
    }

    /// A piece, not a whale, as seen from the whale of `color` on `whale`.
    #[inline(always)]
    fn seen(&self, color: Color, whale: Square, piece: Piece, square: Square) -> i32 {
        let offset = self.offsets[whale.index() * self.squares + square.index()];
        self.seen[color.index()][code(piece) * OFFSETS + usize::from(offset)]
    }

    /// Everything on the board but whales, as seen from the whale of `color` on `whale`.
    fn view(&self, board: &Board<V>, color: Color, whale: Square) -> i32 {
        board
            .occupied()
            .into_iter()
            .filter_map(|square| Some((board.piece_on(square)?, square)))
            .filter(|(piece, _)| piece.kind() != Kind::WHALE)
            .map(|(piece, square)| self.seen(color, whale, piece, square))
            .sum()
    }
}

/// Sums of weights over the pieces on the board, from Black's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Sums {
    placed: i32,
    /// As seen from the whale of each color.
    seen: [i32; 2],
}

/// Adds up weights; sums over the pieces on the board are kept up to date move by move.
pub struct Linear<V: Variant> {
    terms: Arc<Terms<V>>,
    /// One for each move made since the reset.
    sums: Vec<Sums>,
}

impl<V: Variant> Linear<V> {
    /// An evaluation that adds up `terms`; it begins with [`Evaluator::reset`].
    #[must_use]
    pub fn new(terms: Arc<Terms<V>>) -> Self {
        let mut sums = Vec::with_capacity(MAX_PLY + 4);
        sums.push(Sums::default());
        Self { terms, sums }
    }

    fn last(&self) -> Sums {
        self.sums.last().copied().unwrap_or_default()
    }

    /// The sums computed from nothing.
    fn sums_anew(&self, board: &Board<V>) -> Sums {
        let seen = |color: Color| {
            board.whale(color).first().map_or(0, |whale| self.terms.view(board, color, whale))
        };
        Sums {
            placed: board
                .occupied()
                .into_iter()
                .filter_map(|square| Some(self.terms.placed(board.piece_on(square)?, square)))
                .sum(),
            seen: Color::BOTH.map(seen),
        }
    }

    /// The sum of all weights, in their unit, from the point of view of Black; `controlled` is what each
    /// side controls, by color.
    #[inline(always)]
    pub(super) fn total(&self, board: &Board<V>, controlled: [Bitboard<V::Bits>; 2]) -> i32 {
        if Color::BOTH.iter().any(|&color| board.whale(color).is_empty()) {
            // Boards without both whales have no features.
            return 0;
        }
        let Sums { placed, seen } = self.last();
        let mut sum = self.terms.tally.sum(placed + seen[0] + seen[1]);
        threats::find(board, controlled, &mut sum);
        sum.sum
    }
}

impl<V: Variant> Evaluator<V> for Linear<V> {
    fn reset(&mut self, board: &Board<V>) {
        let sums = self.sums_anew(board);
        self.sums.clear();
        self.sums.push(sums);
    }

    #[inline]
    fn make(&mut self, board: &Board<V>, m: Move) {
        let terms = &*self.terms;
        let mut sums = self.last();
        let us = board.side();
        let whales = Color::BOTH.map(|color| board.whale(color).first());
        let mut change = |piece: Piece, square: Square, times: i32| {
            sums.placed += times * terms.placed(piece, square);
            if piece.kind() == Kind::WHALE {
                return;
            }
            for color in Color::BOTH {
                if let Some(whale) = whales[color.index()] {
                    sums.seen[color.index()] += times * terms.seen(color, whale, piece, square);
                }
            }
        };
        let (kind, to) = (m.kind(), m.to());
        if m.is_drop() {
            change(Piece::new(us, kind), to, 1);
        } else {
            change(Piece::new(us, kind), m.from(), -1);
            let capture = captured(board, m);
            if let Some(capture) = &capture {
                for (square, piece) in capture.pieces(board) {
                    change(piece, square, -1);
                }
            }
            let arriving = if m.promotes() { terms.promoted[kind.index()] } else { kind };
            change(Piece::new(us, arriving), to, 1);
            if kind == Kind::WHALE {
                // Everything is seen from elsewhere now.
                let taken = capture.map_or(0, |capture| {
                    let seen = |(square, piece): (Square, Piece)| match piece.kind() {
                        Kind::WHALE => 0,
                        _ => terms.seen(us, to, piece, square),
                    };
                    capture.pieces(board).map(seen).sum()
                });
                sums.seen[us.index()] = terms.view(board, us, to) - taken;
            }
        }
        self.sums.push(sums);
    }

    #[inline]
    fn pass(&mut self) {
        self.sums.push(self.last());
    }

    #[inline]
    fn undo(&mut self) {
        self.sums.pop();
    }

    #[inline]
    fn evaluate(&mut self, board: &Board<V>) -> Value {
        let black = self.total(board, threats::controlled(board)) / UNIT;
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
        let mut fresh = Linear::<V>::new(linear.terms.clone());
        let mut random = 1_u64;
        let mut seen = vec![false; Features::<V>::LAYOUT.len()];
        for _ in 0..games {
            let mut position = Position::<V>::start();
            linear.reset(position.board());
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() || position.board().whale(position.side()).is_empty() {
                    break;
                }
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let m = moves[(random >> 33) as usize % moves.len()];
                let before = linear.last();
                linear.make(position.board(), m);
                position.make(m);
                let board = position.board();
                if board.whale(board.side()).is_empty() {
                    break;
                }
                assert_eq!(linear.last(), linear.sums_anew(board), "{m:?} {position:?}");
                let mut count = Count(vec![0; seen.len()]);
                Features::<V>::extract(board, &mut count);
                let dot: i32 = count.0.iter().zip(&weights.features).map(|(a, b)| a * b).sum();
                assert_eq!(linear.total(board, threats::controlled(board)), dot, "{position:?}");
                for (feature, times) in count.0.iter().enumerate() {
                    seen[feature] |= *times != 0;
                }
                for twin in [position.turned(), mirrored(&position)] {
                    fresh.reset(twin.board());
                    assert_eq!(fresh.evaluate(twin.board()), linear.evaluate(board), "{twin:?}");
                }
                linear.undo();
                assert_eq!(linear.last(), before);
                linear.sums.push(linear.sums_anew(board));
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
