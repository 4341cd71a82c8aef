//! What the results of the rows say about each factor.

use std::fmt;

use kujira_statistics::rating_list::name_width;
use kujira_statistics::{ELO_PER_SCORE, Pentanomial, Z95};

use super::{Design, Factor};

/// The effect of every factor: by how much its second value is stronger than its first.
#[derive(Clone, PartialEq, Debug)]
pub struct Effects<'a> {
    factors: &'a [Factor],
    /// In Elo, in the order of the factors.
    elo: Vec<f64>,
    /// Half the width of the 95 % confidence interval of each.
    error: f64,
}

impl<'a> Effects<'a> {
    /// The effects from the pairs of every row, as the row scored against its opposite; `None` if a row
    /// has none, or nothing is known about the spread of pairs because no row has two.
    ///
    /// The score of a row is the sum of its factors' effects, each with its sign, so that the mean of
    /// sign times score is the effect of one. Elo is taken by the slope at 50 %: where rows are far from
    /// even, all effects are shown too small.
    #[must_use]
    pub fn of(design: &'a Design, rows: &[Pentanomial]) -> Option<Self> {
        let moments: Vec<(f64, f64)> =
            rows.iter().map(Pentanomial::moments).collect::<Option<_>>()?;
        let count = moments.len() as f64;
        let elo = (0..design.factors().len()).map(|factor| {
            let signed = moments.iter().enumerate().map(|(row, (mean, _))| {
                let ahead = mean - 0.5;
                if design.is_high(row, factor) { ahead } else { -ahead }
            });
            signed.sum::<f64>() / count * ELO_PER_SCORE
        });
        // What the factors do differs from row to row: only the spread within rows is chance.
        let totals = || rows.iter().map(|pairs| pairs.total() as f64);
        let free = totals().sum::<f64>() - count;
        if free < 1.0 {
            return None;
        }
        let squares: f64 = totals().zip(&moments).map(|(total, (_, spread))| total * spread).sum();
        let of_means = squares / free * totals().map(f64::recip).sum::<f64>();
        let error = Z95 * of_means.sqrt() / count * ELO_PER_SCORE;
        Some(Self { factors: design.factors(), elo: elo.collect(), error })
    }

    /// In Elo, in the order of the factors.
    #[must_use]
    pub fn elo(&self) -> &[f64] {
        &self.elo
    }

    /// Half the width of the 95 % confidence interval of each, in Elo; 0 if all pairs of a row were
    /// always the same, which tells nothing about chance.
    #[must_use]
    pub fn error(&self) -> f64 {
        self.error
    }

    fn is_beyond(&self, elo: f64) -> bool {
        self.error > 0.0 && elo.abs() > self.error
    }
}

