//! What a network is to predict, and how far off it is.

use super::examples::Label;
use super::odds::sigmoid;

/// The loss of a prediction: the distance of `sigmoid(output)` from the target, to a power.
///
/// The target is `(1 - λ) sigmoid(score / scale) + λ outlook`. An output times `scale` is therefore
/// centipawns like those of the search that scored the positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Objective {
    /// Centipawns to a unit of odds.
    pub scale: f32,
    /// λ: the share of what came after in the target, from 0 to 1.
    pub lambda: f32,
    /// The power the distance is raised to, at least 1.
    pub power: f32,
}

/// A distance below this counts as this: a slope is divided by it.
const LEAST: f32 = 1e-12;

impl Objective {
    /// What an output is to come to, from 0 to 1.
    #[inline]
    #[must_use]
    pub fn target(&self, label: Label) -> f32 {
        let searched = sigmoid(f32::from(label.score) / self.scale);
        (1.0 - self.lambda) * searched + self.lambda * label.outlook.chance()
    }

    /// The loss of an output, and its derivative by the output.
    #[inline]
    #[must_use]
    pub fn loss(&self, output: f32, label: Label) -> (f32, f32) {
        let found = sigmoid(output);
        let miss = found - self.target(label);
        let slope = found * (1.0 - found);
        if self.power == 2.0 {
            return (miss * miss, 2.0 * miss * slope);
        }
        let far = miss.abs().max(LEAST);
        let loss = far.powf(self.power);
        (loss, self.power * loss / far * miss.signum() * slope)
    }
}

#[cfg(test)]
mod tests {
    use super::super::outlook::Outlook;
    use super::*;

    const LABEL: Label = Label { score: 200, result: -1, outlook: Outlook::of_result(-1) };

    #[test]
    fn targets_mix_scores_and_outlooks() {
        let target = |lambda| Objective { scale: 400.0, lambda, power: 2.0 }.target(LABEL);
        assert!((target(0.0) - 0.622_459).abs() < 1e-5, "{}", target(0.0));
        assert!((target(0.25) - 0.466_844).abs() < 1e-5, "{}", target(0.25));
        assert!(target(1.0) == 0.0);
        let drawn = Label { outlook: Outlook::of_result(0), ..LABEL };
        assert!(Objective { scale: 400.0, lambda: 1.0, power: 2.0 }.target(drawn) == 0.5);
    }

    #[test]
    fn the_loss_is_a_power_of_the_distance_and_its_slope_its_derivative() {
        for power in [2.0, 2.5, 3.0] {
            let objective = Objective { scale: 400.0, lambda: 0.3, power };
            for output in [-3.0_f32, -0.4, 0.0, 0.3, 2.0] {
                let (loss, slope) = objective.loss(output, LABEL);
                let far = f64::from(sigmoid(output) - objective.target(LABEL)).abs();
                assert!((f64::from(loss) - far.powf(f64::from(power))).abs() < 1e-6);
                let step = 0.01;
                let [less, more] =
                    [output - step, output + step].map(|x| objective.loss(x, LABEL).0);
                let measured = (more - less) / (2.0 * step);
                assert!((slope - measured).abs() < 1e-4, "{power} {output}: {slope} {measured}");
            }
        }
    }

    #[test]
    fn a_perfect_prediction_has_neither_loss_nor_slope() {
        let label = Label { score: 0, result: 0, outlook: Outlook::of_result(0) };
        for power in [2.0, 2.5] {
            let (loss, slope) = Objective { scale: 400.0, lambda: 0.5, power }.loss(0.0, label);
            assert!(loss < 1e-20 && slope.abs() < 1e-9, "{loss} {slope}");
        }
    }
}
