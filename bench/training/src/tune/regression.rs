//! Minimising the error of the predictions: Adam on small batches, the same on any number of threads.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::dataset::Positions;
use super::scale::sigmoid;

/// Parts a batch is cut into, whatever the number of threads: sums come out the same.
const PARTS: usize = 8;

/// The share of the mean of the gradient that Adam keeps in a step.
const BETA1: f32 = 0.9;

/// The share of the mean of the gradient's square that is kept in a step.
const BETA2: f32 = 0.999;

/// Keeps Adam from dividing by nothing.
const EPSILON: f32 = 1e-8;

/// How to tune.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Centipawns to a unit of odds, for the scores of the search.
    pub scale: f64,
    /// The share of the game's result in the target, from 0 to 1; the rest is the search's score.
    pub result_share: f64,
    /// The pull towards the weights at the start, in positions: a weight a unit of odds away from
    /// its start costs half as much as so many positions wholly mispredicted.
    pub pull: f64,
    /// Passes over the data.
    pub epochs: u32,
    /// Positions a step.
    pub batch: usize,
    /// Length of a step at the start, in units of odds; it shrinks to nothing along a cosine.
    pub rate: f64,
    /// The seed of the order of the positions.
    pub seed: u64,
}

/// The state after an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// Mean square error over the training positions, met on the way.
    pub training: f64,
    /// Mean square error over the positions held out.
    pub held_out: f64,
}

/// A regression in progress.
pub struct Regression<'a> {
    training: &'a Positions,
    held_out: &'a Positions,
    settings: Settings,
    start: Vec<f32>,
    weights: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    /// Steps made.
    steps: u32,
    epochs: u32,
    random: Xoshiro256PlusPlus,
    order: Vec<u32>,
}

impl<'a> Regression<'a> {
    /// A regression that begins with `start`: weights in units of odds, by feature.
    #[must_use]
    pub fn new(
        training: &'a Positions,
        held_out: &'a Positions,
        start: Vec<f32>,
        settings: Settings,
    ) -> Self {
        let count = u32::try_from(training.len()).unwrap_or(u32::MAX);
        Self {
            training,
            held_out,
            settings,
            weights: start.clone(),
            mean: vec![0.0; start.len()],
            square: vec![0.0; start.len()],
            start,
            steps: 0,
            epochs: 0,
            random: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
            order: (0..count).collect(),
        }
    }

    /// The weights found so far, in units of odds.
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// What the evaluation of a position is to predict.
    fn target(&self, positions: &Positions, position: usize) -> f32 {
        let share = self.settings.result_share as f32;
        let searched = sigmoid(positions.scores[position] / self.settings.scale as f32);
        (1.0 - share) * searched + share * positions.results[position]
    }

    /// The mean square error over `positions`.
    #[must_use]
    pub fn error(&self, positions: &Positions) -> f64 {
        let parts: Vec<f64> = (0..positions.len())
            .collect::<Vec<_>>()
            .par_chunks(1 << 14)
            .map(|part| {
                part.iter()
                    .map(|&position| {
                        let found = sigmoid(positions.evaluate(position, &self.weights));
                        f64::from((found - self.target(positions, position)).powi(2))
                    })
                    .sum()
            })
            .collect();
        parts.iter().sum::<f64>() / positions.len().max(1) as f64
    }

    /// Goes through the training positions once more. Does nothing beyond the last epoch.
    pub fn epoch(&mut self) -> Option<Epoch> {
        if self.epochs == self.settings.epochs || self.training.is_empty() {
            return None;
        }
        self.epochs += 1;
        let mut order = std::mem::take(&mut self.order);
        order.shuffle(&mut self.random);
        let mut error = 0.0;
        for batch in order.chunks(self.settings.batch.max(1)) {
            error += self.step(batch);
        }
        let training = error / order.len() as f64;
        self.order = order;
        Some(Epoch { number: self.epochs, training, held_out: self.error(self.held_out) })
    }

    /// The length of the next step: half a cosine from the start to nothing.
    fn rate(&self) -> f32 {
        let batches = self.training.len().div_ceil(self.settings.batch.max(1));
        let all = f64::from(self.settings.epochs) * batches as f64;
        let done = (f64::from(self.steps) / all).min(1.0);
        (self.settings.rate * 0.5 * (1.0 + (std::f64::consts::PI * done).cos())) as f32
    }

    /// A step down the gradient over `batch`; returns the sum of square errors there.
    fn step(&mut self, batch: &[u32]) -> f64 {
        let parts: Vec<(f64, Vec<f32>)> =
            batch.par_chunks(batch.len().div_ceil(PARTS)).map(|part| self.gradient(part)).collect();
        let rate = self.rate();
        self.steps += 1;
        let (first, second) =
            (1.0 - BETA1.powi(self.steps as i32), 1.0 - BETA2.powi(self.steps as i32));
        let pull = (self.settings.pull / self.training.len() as f64) as f32;
        for feature in 0..self.weights.len() {
            let sum: f32 = parts.iter().map(|(_, gradient)| gradient[feature]).sum();
            let gradient =
                sum / batch.len() as f32 + pull * (self.weights[feature] - self.start[feature]);
            let (mean, square) = (&mut self.mean[feature], &mut self.square[feature]);
            *mean = BETA1 * *mean + (1.0 - BETA1) * gradient;
            *square = BETA2 * *square + (1.0 - BETA2) * gradient * gradient;
            self.weights[feature] -= rate * (*mean / first) / ((*square / second).sqrt() + EPSILON);
        }
        parts.iter().map(|(error, _)| error).sum()
    }

    /// The sum of square errors over some positions, and its gradient.
    fn gradient(&self, part: &[u32]) -> (f64, Vec<f32>) {
        let mut gradient = vec![0.0; self.weights.len()];
        let mut error = 0.0;
        for &position in part {
            let position = position as usize;
            let found = sigmoid(self.training.evaluate(position, &self.weights));
            let miss = found - self.target(self.training, position);
            error += f64::from(miss * miss);
            let slope = 2.0 * miss * found * (1.0 - found);
            for (feature, times) in self.training.features(position) {
                gradient[feature] += times * slope;
            }
        }
        (error, gradient)
    }
}
