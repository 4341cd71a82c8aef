//! How many centipawns multiply the odds of winning by e.

use rayon::prelude::*;

/// The logistic function.
#[must_use]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The smallest scale looked at, in centipawns.
const LEAST: f64 = 20.0;

/// The greatest scale looked at, in centipawns.
const MOST: f64 = 5000.0;

/// Positions added up at a time.
const PART: usize = 1 << 14;

/// Steps of the search: each leaves 62 % of the interval of logarithms.
const STEPS: usize = 24;

/// The scale K for which `sigmoid(score / K)` predicts the results best, in mean square, from pairs of a score in
/// centipawns and a result from 0 to 1: golden section search over the logarithm of K.
#[must_use]
pub fn fit(pairs: &[(f32, f32)]) -> f64 {
    let error = |log: f64| {
        let scale = log.exp() as f32;
        // Parts of a fixed size: sums come out the same on any number of threads.
        let parts: Vec<f64> = pairs
            .par_chunks(PART)
            .map(|part| part.iter().map(|(s, r)| f64::from((sigmoid(s / scale) - r).powi(2))).sum())
            .collect();
        parts.iter().sum::<f64>() / pairs.len().max(1) as f64
    };
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (LEAST.ln(), MOST.ln());
    for _ in 0..STEPS {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if error(left) < error(right) {
            high = right;
        } else {
            low = left;
        }
    }
    f64::midpoint(low, high).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_of_made_up_results_is_found() {
        for scale in [150.0_f32, 400.0, 1200.0] {
            let mut pairs = Vec::new();
            for score in (-1500..=1500).step_by(50) {
                let expected = sigmoid(score as f32 / scale);
                // A hundred games each, as many of them won as the odds say.
                for game in 0..100 {
                    let won = (game as f32 + 0.5) / 100.0 < expected;
                    pairs.push((score as f32, f32::from(u8::from(won))));
                }
            }
            let found = fit(&pairs);
            assert!((found / f64::from(scale) - 1.0).abs() < 0.03, "{scale} {found}");
        }
    }
}
