//! Positions to begin games from: read from files, or made by seeded random play.

use std::collections::HashSet;
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kujira_position::{Color, Position, Rules, Variant};
use kujira_program::regular;
use kujira_record::list::Entry;
use kujira_record::{FileFormat, Place, games, list, text};
use kujira_statistics::Stream;
use kujira_usi::{Go, Score, Switches};

use crate::engine::{EngineConfig, Failure, Session, Timeouts};
use crate::entrant::EngineFiles;

pub use kujira_record::list::Opening;

/// Reads the openings of a list, or the games of a PGN, each up to so many `plies`; those that lead to the same position
/// are kept once.
///
/// # Errors
/// What is wrong with which line or game, or that there are none.
pub fn read_file<V: Variant>(
    path: &Path,
    rules: Rules,
    plies: Option<usize>,
) -> Result<Vec<Opening>, String> {
    // Read again when the match is taken up: what a pipe says it says only once.
    regular::open(path)
        .map_err(|error| format!("expected a file of openings: {}: {error}", path.display()))?;
    let read = match FileFormat::of(path) {
        Some(FileFormat::Pgn) => of_games::<V>(path, rules),
        _ => of_list(path),
    }?;
    let mut keys = HashSet::new();
    let mut openings = Vec::new();
    for (mut opening, place) in read {
        opening.moves.truncate(plies.unwrap_or(usize::MAX));
        let position = opening.playable::<V>(rules).map_err(|mut error| {
            error.place = Place { ply: error.place.ply, ..place };
            error.in_file(path.display().to_string()).to_string()
        })?;
        if keys.insert(position.key()) {
            openings.push(opening);
        }
    }
    if openings.is_empty() {
        return Err(format!("{}: expected openings, found none", path.display()));
    }
    Ok(openings)
}

/// The openings of a list, each with its line.
fn of_list(path: &Path) -> Result<Vec<(Opening, Place)>, String> {
    let text = text::open(path).map_err(|error| format!("expected a file of openings: {error}"))?;
    let read = list::entries(&text).map(|entry| {
        let Entry { line, opening, .. } = entry?;
        Ok((opening, Place { line: Some(line), ..Place::default() }))
    });
    let read: Result<_, kujira_record::Error> = read.collect();
    read.map_err(|error| error.in_file(path.display().to_string()).to_string())
}

/// The moves of games, each with its number in the file.
fn of_games<V: Variant>(path: &Path, rules: Rules) -> Result<Vec<(Opening, Place)>, String> {
    let named = |error: kujira_record::Error| error.in_file(path.display().to_string()).to_string();
    let file = regular::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let read = games(BufReader::new(file), FileFormat::Pgn, V::ID);
    let openings = (1..).zip(read).map(|(number, read)| {
        let game = read.map_err(named)?.game;
        let place = Place { game: Some(number), ..Place::default() };
        if game.variant() != V::ID || game.rules() != rules {
            let words = |rules: Rules| match Switches::from(rules).to_string() {
                words if words.is_empty() => "the usual rules".to_owned(),
                words => words,
            };
            return Err(format!(
                "{}: game {number}: expected a game of {} with {}, found one of {} with {}",
                path.display(),
                V::ID,
                words(rules),
                game.variant(),
                words(game.rules())
            ));
        }
        let nodes = game.line_through(0).into_iter().skip(1);
        let moves = nodes.filter_map(|id| game.node(id).map(|node| node.usi.clone())).collect();
        let sfen = Some(game.start().to_owned()).filter(|start| start != V::SPEC.start);
        Ok((Opening { sfen, moves }, place))
    });
    openings.collect()
}

/// Which engine judges openings, and how it is dealt with.
#[derive(Debug)]
pub struct Judge {
    config: Arc<EngineConfig>,
    files: EngineFiles,
    timeouts: Timeouts,
    stopped: Arc<AtomicBool>,
}

impl Judge {
    /// An engine as it is now; `stopped` ends every waiting for it.
    #[must_use]
    pub fn new(config: &Arc<EngineConfig>, timeouts: Timeouts, stopped: &Arc<AtomicBool>) -> Self {
        let files = EngineFiles::of(config);
        Self { config: Arc::clone(config), files, timeouts, stopped: Arc::clone(stopped) }
    }

