//! What pieces are worth, by a fit to the results of games.
//!
//! The chance of a win is a logistic function of a sum: for each kind how many more of it Black has than White, on the board
//! and in hand, and which side moves. The weights that make the results most likely are the values (as Elo's scale has
//! them, 400 centipawns for odds of ten to one). Positions of one game share its result, and games of a pair their
//! opening: the errors are those of clusters (the sandwich of Huber 1967 and White 1980).

use std::collections::BTreeMap;

use kujira_arena::replay::{PlayedMatch, number};
use kujira_position::{Color, Kind, Position, Variant};
use kujira_statistics::{Factor, Matrix, Z95};

use super::Replayed;
use super::estimate::Mean;

/// Centipawns that multiply the odds of winning by e.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// A weak pull of all weights to nothing, as of one drawn game each: kinds that hardly occur would have no finite value.
const PULL: f64 = 1.0;

/// Plies at the end of a game that are left out: a piece given up for a mate is no measure of its value.
const END: usize = 4;

/// Steps of Newton's method; it has settled long before.
const STEPS: usize = 50;

/// A position: what Black has more than White, and Black's result.
struct Row {
    cluster: u64,
    terms: Vec<f64>,
    points: f64,
}

/// What a kind is worth in centipawns, on the board and in hand; `None` where there was none.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    /// Its token.
    pub kind: &'static str,
    /// On the board.
    pub on_board: Option<Mean>,
    /// In hand.
    pub in_hand: Option<Mean>,
}

/// What a fit found.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// The values of the kinds, in the order of the game's table.
    pub values: Vec<Value>,
    /// What it is worth to be the side to move, centipawns.
    pub to_move: Mean,
    /// Positions looked at.
    pub positions: usize,
    /// Games looked at.
    pub games: usize,
}

/// Fits the values of pieces to the games of matches, with every `apart`-th position of each.
///
/// # Errors
/// If a game is not legal, or there are too few.
pub fn fit<V: Variant>(matches: &[PlayedMatch], apart: usize) -> Result<Fit, String> {
    let (mut rows, mut games) = (Vec::new(), 0);
    for (index, played) in matches.iter().enumerate() {
        for record in played.records() {
            let record = record?;
            if !record.ending.reason.by_rule() {
                continue;
            }
            let Replayed { opened, moves, .. } =
                Replayed::<V>::of(&record, played.header.rules.into()).map_err(|error| {
                    played.named(&format!("game {}: {error}", number(record.id)))
                })?;
            games += 1;
            let points = record.ending.half_points(Color::Black) as f64 / 2.0;
            let cluster = (index as u64) << 32 | u64::from(record.id.round);
            let mut position = opened;
            for (ply, &m) in moves.iter().enumerate() {
                if ply % apart == 0 && ply + END < moves.len() {
                    rows.push(Row { cluster, terms: terms(&position), points });
                }
                position.make(m);
            }
        }
    }
    let wanted = "expected games enough to tell the values of pieces, found too few".to_owned();
    let weights = maximise(&rows).ok_or(wanted)?;
    let kinds = V::SPEC.kinds.len();
    let value = |place: usize, kind: Kind| {
        let index = 1 + place * kinds + kind.index();
        rows.iter().any(|row| row.terms[index] != 0.0).then(|| weights[index].times(SCALE))
    };
    let values = V::SPEC.all_kinds().filter(|&kind| kind != Kind::WHALE).map(|kind| Value {
        kind: V::SPEC.kind(kind).token,
        on_board: value(0, kind),
        in_hand: value(1, kind),
    });
    Ok(Fit {
        values: values.collect(),
        to_move: weights[0].times(SCALE),
        positions: rows.len(),
        games,
    })
}

/// What Black has more than White: the move, then every kind on the board, then every kind in hand.
fn terms<V: Variant>(position: &Position<V>) -> Vec<f64> {
    let kinds = V::SPEC.kinds.len();
    let mut terms = vec![0.0; 1 + 2 * kinds];
    let sign = |color: Color| if color == Color::Black { 1.0 } else { -1.0 };
    terms[0] = sign(position.side());
    for square in position.occupied() {
        if let Some(piece) = position.piece_on(square) {
            terms[1 + piece.kind().index()] += sign(piece.color());
        }
    }
    for color in Color::BOTH {
        for kind in position.hand(color).iter() {
            terms[1 + kinds + kind.index()] +=
                sign(color) * position.hand(color).count(kind) as f64;
        }
    }
    terms
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The weights that make the results most likely, by Newton's method; `None` where they cannot be told.
fn maximise(rows: &[Row]) -> Option<Vec<Mean>> {
    let size = rows.first()?.terms.len();
    let mut weights = vec![0.0; size];
    for _ in 0..STEPS {
        let (slope, factor) = (slope(rows, &weights), curvature(rows, &weights).factor()?);
        let pulled: Vec<f64> =
            slope.iter().zip(&weights).map(|(slope, weight)| slope - PULL * weight).collect();
        let step = factor.solve(&pulled);
        weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += step);
        if step.iter().all(|step| step.abs() < 1e-9) {
            let errors = errors(rows, &weights, &factor);
            let means = weights.iter().zip(errors);
            return Some(means.map(|(&value, error)| Mean { value, error }).collect());
        }
    }
    None
}