impl fmt::Display for Effects<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = name_width(self.factors.iter().map(|factor| &factor.name[..]));
        writeln!(f, "{:<width$} {:>8} {:>8} {:>8}", "factor", "low", "high", "Elo")?;
        for (Factor { name, low, high }, &elo) in self.factors.iter().zip(&self.elo) {
            let mark = if self.is_beyond(elo) { " *" } else { "" };
            // No -0.0.
            let shown = (elo * 10.0).round() / 10.0 + 0.0;
            writeln!(f, "{name:<width$} {low:>8} {high:>8} {shown:>+8.1}{mark}")?;
        }
        let (all, error) = (self.elo.len(), self.error);
        if error > 0.0 {
            let beyond = self.elo.iter().filter(|&&elo| self.is_beyond(elo)).count();
            writeln!(
                f,
                "\nElo of high over low, each ± {error:.1} (95 %); * beyond its error: {beyond} of {all}, where \
                 {:.2} would be by chance alone",
                all as f64 * 0.05
            )?;
        } else {
            writeln!(f, "\nElo of high over low; pairs all alike in every row: no error bar")?;
        }
        writeln!(
            f,
            "Each row plays its opposite, so that the effects are clear of what two factors do together, \
             but not of what three do."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(factors: &[&str]) -> Design {
        Design::new(factors.iter().map(|text| text.parse().unwrap()).collect()).unwrap()
    }

    #[test]
    fn effects_of_known_results() {
        let design = design(&["tempo=1,2", "reverse_futility=90,135", "none=5,4"]);
        // Scores ahead of ½ by 0.1 where tempo is high and behind where it is low, less 0.05 where
        // reverse_futility is high: 0.05, -0.15, 0.15, -0.05. Of 20 pairs half a point is 0.0125.
        let rows = [
            Pentanomial::new([0, 0, 16, 4, 0]),
            Pentanomial::new([0, 12, 8, 0, 0]),
            Pentanomial::new([0, 0, 8, 12, 0]),
            Pentanomial::new([0, 4, 16, 0, 0]),
        ];
        let effects = Effects::of(&design, &rows).unwrap();
        let per_score = 1600.0 / std::f64::consts::LN_10;
        for (found, expected) in effects.elo().iter().zip([0.1, -0.05, 0.0]) {
            assert!((found - expected * per_score).abs() < 1e-9, "{effects:?}");
        }
        // Within rows the squares are 16 and 4 pairs of 20 at ¼ apart, twice, and 12 and 8, twice.
        let squares: f64 = 2.0 * (16.0 * 4.0 / 20.0 + 12.0 * 8.0 / 20.0) / 16.0;
        let error = 1.959_964 * (squares / 76.0 / 80.0).sqrt() * per_score;
        assert!((effects.error() - error).abs() < 1e-3, "{} {error}", effects.error());
        assert_eq!(
            effects.to_string(),
            "\
factor                low     high      Elo
tempo                   1        2    +69.5 *
reverse_futility       90      135    -34.7 *
none                    5        4     +0.0

Elo of high over low, each ± 17.5 (95 %); * beyond its error: 2 of 3, where 0.15 would be by chance alone
Each row plays its opposite, so that the effects are clear of what two factors do together, but not of what three do.
"
        );
    }

    /// What every row has in common, such as an opening that favours one engine, is nobody's effect.
    #[test]
    fn what_all_rows_share_falls_out() {
        let design = design(&["a=0,1", "b=0,1", "c=0,1", "d=0,1"]);
        let rows = [Pentanomial::new([1, 0, 2, 0, 5]); 8];
        let effects = Effects::of(&design, &rows).unwrap();
        assert!(effects.elo().iter().all(|elo| elo.abs() < 1e-9), "{effects:?}");
    }

    /// Simulated pairs at known effects: the intervals hold what they promise.
    #[test]
    fn errors_hold_nineteen_times_of_twenty() {
        use kujira_statistics::Stream;
        let texts: Vec<String> = (0..7).map(|index| format!("f{index}=0,1")).collect();
        let design = design(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let truth = [0.03, -0.02, 0.0, 0.01, 0.0, 0.0, -0.05];
        let (mut random, mut within, runs) = (Stream::new(5), 0, 400);
        for _ in 0..runs {
            let rows: Vec<_> = (0..8)
                .map(|row| {
                    let sign = |factor| if design.is_high(row, factor) { 1.0 } else { -1.0 };
                    let mean: f64 = (0..7).map(|factor| sign(factor) * truth[factor]).sum();
                    let mut pairs = Pentanomial::default();
                    for _ in 0..30 {
                        // A quarter each loses or wins, tilted; the rest are even.
                        let drawn = random.unit();
                        pairs.add(match drawn {
                            _ if drawn < 0.25 - mean => 0,
                            _ if drawn < 0.75 - mean => 2,
                            _ => 4,
                        });
                    }
                    pairs
                })
                .collect();
            let effects = Effects::of(&design, &rows).unwrap();
            for (elo, truth) in effects.elo().iter().zip(truth) {
                within += u32::from((elo - truth * ELO_PER_SCORE).abs() <= effects.error());
            }
        }
        let share = f64::from(within) / f64::from(7 * runs);
        assert!((0.93..0.97).contains(&share), "{share}");
    }

    #[test]
    fn too_little_is_no_result() {
        let design = design(&["a=0,1"]);
        let one = Pentanomial::new([0, 0, 0, 1, 0]);
        assert_eq!(Effects::of(&design, &[one, Pentanomial::default()]), None);
        assert_eq!(Effects::of(&design, &[one, one]), None);
        let alike = Pentanomial::new([0, 0, 0, 2, 0]);
        let effects = Effects::of(&design, &[alike, alike]).unwrap();
        assert_eq!(effects.error(), 0.0);
        assert!(effects.to_string().contains("no error bar"));
    }
}
