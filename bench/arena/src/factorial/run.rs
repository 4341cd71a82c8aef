//! The games of a design: a match for each row, with files of its own and openings that no other row plays.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use kujira_position::Variant;
use kujira_program::outputs::{Mark, Outputs};
use kujira_program::status::tell;
use kujira_program::whole::with_ending;

use crate::engine::Timeouts;
use crate::entrant::Entrant;
use crate::files::{
    Begin, Copies, Earlier, Files, Found, journal_path, name_outputs, openings_path, own_paths,
    put_openings, read_openings, refuse_unknown,
};
use crate::game::GameRules;
use crate::header::MatchHeader;
use crate::journal::{Journal, each_game};
use crate::match_openings::{Maker, Source, agree};
use crate::openings::Opening;
use crate::progress::Progress;
use crate::runner::{self, Finish, open};
use crate::standings::Standings;

use super::Design;

/// How a design is played.
#[derive(Clone, Debug)]
pub struct FactorialSpec {
    /// Which row sets what.
    pub design: Design,
    /// The engine, which plays both sides.
    pub entrant: Entrant,
    /// What is played, but for the engines: each row has its own.
    pub header: MatchHeader,
    /// What holds for every game.
    pub game_rules: GameRules,
    /// Pairs of games a row.
    pub pairs: u32,
    /// Games at a time.
    pub concurrency: usize,
    /// How long to wait for the engine.
    pub timeouts: Timeouts,
    /// Beginning of the names of all files.
    pub out: PathBuf,
    /// What to do with what an earlier run left.
    pub begin: Begin,
    /// Whether games are shown as lines even on a terminal.
    pub plain: bool,
}

/// Names the files that the `rows` rows of a design at `out` write, and those of any other design, of which only
/// what is ours is thrown away; with `fresh` earlier ones may be written over.
pub fn name_all_outputs(outputs: &mut Outputs, out: &Path, rows: usize, fresh: bool) {
    let begun = journal_path(&row_prefix(out, 0)).exists();
    for row in 0..Design::MOST_ROWS {
        name_outputs(outputs, &row_prefix(out, row), fresh && row < rows, false);
    }
    let openings = openings_path(out);
    if !fresh || begun && read_openings(&openings).is_ok() {
        outputs.known("--out", &openings);
    } else {
        outputs.output("--out", &openings, Mark::none("a file of a run with journals"));
    }
}

/// What the names of the files of a row (from 0) begin with.
fn row_prefix(out: &Path, row: usize) -> PathBuf {
    with_ending(out, &format!("-row-{:03}", row + 1))
}

/// What the engine is called in a row (from 0).
fn row_name(row: usize) -> String {
    format!("row {}", row + 1)
}

impl FactorialSpec {
    /// The match of a row, from 0.
    fn row(&self, row: usize) -> runner::MatchSpec {
        let (rows, name) = (self.design.rows(), row_name(row));
        let [one, other] = self.design.options(row);
        let entrants = vec![
            self.entrant.varied(name.clone(), one),
            self.entrant.varied(format!("{name} turned"), other),
        ];
        let mut header = self.header.clone();
        header.engines = entrants.iter().map(|entrant| entrant.header(self.timeouts).0).collect();
        header.openings.push_str(&format!(", one of {rows} from number {} on", row + 1));
        runner::MatchSpec {
            header,
            entrants,
            game_rules: self.game_rules,
            rounds: self.pairs,
            concurrency: self.concurrency,
            timeouts: self.timeouts,
            sprt: None,
            stop_file: None,
            out: row_prefix(&self.out, row),
            begin: self.begin,
        }
    }

    /// The openings of all rows together.
    fn openings(&self) -> usize {
        self.design.rows() * self.pairs as usize
    }
}

/// A row before anything is written to its files.
#[derive(Debug)]
struct Row {
    spec: runner::MatchSpec,
    found: Found,
    earlier: Earlier,
}

/// A row whose files are ours.
struct Begun {
    spec: runner::MatchSpec,
    standings: Standings,
}

