//! A training in progress: batches, epochs, and how good the network is by then.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::adam::{Adam, Step};
use super::aligned::Aligned;
use super::examples::{Example, Examples};
use super::gradient::{self, Network};
use super::objective::Objective;
use super::parameters::Shape;
use super::settings::Settings;

/// Version of what a step computes: a checkpoint is not gone on with by another one. To be raised when the same
/// settings and positions come to other numbers, if only in the last bit.
pub const ARITHMETIC: u32 = 2;

/// Parts a batch is cut into, whatever the number of threads: sums come out the same.
const PARTS: usize = 8;

/// Positions judged by a thread at a time.
const JUDGED: usize = 1 << 12;

/// Everything that changes while a network is trained: what a checkpoint holds.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The network: as many as its [`Shape::len`](super::parameters::Shape::len) says.
    pub parameters: Vec<f32>,
    /// What the steps remember.
    pub adam: Adam,
    /// Steps made.
    pub steps: u64,
    /// Sum of the losses met in the epoch begun.
    pub loss: f64,
    /// The epochs that are over.
    pub history: Vec<Epoch>,
}

impl State {
    /// A network at the start.
    #[must_use]
    pub fn new(parameters: Vec<f32>) -> Self {
        let adam = Adam::new(parameters.len());
        Self { parameters, adam, steps: 0, loss: 0.0, history: Vec::new() }
    }

    /// The parameters that the network is computed with: summed up, then rounded as in the engine or not.
    fn weights(&self, shape: Shape, rounded: bool) -> Aligned {
        let mut weights = Aligned::copy(&self.parameters);
        shape.sum_up(&mut weights);
        if rounded {
            shape.round(&mut weights);
        }
        weights
    }
}

/// The state after an epoch.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// Mean loss over the training positions, met on the way with the λ of the time.
    pub training: f64,
    /// How well the network predicts the positions held out.
    pub held_out: Judgement,
    /// Length of its last step.
    pub rate: f64,
    /// λ of its last step.
    pub lambda: f64,
}

/// How well a network predicts positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Judgement {
    /// Mean loss, with the λ that the training ends with, so that epochs can be compared.
    pub loss: f64,
    /// Mean loss where the scores of the search alone are the target.
    pub scores: f64,
    /// Mean loss where what came after alone is the target.
    pub outlooks: f64,
    /// Share of the positions of games not drawn whose winner the sign of the output tells.
    pub signs: f64,
}

/// A training in progress.
///
/// The same settings and positions give the same network, bit by bit, on any number of threads and
/// however often it was interrupted.
pub struct Trainer<'a> {
    training: &'a Examples,
    held_out: &'a Examples,
    settings: Settings,
    shape: Shape,
    state: State,
    gradients: Vec<Aligned>,
    /// Which copies of inputs each position to learn from lists, for both sides; none where nothing is shared.
    copies: Vec<(u16, u16)>,
    order: Vec<u32>,
    /// The epoch that the order is for, from 0.
    ordered: Option<u64>,
}

impl<'a> Trainer<'a> {
    /// Goes on from `state`.
    ///
    /// # Panics
    /// If the state is of another shape, or there are more than 2³² positions.
    #[must_use]
    pub fn new(
        training: &'a Examples,
        held_out: &'a Examples,
        settings: Settings,
        shape: Shape,
        state: State,
    ) -> Self {
        assert_eq!(state.parameters.len(), shape.len(), "parameters of the shape");
        assert!(u32::try_from(training.len()).is_ok(), "fewer than 2^32 positions");
        let copies = |position| {
            let Example { ours, theirs, .. } = training.get(position);
            (shape.copy_listed(ours), shape.copy_listed(theirs))
        };
        Self {
            copies: match shape.shared {
                0 => Vec::new(),
                _ => (0..training.len()).into_par_iter().map(copies).collect(),
            },
            training,
            held_out,
            settings,
            shape,
            state,
            gradients: (0..PARTS).map(|_| Aligned::zeros(shape.len())).collect(),
            order: Vec::new(),
            ordered: None,
        }
    }

