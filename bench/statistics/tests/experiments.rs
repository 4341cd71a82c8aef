//! The log of experiments, `docs/experiments.csv`: every row can be read and says what its outcomes say.

use kujira_statistics::{Estimate, Pentanomial};
use serde::Deserialize;

const LOG: &str = include_str!("../../../docs/experiments.csv");

/// A row of the log; `docs/strength.md` says what the columns mean.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    date: String,
    commit: String,
    game: String,
    change: String,
    against: String,
    limits: String,
    pairs: Option<u64>,
    outcomes: String,
    elo: Option<f64>,
    error: Option<f64>,
    scale: String,
    verdict: String,
    repeatable: String,
    command: String,
}

impl Row {
    /// Pairs of 0, ½, 1, 1½ and 2 points, if they are told.
    fn counts(&self) -> Option<[u64; 5]> {
        let counts: Vec<u64> =
            self.outcomes.split_whitespace().map(|word| word.parse().unwrap()).collect();
        (!counts.is_empty()).then(|| counts.try_into().expect("five numbers"))
    }
}

fn rows() -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(LOG.as_bytes());
    reader.deserialize().map(|row| row.expect("a row of the log")).collect()
}

#[test]
fn every_row_is_whole() {
    let rows = rows();
    assert!(rows.len() >= 654, "{} rows: none is ever taken away", rows.len());
    let mut last = String::new();
    for row in &rows {
        let what = format!("{} {}: {}", row.date, row.game, row.change);
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        let date: Vec<&str> = row.date.split('-').collect();
        assert!(
            matches!(date[..], [y, m, d] if y.len() == 4 && m.len() == 2 && d.len() == 2
                && digits(y) && digits(m) && digits(d)),
            "{what}"
        );
        assert!(row.date >= last, "{what}: rows stand in the order of their dates");
        last.clone_from(&row.date);
        assert!(
            row.commit.len() >= 7 && row.commit.bytes().all(|b| b.is_ascii_hexdigit()),
            "{what}"
        );
        let games = ["whale", "paulowich", "great", "whale+paulowich"];
        assert!(games.contains(&row.game.as_str()), "{what}");
        assert!(["logistic", "normalised"].contains(&row.scale.as_str()), "{what}");
        assert!(["yes", "no"].contains(&row.repeatable.as_str()), "{what}");
        for text in [&row.change, &row.against, &row.limits, &row.verdict] {
            assert!(!text.trim().is_empty(), "{what}");
        }
        assert!(row.command.starts_with("kujira-"), "{what}");
        assert!(row.error.is_none_or(|error| error >= 0.0), "{what}");
        assert!(row.elo.is_some() || row.counts().is_some(), "{what}");
    }
}

/// What the outcomes of the pairs say is what stands beside them.
#[test]
fn elo_follows_from_the_outcomes() {
    let mut checked = 0;
    for row in rows() {
        let Some(counts) = row.counts() else { continue };
        let what = format!("{} {}: {}", row.date, row.game, row.change);
        assert_eq!(row.pairs, Some(counts.iter().sum()), "{what}");
        let found = Estimate::of(&Pentanomial::new(counts)).expect("some pairs");
        if let Some(elo) = row.elo {
            assert!((found.elo - elo).abs() <= 1.0, "{what}: {elo}, found {}", found.elo);
        } else {
            assert!(found.elo.is_infinite(), "{what}: {}", found.elo);
        }
        if let Some(error) = row.error.filter(|_| found.elo_error.is_finite()) {
            assert!(
                (found.elo_error - error).abs() <= 1.5,
                "{what}: ±{error}, found {}",
                found.elo_error
            );
        }
        checked += 1;
    }
    assert!(checked > 150, "{checked} rows with outcomes");
}