/// What an earlier run left, all of it looked at before anything is written. Nobody else writes there
/// meanwhile.
#[derive(Debug)]
pub struct Looked {
    rows: Vec<Row>,
    /// Rows of an earlier, larger design, which are to be thrown away: what the names of their files begin
    /// with, and their journals.
    beyond: Vec<(PathBuf, Journal, Option<Copies>)>,
    /// The openings of finished games, by their number in the order of all rows.
    played: BTreeMap<usize, String>,
    /// The random openings that were made.
    pub openings: Vec<Opening>,
}

/// Looks at the files of all rows. `fixed` are the openings given, if they are not to be random.
///
/// # Errors
/// If there are too few openings, the file system refuses, a file is damaged, or one is of another run.
pub fn look(spec: &FactorialSpec, fixed: Option<&[Opening]>) -> Result<Looked, String> {
    let (rows, needed) = (spec.design.rows(), spec.openings());
    if let Some(found) = fixed.map(<[_]>::len).filter(|&found| found < needed) {
        return Err(format!(
            "expected {needed} openings, one for each pair of {rows} rows, found {found}"
        ));
    }
    let rows: Vec<Row> = (0..rows)
        .map(|row| {
            let spec = spec.row(row);
            let (found, earlier) = Found::look(&spec.out, &spec.header, spec.begin)?;
            found.refuse_lost_games(&spec.header)?;
            Ok(Row { spec, found, earlier })
        })
        .collect::<Result<_, String>>()?;
    let mut played = BTreeMap::new();
    let mut pairs = 0;
    for (index, row) in rows.iter().enumerate() {
        for (&round, opening) in &row.earlier.played {
            pairs = pairs.max(u32::try_from(round).unwrap_or(u32::MAX).saturating_add(1));
            played.insert(index + rows.len() * round, opening.clone());
        }
    }
    if pairs > spec.pairs {
        let found = spec.pairs;
        return Err(format!(
            "expected at least {pairs} pairs a row, as were played, found {found} (--fresh throws the \
             old run away, another --out keeps it)"
        ));
    }
    let path = openings_path(&spec.out);
    // Openings without a row are of a run that nobody knows.
    let openings = if fixed.is_some() || spec.begin == Begin::Fresh {
        Vec::new()
    } else if rows.iter().all(|row| row.found.is_new()) {
        refuse_unknown(&path, "openings", &journal_path(&row_prefix(&spec.out, 0)))?;
        Vec::new()
    } else {
        read_openings(&path)?
    };
    let known = fixed.unwrap_or(&openings);
    for (&number, text) in &played {
        if let Some(opening) = known.get(number) {
            agree(number, text, opening)?;
        }
    }
    let beyond = if spec.begin == Begin::Fresh { rows_beyond(spec)? } else { Vec::new() };
    Ok(Looked { rows, beyond, played, openings })
}

/// The rows of an earlier design that this one has not.
fn rows_beyond(spec: &FactorialSpec) -> Result<Vec<(PathBuf, Journal, Option<Copies>)>, String> {
    let mut beyond = Vec::new();
    for row in spec.design.rows()..Design::MOST_ROWS {
        let prefix = row_prefix(&spec.out, row);
        let path = journal_path(&prefix);
        if !path.is_file() {
            continue;
        }
        let io = |error: std::io::Error| format!("{}: {error}", path.display());
        let mut journal = Journal::open(&path).map_err(io)?;
        // What is no row of a design only has such a name.
        let read = each_game(journal.reader().map_err(io)?, true, |_, _, _| Ok(()));
        let header = read.ok().and_then(|(header, _)| header);
        let is_row = |header: MatchHeader| {
            header.engines.first().is_some_and(|engine| engine.player.name == row_name(row))
        };
        if header.is_some_and(is_row) {
            beyond.push((prefix, journal, Copies::beside(&path)));
        }
    }
    Ok(beyond)
}

