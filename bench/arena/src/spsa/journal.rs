//! The file of a tuning run: JSON Lines, first what is tuned and how, then every finished iteration.
//!
//! An iteration is appended whole and synced before it is shown. A run is taken up by learning from
//! the results in its file again, so that nothing else need be kept.

use std::path::{Path, PathBuf};

use kujira_program::growing;
use kujira_program::outputs::Mark;
use kujira_record::journal;
use kujira_usi::Switches;
use serde::{Deserialize, Serialize};

use crate::adjudication::Adjudication;
use crate::files::Begin;
use crate::header::{EngineHeader, differences};
use crate::journal::{Journal, want_sums};
use crate::openings::Opening;
use kujira_record::journal::may_be_cut_off;

use super::{Gains, Parameter, Trial, Tuner};

/// How the file of a tuning run begins.
pub const TUNING: Mark = Mark::new("the file of a tuning run", &[b"{\"tuning\":"]);

/// What is tuned and how: two runs with equal headers can be one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuningHeader {
    /// Which kind of whale shogi.
    pub game: String,
    /// The rule switches.
    #[serde(with = "kujira_usi::rules::words")]
    pub rules: Switches,
    /// The engine.
    pub engine: EngineHeader,
    /// Where the openings come from.
    pub openings: String,
    /// Longest game in plies.
    pub max_plies: usize,
    /// When scores end a game.
    pub adjudication: Adjudication,
    /// The numbers to tune.
    pub parameters: Vec<Parameter>,
    /// How steps and learning rate shrink.
    pub gains: Gains,
    /// Chooses directions and roundings.
    pub seed: u64,
}

impl TuningHeader {
    /// Without what says nothing beside the other.
    fn beside(&self, other: &Self) -> Self {
        Self { engine: self.engine.beside(&other.engine), ..self.clone() }
    }
}

/// A finished iteration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct IterationRecord {
    /// Its number, from 1.
    pub number: u32,
    /// The values of the first side, in the order of the header's parameters.
    pub plus: Vec<i64>,
    /// The values of the second side.
    pub minus: Vec<i64>,
    /// Games that the first side won, drew and lost.
    pub games: [u32; 3],
    /// The opening of each pair of games.
    pub openings: Vec<String>,
    /// The values learnt.
    pub values: Vec<f64>,
}

impl IterationRecord {
    /// Wins less losses of the first side.
    #[must_use]
    pub fn score(&self) -> i64 {
        let [wins, _, losses] = self.games;
        i64::from(wins) - i64::from(losses)
    }
}

/// A line of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Line {
    /// What is tuned: the first line.
    Tuning(Box<TuningHeader>),
    /// A finished iteration.
    Iteration(Box<IterationRecord>),
}

/// A run's file, open for writing, and what it says.
#[derive(Debug)]
pub struct Opened {
    pub(super) journal: Journal,
    pub(super) path: PathBuf,
    /// The state of the run.
    pub tuner: Tuner,
    /// The openings of its pairs so far.
    pub openings: Vec<Opening>,
}

/// Opens the file of a run.
///
/// # Errors
/// If the file system refuses, the file is damaged, or it is of another run.
pub fn open(path: &Path, header: &TuningHeader, begin: Begin) -> Result<Opened, String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    if let Some(directory) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
        growing::make_folder(directory)
            .map_err(|error| format!("{}: {error}", directory.display()))?;
    }
    let mut journal = Journal::open(path).map_err(|error| named(&error))?;
    let text = match begin {
        Begin::Fresh => Vec::new(),
        _ => journal.text().map_err(|error| named(&error))?,
    };
    let unchecked = begin == Begin::Unchecked;
    let (found, iterations, whole) = read(&text, unchecked).map_err(|error| named(&error))?;
    if let Some(found) = &found
        && found.beside(header) != header.beside(found)
    {
        return Err(format!(
            "expected the run that {} was begun with; this one differs: {} (--fresh throws the \
             old one away, another --out keeps it)",
            path.display(),
            differences(&header.beside(found), &found.beside(header), 0).join("; ")
        ));
    }
    if found.is_none() && !may_be_cut_off(&text, "tuning") {
        return Err(named(
            &"expected the file of a tuning run, found something else (--fresh --force throws it away, \
              another --out keeps it)",
        ));
    }
    let (tuner, openings) = replay(header, &iterations).map_err(|error| named(&error))?;
    journal.cut(whole).map_err(|error| named(&error))?;
    if found.is_none() {
        let line = Line::Tuning(Box::new(header.clone()));
        journal.append(&[line]).map_err(|error| named(&error))?;
    }
    Ok(Opened { journal, path: path.to_owned(), tuner, openings })
}