    fn start(&self) -> Result<Session, Failure> {
        self.files.check().map_err(Failure::Setup)?;
        Session::start(&self.config, self.timeouts, &self.stopped)
    }
}

/// How often an engine that failed is begun afresh for one opening.
const MOST_STARTS: usize = 3;

/// Leaves out openings to which an engine gives another score than is wanted.
#[derive(Debug)]
pub struct Filter {
    judge: Judge,
    session: Session,
    /// How it is to search.
    go: Go,
    /// Scores that are wanted, in centipawns, from Black's side.
    scores: RangeInclusive<i32>,
}

impl Filter {
    /// Begins the engine, which is to search so many nodes; `scores` are wanted, in centipawns, from Black's side.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn new(judge: Judge, nodes: u64, scores: RangeInclusive<i32>) -> Result<Self, String> {
        let session = judge.start().map_err(|error| failed(&error))?;
        Ok(Self { judge, session, go: Go { nodes: Some(nodes), ..Go::default() }, scores })
    }

    /// What the engine cannot be told of the rules, for people.
    #[must_use]
    pub fn complaints(&self) -> Vec<String> {
        self.session.rules().complaints(self.session.name())
    }

    /// Whether the engine gives the opening a score that is wanted. If it dies or talks nonsense it is begun afresh.
    fn accepts<V: Variant>(&mut self, opening: &Opening, rules: Rules) -> Result<bool, String> {
        let mut starts = 0;
        loop {
            match self.judge::<V>(opening, rules) {
                Err(
                    Failure::Died(_)
                    | Failure::Silent(_)
                    | Failure::Flood(_)
                    | Failure::Nonsense(_),
                ) if starts < MOST_STARTS => {
                    starts += 1;
                    self.session = self.judge.start().map_err(|error| failed(&error))?;
                }
                judged => return judged.map_err(|error| format!("{} ({opening})", failed(&error))),
            }
        }
    }

    fn judge<V: Variant>(&mut self, opening: &Opening, rules: Rules) -> Result<bool, Failure> {
        // Without knowledge of other openings, so that the answer is the same whenever it is asked.
        self.session.new_game()?;
        let spelt = spell::<V>(opening, self.session.dialect(), rules).map_err(Failure::Setup)?;
        let reply = self.session.go(&spelt, &self.go, self.judge.timeouts.hang)?;
        if reply.info.score.is_none() && reply.info.depth.is_none() {
            let missing = "expected a score to judge an opening by, found no search at all";
            return Err(Failure::Nonsense(missing.to_owned()));
        }
        let position = opening.playable::<V>(rules);
        let position = position.map_err(|error| Failure::Setup(error.to_string()))?;
        let sign = if position.board().side() == Color::Black { 1 } else { -1 };
        // A mate of unknown length is no score, but far from even, too.
        let wanted = |score: Score| self.scores.contains(&(sign * score.centipawns()));
        Ok(reply.info.score.is_some_and(wanted))
    }
}

/// Why openings cannot be judged.
fn failed(error: &Failure) -> String {
    format!("the engine that judges openings: {error}")
}

/// The opening as an engine with this dialect reads it.
///
/// # Errors
/// If the opening is none, or begins from a position that the dialect has no words for.
pub fn spell<V: Variant>(
    opening: &Opening,
    dialect: kujira_usi::fairy::Dialect,
    rules: Rules,
) -> Result<String, String> {
    use kujira_usi::fairy::Dialect;
    if dialect == Dialect::Usi {
        return Ok(opening.to_string());
    }
    if let Some(sfen) = &opening.sfen {
        return Err(format!(
            "expected openings that begin with startpos, because Fairy-Stockfish writes positions \
             otherwise, found sfen {sfen}"
        ));
    }
    opening.playable::<V>(rules)?;
    let mut position = Position::<V>::start();
    let mut text = String::from("startpos");
    for (index, usi) in opening.moves.iter().enumerate() {
        text.push_str(if index == 0 { " moves " } else { " " });
        let m = position.parse_usi(usi).map_err(|error| error.to_string())?;
        dialect.write(&position, m, &mut text);
        position.make(m);
    }
    Ok(text)
}