impl Looked {
    /// Begins to write, or goes on, in all rows: what is to be thrown away goes now. Returns the rows and
    /// the files of the first, which nobody else can open meanwhile.
    fn begin(
        self,
        openings: Option<&[Opening]>,
        out: &Path,
    ) -> Result<(Vec<Begun>, Option<Files>), String> {
        for (prefix, journal, copies) in self.beyond {
            // The journal last: without it nobody would know what the others are.
            for path in own_paths(&prefix).iter().rev() {
                let is_ours = *path == journal_path(&prefix)
                    || copies.as_ref().is_some_and(|copies| copies.is_ours(&prefix, path));
                if is_ours && *path != openings_path(&prefix) && path.exists() {
                    fs::remove_file(path)
                        .map_err(|error| format!("{}: {error}", path.display()))?;
                }
            }
            drop(journal);
        }
        // Before the headers: those of another run must not be taken for this one's.
        if let Some(openings) = openings {
            put_openings(out, openings)?;
        }
        let mut first = None;
        let mut rows = Vec::new();
        for Row { mut spec, found, earlier } in self.rows {
            let files = found.begin(&spec.header, None)?;
            first.get_or_insert(files);
            // Its header is there now.
            spec.begin = match spec.begin {
                Begin::Fresh => Begin::Checked,
                begin => begin,
            };
            rows.push(Begun { spec, standings: earlier.standings });
        }
        Ok((rows, first))
    }
}

/// Plays all rows to their ends, or until `stopped` is set; returns what they come to, or nothing if they
/// were stopped.
///
/// # Errors
/// If the engine cannot be started, there are not enough openings, or files cannot be written. All games
/// that were shown are on disk even then.
pub fn run<V: Variant>(
    spec: &FactorialSpec,
    mut looked: Looked,
    source: Source<V>,
    stopped: &AtomicBool,
) -> Result<Option<Vec<Standings>>, String> {
    let played = std::mem::take(&mut looked.played);
    let made = match &source {
        Source::Random(openings) => Some(openings.made()),
        Source::Fixed(_) => None,
    };
    let (mut rows, locked) = looked.begin(made, &spec.out)?;
    let (count, games) = (rows.len(), 2 * u64::from(spec.pairs));
    tell(&format!("{} factors, {count} rows of {games} games\n", spec.design.factors().len()));
    let begun = rows.iter().filter(|row| row.standings.games > 0).count();
    if begun > 0 {
        tell(&format!("taking up the run, of which {begun} rows are begun\n"));
    }
    let openings = match source {
        Source::Fixed(openings) => openings,
        Source::Random(openings) => {
            let mut maker = Maker::open(openings, &spec.out, played)?;
            let (there, needed) = (maker.made().len(), spec.openings());
            if maker.are_judged() && there < needed {
                tell(&format!("openings are judged: {there} of {needed} are there\n"));
            }
            let filled = maker.fill(needed, stopped);
            // An engine that is told to end while it judges an opening fails in its own way.
            if stopped.load(Ordering::Relaxed) {
                tell("\nstopped among openings; the same command takes the run up again\n");
                return Ok(None);
            }
            filled?;
            let openings = maker.made().to_vec();
            maker.finish();
            openings
        }
    };
    drop(locked);
    for (index, Begun { spec: row, standings }) in rows.iter_mut().enumerate() {
        if standings.games < games {
            let openings = openings.iter().skip(index).step_by(count).take(spec.pairs as usize);
            let openings = openings.cloned().collect();
            let opened = open::<V>(row, |_| Ok(Source::Fixed(openings)))?;
            let progress = Progress::new(games, spec.plain);
            let (played, finish) = runner::run::<V>(row, opened, stopped, &progress)?;
            *standings = played;
            if finish == Finish::Stopped {
                tell(&format!(
                    "\nstopped in row {} of {count}; the same command takes the run up again\n",
                    index + 1
                ));
                return Ok(None);
            }
        }
        let [losses, draws, wins] = standings.first_pairing().games();
        tell(&format!("row {} of {count}: +{wins} ={draws} -{losses}\n", index + 1));
    }
    Ok(Some(rows.into_iter().map(|row| row.standings).collect()))
}
