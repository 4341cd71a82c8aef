//! A network in floating point: outputs, and the gradient of the loss.
//!
//! A hidden unit's activation is the square of its sum cut off at 0 and 1; that of the last one of each side, the
//! direct unit, is its sum. Rows of weights are added `BLOCK` units at a time, a constant, so that the sums stay in
//! registers while the rows go by.

use rayon::prelude::*;

use super::aligned::Aligned;
use super::examples::{Example, Examples};
use super::objective::Objective;
use super::parameters::{LANES, Shape};

/// Units whose sums are kept in registers at a time, where there are as many.
const BLOCK: usize = 64;

/// Positions fetched at a time.
const GATHERED: usize = 128;

/// Parameters that a thread works on at a time.
pub(super) const CHUNK: usize = 1 << 13;

/// Adds all gradients up into the first, in their order on any number of threads, and leaves the others empty.
pub fn sum(gradients: &mut [Aligned]) {
    let Some((first, others)) = gradients.split_first_mut() else { return };
    let mut parts: Vec<_> = first.chunks_mut(CHUNK).map(|sums| (sums, Vec::new())).collect();
    for other in others {
        for ((_, others), other) in parts.iter_mut().zip(other.chunks_mut(CHUNK)) {
            others.push(other);
        }
    }
    parts.into_par_iter().for_each(|(sums, others)| {
        for other in others {
            for (sum, more) in sums.iter_mut().zip(other) {
                *sum += std::mem::take(more);
            }
        }
    });
}

/// What a thread needs to work through positions one after the other.
#[derive(Clone, Debug)]
pub struct Network {
    shape: Shape,
    /// Sums of the hidden units: of the side to move, then of the other.
    sums: Vec<f32>,
    /// The derivatives of the loss by these sums.
    slopes: Vec<f32>,
    /// The positions learnt from next.
    near: Examples,
}

/// The sums of `biases` and of the rows of `inputs`.
#[inline]
fn forward(biases: &[f32], rows: &[f32], inputs: &[u16], sums: &mut [f32]) {
    let hidden = sums.len();
    let mut first = 0;
    while first + BLOCK <= hidden {
        forward_block::<BLOCK>(biases, rows, inputs, sums, first);
        first += BLOCK;
    }
    while first + LANES <= hidden {
        forward_block::<LANES>(biases, rows, inputs, sums, first);
        first += LANES;
    }
}

/// The sums of `biases` and of the rows of `inputs`, for the units `first..first + N`.
#[inline(always)]
fn forward_block<const N: usize>(
    biases: &[f32],
    rows: &[f32],
    inputs: &[u16],
    sums: &mut [f32],
    first: usize,
) {
    let hidden = sums.len();
    let mut block = [0.0; N];
    block.copy_from_slice(&biases[first..first + N]);
    for &input in inputs {
        let begin = usize::from(input) * hidden + first;
        let row = &rows[begin..begin + N];
        for (sum, weight) in block.iter_mut().zip(row) {
            *sum += weight;
        }
    }
    sums[first..first + N].copy_from_slice(&block);
}

/// Adds the slopes of hidden units to the rows of `inputs`, and to the biases.
#[inline]
fn backward(biases: &mut [f32], rows: &mut [f32], inputs: &[u16], slopes: &[f32]) {
    let hidden = slopes.len();
    let mut first = 0;
    while first + BLOCK <= hidden {
        backward_block::<BLOCK>(biases, rows, inputs, slopes, first);
        first += BLOCK;
    }
    while first + LANES <= hidden {
        backward_block::<LANES>(biases, rows, inputs, slopes, first);
        first += LANES;
    }
}

/// Adds the slopes of the units `first..first + N` to the rows of `inputs`, and to the biases.
#[inline(always)]
fn backward_block<const N: usize>(
    biases: &mut [f32],
    rows: &mut [f32],
    inputs: &[u16],
    slopes: &[f32],
    first: usize,
) {
    let hidden = slopes.len();
    let mut block = [0.0; N];
    block.copy_from_slice(&slopes[first..first + N]);
    for (bias, slope) in biases[first..first + N].iter_mut().zip(&block) {
        *bias += slope;
    }
    for &input in inputs {
        let begin = usize::from(input) * hidden + first;
        let row = &mut rows[begin..begin + N];
        for (weight, slope) in row.iter_mut().zip(&block) {
            *weight += slope;
        }
    }
}