/// Openings by random play from the starting position or another one, no two the same position. Each depends on
/// the seed, its number and those before it alone.
#[derive(Debug)]
pub struct RandomOpenings<V: Variant> {
    seed: u64,
    plies: RangeInclusive<usize>,
    rules: Rules,
    start: Opening,
    filter: Option<Filter>,
    made: Vec<Opening>,
    /// Numbers that were passed over.
    passed: u64,
    keys: HashSet<u64>,
    game: std::marker::PhantomData<V>,
}

/// Candidates tried for one opening before there seems to be none left.
const MOST_TRIES: usize = 2_000;

impl<V: Variant> RandomOpenings<V> {
    /// Openings of so many plies; `made` are those that were made earlier.
    ///
    /// # Errors
    /// If an opening made earlier is none.
    pub fn new(
        seed: u64,
        plies: RangeInclusive<usize>,
        rules: Rules,
        filter: Option<Filter>,
        made: Vec<Opening>,
    ) -> Result<Self, String> {
        let mut keys = HashSet::new();
        for opening in &made {
            keys.insert(opening.playable::<V>(rules)?.key());
        }
        let (start, game) = (Opening::default(), std::marker::PhantomData);
        Ok(Self { seed, plies, rules, start, filter, made, passed: 0, keys, game })
    }

    /// The same, but the random moves follow this opening.
    #[must_use]
    pub fn starting_from(mut self, start: Opening) -> Self {
        self.start = start;
        self
    }

    /// Those made so far.
    #[must_use]
    pub fn made(&self) -> &[Opening] {
        &self.made
    }

    /// Whether an engine judges them.
    #[must_use]
    pub fn are_judged(&self) -> bool {
        self.filter.is_some()
    }

    /// Makes no opening of the next number: somebody else does.
    pub fn pass_over(&mut self) {
        self.passed += 1;
    }

