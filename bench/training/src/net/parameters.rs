//! The numbers that training finds, in floating point, one after the other in one vector.

use std::ops::Range;

use kujira_search::eval::{self, NetworkFile};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Number of units worked on at a time; a hidden layer has a multiple of it.
pub const LANES: usize = NetworkFile::HIDDEN_STEP;

/// An activation of 1 in steps of quantisation: the weights of the first layer are multiples of its inverse.
pub const ACTIVATION: f32 = eval::ACTIVATION as f32;

/// An output weight of 1 in steps of quantisation: the weights of the second layer are multiples of its
/// inverse, and their products with activations fit in 16 bits.
pub const OUTPUT: f32 = eval::OUTPUT as f32;

/// The most steps of a second-layer weight.
const MOST_OUTPUT: f32 = NetworkFile::MOST_OUTPUT as f32;

/// The greatest bias of a hidden unit.
const MOST_BIAS: f32 = 8.0;

/// The size of a network: `(inputs → hidden) × 2 → buckets`.
///
/// Both sides share the first layer. The hidden units of the side to move come first, then those of the
/// other side; a position is judged by the output of its bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Inputs of a side.
    pub inputs: usize,
    /// The most inputs that are on at once for a side.
    pub active: usize,
    /// Hidden units of a side, a multiple of [`LANES`].
    pub hidden: usize,
    /// Outputs.
    pub buckets: usize,
    /// Number of inputs, the first ones, that are on whenever one of their copies is, see [`Self::sum_up`].
    pub shared: usize,
    /// Copies of the shared inputs, at the end of the inputs, one after the other.
    pub copies: usize,
}

impl Shape {
    /// First-layer weights: a row of hidden units for each input.
    #[must_use]
    pub fn rows(&self) -> Range<usize> {
        0..self.inputs * self.hidden
    }

    /// First-layer biases.
    #[must_use]
    pub fn hidden_biases(&self) -> Range<usize> {
        let begin = self.rows().end;
        begin..begin + self.hidden
    }

    /// Second-layer weights: for each bucket, those of the side to move, then those of the other.
    #[must_use]
    pub fn outputs(&self) -> Range<usize> {
        let begin = self.hidden_biases().end;
        begin..begin + self.buckets * 2 * self.hidden
    }

    /// Second-layer biases.
    #[must_use]
    pub fn output_biases(&self) -> Range<usize> {
        let begin = self.outputs().end;
        begin..begin + self.buckets
    }

    /// The direct units, of the side to move and of the other: the last ones.
    #[must_use]
    pub fn direct(&self) -> [usize; 2] {
        [self.hidden - 1, 2 * self.hidden - 1]
    }

    /// How many numbers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.output_biases().end
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bounds of the weights and of the biases that quantisation rounds, of either sign. Within them no
    /// position takes a hidden unit beyond 16 bits.
    #[must_use]
    pub fn bounds(&self) -> [(Range<usize>, f32); 3] {
        let room = (f32::from(i16::MAX) - ACTIVATION * MOST_BIAS) / ACTIVATION - 1.0;
        let most = MOST_OUTPUT / OUTPUT;
        // Rounding may add half a step to each weight.
        let row = (room / self.active.max(1) as f32 - 0.5 / ACTIVATION).min(most);
        [(self.rows(), row), (self.hidden_biases(), MOST_BIAS), (self.outputs(), most)]
    }

    /// Makes the parameters what quantisation leaves of them: all that have bounds rounded to whole steps.
    pub fn round(&self, parameters: &mut [f32]) {
        let units = [(self.rows(), ACTIVATION), (self.hidden_biases(), ACTIVATION)];
        for (range, unit) in units.into_iter().chain([(self.outputs(), OUTPUT)]) {
            for parameter in &mut parameters[range] {
                *parameter = (*parameter * unit).round_ties_even() / unit;
            }
        }
    }

    /// Where the weights of the copies lie.
    fn copied_rows(&self) -> Range<usize> {
        let rows = self.rows().end;
        rows - self.copies * self.shared * self.hidden..rows
    }

    /// Makes the parameters those of a network without shared inputs: to each copy the weights of the input it
    /// is a copy of are added. Positions list copies alone, so that a piece costs one row and not two, which
    /// takes a quarter of the time away.
    pub fn sum_up(&self, parameters: &mut [f32]) {
        if self.shared > 0 {
            let (shared, copies) = parameters.split_at_mut(self.copied_rows().start);
            let shared = &shared[..self.shared * self.hidden];
            for copy in copies[..self.copies * shared.len()].chunks_mut(shared.len()) {
                copy.iter_mut().zip(shared).for_each(|(weight, shared)| *weight += shared);
            }
        }
    }

    /// Which of the copies those among a side's inputs are of: all are of one. 0 where nothing is shared.
    #[must_use]
    pub fn copy_listed(&self, inputs: &[u16]) -> u16 {
        let first = self.copied_rows().start / self.hidden.max(1);
        let last = inputs.iter().max().map_or(0, |&input| usize::from(input));
        let copy = last.saturating_sub(first) / self.shared.max(1);
        u16::try_from(copy).unwrap_or(u16::MAX)
    }

    /// Makes the gradient of [summed up](Self::sum_up) parameters that of the parameters themselves.
    pub fn share(&self, gradient: &mut [f32]) {
        if self.shared > 0 {
            let (shared, copies) = gradient.split_at_mut(self.copied_rows().start);
            let shared = &mut shared[..self.shared * self.hidden];
            for copy in copies[..self.copies * shared.len()].chunks(shared.len()) {
                shared.iter_mut().zip(copy).for_each(|(slope, copy)| *slope += copy);
            }
        }
    }