/// The sum of products, in an order that lets several go at a time.
#[inline]
fn dot(sums: &[f32], weights: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    for (sums, weights) in sums.chunks_exact(LANES).zip(weights.chunks_exact(LANES)) {
        for ((lane, &sum), &weight) in lanes.iter_mut().zip(sums).zip(weights) {
            *lane += square(sum) * weight;
        }
    }
    lanes.iter().sum()
}

/// The activation of a unit that is not the direct one.
#[inline]
fn square(sum: f32) -> f32 {
    let activation = sum.clamp(0.0, 1.0);
    activation * activation
}

impl Network {
    /// Room for networks of this shape.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        let units = 2 * shape.hidden;
        let (sums, slopes) = (vec![0.0; units], vec![0.0; units]);
        Self { shape, sums, slopes, near: Examples::new() }
    }

    /// The output for a position, in units of odds, from the point of view of the side to move; of parameters
    /// that are [summed up](Shape::sum_up).
    ///
    /// # Panics
    /// If the parameters or the position are of another shape.
    #[must_use]
    pub fn output(&mut self, parameters: &[f32], example: Example<'_>) -> f32 {
        let shape = self.shape;
        let (ours, theirs) = self.sums.split_at_mut(shape.hidden);
        let biases = &parameters[shape.hidden_biases()];
        let rows = &parameters[shape.rows()];
        forward(biases, rows, example.ours, ours);
        forward(biases, rows, example.theirs, theirs);
        let units = 2 * shape.hidden;
        let outputs = &parameters[shape.outputs()];
        let outputs = &outputs[example.bucket * units..(example.bucket + 1) * units];
        let bias = parameters[shape.output_biases()][example.bucket];
        // What the activation of the direct units is more than a square.
        let more = |unit: usize| (self.sums[unit] - square(self.sums[unit])) * outputs[unit];
        let direct: f32 = shape.direct().into_iter().map(more).sum();
        bias + dot(&self.sums, outputs) + direct
    }

    /// Adds to `gradient` that of an output just computed; `slope` is the derivative of the loss by it.
    fn propagate(
        &mut self,
        parameters: &[f32],
        example: Example<'_>,
        slope: f32,
        gradient: &mut [f32],
    ) {
        let shape = self.shape;
        let units = 2 * shape.hidden;
        let range = shape.outputs().start + example.bucket * units;
        let range = range..range + units;
        let outputs = &parameters[range.clone()];
        let learnt = &mut gradient[range.clone()];
        let sums = self.sums.iter().zip(&mut self.slopes);
        for (((&sum, below), &weight), learnt) in sums.zip(outputs).zip(learnt) {
            *learnt += slope * square(sum);
            let inside = if sum > 0.0 && sum < 1.0 { 2.0 * sum } else { 0.0 };
            *below = slope * weight * inside;
        }
        for unit in shape.direct() {
            let sum = self.sums[unit];
            gradient[range.start + unit] += slope * (sum - square(sum));
            self.slopes[unit] = slope * outputs[unit];
        }
        gradient[shape.output_biases()][example.bucket] += slope;
        let (rows, rest) = gradient.split_at_mut(shape.rows().end);
        let biases = &mut rest[..shape.hidden];
        let (ours, theirs) = self.slopes.split_at(shape.hidden);
        backward(biases, rows, example.ours, ours);
        backward(biases, rows, example.theirs, theirs);
    }

    /// Adds to `gradient` the gradient of the sum of losses over `positions`, and returns that sum; of
    /// parameters that are [summed up](Shape::sum_up), so that [`Shape::share`] has to follow.
    ///
    /// # Panics
    /// If the parameters, the gradient or a position are of another shape.
    pub fn learn(
        &mut self,
        parameters: &[f32],
        examples: &Examples,
        positions: &[u32],
        objective: &Objective,
        gradient: &mut [f32],
    ) -> f64 {
        let mut sum = 0.0;
        let mut near = std::mem::take(&mut self.near);
        for positions in positions.chunks(GATHERED) {
            near.gather(examples, positions);
            for position in 0..near.len() {
                let example = near.get(position);
                let output = self.output(parameters, example);
                let (loss, slope) = objective.loss(output, near.label(position));
                sum += f64::from(loss);
                self.propagate(parameters, example, slope, gradient);
            }
        }
        self.near = near;
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::Label;
    use super::super::outlook::Outlook;
    use super::*;

    const OBJECTIVE: Objective = Objective { scale: 400.0, lambda: 0.2, power: 2.0 };

    fn shape(hidden: usize) -> Shape {
        Shape { inputs: 30, active: 3, hidden, buckets: 2, shared: 0, copies: 0 }
    }

    fn examples(shape: Shape) -> Examples {
        let mut examples = Examples::new();
        for n in 0..12_u16 {
            let input = |k: u16| (7 * n + 5 * k) % shape.inputs as u16;
            let example = Example {
                ours: &[input(0), input(1), input(2)],
                theirs: &[input(3), input(4)],
                bucket: usize::from(n) % shape.buckets,
            };
            let result = (n % 3) as i8 - 1;
            let outlook = Outlook::of_result(result);
            let label = Label { score: 100 * n as i16 - 500, result, outlook };
            examples.push(example, label);
        }
        examples
    }

    /// The output, added up in the plainest way.
    fn plain(shape: Shape, parameters: &[f32], example: Example<'_>) -> f64 {
        let mut output = f64::from(parameters[shape.output_biases()][example.bucket]);
        for (side, inputs) in [example.ours, example.theirs].into_iter().enumerate() {
            for unit in 0..shape.hidden {
                let mut sum = f64::from(parameters[shape.hidden_biases()][unit]);
                for &input in inputs {
                    sum += f64::from(parameters[usize::from(input) * shape.hidden + unit]);
                }
                let weight = (2 * example.bucket + side) * shape.hidden + unit;
                let weight = f64::from(parameters[shape.outputs()][weight]);
                let direct = unit == shape.hidden - 1;
                output += weight * if direct { sum } else { sum.clamp(0.0, 1.0).powi(2) };
            }
        }
        output
    }

    #[test]
    fn gradients_are_added_up_in_their_order() {
        let len = 2 * CHUNK + 5;
        // In another order nothing would be left of the 1.
        let mut gradients = [1e9, -1e9, 1.0].map(|slope| Aligned::copy(&vec![slope; len]));
        sum(&mut gradients);
        assert!(gradients[0].iter().all(|&slope| slope == 1.0));
        assert!(gradients[1..].iter().all(|other| other.iter().all(|&slope| slope == 0.0)));
        sum(&mut []);
    }

    #[test]
    fn outputs_are_those_of_the_definition() {
        for hidden in [16, 48, 64, 80, 128] {
            let shape = shape(hidden);
            let parameters = shape.random(3.0, 4);
            let (examples, mut network) = (examples(shape), Network::new(shape));
            for position in 0..examples.len() {
                let example = examples.get(position);
                let output = f64::from(network.output(&parameters, example));
                let expected = plain(shape, &parameters, example);
                assert!((output - expected).abs() < 1e-5, "{hidden}: {output} {expected}");
            }
        }
    }

    /// Against differences of the loss, parameter by parameter.
    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let shared = Shape { shared: 5, copies: 2, ..shape(16) };
        // What is shared is counted several times; so that no sum comes to 1, where the slope jumps, less of it.
        for (shape, active) in [(shape(16), 3.0), (shape(80), 3.0), (shared, 12.0)] {
            let parameters = shape.random(active, 4);
            let examples = examples(shape);
            let positions: Vec<u32> = (0..examples.len() as u32).collect();
            let mut gradient = vec![0.0; shape.len()];
            let mut network = Network::new(shape);
            let mut summed = parameters.clone();
            shape.sum_up(&mut summed);
            network.learn(&summed, &examples, &positions, &OBJECTIVE, &mut gradient);
            shape.share(&mut gradient);
            let loss = |parameters: &[f32]| -> f64 {
                let mut summed = parameters.to_vec();
                shape.sum_up(&mut summed);
                let loss = |position: usize| {
                    let output = plain(shape, &summed, examples.get(position)) as f32;
                    f64::from(OBJECTIVE.loss(output, examples.label(position)).0)
                };
                (0..examples.len()).map(loss).sum()
            };
            let mut checked = 0;
            for parameter in 0..shape.len() {
                let step = 3e-4;
                let mut moved = parameters.clone();
                moved[parameter] += step;
                let more = loss(&moved);
                moved[parameter] -= 2.0 * step;
                let measured = (more - loss(&moved)) / f64::from(2.0 * step);
                let found = f64::from(gradient[parameter]);
                let off = (found - measured).abs();
                assert!(off < 2e-3 + 0.01 * measured.abs(), "{parameter}: {found} {measured}");
                checked += usize::from(measured.abs() > 2e-3);
            }
            assert!(checked > shape.len() / 5, "{checked} of {}", shape.len());
        }
    }
}