    /// Makes another one.
    ///
    /// # Errors
    /// If there seem to be no more, or the engine that judges them fails.
    pub fn another(&mut self) -> Result<&Opening, String> {
        let number = self.made.len() as u64 + self.passed;
        // A stream for each number: what was made earlier need not be made again.
        let mut random = Stream::new(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for _ in 0..MOST_TRIES {
            let Some((opening, key)) = self.candidate(&mut random) else { continue };
            if self.keys.contains(&key) {
                continue;
            }
            if let Some(filter) = &mut self.filter
                && !filter.accepts::<V>(&opening, self.rules)?
            {
                continue;
            }
            self.keys.insert(key);
            self.made.push(opening);
            return Ok(&self.made[self.made.len() - 1]);
        }
        Err(format!(
            "expected another opening of {} to {} plies, found none in {MOST_TRIES} tries after {}: \
             ask for more plies or higher scores",
            self.plies.start(),
            self.plies.end(),
            self.made.len()
        ))
    }

    fn candidate(&self, random: &mut Stream) -> Option<(Opening, u64)> {
        let (least, most) = (*self.plies.start(), *self.plies.end());
        let plies = least + random.below(most + 1 - least);
        let mut opening = self.start.clone();
        let mut position = opening.position::<V>(self.rules).ok()?;
        for _ in 0..plies {
            let legal = position.legal_moves();
            let m = *legal.get(random.below(legal.len()))?;
            opening.moves.push(position.usi(m));
            position.make(m);
            if position.outcome().is_some() {
                return None;
            }
        }
        Some((opening, position.key()))
    }

    /// Ends the engine that judges openings, if there is one.
    pub fn finish(self) {
        if let Some(filter) = self.filter {
            filter.session.quit();
        }
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Color, Great, Paulowich, Whale};

    use super::*;

    #[test]
    fn files_of_openings_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read_file::<Whale>(&path, Rules::DEFAULT, None)
        };
        let text = "\u{feff}# a\r\n; b\r\nstartpos\tmoves 2e2d\t5b5c\r\n\
                    bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - bm 2e2d; id \"x\";\r\n\
                    bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1 ;D1 7\r\n\r\n\r\n";
        let texts: Vec<_> = read(text).unwrap().iter().map(ToString::to_string).collect();
        let start = "sfen bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b -";
        assert_eq!(texts, ["startpos moves 2e2d 5b5c", start]);
        let name = path.display();
        for (text, expected) in [
            ("startpos\nstartpos moves 2e2c", format!("{name}: line 2: move 1: expected a legal")),
            ("# nothing\n", format!("{name}: expected openings, found none")),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(&expected), "{error}");
        }
        std::fs::remove_file(&path).unwrap();
        assert!(
            read_file::<Whale>(&path, Rules::DEFAULT, None)
                .unwrap_err()
                .contains(&name.to_string())
        );
    }

    fn seeded<V: Variant>() {
        let make = |seed, count| {
            let mut openings =
                RandomOpenings::<V>::new(seed, 5..=8, Rules::DEFAULT, None, Vec::new()).unwrap();
            for _ in 0..count {
                openings.another().unwrap();
            }
            openings.made().to_vec()
        };
        let (first, second) = (make(1, 200), make(2, 200));
        assert_eq!(first, make(1, 200));
        assert_ne!(first, second);
        let mut keys = HashSet::new();
        for opening in &first {
            assert!((5..=8).contains(&opening.moves.len()));
            assert!(keys.insert(opening.playable::<V>(Rules::DEFAULT).unwrap().key()));
        }
        // Taking up where an earlier run stopped gives the same.
        let mut resumed =
            RandomOpenings::<V>::new(1, 5..=8, Rules::DEFAULT, None, first[..150].to_vec())
                .unwrap();
        while resumed.made().len() < 200 {
            resumed.another().unwrap();
        }
        assert_eq!(resumed.made(), first);
    }

    #[test]
    fn random_openings_are_seeded_distinct_and_resumable() {
        seeded::<Whale>();
        seeded::<Paulowich>();
        seeded::<Great>();
    }

    fn handicapped<V: Variant>() {
        for handicap in V::SPEC.handicaps {
            let make = |made: Vec<Opening>| {
                let openings = RandomOpenings::<V>::new(1, 2..=3, Rules::DEFAULT, None, made);
                let start = format!("sfen {}", handicap.sfen).parse().unwrap();
                let mut openings = openings.unwrap().starting_from(start);
                while openings.made().len() < 20 {
                    openings.another().unwrap();
                }
                openings.made().to_vec()
            };
            let all = make(Vec::new());
            for opening in &all {
                assert_eq!(opening.sfen.as_deref(), Some(handicap.sfen));
                assert!((2..=3).contains(&opening.moves.len()));
                // White began.
                let position = opening.playable::<V>(Rules::DEFAULT).unwrap();
                assert_eq!(position.side() == Color::White, opening.moves.len() == 2);
            }
            assert_eq!(make(all[..11].to_vec()), all);
        }
    }

    #[test]
    fn random_openings_begin_from_handicaps() {
        handicapped::<Whale>();
        handicapped::<Paulowich>();
    }

    #[test]
    fn there_are_only_so_many_openings() {
        let mut openings =
            RandomOpenings::<Whale>::new(1, 2..=2, Rules::DEFAULT, None, Vec::new()).unwrap();
        let mut made = 0;
        let error = loop {
            match openings.another() {
                Ok(_) => made += 1,
                Err(error) => break error,
            }
        };
        // Distinct 6×6 positions after two plies.
        assert_eq!(made, 49);
        assert!(error.contains("ask for more plies"), "{error}");
    }

    #[test]
    fn foreign_dialects_take_moves_from_the_start_only() {
        use kujira_usi::fairy::Dialect;
        let opening: Opening = "startpos moves 2e2d 5b5c".parse().unwrap();
        let spelt = spell::<Whale>(&opening, Dialect::FairyUci, Rules::DEFAULT).unwrap();
        assert_eq!(spelt, "startpos moves e2e3 b5b4");
        let sfen: Opening = "sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1".parse().unwrap();
        assert!(spell::<Whale>(&sfen, Dialect::Usi, Rules::DEFAULT).is_ok());
        let error = spell::<Whale>(&sfen, Dialect::FairyUsi, Rules::DEFAULT).unwrap_err();
        assert!(error.contains("expected openings that begin with startpos"), "{error}");
    }
}