    /// The state so far.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Steps of an epoch.
    #[must_use]
    pub fn batches(&self) -> u64 {
        self.training.len().div_ceil(self.settings.batch.max(1)) as u64
    }

    /// Steps of the whole training.
    #[must_use]
    pub fn all_steps(&self) -> u64 {
        u64::from(self.settings.epochs) * self.batches()
    }

    /// Positions learnt from so far, each as often as it was.
    #[must_use]
    pub fn learnt(&self) -> u64 {
        let batches = self.batches().max(1);
        let (epochs, rest) = (self.state.steps / batches, self.state.steps % batches);
        epochs * self.training.len() as u64 + rest * self.settings.batch as u64
    }

    /// Positions learnt from when the training is over.
    #[must_use]
    pub fn all(&self) -> u64 {
        u64::from(self.settings.epochs) * self.training.len() as u64
    }

    /// Goes on to the end of the epoch begun, telling `progress` of each step. `None` if there is none
    /// left, or `stopped` was set: then it ended after a step, and can be gone on with.
    pub fn epoch(
        &mut self,
        stopped: &AtomicBool,
        mut progress: impl FnMut(&Self),
    ) -> Option<Epoch> {
        let batches = self.batches();
        if self.state.steps >= self.all_steps() {
            return None;
        }
        let number = self.state.steps / batches;
        self.arrange(number);
        loop {
            self.step();
            progress(self);
            if self.state.steps == (number + 1) * batches {
                break;
            }
            if stopped.load(Ordering::Relaxed) {
                return None;
            }
        }
        let last = self.state.steps - 1;
        let epoch = Epoch {
            number: u32::try_from(number + 1).unwrap_or(u32::MAX),
            training: std::mem::take(&mut self.state.loss) / self.training.len() as f64,
            held_out: self.judge(self.held_out),
            rate: self.settings.rate_after(last, self.all_steps()),
            lambda: self.settings.lambda_after(last, self.all_steps()),
        };
        self.state.history.push(epoch);
        Some(epoch)
    }

    /// Puts the positions into the order of an epoch, which depends on nothing but its number and the
    /// seed. Positions of a batch that list the same copies of inputs come one after the other, so that the
    /// rows of weights a thread meets stay in its cache: that takes a fifth of the time away.
    fn arrange(&mut self, epoch: u64) {
        if self.ordered == Some(epoch) {
            return;
        }
        self.order.clear();
        self.order.extend(0..self.training.len() as u32);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.settings.seed ^ (epoch + 1) << 32);
        self.order.shuffle(&mut random);
        if !self.copies.is_empty() {
            self.order.par_chunks_mut(self.settings.batch).for_each(|batch| {
                batch.sort_by_cached_key(|&position| self.copies[position as usize]);
            });
        }
        self.ordered = Some(epoch);
    }

    fn step(&mut self) {
        let (done, all) = (self.state.steps, self.all_steps());
        let mut batches = self.order.chunks(self.settings.batch);
        let begin = (done % self.batches()) as usize;
        let Some(batch) = batches.nth(begin) else { return };
        let objective = Objective {
            scale: self.settings.scale as f32,
            lambda: self.settings.lambda_after(done, all) as f32,
            power: self.settings.power as f32,
        };
        let training = self.training;
        let weights = self.state.weights(self.shape, self.settings.rounds_after(done, all));
        let parameters = &*weights;
        let losses: Vec<f64> = batch
            .par_chunks(batch.len().div_ceil(PARTS))
            .zip(&mut self.gradients)
            .map_init(
                || Network::new(self.shape),
                |network, (part, gradient)| {
                    network.learn(parameters, training, part, &objective, gradient)
                },
            )
            .collect();
        let step = Step {
            number: done + 1,
            rate: self.settings.rate_after(done, all) as f32,
            decay: self.settings.decay as f32,
            batch: batch.len() as f32,
        };
        let state = &mut self.state;
        gradient::sum(&mut self.gradients);
        let gradient = &mut self.gradients[0];
        self.shape.share(gradient);
        state.adam.step(self.shape, &mut state.parameters, gradient, step);
        state.loss += losses.iter().sum::<f64>();
        state.steps += 1;
    }

    /// How well the network predicts `examples` by now.
    #[must_use]
    pub fn judge(&self, examples: &Examples) -> Judgement {
        let rounds = self.settings.rounds_after(self.state.steps, self.all_steps());
        let weights = self.state.weights(self.shape, rounds);
        let parameters = &*weights;
        judge(examples, &self.settings, || {
            let mut network = Network::new(self.shape);
            move |position| network.output(parameters, examples.get(position))
        })
    }
}

