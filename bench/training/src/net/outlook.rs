//! What the rest of a game said about each of its positions.

use kujira_data::sample::Sample;
use kujira_position::Variant;

use super::odds::sigmoid;

/// What came after a position, for the side to move: 0 lost, [`Outlook::WON`] won, in between by chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outlook(u16);

impl Outlook {
    /// A certain win.
    pub const WON: u16 = 1 << 15;

    /// A chance of winning from 0 to 1; others count as the nearest of these.
    #[must_use]
    pub fn new(chance: f32) -> Self {
        Self((chance.clamp(0.0, 1.0) * f32::from(Self::WON)).round() as u16)
    }

    /// The outlook that became true: the result is 1 for a win, 0 for a draw, -1 for a loss.
    #[must_use]
    pub const fn of_result(result: i8) -> Self {
        match result.signum() {
            1 => Self(Self::WON),
            0 => Self(Self::WON / 2),
            _ => Self(0),
        }
    }

    /// The chance of winning, from 0 to 1.
    #[inline]
    #[must_use]
    pub fn chance(self) -> f32 {
        f32::from(self.0) / f32::from(Self::WON)
    }

    /// The chance in units of [`WON`](Self::WON).
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }
}

/// How the rest of a game is summed up: by the return of TD(λ) (Richard Sutton, "Learning to Predict by the Methods
/// of Temporal Differences", 1988), cut off at moves that are no choice of the player's (Christopher Watkins,
/// "Learning from Delayed Rewards", 1989). Its λ is `keep` here.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trace {
    /// The weight of each later score, as a share of the weight of the one before, from 0 (only the score of
    /// the next ply counts) to 1 (only the result does).
    pub keep: f64,
    /// Centipawns to a unit of odds, at least 1.
    pub scale: u32,
}

impl Trace {
    /// The outlook of every position of a game. It is (1 - `keep`) times the chance that the next score stands
    /// for and `keep` times the outlook there; at the last position it is the result. Where a move drawn at random
    /// was played it is the position's own score, for what followed says nothing about the positions before. The
    /// score of a search that was broken off stands for nothing: the outlook takes its place, and where a random move
    /// was played, too, that of the next position.
    #[must_use]
    pub fn outlooks<V: Variant>(self, samples: &[Sample<V>]) -> Vec<Outlook> {
        let (keep, scale) = (self.keep as f32, self.scale as f32);
        let mut outlooks = vec![Outlook(0); samples.len()];
        // What the score of the next position stands for, and the outlook there.
        let mut next: Option<(f32, f32)> = None;
        for (outlook, sample) in outlooks.iter_mut().zip(samples).rev() {
            let scored = sigmoid(f32::from(sample.score.bits()) / scale);
            let chance = match next {
                _ if sample.random && !sample.broken_off => scored,
                None => Outlook::of_result(sample.result).chance(),
                Some((_, later)) if sample.random => 1.0 - later,
                Some((score, later)) => (1.0 - keep) * (1.0 - score) + keep * (1.0 - later),
            };
            *outlook = Outlook::new(chance);
            next = Some((if sample.broken_off { chance } else { scored }, chance));
        }
        outlooks
    }
}

#[cfg(test)]
mod tests {
    use kujira_data::score::PackedScore;
    use kujira_position::{Position, Whale};

    use super::*;

    /// A game of these scores, its last position with this result.
    fn game(scores: &[i16], result: i8) -> Vec<Sample<Whale>> {
        let position = Position::<Whale>::start();
        let best = position.legal_moves().first().copied();
        let sample = |(ply, &score): (usize, &i16)| Sample {
            board: *position.board(),
            score: PackedScore::from_bits(score).unwrap(),
            result: if (scores.len() - ply) % 2 == 1 { result } else { -result },
            ply,
            in_check: false,
            best,
            random: false,
            broken_off: false,
            captures: false,
            promotes: false,
        };
        scores.iter().enumerate().map(sample).collect()
    }

    /// The same, a random move played at this ply.
    fn random_at(ply: usize, mut samples: Vec<Sample<Whale>>) -> Vec<Sample<Whale>> {
        samples[ply] = Sample { best: None, random: true, ..samples[ply] };
        samples
    }

    fn chances(samples: &[Sample<Whale>], keep: f64) -> Vec<f32> {
        Trace { keep, scale: 100 }.outlooks(samples).into_iter().map(Outlook::chance).collect()
    }

    /// Whether these are the same but for rounding.
    fn near(found: &[f32], expected: &[f32]) -> bool {
        found.len() == expected.len()
            && found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 2e-5)
    }

    const SCORES: [i16; 4] = [100, -300, 50, 70];

    /// What they stand for.
    fn scored() -> [f32; 4] {
        SCORES.map(|score| sigmoid(f32::from(score) / 100.0))
    }

    #[test]
    fn a_trace_kept_whole_is_the_result() {
        assert_eq!(chances(&game(&SCORES, 1), 1.0), [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(chances(&game(&SCORES, 0), 1.0), [0.5; 4]);
        assert!(chances(&[], 1.0).is_empty());
    }

    #[test]
    fn scores_count_less_the_later_they_are() {
        let [_, second, third, fourth] = scored();
        let later = 0.25 * (1.0 - fourth);
        let before = 0.25 * (1.0 - third) + 0.75 * (1.0 - later);
        let first = 0.25 * (1.0 - second) + 0.75 * (1.0 - before);
        assert!(near(&chances(&game(&SCORES, 1), 0.75), &[first, before, later, 1.0]));
        let next = chances(&game(&SCORES, 1), 0.0);
        assert!(near(&next, &[1.0 - second, 1.0 - third, 1.0 - fourth, 1.0]));
    }

    #[test]
    fn random_moves_say_nothing_about_what_was_before() {
        let [_, second, third, fourth] = scored();
        let found = chances(&random_at(2, game(&SCORES, 1)), 1.0);
        assert!(near(&found, &[third, 1.0 - third, third, 1.0]));
        let last = chances(&random_at(3, game(&SCORES, 1)), 1.0);
        assert!(near(&last, &[1.0 - fourth, fourth, 1.0 - fourth, fourth]));
        let found = chances(&random_at(2, game(&SCORES, 1)), 0.75);
        let first = 0.25 * (1.0 - second) + 0.75 * third;
        assert!(near(&found, &[first, 1.0 - third, third, 1.0]));
    }

    #[test]
    fn what_was_broken_off_has_no_score() {
        let mut samples = game(&SCORES, 1);
        (samples[2].best, samples[2].broken_off) = (None, true);
        let [_, second, _, fourth] = scored();
        let later = 0.25 * (1.0 - fourth);
        let before = 1.0 - later;
        let first = 0.25 * (1.0 - second) + 0.75 * (1.0 - before);
        assert!(near(&chances(&samples, 0.75), &[first, before, later, 1.0]));
        // Nor has it one for the positions before if a random move was played there, too.
        assert!(near(&chances(&random_at(2, samples), 0.75)[1..], &[1.0, 0.0, 1.0]));
    }

    #[test]
    fn chances_are_rounded() {
        for (chance, expected) in [
            (-1.0, 0),
            (0.0, 0),
            (0.25, 8192),
            (2.0 / 3.0, 21845),
            (0.9, 29491),
            (1.0, 32768),
            (2.0, 32768),
        ] {
            assert_eq!(Outlook::new(chance).bits(), expected, "{chance}");
        }
        assert_eq!(Outlook::new(0.999_99).bits(), 32768);
    }
}