/// By how much a result was better than expected.
fn surprise(row: &Row, weights: &[f64]) -> f64 {
    row.points - logistic(row.terms.iter().zip(weights).map(|(term, weight)| term * weight).sum())
}

fn slope(rows: &[Row], weights: &[f64]) -> Vec<f64> {
    let mut slope = vec![0.0; weights.len()];
    for row in rows {
        let surprise = surprise(row, weights);
        slope.iter_mut().zip(&row.terms).for_each(|(slope, term)| *slope += surprise * term);
    }
    slope
}

fn curvature(rows: &[Row], weights: &[f64]) -> Matrix {
    let mut matrix = Matrix::zero(weights.len());
    for index in 0..weights.len() {
        matrix.add(index, index, PULL);
    }
    for row in rows {
        let expected = row.points - surprise(row, weights);
        let weight = expected * (1.0 - expected);
        add_outer(&mut matrix, &row.terms, weight);
    }
    matrix
}

/// Adds a vector times itself times a weight; most of it is nothing.
fn add_outer(matrix: &mut Matrix, vector: &[f64], weight: f64) {
    let present: Vec<(usize, f64)> =
        vector.iter().copied().enumerate().filter(|&(_, term)| term != 0.0).collect();
    for &(row, a) in &present {
        for &(column, b) in &present {
            matrix.add(row, column, weight * a * b);
        }
    }
}

/// Half the widths of the 95 % confidence intervals.
fn errors(rows: &[Row], weights: &[f64], factor: &Factor) -> Vec<f64> {
    let mut clusters: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for row in rows {
        let surprise = surprise(row, weights);
        let sum = clusters.entry(row.cluster).or_insert_with(|| vec![0.0; weights.len()]);
        sum.iter_mut().zip(&row.terms).for_each(|(sum, term)| *sum += surprise * term);
    }
    let mut variance = vec![0.0; weights.len()];
    for sum in clusters.values() {
        for (variance, shift) in variance.iter_mut().zip(factor.solve(sum)) {
            *variance += shift * shift;
        }
    }
    variance.into_iter().map(|variance| Z95 * variance.sqrt()).collect()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Results that are drawn by chance from known weights lead back to them, about as far off as the errors say.
    #[test]
    fn weights_that_results_were_drawn_from_are_found() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let truth = [0.1, 0.8, -0.3, 0.0];
        let rows: Vec<Row> = (0..4000)
            .map(|cluster| {
                let terms: Vec<f64> =
                    (0..4).map(|_| f64::from(random.random_range(-2..=2))).collect();
                let sum: f64 = terms.iter().zip(truth).map(|(term, weight)| term * weight).sum();
                let points = f64::from(u8::from(random.random::<f64>() < logistic(sum)));
                Row { cluster, terms, points }
            })
            .collect();
        for (found, truth) in maximise(&rows).unwrap().iter().zip(truth) {
            assert!((found.value - truth).abs() < 2.0 * found.error, "{found:?} {truth}");
            assert!((0.02..0.1).contains(&found.error), "{found:?}");
        }
    }

    /// The same positions several times in one game say no more than once.
    #[test]
    fn positions_of_a_game_count_together() {
        let row = |cluster: u64, times: usize| {
            let points = f64::from(u8::from(!cluster.is_multiple_of(3)));
            (0..times).map(move |_| Row { cluster, terms: vec![1.0], points })
        };
        let of =
            |times| maximise(&(0..600).flat_map(|cluster| row(cluster, times)).collect::<Vec<_>>());
        let (once, often) = (of(1).unwrap()[0], of(5).unwrap()[0]);
        assert!(
            (once.value - often.value).abs() < 0.01
                && (once.error / often.error - 1.0).abs() < 0.02
        );
        assert!((once.value - 2.0_f64.ln()).abs() < 0.01, "{once:?}");
    }
}
