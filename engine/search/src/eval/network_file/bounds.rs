//! The bounds of a network's sizes and numbers.

use std::ops::RangeInclusive;

use arrayvec::ArrayVec;
use kujira_position::{Kind, Variant};

use super::error::NetworkError;
use super::weights::NetworkFile;
use crate::eval::inputs::Inputs;

/// The activation 1 of a hidden unit: units are clipped to it. The unit of input weights and of hidden biases.
pub const ACTIVATION: i32 = 127;

/// The output weight 1: the unit of output weights.
pub const OUTPUT: i32 = 64;

/// An error if `found` is not within `bounds`.
pub(super) fn within(
    what: &'static str,
    bounds: RangeInclusive<i64>,
    found: i64,
) -> Result<(), NetworkError> {
    if bounds.contains(&found) {
        return Ok(());
    }
    let expected = if bounds.start() == bounds.end() {
        bounds.start().to_string()
    } else {
        format!("within {} and {}", bounds.start(), bounds.end())
    };
    Err(NetworkError::Range { what, expected, found })
}

/// A count as a signed number, to compare with bounds.
fn wide(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// An error if the sizes, the scale or what a pawn counts are not within their bounds.
pub(super) fn check_sizes(
    hidden: usize,
    buckets: usize,
    [scale, pawn]: [i32; 2],
) -> Result<(), NetworkError> {
    let step = NetworkFile::HIDDEN_STEP;
    within("hidden units", wide(step)..=wide(NetworkFile::MOST_HIDDEN), wide(hidden))?;
    within("hidden units beyond a multiple of 16:", 0..=0, wide(hidden % step))?;
    within("buckets", 1..=wide(NetworkFile::MOST_BUCKETS), wide(buckets))?;
    let most = i64::from(NetworkFile::MOST_SCALE);
    within("a scale", 1..=most, i64::from(scale))?;
    within("a dolphin or calf in hand", 1..=most, i64::from(pawn))
}

impl NetworkFile {
    /// Checks that sizes and numbers are within their bounds, and that no hidden unit can leave 16 bits
    /// whatever the position: that is so if its bias and, for each piece of the game, the greatest weight
    /// that the piece can add in any place of the board, attacked or not, or in either hand, checking or not,
    /// wherever the whale is, and the greatest of each siege, are together within 16 bits, and the same
    /// with the least weights.
    ///
    /// # Errors
    /// The first bound that does not hold.
    pub fn check<V: Variant>(&self) -> Result<(), NetworkError> {
        let Self { hidden, buckets, .. } = *self;
        check_sizes(hidden, buckets, [self.scale, self.pawn])?;
        let kinds = V::SPEC.kinds.len();
        for (what, expected, found) in [
            ("values of kinds on the board:", kinds, self.on_board.len()),
            ("values of kinds in hand:", kinds, self.in_hand.len()),
            ("weights of the inputs:", Inputs::<V>::COUNT * hidden, self.weights.len()),
            ("hidden biases:", hidden, self.biases.len()),
            ("output weights:", buckets * 2 * hidden, self.outputs.len()),
            ("output biases:", buckets, self.output_biases.len()),
        ] {
            within(what, wide(expected)..=wide(expected), wide(found))?;
        }
        let most = i64::from(Self::MOST_OUTPUT);
        for &weight in &self.outputs {
            within("output weights", -most..=most, i64::from(weight))?;
        }
        let most = i64::from(Self::MOST_VALUE);
        for &value in self.on_board.iter().chain(&self.in_hand) {
            within("piece values", -most..=most, i64::from(value))?;
        }
        for (unit, reach) in self.reach::<V>().into_iter().enumerate() {
            if reach > i64::from(i16::MAX) {
                return Err(NetworkError::Overflow { unit, reach });
            }
        }
        Ok(())
    }

    /// How far each hidden unit can get from 0, at most: see [`Self::check`].
    #[must_use]
    pub fn reach<V: Variant>(&self) -> Vec<i64> {
        let spec = V::SPEC;
        let mut highest: Vec<i64> = self.biases.iter().map(|&bias| i64::from(bias)).collect();
        let mut lowest = highest.clone();
        let captured = |kind: Kind| spec.kind_named(spec.kind(kind).in_hand);
        for material in (0..=spec.hand_kinds).map(Kind::from_index) {
            let pieces = i64::from(spec.kind(material).material);
            let forms: Vec<Kind> = spec.all_kinds().filter(|&k| captured(k) == material).collect();
            // Of one piece, by hidden unit.
            let mut most = vec![(i64::MIN, i64::MAX); self.hidden];
            let mut place = |inputs: &mut dyn Iterator<Item = usize>| {
                // Of square and rank, and of the attack on the piece.
                let rows: ArrayVec<&[i16], 3> = inputs.map(|input| self.row(input)).collect();
                for (unit, (high, low)) in most.iter_mut().enumerate() {
                    let sum = rows.iter().map(|row| i64::from(row[unit])).sum();
                    (*high, *low) = ((*high).max(sum), (*low).min(sum));
                }
            };
            for theirs in [false, true] {
                for &kind in &forms {
                    for seen in 0..Inputs::<V>::AREA {
                        let attacked =
                            |defended| Inputs::<V>::attacked(theirs, kind, seen, defended);
                        for zone in 0..Inputs::<V>::ZONES {
                            let inputs = || Inputs::<V>::on_board(zone, theirs, kind, seen);
                            place(&mut inputs());
                            place(&mut inputs().chain([attacked(false)]));
                            place(&mut inputs().chain([attacked(true)]));
                        }
                    }
                }
                if material != Kind::WHALE {
                    let first = Inputs::<V>::hand(theirs, material);
                    for input in first..first + usize::from(spec.kind(material).material) {
                        for zone in 0..Inputs::<V>::ZONES {
                            let held = || [Inputs::<V>::placed(zone, input)].into_iter();
                            place(&mut held());
                            for check in Inputs::<V>::checks(theirs, material) {
                                place(&mut held().chain([check]));
                            }
                        }
                    }
                }
            }
            for (unit, (high, low)) in most.into_iter().enumerate() {
                highest[unit] += pieces * high.max(0);
                lowest[unit] += pieces * low.min(0);
            }
        }
        for siege in Inputs::<V>::sieges() {
            for unit in 0..self.hidden {
                let weights = || siege.clone().map(|input| i64::from(self.row(input)[unit]));
                highest[unit] += weights().max().unwrap_or(0).max(0);
                lowest[unit] += weights().min().unwrap_or(0).min(0);
            }
        }
        highest.into_iter().zip(lowest).map(|(high, low)| high.max(-low)).collect()
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Whale};

    use super::*;

    #[test]
    fn the_reach_of_a_unit_counts_every_piece_once() {
        let mut net = NetworkFile::zero::<Whale>(16, 1, 400);
        let kind = |token| Whale::SPEC.kind_named(token);
        net.biases[3] = 1_000;
        // Twelve dolphins, each 100 at most; two porpoises that become killer whales, 50 at most.
        let at = |input: usize, unit: usize| Inputs::<Whale>::placed(2, input) * 16 + unit;
        let square = Inputs::<Whale>::square;
        net.weights[at(square(false, kind("D"), 20), 3)] = 100;
        net.weights[at(square(true, kind("D"), 21), 3)] = 90;
        net.weights[at(square(true, kind("P"), 2), 3)] = 50;
        net.weights[at(Inputs::<Whale>::hand(false, kind("K")) + 1, 3)] = 40;
        net.weights[at(square(false, kind("G"), 2), 5)] = -16_384;
        let mut expected = vec![0; 16];
        (expected[3], expected[5]) = (1_000 + 12 * 100 + 2 * 50, 2 * 16_384);
        assert_eq!(net.reach::<Whale>(), expected);
        assert_eq!(net.check::<Whale>(), Err(NetworkError::Overflow { unit: 5, reach: 32_768 }));
        net.weights[at(square(false, kind("G"), 2), 5)] += 1;
        assert_eq!(net.check::<Whale>(), Ok(()));
    }

    #[test]
    fn the_reach_of_a_unit_counts_rank_and_square_of_a_piece() {
        let mut net = NetworkFile::zero::<Great>(16, 1, 400);
        let kind = |token| Great::SPEC.kind_named(token);
        // BR and the promoted calf stand for the same class; only the calf's rank counts here.
        let first = Inputs::<Great>::on_board(0, false, kind("BR"), 20).next().unwrap();
        net.weights[first * 16] = 10;
        let last = Inputs::<Great>::on_board(0, false, kind("+BRC"), 20).last().unwrap();
        net.weights[last * 16] = 5;
        assert_eq!(net.reach::<Great>()[0], 2 * 10 + 2 * 15);
    }

    #[test]
    fn the_reach_of_a_unit_counts_the_zone_that_adds_most() {
        let mut net = NetworkFile::zero::<Whale>(16, 1, 400);
        let kind = Whale::SPEC.kind_named("D");
        let first = Inputs::<Whale>::hand(false, kind);
        net.weights[Inputs::<Whale>::placed(0, first) * 16] = 37;
        net.weights[Inputs::<Whale>::placed(5, first) * 16] = 39;
        assert_eq!(net.reach::<Whale>()[0], 12 * 39);
        // A dolphin on a square, in a zone, attacked: more than one in hand.
        let placed = Inputs::<Whale>::on_board(3, false, kind, 8).next().unwrap();
        net.weights[placed * 16] = 25;
        net.weights[Inputs::<Whale>::attacked(false, kind, 8, true) * 16] = 20;
        assert_eq!(net.reach::<Whale>()[0], 12 * 45);
        // In hand it may check; and each siege adds its greatest.
        net.weights[Inputs::<Whale>::checks(false, kind).start * 16] = 7;
        assert_eq!(net.reach::<Whale>()[0], 12 * 46);
        for (number, siege) in Inputs::<Whale>::sieges().enumerate() {
            for (weight, input) in siege.enumerate() {
                net.weights[input * 16] = if number == 0 { -1 } else { weight as i16 % 9 };
            }
        }
        assert_eq!(net.reach::<Whale>()[0], 12 * 46 + 3 * 8);
    }
}