/// How well the function that `evaluator` gives predicts `examples`: from the number of a position it
/// makes the output, in units of odds, for the side to move. Each thread has one of its own.
#[must_use]
pub fn judge<E: FnMut(usize) -> f32>(
    examples: &Examples,
    settings: &Settings,
    evaluator: impl Fn() -> E + Sync,
) -> Judgement {
    let [last, scores, outlooks] = [settings.lambda_end, 0.0, 1.0].map(|lambda| Objective {
        scale: settings.scale as f32,
        lambda: lambda as f32,
        power: settings.power as f32,
    });
    let parts: Vec<[f64; 5]> = (0..examples.len().div_ceil(JUDGED))
        .into_par_iter()
        .map(|part| {
            let mut output = evaluator();
            let mut sums = [0.0; 5];
            for position in part * JUDGED..examples.len().min((part + 1) * JUDGED) {
                let (found, label) = (output(position), examples.label(position));
                for (sum, objective) in sums.iter_mut().zip([last, scores, outlooks]) {
                    *sum += f64::from(objective.loss(found, label).0);
                }
                if label.result != 0 {
                    sums[3] += f64::from(u8::from((found > 0.0) == (label.result > 0)));
                    sums[4] += 1.0;
                }
            }
            sums
        })
        .collect();
    let sum = |index: usize| parts.iter().map(|sums| sums[index]).sum::<f64>();
    let mean = |index: usize| sum(index) / examples.len().max(1) as f64;
    Judgement { loss: mean(0), scores: mean(1), outlooks: mean(2), signs: sum(3) / sum(4).max(1.0) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::RngExt;

    use super::super::examples::Label;
    use super::super::outlook::Outlook;
    use super::*;

    const SHAPE: Shape =
        Shape { inputs: 40, active: 4, hidden: 16, buckets: 2, shared: 0, copies: 0 };

    const SETTINGS: Settings = Settings {
        hidden: 16,
        buckets: 2,
        epochs: 12,
        batch: 256,
        rate: 0.01,
        last_rate: 0.05,
        warm_up: 0.02,
        decay: 0.01,
        rounding: 0.25,
        lambda_start: 0.0,
        lambda_end: 0.2,
        trace: 1.0,
        scale: 400,
        power: 2.0,
        seed: 1,
    };

    /// Positions whose score no sum over their inputs gives: pairs of inputs count as well.
    fn examples(count: usize, seed: u64) -> Examples {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut examples = Examples::new();
        for _ in 0..count {
            let mut side = || [(); 4].map(|()| random.random_range(0..40_u16));
            let (ours, theirs) = (side(), side());
            let worth = |side: [u16; 4]| {
                let single: i16 = side.iter().map(|&input| 30 * (input as i16 % 7 - 3)).sum();
                let pair = side.iter().any(|&i| i < 10) && side.iter().any(|&i| i > 29);
                single + if pair { 300 } else { 0 }
            };
            let score = worth(ours) - worth(theirs);
            let result = if score > 60 {
                1
            } else if score < -60 {
                -1
            } else {
                0
            };
            let example =
                Example { ours: &ours, theirs: &theirs, bucket: usize::from(ours[0] % 2) };
            let outlook = Outlook::of_result(result);
            examples.push(example, Label { score, result, outlook });
        }
        examples
    }

    fn start() -> State {
        State::new(SHAPE.random(4.0, SETTINGS.seed))
    }

    /// A training to its end, stopped after every `pause` steps and gone on with by another trainer.
    fn train(training: &Examples, held_out: &Examples, settings: Settings, pause: u64) -> State {
        train_shaped(SHAPE, training, held_out, settings, pause)
    }

    fn train_shaped(
        shape: Shape,
        training: &Examples,
        held_out: &Examples,
        settings: Settings,
        pause: u64,
    ) -> State {
        let mut state = start();
        while state.history.len() < settings.epochs as usize {
            let mut trainer = Trainer::new(training, held_out, settings, shape, state);
            let (stopped, begun) = (AtomicBool::new(false), trainer.state().steps);
            while let Some(epoch) = trainer.epoch(&stopped, |trainer| {
                let pausing = trainer.state().steps - begun >= pause;
                stopped.fetch_or(pausing, Ordering::Relaxed);
            }) {
                assert_eq!(epoch.number as usize, trainer.state().history.len());
                if stopped.load(Ordering::Relaxed) {
                    break;
                }
            }
            state = trainer.state().clone();
        }
        state
    }

    #[test]
    fn the_loss_falls_on_positions_never_seen() {
        let (training, held_out) = (examples(6000, 1), examples(1000, 2));
        let before = Trainer::new(&training, &held_out, SETTINGS, SHAPE, start()).judge(&held_out);
        let state = train(&training, &held_out, SETTINGS, u64::MAX);
        let after = state.history;
        assert_eq!(after.len(), 12);
        let last = after[11];
        // Results cannot be told from scores exactly.
        assert!(last.training < after[0].training / 1.7, "{after:?}");
        assert!(last.held_out.loss < after[0].held_out.loss / 3.0, "{after:?}");
        assert!(last.held_out.loss < before.loss / 4.5, "{before:?} {last:?}");
        assert!(last.held_out.scores < before.scores / 4.5, "{before:?} {last:?}");
        assert!(last.held_out.outlooks < before.outlooks / 1.35, "{before:?} {last:?}");
        assert!(last.held_out.signs > 0.95 && before.signs < 0.8, "{before:?} {last:?}");
        assert!(last.lambda > 0.19 && last.lambda < 0.2 && last.rate < 1e-3, "{last:?}");
    }

    #[test]
    fn copies_learn_as_if_what_they_share_were_on_too() {
        let shape = Shape { shared: 10, copies: 3, ..SHAPE };
        let (mut copies, mut both) = (Examples::new(), Examples::new());
        let all = examples(3000, 7);
        for position in 0..all.len() {
            let (example, label) = (all.get(position), all.label(position));
            let copied = |side: &[u16]| -> Vec<u16> { side.iter().map(|i| 10 + i % 30).collect() };
            let (ours, theirs) = (copied(example.ours), copied(example.theirs));
            copies.push(Example { ours: &ours, theirs: &theirs, ..example }, label);
            let with =
                |side: &[u16]| [side, &side.iter().map(|i| i % 10).collect::<Vec<_>>()].concat();
            both.push(Example { ours: &with(&ours), theirs: &with(&theirs), ..example }, label);
        }
        let start = shape.random(4.0, SETTINGS.seed);
        let learnt = |shape: Shape, examples: &Examples| {
            let start = State::new(start.clone());
            let settings = Settings { epochs: 2, rounding: 0.0, ..SETTINGS };
            let mut trainer = Trainer::new(examples, examples, settings, shape, start);
            while trainer.epoch(&AtomicBool::new(false), |_| ()).is_some() {}
            (trainer.state().history[1].held_out.loss, trainer.state().parameters.clone())
        };
        let (loss, shared) = learnt(shape, &copies);
        let (expected, listed) = learnt(SHAPE, &both);
        assert!((loss - expected).abs() < 1e-3 * expected, "{loss} {expected}");
        let apart = shared.iter().zip(&listed).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        let moved = shared.iter().zip(&start).map(|(a, b)| (a - b).abs());
        assert!(apart < 1e-4 && moved.fold(0.0, f32::max) > 0.05, "{apart}");
    }

    #[test]
    fn positions_that_list_the_same_copies_follow_one_another() {
        let (training, shape) = (examples(1000, 8), Shape { shared: 10, copies: 3, ..SHAPE });
        let order = |shape: Shape| {
            let mut trainer = Trainer::new(&training, &training, SETTINGS, shape, start());
            trainer.arrange(1);
            trainer.order
        };
        let (shuffled, grouped) = (order(SHAPE), order(shape));
        let copies = |&position: &u32| {
            let Example { ours, theirs, .. } = training.get(position as usize);
            [ours, theirs].map(|inputs| shape.copy_listed(inputs))
        };
        for (shuffled, grouped) in shuffled.chunks(256).zip(grouped.chunks(256)) {
            assert!(grouped.is_sorted_by_key(copies) && !shuffled.is_sorted_by_key(copies));
            let sorted = |batch: &[u32]| batch.iter().copied().collect::<BTreeSet<_>>();
            assert_eq!(sorted(shuffled), sorted(grouped));
        }
        assert_eq!(grouped.iter().collect::<BTreeSet<_>>().len(), 1000);
    }

    #[test]
    fn threads_and_interruptions_change_nothing() {
        let (training, held_out) = (examples(1500, 3), examples(200, 4));
        let settings = Settings { epochs: 3, ..SETTINGS };
        let whole = train(&training, &held_out, settings, u64::MAX);
        assert_eq!(whole.steps, 18);
        for (threads, pause) in [(1, u64::MAX), (3, u64::MAX), (1, 1), (2, 4), (1, 6)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let again = pool.install(|| train(&training, &held_out, settings, pause));
            assert_eq!(again, whole, "{threads} threads, {pause} steps at a time");
        }
        // Inputs from 30 on are copies of the first ten.
        let shape = Shape { shared: 10, copies: 1, ..SHAPE };
        let grouped = train_shaped(shape, &training, &held_out, settings, u64::MAX);
        for (threads, pause) in [(3, u64::MAX), (1, 4)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let again = pool.install(|| train_shaped(shape, &training, &held_out, settings, pause));
            assert_eq!(again, grouped, "{threads} threads, {pause} steps at a time");
        }
        let other = Settings { seed: 2, ..settings };
        assert_ne!(train(&training, &held_out, other, u64::MAX).parameters, whole.parameters);
    }

    #[test]
    fn what_has_been_learnt_is_counted() {
        let training = examples(600, 5);
        let settings = Settings { epochs: 2, ..SETTINGS };
        let mut trainer = Trainer::new(&training, &training, settings, SHAPE, start());
        assert_eq!((trainer.batches(), trainer.all_steps(), trainer.all()), (3, 6, 1200));
        let mut learnt = Vec::new();
        let never = AtomicBool::new(false);
        while trainer.epoch(&never, |trainer| learnt.push(trainer.learnt())).is_some() {}
        assert_eq!(learnt, [256, 512, 600, 856, 1112, 1200]);
    }

    #[test]
    fn a_judgement_measures_any_evaluation() {
        let examples = examples(5000, 6);
        // The score itself predicts scores without a loss, and its sign most results.
        let scale = SETTINGS.scale as f32;
        let exact = judge(&examples, &SETTINGS, || {
            |position| f32::from(examples.label(position).score) / scale
        });
        assert!(exact.scores < 1e-12 && exact.outlooks > 0.01 && exact.signs == 1.0, "{exact:?}");
        let wrong = judge(&examples, &SETTINGS, || {
            |position| -f32::from(examples.label(position).score) / scale
        });
        assert!(wrong.scores > 0.01 && wrong.signs == 0.0, "{wrong:?}");
    }
}
