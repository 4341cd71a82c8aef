//! Perft by filtering: every move that could exist on the board is put to `is_legal`, and what it
//! lets through must be the generated list.

use kujira_position::{Color, Direction, Kind, Move, Piece, Position, Square, Variant, Way};
use kujira_tests::{counts, for_every_game, playouts, setups, views};
use rayon::prelude::*;

for_every_game!(filtered_perft, filtered_moves_are_the_generated_ones);

/// Every move anyone could write down on a game's board, most of them nonsense.
struct Table {
    moves: Vec<Move>,
}

impl Table {
    /// Every kind from every square to every square (its own too), promoting and not; every kind
    /// with captures on the way along each line, to each square the way could lead to and its
    /// neighbourhood; every kind dropped on every square.
    ///
    /// No pattern of a piece is looked at: the table holds more than the pieces can do, so that a
    /// move too many in `is_legal` shows as well as one too few.
    fn new<V: Variant>() -> Self {
        let geometry = V::SPEC.geometry;
        let squares: Vec<Square> = geometry.reading_order().collect();
        let mut moves = Vec::new();
        for kind in V::SPEC.all_kinds() {
            for &from in &squares {
                moves.push(Move::drop(kind, from));
                for &to in &squares {
                    moves.push(Move::board(kind, from, to, false));
                    moves.push(Move::board(kind, from, to, true));
                    let far = |a: i8, b: i8| a.abs_diff(b) > 3;
                    if far(geometry.x(from), geometry.x(to))
                        || far(geometry.y(from), geometry.y(to))
                    {
                        continue;
                    }
                    for line in 0..Direction::QUEEN {
                        for mask in 1..=3 {
                            moves.push(Move::lion(kind, from, to, Way::new(line, mask)));
                        }
                    }
                }
            }
        }
        moves.sort_unstable();
        moves.dedup();
        Self { moves }
    }

    /// The part of the table that a position could need: moves of pieces that stand on their
    /// squares, and drops. Everything else is refused for want of the piece.
    fn fitting<V: Variant>(&self, position: &Position<V>) -> Vec<Move> {
        let fits = |m: &&Move| {
            m.is_drop()
                || position.piece_on(m.from()) == Some(Piece::new(position.side(), m.kind()))
        };
        self.moves.iter().filter(fits).copied().collect()
    }

    fn accepted<V: Variant>(&self, position: &Position<V>) -> Vec<Move> {
        let mut accepted = self.fitting(position);
        accepted.retain(|&m| position.is_legal(m));
        accepted
    }

    fn perft<V: Variant>(&self, position: &mut Position<V>, depth: u32) -> u64 {
        let accepted = self.accepted(position);
        if depth == 1 {
            return accepted.len() as u64;
        }
        let mut leaves = 0;
        for m in accepted {
            position.make(m);
            leaves += self.perft(position, depth - 1);
            position.undo();
        }
        leaves
    }
}

fn filtered_perft<V: Variant>() {
    let table = Table::new::<V>();
    // Counts whose inner nodes are few enough to put the whole table to each.
    let nodes = 30_000_000 / table.moves.len() as u64;
    counts::known::<V>().into_par_iter().with_max_len(1).for_each(|known| {
        let mut position = views::position::<V>(&known.sfen);
        for &(depth, count) in &known.counts {
            let inner = depth.checked_sub(2).map_or(1, |above| known.counts[above as usize].1);
            if inner <= nodes {
                assert_eq!(table.perft(&mut position, depth), count, "{}", known.place);
            }
        }
    });
}

fn filtered_moves_are_the_generated_ones<V: Variant>() {
    let table = Table::new::<V>();
    let mut positions: Vec<Position<V>> =
        counts::known::<V>().iter().map(|known| views::position(&known.sfen)).collect();
    positions.extend(playouts::sample::<V>(11, 60));
    let mut rng = playouts::random(12);
    for _ in 0..40 {
        for sort in [setups::Sort::Mixed, setups::Sort::Hunt] {
            positions.push(setups::random(&mut rng, sort, Default::default()));
        }
    }
    positions.into_par_iter().for_each(|position| {
        let mut generated: Vec<Move> = position.legal_moves().to_vec();
        generated.sort_unstable();
        // The whole table, moves of pieces that are not there among them.
        let accepted: Vec<Move> =
            table.moves.iter().copied().filter(|&m| position.is_legal(m)).collect();
        let text = |moves: &[Move]| moves.iter().map(|&m| position.usi(m)).collect::<Vec<_>>();
        assert_eq!(text(&accepted), text(&generated), "{}", position.sfen());
        assert_eq!(accepted, generated, "{}", position.sfen());
    });
}

#[test]
fn the_table_is_as_large_as_it_says() {
    let table = Table::new::<kujira_position::Whale>();
    let pairs = 36 * 36;
    // On 6 files two squares are at most 3 apart on 6 + 2 (5 + 4 + 3) = 30 of the 36 pairs of files.
    let near = 30 * 30;
    assert_eq!(table.moves.len(), 8 * (36 + 2 * pairs + 24 * near));
    assert!(table.moves.contains(&Move::drop(Kind::WHALE, Square::from_index(0))));
    let start = Position::<kujira_position::Whale>::start();
    assert_eq!(table.accepted(&start).len(), 7);
    assert_eq!(start.side(), Color::Black);
}
