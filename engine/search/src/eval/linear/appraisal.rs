//! What pieces are worth on average: the exchange values that follow from weights and positions.

use kujira_position::{Board, Kind, Variant};

use super::extraction::{Sink, find_for};
use super::features::Features;
use crate::eval::weights::Weights;

/// How often features come with a kind, counted over positions: with weights, its average value.
#[derive(Clone, Debug)]
pub struct Appraisal<V> {
    /// With a piece on the board.
    on_board: Vec<Share>,
    /// With the first piece in hand.
    in_hand: Vec<Share>,
    game: std::marker::PhantomData<V>,
}

/// The features of a kind.
#[derive(Clone, Debug)]
struct Share {
    /// Pieces counted.
    pieces: i64,
    /// By feature.
    counts: Vec<i64>,
}

/// A list of features.
#[derive(Default)]
struct List(Vec<usize>);

impl Sink for List {
    fn add(&mut self, feature: usize, _: i32) {
        self.0.push(feature);
    }

    fn climb(&mut self, first: usize, steps: usize, _: i32) {
        self.0.extend(first..first + steps);
    }
}

impl<V: Variant> Default for Appraisal<V> {
    fn default() -> Self {
        let none = Share { pieces: 0, counts: vec![0; Features::<V>::LAYOUT.len()] };
        let shares = vec![none; V::SPEC.kinds.len()];
        Self { on_board: shares.clone(), in_hand: shares, game: std::marker::PhantomData }
    }
}

impl<V: Variant> Appraisal<V> {
    /// Counts a position with both whales; others are left out.
    pub fn add(&mut self, board: &Board<V>) {
        let Some(whales) = Features::<V>::whales(board) else { return };
        for at in board.occupied() {
            let Some(piece) = board.piece_on(at) else { continue };
            let share = &mut self.on_board[piece.kind().index()];
            share.pieces += 1;
            for feature in Features::<V>::of_piece(piece, at, whales) {
                share.counts[feature] += 1;
            }
        }
        for us in kujira_position::Color::BOTH {
            let mut found = List::default();
            find_for(board, us, &mut found);
            let held: Vec<Kind> = board.hand(us).iter().collect();
            for &kind in &held {
                let share = &mut self.in_hand[kind.index()];
                share.pieces += 1;
                share.counts[Features::<V>::hand(kind)] += 1;
            }
            for feature in found.0 {
                if let Some(kind) = Features::<V>::dropped(feature) {
                    self.in_hand[kind.index()].counts[feature] += 1;
                }
                if let Some(less) = Features::<V>::with_one_less(feature) {
                    for &kind in &held {
                        self.in_hand[kind.index()].counts[feature] += 1;
                        self.in_hand[kind.index()].counts[less] -= 1;
                    }
                }
            }
        }
    }

    /// Counts what `other` has counted as well.
    pub fn merge(&mut self, other: &Self) {
        let theirs = other.on_board.iter().chain(&other.in_hand);
        for (ours, theirs) in self.on_board.iter_mut().chain(&mut self.in_hand).zip(theirs) {
            ours.pieces += theirs.pieces;
            for (ours, theirs) in ours.counts.iter_mut().zip(&theirs.counts) {
                *ours += theirs;
            }
        }
    }

    /// Sets the exchange values of `weights` to what its features come to on average. A kind that
    /// was never counted keeps its value.
    pub fn appraise(&self, weights: &mut Weights) {
        let Weights { features, on_board, in_hand } = weights;
        let value = |share: &Share| -> Option<i32> {
            let sum: i64 = share
                .counts
                .iter()
                .zip(features.iter())
                .map(|(&count, &weight)| count * i64::from(weight))
                .sum();
            let mean = sum.checked_div(share.pieces)?;
            i32::try_from(mean).ok()
        };
        for (values, shares) in [(on_board, &self.on_board), (in_hand, &self.in_hand)] {
            for (kept, share) in values.iter_mut().zip(shares).skip(1) {
                *kept = value(share).unwrap_or(*kept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Position, Whale};

    use super::*;

    #[test]
    fn values_are_means() {
        // A dolphin of Black on its third rank, one of White on its first; Black holds a killer
        // whale that checks in safety from three squares.
        let position = Position::<Whale>::from_sfen("w3d1/6/6/D5/6/5W b K 1").unwrap();
        let mut appraisal = Appraisal::<Whale>::default();
        appraisal.add(position.board());
        let kind = |token| Whale::SPEC.kind_named(token);
        let mut weights = Weights::zero::<Whale>();
        for row in Features::<Whale>::rows() {
            let weights = &mut weights.features[row.first..row.first + row.width];
            match row.name.as_str() {
                "rank D" => weights.copy_from_slice(&[100, 200, 300, 400, 500, 600]),
                "own-whale D" => weights.fill(10),
                "enemy-whale D" => weights.fill(-4),
                "hand K" => weights.copy_from_slice(&[700, 50]),
                "drop-check moving K" => weights.copy_from_slice(&[5, 6, 7, 8]),
                "squeeze moving 0" => weights.fill(3),
                "squeeze moving 1" => weights.fill(33),
                _ => {}
            }
        }
        weights.in_hand[kind("H").index()] = 123;
        appraisal.appraise(&mut weights);
        assert_eq!(weights.on_board[kind("D").index()], (300 + 100) / 2 + 10 - 4);
        assert_eq!(weights.in_hand[kind("K").index()], 700 + 5 + 6 + 7 + 30);
        assert_eq!(weights.in_hand[kind("H").index()], 123);
        let once = weights.clone();
        let twin = appraisal.clone();
        appraisal.merge(&twin);
        appraisal.appraise(&mut weights);
        assert_eq!(weights, once);
    }
}
