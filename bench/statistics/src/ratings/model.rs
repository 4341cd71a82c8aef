//! How likely the results of one game are: Davidson's draws on the scale of the expected score.

/// What is expected of a game between Black and White.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Expected {
    /// Probability that Black wins.
    pub(super) win: f64,
    /// Probability of a draw.
    pub(super) draw: f64,
    /// Probability that White wins.
    pub(super) loss: f64,
}

/// Beyond it (10,000 Elo) nobody is even stronger: exponentials stay finite.
const FARTHEST: f64 = 57.6;

impl Expected {
    /// A game in which Black is stronger by `difference`, in units of 400 / ln 10 Elo, where `draws` is the logarithm
    /// of Davidson's ν.
    ///
    /// The expected score is that of Elo, `1 / (1 + e^-difference)`, and draws follow R. R. Davidson, *On extending
    /// the Bradley-Terry model to accommodate ties in paired comparison experiments* (1970): the probability of a
    /// draw is ν times the geometric mean of those of the two wins. (Davidson himself adds up strengths on the scale
    /// of wins against losses, where what an Elo means depends on how many games are drawn.)
    pub(super) fn new(difference: f64, draws: f64) -> Self {
        if difference < 0.0 {
            let Self { win, draw, loss } = Self::new(-difference, draws);
            return Self { win: loss, draw, loss: win };
        }
        let nu = draws.clamp(-FARTHEST, FARTHEST).exp();
        let less = 1.0 / (1.0 + difference.min(FARTHEST).exp());
        let score = 1.0 - less;
        // With r² the odds of a win against a loss, score = (r² + ν r / 2) / (r² + 1 + ν r).
        let half = nu * (score - 0.5);
        let root = (half + (half * half + 4.0 * score * less).sqrt()) / (2.0 * less);
        Self {
            win: 1.0 / (1.0 + nu / root + 1.0 / (root * root)),
            draw: nu / (root + 1.0 / root + nu),
            loss: 1.0 / (1.0 + nu * root + root * root),
        }
    }

    /// Black's expected score, 0 to 1.
    pub(super) fn score(self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// The variance of the score of one game.
    pub(super) fn variance(self) -> f64 {
        // Without the difference of nearly equal numbers that W + D/4 - E² is for far favourites.
        self.draw * (1.0 - self.draw) / 4.0 + self.win * self.loss
    }

    /// The logarithm of how likely so many losses, draws and wins of Black are.
    pub(super) fn log_likelihood(self, [losses, draws, wins]: [f64; 3]) -> f64 {
        losses * self.loss.ln() + draws * self.draw.ln() + wins * self.win.ln()
    }

    /// How the logarithm of the likelihood of these results grows with the difference and with the logarithm of ν, and
    /// how sharp its peak is in either (Fisher's information; there is none between the two).
    pub(super) fn slopes(self, [losses, draws, wins]: [f64; 3]) -> [Slope; 2] {
        let games = losses + draws + wins;
        let (score, variance) = (self.score(), self.variance());
        let surplus = wins + draws / 2.0 - games * score;
        // What a step of the difference is on Davidson's own scale.
        let steep = score * (self.loss + self.draw / 2.0) / variance;
        let joint = self.draw * (self.loss - self.win) / 2.0 / variance;
        [
            Slope { gradient: steep * surplus, information: games * steep * steep * variance },
            Slope {
                gradient: draws - games * self.draw - joint * surplus,
                information: games
                    * (self.draw * (1.0 - self.draw) - joint * joint * variance).max(0.0),
            },
        ]
    }
}

/// First derivative and expected second one, with its sign turned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Slope {
    pub(super) gradient: f64,
    pub(super) information: f64,
}

impl Slope {
    /// What it adds that `games` games, half of them won and half of them lost, were played for this parameter alone.
    pub(super) fn prior(parameter: f64, games: f64) -> Self {
        let score = 1.0 / (1.0 + (-parameter).exp());
        Self { gradient: games * (0.5 - score), information: games * score * (1.0 - score) }
    }
}

