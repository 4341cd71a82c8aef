//! The likeliest ratings, by Newton's method.

use super::encounter::Encounter;
use super::model::{Expected, Slope, log_prior};
use crate::matrix::Matrix;

/// Results of one colour arrangement: losses, draws, wins of Black.
struct Cell {
    black: usize,
    white: usize,
    setting: usize,
    counts: [f64; 3],
}

/// How many games, half won and half lost, are added for a parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Priors {
    /// For each player, against one whose rating is the mean.
    pub(super) player: f64,
    /// For Black's advantage in each setting and for the share of draws.
    pub(super) other: f64,
}

/// What the likelihood depends on, in units of 400 / ln 10 Elo.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Parameters {
    /// By player.
    pub(super) strengths: Vec<f64>,
    /// What Black is worth, by setting.
    pub(super) advantages: Vec<f64>,
    /// The logarithm of Davidson's ν.
    pub(super) draws: f64,
}

impl Parameters {
    /// What is expected of a game of Black against White.
    pub(super) fn expected(&self, black: usize, white: usize, setting: usize) -> Expected {
        let ahead = self.strengths[black] - self.strengths[white];
        Expected::new(ahead + self.advantages[setting], self.draws)
    }

    fn moved(&self, step: &[f64], part: f64) -> Self {
        let mut steps = step.iter().map(|one| part * one);
        let mut add = |parameter: &f64| parameter + steps.next().unwrap_or(0.0);
        Self {
            strengths: self.strengths.iter().map(&mut add).collect(),
            advantages: self.advantages.iter().map(&mut add).collect(),
            draws: add(&self.draws),
        }
    }
}

/// Where the likelihood is greatest, and the inverse of its information there: the covariances of all parameters,
/// players first, if games were independent of each other.
pub(super) struct Fit {
    pub(super) parameters: Parameters,
    pub(super) covariances: Option<Matrix>,
}

/// No step changes a parameter by more than this (350 Elo): far from the peak its curvature says little.
const LONGEST_STEP: f64 = 2.0;

/// Below this the parameters have been found.
const CLOSE: f64 = 1e-10;

const MOST_STEPS: usize = 500;

/// What stays at nothing, whatever the games say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Held {
    /// Black's advantage, by setting.
    pub(super) advantages: Vec<bool>,
    /// The logarithm of Davidson's ν.
    pub(super) draws: bool,
}

/// The likeliest ratings of so many players.
pub(super) fn fit(players: usize, held: &Held, encounters: &[Encounter], priors: Priors) -> Fit {
    let surface = Surface { cells: cells(encounters), priors, held };
    let settings = held.advantages.len();
    let mut at =
        Parameters { strengths: vec![0.0; players], advantages: vec![0.0; settings], draws: 0.0 };
    let mut height = surface.height(&at);
    for _ in 0..MOST_STEPS {
        let (gradient, information) = surface.slopes(&at);
        let Some(factor) = information.factor() else { break };
        let step = factor.solve(&gradient);
        let longest = step.iter().fold(0.0, |longest: f64, one| longest.max(one.abs()));
        if longest <= CLOSE || !longest.is_finite() {
            break;
        }
        // Halved until it leads upwards, as it does where it is short enough.
        let mut part = (LONGEST_STEP / longest).min(1.0);
        let higher = loop {
            let there = at.moved(&step, part);
            let found = surface.height(&there);
            if found >= height {
                break Some((there, found));
            }
            part /= 2.0;
            if part * longest <= CLOSE {
                break None;
            }
        };
        // Closer than arithmetic can tell heights apart.
        let Some((there, found)) = higher else { break };
        (at, height) = (there, found);
    }
    let covariances = surface.slopes(&at).1.factor().map(|factor| factor.inverse());
    Fit { parameters: at, covariances }
}

fn cells(encounters: &[Encounter]) -> Vec<Cell> {
    let mut cells = Vec::with_capacity(2 * encounters.len());
    for &Encounter { players: [first, second], setting, by_color, .. } in encounters {
        let [as_black, [losses, draws, wins]] = by_color.map(|counts| counts.map(|n| n as f64));
        let turned = [wins, draws, losses];
        for (black, white, counts) in [(first, second, as_black), (second, first, turned)] {
            if counts.iter().sum::<f64>() > 0.0 {
                cells.push(Cell { black, white, setting, counts });
            }
        }
    }
    cells
}

/// The logarithm of the likelihood over all parameters.
struct Surface<'a> {
    cells: Vec<Cell>,
    priors: Priors,
    held: &'a Held,
}

impl Surface<'_> {
    fn height(&self, at: &Parameters) -> f64 {
        let games = self.cells.iter().map(|cell| {
            at.expected(cell.black, cell.white, cell.setting).log_likelihood(cell.counts)
        });
        let strengths = at.strengths.iter().map(|&one| log_prior(one, self.priors.player));
        let others = at.advantages.iter().chain([&at.draws]);
        let others = others.map(|&one| log_prior(one, self.priors.other));
        games.chain(strengths).chain(others).sum()
    }

    /// Gradient and information.
    fn slopes(&self, at: &Parameters) -> (Vec<f64>, Matrix) {
        let players = at.strengths.len();
        let draws = players + at.advantages.len();
        let mut gradient = vec![0.0; draws + 1];
        let mut information = Matrix::zero(draws + 1);
        for cell in &self.cells {
            let expected = at.expected(cell.black, cell.white, cell.setting);
            let [along, across] = expected.slopes(cell.counts);
            let signs = [(cell.black, 1.0), (cell.white, -1.0), (players + cell.setting, 1.0)];
            let signs = &signs[..if self.held.advantages[cell.setting] { 2 } else { 3 }];
            for &(row, sign) in signs {
                gradient[row] += sign * along.gradient;
                for &(column, other) in signs {
                    information.add(row, column, sign * other * along.information);
                }
            }
            if !self.held.draws {
                gradient[draws] += across.gradient;
                information.add(draws, draws, across.information);
            }
        }
        let strengths = at.strengths.iter().map(|&one| (one, self.priors.player));
        let others = at.advantages.iter().chain([&at.draws]).map(|&one| (one, self.priors.other));
        for (index, (parameter, games)) in strengths.chain(others).enumerate() {
            let slope = Slope::prior(parameter, games);
            gradient[index] += slope.gradient;
            information.add(index, index, slope.information);
        }
        // Games tell differences only: this keeps the mean where it is, and takes nothing from any difference.
        for row in 0..players {
            for column in 0..players {
                information.add(row, column, 1.0);
            }
        }
        (gradient, information)
    }
}