/// Reads a run's file: its header, the finished iterations, and how many bytes are whole lines. `unchecked`: lines may
/// be without check sums.
///
/// # Errors
/// What is wrong with which line. A last line that is cut off is no error.
pub fn read(
    text: &[u8],
    unchecked: bool,
) -> Result<(Option<TuningHeader>, Vec<IterationRecord>, u64), String> {
    let mut header = None;
    let mut iterations = Vec::new();
    let whole = journal::read(text, "a tuning run")?;
    want_sums(&whole, unchecked)?;
    for (number, line) in whole.lines {
        match line {
            Line::Tuning(found) if header.is_none() => header = Some(*found),
            Line::Iteration(iteration) if header.is_some() => iterations.push(*iteration),
            _ => {
                return Err(format!(
                    "line {number}: expected what is tuned in the first line and iterations after it"
                ));
            }
        }
    }
    Ok((header, iterations, whole.length as u64))
}

/// Learns again from finished iterations.
fn replay(
    header: &TuningHeader,
    iterations: &[IterationRecord],
) -> Result<(Tuner, Vec<Opening>), String> {
    let mut tuner = Tuner::new(header.parameters.clone(), header.gains, header.seed);
    let mut openings = Vec::new();
    for iteration in iterations {
        let expected = tuner.iteration() + 1;
        let tried = tuner.trial().filter(|Trial { plus, minus, .. }| {
            iteration.number == expected && (plus, minus) == (&iteration.plus, &iteration.minus)
        });
        let Some(trial) = tried else {
            return Err(format!(
                "expected iteration {expected} with the values that follow from those before, found \
                 iteration {}",
                iteration.number
            ));
        };
        tuner.learn(&trial, iteration.score());
        for opening in &iteration.openings {
            openings.push(opening.parse()?);
        }
    }
    Ok((tuner, openings))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use kujira_record::played::Player;
    use kujira_usi::Spin;

    fn header() -> TuningHeader {
        let number = |name: &str, default, min, max| {
            let spin = Spin { name: name.to_owned(), default, min, max };
            Parameter::new(&spin, None).unwrap()
        };
        let (iterations, pairs) = (70, 2);
        TuningHeader {
            game: "whale".to_owned(),
            rules: Switches::default(),
            engine: EngineHeader {
                player: Player::default(),
                command: Vec::new(),
                files: Default::default(),
                settings: Vec::new(),
                signature: None,
                version: None,
            },
            openings: "some".to_owned(),
            max_plies: 500,
            adjudication: Adjudication::default(),
            parameters: vec![number("tempo", 12, 0, 50), number("margin", 110, 40, 307)],
            // No short decimals: they must be read as they were written.
            gains: Gains { iterations, pairs, rate: 1.0 / 13.0 },
            seed: 4,
        }
    }

    /// Plays an iteration, with results that depend on its number alone, and writes it.
    fn go_on(opened: &mut Opened) {
        let trial = opened.tuner.trial().unwrap();
        let number = opened.tuner.iteration() + 1;
        let wins = number * 7 % 4;
        let games = [wins, 1, 3 - wins];
        opened.tuner.learn(&trial, i64::from(wins) - i64::from(3 - wins));
        let record = IterationRecord {
            number,
            games,
            openings: vec!["startpos moves 2e2d".to_owned(); 2],
            values: opened.tuner.values().to_vec(),
            plus: trial.plus,
            minus: trial.minus,
        };
        opened.journal.append(&[Line::Iteration(Box::new(record))]).unwrap();
    }

    #[test]
    fn a_run_is_taken_up_where_it_stopped() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("made");
        let (path, undisturbed) = (directory.join("a.jsonl"), directory.join("b.jsonl"));
        let mut whole = open(&undisturbed, &header(), Begin::Checked).unwrap();
        for _ in 0..70 {
            go_on(&mut whole);
        }
        assert_eq!(whole.tuner.trial(), None);
        drop(whole);
        for done in 0..70 {
            let mut opened = open(&path, &header(), Begin::Checked).unwrap();
            assert_eq!((opened.tuner.iteration(), opened.openings.len() as u32), (done, 2 * done));
            go_on(&mut opened);
            if done % 9 == 5 {
                // A crash can leave part of a line.
                use std::io::Write;
                drop(opened);
                let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
                file.write_all(b"{\"iteration\":{\"number\":").unwrap();
            }
        }
        assert_eq!(fs::read(&path).unwrap(), fs::read(&undisturbed).unwrap());

        let text = fs::read_to_string(&path).unwrap();
        let (found, iterations, length) = read(text.as_bytes(), false).unwrap();
        assert_eq!((found, length), (Some(header()), text.len() as u64));
        assert_eq!((iterations.len(), iterations[0].games), (70, [3, 1, 0]));
        assert_eq!(iterations[0].score(), 3);

        // Another run is not taken up, and nothing of it is lost.
        let mut other = header();
        other.gains.iterations = 80;
        let error = open(&path, &other, Begin::Checked).unwrap_err();
        assert!(error.contains("differs: gains iterations 80, there 70 ("), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);

        // A build of the same signature is the same engine.
        let built = |print: &str, signature| {
            let mut header = header();
            header.engine.command = vec!["k".to_owned()];
            header.engine.files = [("k".to_owned(), print.to_owned())].into();
            header.engine.signature = signature;
            header
        };
        let begun = directory.join("c.jsonl");
        drop(open(&begun, &built("01", Some(7)), Begin::Checked).unwrap());
        drop(open(&begun, &built("02", Some(7)), Begin::Checked).unwrap());
        let error = open(&begun, &built("02", Some(8)), Begin::Checked).unwrap_err();
        assert!(error.contains("k has changed since the beginning"), "{error}");
        assert!(error.contains("signature 8, there 7"), "{error}");

        // Nor is a damaged one.
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for (damaged, expected) in [
            (lines[1..].concat(), "line 1: expected what is tuned in the first line"),
            ([lines[0], lines[0]].concat(), "line 2: expected what is tuned in the first line"),
            ([lines[0], lines[2]].concat(), "expected iteration 1 with the values"),
            (
                lines[..2].concat().replacen("\"plus\":[", "\"plus\":[1", 1),
                "line 2: expected a line of a tuning run as it was written",
            ),
            (text.replacen("\"games\"", "\"game\"", 1), "line 2: expected a line of a tuning run"),
        ] {
            fs::write(&path, &damaged).unwrap();
            let error = open(&path, &header(), Begin::Checked).unwrap_err();
            assert!(error.contains(expected), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), damaged);
        }
        assert_eq!(open(&path, &other, Begin::Fresh).unwrap().tuner.iteration(), 0);

        // Nor a file of something else, though it is not a whole line. A beginning of ours is cut away.
        for (found, ours) in [("startpos moves 2e2d", false), (&lines[0][..30], true)] {
            fs::write(&path, found).unwrap();
            let opened = open(&path, &header(), Begin::Checked);
            assert_eq!(opened.is_ok(), ours);
            if let Err(error) = opened {
                assert!(error.contains("expected the file of a tuning run"), "{error}");
                assert_eq!(fs::read_to_string(&path).unwrap(), found);
            }
        }
        fs::write(&path, "startpos moves 2e2d").unwrap();
        assert!(open(&path, &header(), Begin::Fresh).is_ok());
    }
}