/// The logarithm of how likely the results of [`Slope::prior`] are.
pub(super) fn log_prior(parameter: f64, games: f64) -> f64 {
    let size = parameter.abs();
    -games * (size / 2.0 + (-size).exp().ln_1p())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score_of_elo;

    const DIFFERENCES: [f64; 7] = [-12.0, -3.0, -0.4, 0.0, 0.1, 2.0, 9.0];

    #[test]
    fn draws_follow_davidson_and_scores_elo() {
        for difference in DIFFERENCES {
            for draws in [-20.0, -3.0, -0.5, 0.0, 1.5, 6.0] {
                let game = Expected::new(difference, draws);
                let sum = game.win + game.draw + game.loss;
                assert!((sum - 1.0).abs() < 1e-12, "{difference} {draws}: {game:?}");
                let elo = difference * 400.0 / std::f64::consts::LN_10;
                let score = score_of_elo(elo);
                assert!((game.score() - score).abs() < 1e-12, "{difference} {draws}: {game:?}");
                let nu = game.draw / (game.win * game.loss).sqrt();
                assert!((nu.ln() - draws).abs() < 1e-6, "{difference} {draws}: {game:?}");
            }
        }
        // Without draws it is Bradley and Terry's, with ν = 2 a game counts as two of half a point.
        let game = Expected::new(1.0, 2f64.ln());
        let point = score_of_elo(400.0 / std::f64::consts::LN_10);
        assert!((game.win - point * point).abs() < 1e-12, "{game:?}");
    }

    /// Slopes against differences of the logarithm itself.
    #[test]
    fn slopes_are_those_of_the_likelihood() {
        let counts = [3.0, 4.5, 11.0];
        let step = 1e-5;
        for difference in DIFFERENCES {
            for draws in [-3.0, 0.0, 2.0] {
                let log =
                    |difference, draws| Expected::new(difference, draws).log_likelihood(counts);
                let [along, across] = Expected::new(difference, draws).slopes(counts);
                let found = (log(difference + step, draws) - log(difference - step, draws)) / 2e-5;
                assert!((along.gradient - found).abs() < 1e-4, "{along:?} {found}");
                let found = (log(difference, draws + step) - log(difference, draws - step)) / 2e-5;
                assert!((across.gradient - found).abs() < 1e-4, "{across:?} {found}");
            }
        }
    }

    /// Information is the mean of the squared slope over the results of one game.
    #[test]
    fn information_is_that_of_fisher() {
        for difference in DIFFERENCES {
            let game = Expected::new(difference, -0.7);
            let mut means = [0.0; 3];
            for (result, likely) in [game.loss, game.draw, game.win].into_iter().enumerate() {
                let mut counts = [0.0; 3];
                counts[result] = 1.0;
                let [along, across] = game.slopes(counts).map(|slope| slope.gradient);
                for (mean, one) in
                    means.iter_mut().zip([along * along, across * across, along * across])
                {
                    *mean += likely * one;
                }
            }
            let [along, across] = game.slopes([1.0, 0.0, 0.0]).map(|slope| slope.information);
            assert!((means[0] - along).abs() < 1e-9, "{difference}: {means:?} {along}");
            assert!((means[1] - across).abs() < 1e-9, "{difference}: {means:?} {across}");
            assert!(means[2].abs() < 1e-9, "{difference}: {means:?}");
        }
    }

    #[test]
    fn priors_are_games_won_and_lost() {
        for parameter in [-40.0, -1.0, 0.0, 0.3, 800.0] {
            let Slope { gradient, .. } = Slope::prior(parameter, 2.0);
            let found =
                (log_prior(parameter + 1e-5, 2.0) - log_prior(parameter - 1e-5, 2.0)) / 2e-5;
            assert!((gradient - found).abs() < 1e-4, "{parameter}: {gradient} {found}");
        }
    }
}