    /// Numbers to begin with: weights drawn evenly from a range that keeps the units within their
    /// bounds at first, biases and what copies of inputs add of nothing. `active` is how many
    /// inputs are on for a side, on average, without those that are shared.
    #[must_use]
    pub fn random(&self, active: f64, seed: u64) -> Vec<f32> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut parameters = vec![0.0; self.len()];
        let mut fill = |range: Range<usize>, most: f32| {
            for parameter in &mut parameters[range] {
                *parameter = most * (2.0 * random.random::<f32>() - 1.0);
            }
        };
        fill(0..self.copied_rows().start, (1.0 / active.max(1.0).sqrt()) as f32);
        fill(self.outputs(), 1.0 / (2.0 * self.hidden.max(1) as f32).sqrt());
        parameters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape =
        Shape { inputs: 50, active: 9, hidden: 16, buckets: 3, shared: 0, copies: 0 };

    #[test]
    fn the_parts_lie_one_after_the_other() {
        let parts = [
            (SHAPE.rows(), 800),
            (SHAPE.hidden_biases(), 16),
            (SHAPE.outputs(), 96),
            (SHAPE.output_biases(), 3),
        ];
        let mut begin = 0;
        for (part, length) in parts {
            assert_eq!(part, begin..begin + length);
            begin = part.end;
        }
        assert_eq!(SHAPE.len(), begin);
    }

    #[test]
    fn units_within_bounds_fit_in_16_bits() {
        for active in [1, 24, 28, 72, 84, 168, 500] {
            let [(_, row), (_, bias), (_, output)] = Shape { active, ..SHAPE }.bounds();
            let steps = |number: f32| (number * ACTIVATION).round();
            let reach = steps(bias) + active as f32 * steps(row);
            assert!(reach <= 32_767.0, "{active}: {reach}");
            assert!(row == 1.984_375 || reach > 32_000.0, "{active}: {reach}");
            assert_eq!(output * OUTPUT, 127.0);
        }
    }

    #[test]
    fn rounding_leaves_whole_steps() {
        let parameters = SHAPE.random(4.0, 1);
        let mut rounded = parameters.clone();
        SHAPE.round(&mut rounded);
        for (range, step) in [
            (SHAPE.rows(), 1.0 / 127.0),
            (SHAPE.hidden_biases(), 1.0 / 127.0),
            (SHAPE.outputs(), 1.0 / 64.0),
        ] {
            for (exact, rounded) in parameters[range.clone()].iter().zip(&rounded[range]) {
                assert!((exact - rounded).abs() <= 0.5001 * step, "{exact} {rounded}");
                let steps = rounded / step;
                assert!((steps - steps.round()).abs() < 1e-3, "{rounded}");
            }
        }
        assert_ne!(parameters, rounded);
        let mut again = rounded.clone();
        SHAPE.round(&mut again);
        assert_eq!(again, rounded);
        let rest = SHAPE.output_biases().start..SHAPE.len();
        assert_eq!(parameters[rest.clone()], rounded[rest]);
    }

    #[test]
    fn copies_are_added_to_what_they_share() {
        let shape = Shape { shared: 10, copies: 3, ..SHAPE };
        let parameters: Vec<f32> = (0..shape.len()).map(|number| number as f32).collect();
        let mut summed = parameters.clone();
        shape.sum_up(&mut summed);
        let row = |parameters: &[f32], input: usize| parameters[input * 16 + 5];
        for input in 0..50 {
            let shared = if input < 20 { 0.0 } else { row(&parameters, input % 10) };
            assert_eq!(row(&summed, input), row(&parameters, input) + shared, "{input}");
        }
        assert_eq!(summed[shape.rows().end..], parameters[shape.rows().end..]);
        let mut gradient = parameters.clone();
        shape.share(&mut gradient);
        for input in 0..10 {
            let all = [0, 20, 30, 40].map(|copy| row(&parameters, copy + input));
            assert_eq!(row(&gradient, input), all.iter().sum::<f32>(), "{input}");
        }
        assert_eq!(gradient[160..], parameters[160..]);
        let mut same = parameters.clone();
        SHAPE.sum_up(&mut same);
        assert_eq!(same, parameters);

        let listed = [[10, 15, 20], [29, 3, 10], [30, 19, 2], [49, 40, 0]];
        assert_eq!(listed.map(|inputs| shape.copy_listed(&inputs)), [0, 0, 1, 2]);
        assert_eq!(listed.map(|inputs| SHAPE.copy_listed(&inputs)), [0; 4]);

        let start = shape.random(4.0, 1);
        assert!(start[20 * 16..50 * 16].iter().all(|&weight| weight == 0.0));
        assert!(start[..20 * 16].iter().all(|&weight| weight != 0.0));
    }

    #[test]
    fn the_beginning_depends_on_the_seed_alone() {
        let first = SHAPE.random(4.0, 1);
        assert_eq!(first, SHAPE.random(4.0, 1));
        assert_ne!(first, SHAPE.random(4.0, 2));
        let most = |range: Range<usize>| first[range].iter().fold(0.0, |a: f32, b| a.max(b.abs()));
        assert!((0.45..=0.5).contains(&most(SHAPE.rows())), "{}", most(SHAPE.rows()));
        assert!((0.15..=0.177).contains(&most(SHAPE.outputs())), "{}", most(SHAPE.outputs()));
        assert!(most(SHAPE.hidden_biases()) == 0.0 && most(SHAPE.output_biases()) == 0.0);
    }
}
