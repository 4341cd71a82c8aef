//! Steps down the gradient: Adam with decoupled weight decay.
//!
//! See D. P. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization" (2015), and I. Loshchilov and
//! F. Hutter, "Decoupled Weight Decay Regularization" (2019).

use rayon::prelude::*;

use super::gradient::CHUNK;
use super::parameters::Shape;

/// The share of the mean of the gradient that is kept in a step.
const BETA1: f32 = 0.9;

/// The share of the mean of the gradient's square that is kept in a step.
const BETA2: f32 = 0.999;

/// Keeps a step from being divided by nothing.
const EPSILON: f32 = 1e-8;

/// The means that the steps depend on.
#[derive(Clone, PartialEq, Debug)]
pub struct Adam {
    /// The mean of the gradient, for each parameter.
    pub mean: Vec<f32>,
    /// The mean of the gradient's square, for each parameter.
    pub square: Vec<f32>,
}

/// What decides how far a step goes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// Its number, from 1.
    pub number: u64,
    /// Its length: about what a parameter changes by.
    pub rate: f32,
    /// Weights of both layers shrink by this share of themselves for each unit of `rate`; biases do not.
    pub decay: f32,
    /// The gradient is divided by this: the size of a batch whose losses were added up.
    pub batch: f32,
}

impl Adam {
    /// The means before the first step, for this number of parameters.
    #[must_use]
    pub fn new(parameters: usize) -> Self {
        Self { mean: vec![0.0; parameters], square: vec![0.0; parameters] }
    }

    /// Makes a step down `gradient`, within the bounds of the shape, and leaves it empty.
    pub fn step(&mut self, shape: Shape, parameters: &mut [f32], gradient: &mut [f32], step: Step) {
        let power = |beta: f32| 1.0 - f64::from(beta).powf(step.number as f64);
        let (first, second) = (power(BETA1) as f32, power(BETA2) as f32);
        let (bounds, biases) = (shape.bounds(), shape.hidden_biases());
        parameters
            .par_chunks_mut(CHUNK)
            .zip(self.mean.par_chunks_mut(CHUNK))
            .zip(self.square.par_chunks_mut(CHUNK))
            .zip(gradient.par_chunks_mut(CHUNK))
            .enumerate()
            .for_each(|(index, (((parameters, means), squares), gradient))| {
                let begin = index * CHUNK;
                let moments = means.iter_mut().zip(squares);
                for ((parameter, (mean, square)), gradient) in
                    parameters.iter_mut().zip(moments).zip(gradient)
                {
                    let gradient = std::mem::take(gradient) / step.batch;
                    *mean = BETA1 * *mean + (1.0 - BETA1) * gradient;
                    *square = BETA2 * *square + (1.0 - BETA2) * gradient * gradient;
                    *parameter -=
                        step.rate * (*mean / first) / ((*square / second).sqrt() + EPSILON);
                }
                let length = parameters.len();
                let inside = |at: usize| at.clamp(begin, begin + length) - begin;
                for (range, most) in &bounds {
                    let kept = if *range == biases { 1.0 } else { 1.0 - step.rate * step.decay };
                    for weight in &mut parameters[inside(range.start)..inside(range.end)] {
                        *weight = (*weight * kept).clamp(-most, *most);
                    }
                }
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape =
        Shape { inputs: 600, active: 30, hidden: 16, buckets: 1, shared: 0, copies: 0 };
    const STEP: Step = Step { number: 1, rate: 0.1, decay: 0.0, batch: 2.0 };

    #[test]
    fn steps_are_those_of_the_paper() {
        let mut adam = Adam::new(SHAPE.len());
        let mut parameters = vec![0.5; SHAPE.len()];
        let last = SHAPE.len() - 1;
        let (mut mean, mut square, mut expected) = (0.0_f64, 0.0_f64, 0.5_f64);
        for (number, slope) in [(1, 0.25_f32), (2, -1.0), (3, 0.5)] {
            let mut gradient = vec![0.0; SHAPE.len()];
            gradient[last] = 2.0 * slope;
            adam.step(SHAPE, &mut parameters, &mut gradient, Step { number, ..STEP });
            assert!(gradient.iter().all(|&slope| slope == 0.0));
            let slope = f64::from(slope);
            mean = 0.9 * mean + 0.1 * slope;
            square = 0.999 * square + 0.001 * slope * slope;
            let corrected = (square / (1.0 - 0.999_f64.powi(number as i32))).sqrt();
            expected -= 0.1 * mean / (1.0 - 0.9_f64.powi(number as i32)) / corrected;
            let found = f64::from(parameters[last]);
            assert!((found - expected).abs() < 1e-4, "{number}: {found} {expected}");
        }
        assert!(parameters[..last].iter().all(|&parameter| parameter == 0.5));
    }

    #[test]
    fn weights_shrink_and_are_kept_within_bounds() {
        let mut parameters = vec![1.0; SHAPE.len()];
        parameters[0] = 5.0;
        parameters[SHAPE.outputs().start] = -5.0;
        parameters[SHAPE.output_biases().start] = 5.0;
        let mut gradient = vec![0.0; SHAPE.len()];
        let step = Step { decay: 0.5, ..STEP };
        Adam::new(SHAPE.len()).step(SHAPE, &mut parameters, &mut gradient, step);
        let most = 127.0 / 64.0;
        assert_eq!((parameters[0], parameters[SHAPE.outputs().start]), (most, -most));
        for weights in [SHAPE.rows(), SHAPE.outputs()] {
            let shrunk = &parameters[weights.start + 1..weights.end];
            assert!(shrunk.iter().all(|weight| (weight - 0.95).abs() < 1e-6));
        }
        assert_eq!(parameters[SHAPE.output_biases().start], 5.0);
        assert!(parameters[SHAPE.hidden_biases()].iter().all(|&bias| bias == 1.0));
    }
}
