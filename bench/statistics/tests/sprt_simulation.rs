//! Thousands of simulated tests at known true Elo: how often they go wrong.

use std::sync::atomic::{AtomicUsize, Ordering};

use kujira_statistics::{Model, Pentanomial, Sprt, Stream, Verdict, score_of_elo};
use rayon::prelude::*;

const TESTS: usize = 2_500;
const RISK: f64 = 0.05;

/// How pairs of two equal engines end: openings decide many a pair 1–1.
const EQUAL: [f64; 5] = [0.08, 0.12, 0.60, 0.12, 0.08];

fn mean(shares: &[f64; 5]) -> f64 {
    shares.iter().enumerate().map(|(i, share)| share * i as f64 / 4.0).sum()
}

fn variance(shares: &[f64; 5]) -> f64 {
    let mean = mean(shares);
    shares.iter().enumerate().map(|(i, share)| share * (i as f64 / 4.0 - mean).powi(2)).sum()
}

/// How far this distribution of pairs lies from equality, in Elo of the model.
fn elo(shares: &[f64; 5], model: Model) -> f64 {
    let score = mean(shares);
    match model {
        Model::Logistic => 400.0 * (score / (1.0 - score)).log10(),
        // A pair's score has half the variance of a game's.
        Model::Normalized => {
            (score - 0.5) / (2.0 * variance(shares)).sqrt() * 800.0 / std::f64::consts::LN_10
        }
    }
}

/// [`EQUAL`], tilted until it is worth this many Elo.
fn shares_of(wanted: f64, model: Model) -> [f64; 5] {
    let tilted = |tilt: f64| {
        let raw: [f64; 5] = std::array::from_fn(|i| EQUAL[i] * (tilt * i as f64).exp());
        let sum: f64 = raw.iter().sum();
        raw.map(|share| share / sum)
    };
    let (mut low, mut high) = (-2.0, 2.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if elo(&tilted(middle), model) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    tilted(low)
}

/// One test against opponents whose pairs end so.
fn simulate(sprt: &Sprt, shares: &[f64; 5], seed: u64) -> Verdict {
    let mut random = Stream::new(seed);
    let mut pairs = Pentanomial::default();
    loop {
        let mut left = random.unit();
        let result = shares.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        pairs.add(result.unwrap_or(4));
        if let Some(verdict) = sprt.verdict(sprt.llr(&pairs)) {
            return verdict;
        }
    }
}

/// The share of tests that end in `wrong` when the truth is `truth` Elo.
fn share_of(wrong: Verdict, truth: f64, sprt: &Sprt) -> f64 {
    let shares = shares_of(truth, sprt.model);
    assert!((elo(&shares, sprt.model) - truth).abs() < 1e-6);
    let count = AtomicUsize::new(0);
    (0..TESTS as u64).into_par_iter().for_each(|seed| {
        if simulate(sprt, &shares, seed) == wrong {
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    count.into_inner() as f64 / TESTS as f64
}

fn goes_wrong_as_often_as_promised(model: Model, elo0: f64, elo1: f64) {
    let sprt = Sprt { model, elo0, elo1, alpha: RISK, beta: RISK };
    let false_positives = share_of(Verdict::Passed, elo0, &sprt);
    let false_negatives = share_of(Verdict::Failed, elo1, &sprt);
    for (what, share) in [("positives", false_positives), ("negatives", false_negatives)] {
        assert!((share - RISK).abs() <= 0.01, "{model:?}: {share} false {what}");
    }
}

#[test]
fn logistic_tests_keep_their_risks() {
    goes_wrong_as_often_as_promised(Model::Logistic, 0.0, 30.0);
}

#[test]
fn normalized_tests_keep_their_risks() {
    goes_wrong_as_often_as_promised(Model::Normalized, 0.0, 50.0);
}

#[test]
fn scores_of_the_models_agree_with_the_library() {
    let shares = shares_of(35.0, Model::Logistic);
    assert!((mean(&shares) - score_of_elo(35.0)).abs() < 1e-9);
}
