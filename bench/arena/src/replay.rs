//! Finished games read back from a journal and played again under our rules.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};

use kujira_position::{Position, Rules, Variant, VariantId, with_variant};
use kujira_usi::{Ending, Reason};

use crate::fingerprint::fingerprint;
use crate::header::{EngineHeader, MatchHeader};
use crate::host::Host;
use crate::journal::{Found, Line, Stream};
use crate::openings::Opening;
use crate::rounds::Results;
use crate::standings::Standings;
use kujira_record::journal::{self, Read};
use kujira_record::played::{GameId, GameRecord};

/// A match as its journal tells of it. Its games stay in the file, of which no more than one is in memory at a time.
#[derive(Debug)]
pub struct PlayedMatch {
    /// The journal.
    pub path: PathBuf,
    /// What was played.
    pub header: MatchHeader,
    game: VariantId,
    unchecked: bool,
    /// The finished games that count, in the order in which they ended.
    pub games: Vec<PlayedGame>,
    /// How many finished games there are, those that do not count included.
    all: usize,
    account: Result<Account, String>,
    /// The machines on which games were lost by failures.
    machines: Vec<String>,
    by_setting: BTreeMap<String, Standings>,
}

/// A finished game in short, and where the rest of it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// Which.
    pub id: GameId,
    /// What it is known by but for its times: game, rules, opening, who sat where, moves and end.
    pub key: u64,
    /// Where its line begins in the journal.
    begin: u64,
    /// How long that line is.
    length: u32,
    /// Half points of the first of the two engines.
    pub half_points: u8,
    /// The number of the machine on which it was lost by a failure, if the journal tells of it.
    failed_on: Option<u32>,
    /// Whether it has a move.
    pub moved: bool,
}

/// What the games of a match come to under our rules.
#[derive(Debug)]
pub struct Account {
    /// The results.
    pub standings: Standings,
    /// The position that the games of each finished pair of the first two engines began from, as its
    /// key, by round.
    pub beginnings: BTreeMap<u32, u64>,
}

impl PlayedMatch {
    /// Reads a journal and plays its games again. A last line that is cut off is dropped. `unchecked`: lines may be
    /// without check sums.
    ///
    /// # Errors
    /// What is wrong with which line, or that the file cannot be read.
    pub fn read(path: &Path, unchecked: bool) -> Result<Self, String> {
        let named = |error: &dyn Display| format!("{}: {error}", path.display());
        let mut stream = Stream::open(path, unchecked).map_err(|error| named(&error))?;
        let mut reading: Option<Reading> = None;
        while let Some(found) = stream.next_game().map_err(|error| named(&error))? {
            let Some(header) = stream.header() else { break };
            let reading = reading.get_or_insert_with(|| Reading::new(header));
            reading.add(header, found, stream.host()).map_err(|error| named(&error))?;
        }
        let header = stream.header().cloned();
        let header =
            header.ok_or_else(|| named(&"expected a match in the first line, found none"))?;
        let game = VariantId::named(&header.game)
            .ok_or_else(|| named(&format!("expected one of {}", VariantId::choices())))?;
        let mut reading = reading.unwrap_or_else(|| Reading::new(&header));
        let finished = reading.pairs.into_iter().filter(|(_, (games, _))| *games == 2);
        let beginnings = finished.map(|(round, (_, key))| (round, key)).collect();
        reading.standings.join(names(&header));
        let account = match reading.fault {
            Some(error) => Err(named(&error)),
            None => {
                let mut standings = reading.standings;
                standings.failed_on = failed_on(&reading.games, &reading.machines);
                Ok(Account { standings, beginnings })
            }
        };
        Ok(Self {
            path: path.to_owned(),
            header,
            game,
            unchecked,
            all: reading.games.len(),
            games: reading.games,
            account,
            machines: reading.machines,
            by_setting: reading.by_setting,
        })
    }

    /// An error that names the journal.
    pub fn named(&self, error: &dyn Display) -> String {
        format!("{}: {error}", self.path.display())
    }

    /// The games that count, read from the journal in the order in which they ended.
    pub fn records(&self) -> impl Iterator<Item = Result<GameRecord, String>> + '_ {
        self.records_of(self.games.iter())
    }

    /// The records of games of this match, one after the other. Where the journal has changed meanwhile that is an error.
    pub fn records_of<'a>(
        &'a self,
        games: impl Iterator<Item = &'a PlayedGame> + 'a,
    ) -> impl Iterator<Item = Result<GameRecord, String>> + 'a {
        let mut file = None;
        let mut line = Vec::new();
        games.map(move |game| {
            let read = self.record(&mut file, &mut line, game);
            read.map_err(|error| self.named(&error))
        })
    }

    /// Reads the line of a game; `file` is the journal and where the reader stands in it, once it is open.
    fn record(
        &self,
        file: &mut Option<(BufReader<File>, u64)>,
        line: &mut Vec<u8>,
        game: &PlayedGame,
    ) -> Result<GameRecord, String> {
        let said = |error: std::io::Error| error.to_string();
        if file.is_none() {
            *file = Some((BufReader::new(File::open(&self.path).map_err(said)?), 0));
        }
        let Some((reader, at)) = file else { return Err("no journal is open".to_owned()) };
        let ahead = game.begin.cast_signed() - at.cast_signed();
        reader.seek_relative(ahead).map_err(said)?;
        line.resize(game.length as usize, 0);
        let read = reader.read_exact(line).map_err(said);
        *at = game.begin + u64::from(game.length);
        let found = read.and_then(|()| {
            journal::line_of::<Line>(1, line, "a journal").map_err(|error| error.to_string())
        });
        match found {
            Ok(Read { value: Line::Game(found), summed })
                if found.id == game.id && (summed || self.unchecked) =>
            {
                Ok(*found)
            }
            _ => Err(format!(
                "expected game {} where it was before, found the journal changed",
                number(game.id)
            )),
        }
    }

    /// How its games came out.
    #[must_use]
    pub fn results(&self) -> Results {
        self.games.iter().map(|game| (game.id, usize::from(game.half_points))).collect()
    }

    /// Which kind of whale shogi.
    #[must_use]
    pub fn game(&self) -> VariantId {
        self.game
    }

    /// The names of the engines.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        names(&self.header)
    }

    /// Whether the two hold games of one run, in whatever way their journals are written: copies, parts, and what
    /// became of a journal that was gone on with twice.
    #[must_use]
    pub fn is_again(&self, other: &Self) -> bool {
        self.header.run == other.header.run
    }

    /// Whether a game that both hold went on differently: one journal was gone on with twice.
    ///
    /// # Errors
    /// That one of them cannot be read any more.
    pub fn went_on_differently(&self, other: &Self) -> Result<bool, String> {
        let ours: HashMap<_, _> = self.games.iter().map(|game| (game.id, game)).collect();
        let both =
            other.games.iter().filter_map(|game| ours.get(&game.id).copied().zip(Some(game)));
        let (ours, theirs): (Vec<_>, Vec<_>) = both.unzip();
        let pairs = self.records_of(ours.into_iter()).zip(other.records_of(theirs.into_iter()));
        for (one, other) in pairs {
            if one? != other? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The results of the games that count.
    ///
    /// # Errors
    /// That the journal cannot be read any more.
    pub fn standings(&self) -> Result<Standings, String> {
        let mut standings = Standings::new(self.names());
        match &self.account {
            Ok(account) if self.games.len() == self.all => return Ok(account.standings.clone()),
            _ => {}
        }
        for game in self.records() {
            standings.add(&game?);
        }
        standings.failed_on = failed_on(&self.games, &self.machines);
        Ok(standings)
    }

    /// The same by what was played: the game, the rule switches that are not as usual, the handicap.
    ///
    /// # Errors
    /// That the journal cannot be read any more.
    pub fn by_setting(&self) -> Result<BTreeMap<String, Standings>, String> {
        if self.games.len() == self.all {
            return Ok(self.by_setting.clone());
        }
        let mut settings = BTreeMap::new();
        for game in self.records() {
            add_by_setting(&mut settings, &self.header, &game?);
        }
        Ok(settings)
    }

    /// What all finished games come to, played again: each move must be legal, and an end by the rules must be one.
    ///
    /// # Errors
    /// What is wrong with the first game that is wrong.
    pub fn replay(&self) -> Result<&Account, String> {
        self.account.as_ref().map_err(String::clone)
    }

    /// What was played, in a few lines.
    #[must_use]
    pub fn heading(&self) -> String {
        let header = &self.header;
        let mut text = format!("{} {}\n", header.game, header.rules);
        for engine in &header.engines {
            let EngineHeader { player, command, .. } = engine;
            text.push_str(&format!("  {}: {}, {}\n", player.name, player.limit, command.join(" ")));
            let options = player.options.iter().map(|(name, value)| format!("{name} {value}"));
            let options = options.collect::<Vec<_>>().join(", ");
            for (what, said) in [("options", options), ("build", engine.build())] {
                if !said.is_empty() {
                    text.push_str(&format!("    {what}: {said}\n"));
                }
            }
        }
        text + &format!("openings: {}\n", header.openings)
    }
}

/// What has been read of a journal so far.
struct Reading {
    games: Vec<PlayedGame>,
    /// Games that are known whatever their number, by [`Played::key`].
    known: HashMap<u64, GameId>,
    rules: String,
    standings: Standings,
    machines: Vec<String>,
    by_setting: BTreeMap<String, Standings>,
    /// The finished games of the first two engines by round, with the key of the position that the first began from.
    pairs: BTreeMap<u32, (u8, u64)>,
    /// What is wrong with the first game that is wrong.
    fault: Option<String>,
}

impl Reading {
    fn new(header: &MatchHeader) -> Self {
        Self {
            games: Vec::new(),
            known: HashMap::new(),
            rules: header.rules.to_string(),
            standings: Standings::new(names(header)),
            machines: Vec::new(),
            by_setting: BTreeMap::new(),
            pairs: BTreeMap::new(),
            fault: None,
        }
    }

    fn add(
        &mut self,
        header: &MatchHeader,
        Found { game, place }: Found,
        host: Option<&Host>,
    ) -> Result<(), String> {
        let game = &game;
        self.standings.join(names(header));
        if let Some(Played { moves, key }) = Played::of(game)
            && let Some(earlier) = self.known.insert(key, game.id)
            && moves >= Played::ENOUGH
        {
            let [one, other] = [earlier, game.id].map(number);
            return Err(format!(
                "expected every game once, found game {one} again as game {other}"
            ));
        }
        let id = game.id;
        self.games.push(PlayedGame {
            id,
            key: key(game, &self.rules),
            begin: place.start,
            length: u32::try_from(place.end - place.start).map_err(|error| error.to_string())?,
            half_points: game.ending.half_points(id.first_is()) as u8,
            failed_on: host
                .filter(|_| !game.ending.reason.is_regular())
                .map(|host| number_of(&mut self.machines, &host.name)),
            moved: !game.moves.is_empty(),
        });
        self.standings.add(game);
        add_by_setting(&mut self.by_setting, header, game);
        if self.fault.is_some() {
            return Ok(());
        }
        let Some(variant) = VariantId::named(&header.game) else { return Ok(()) };
        match with_variant!(variant, V => replay::<V>(game, header.rules.into())) {
            Ok(key) if id.engines == [0, 1] => {
                self.pairs.entry(id.round).or_insert((0, key)).0 += 1;
            }
            Ok(_) => {}
            Err(error) => self.fault = Some(format!("game {}: {error}", number(id))),
        }
        Ok(())
    }
}

/// The number of a machine.
fn number_of(machines: &mut Vec<String>, name: &str) -> u32 {
    let known = machines.iter().position(|machine| machine == name);
    let number = known.unwrap_or_else(|| {
        machines.push(name.to_owned());
        machines.len() - 1
    });
    number as u32
}

/// How many of these games were lost by failures on which machine.
fn failed_on(games: &[PlayedGame], machines: &[String]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for name in games.iter().filter_map(|game| machines.get(game.failed_on? as usize)) {
        *counts.entry(name.clone()).or_default() += 1;
    }
    counts
}

fn names(header: &MatchHeader) -> Vec<String> {
    header.engines.iter().map(|engine| engine.player.name.clone()).collect()
}

fn add_by_setting(
    settings: &mut BTreeMap<String, Standings>,
    header: &MatchHeader,
    game: &GameRecord,
) {
    let mut setting = header.game.clone();
    let rules = header.rules.to_string();
    if !rules.is_empty() {
        setting.push_str(&format!(", {rules}"));
    }
    if let Some(handicap) = game.handicap() {
        setting.push_str(&format!(", handicap {}", handicap.id));
    }
    let standings = settings.entry(setting).or_default();
    standings.join(names(header));
    standings.add(game);
}

/// What a game is known by but for its times: game, rules, opening, who sat where, moves and end.
fn key(game: &GameRecord, rules: &str) -> u64 {
    let GameRecord { variant, black, white, opening, moves, ending, .. } = game;
    let mut text =
        format!("{variant}\n{rules}\n{}\n{}\n{opening}\n{ending}", black.name, white.name);
    for m in moves {
        text.push(' ');
        text.push_str(&m.usi);
    }
    fingerprint(text.as_bytes())
}

/// The number of a game as it is shown while a match runs. Where more than two engines play, those of each pairing but
/// the first have the numbers of its engines behind them: `3.2:1-4`.
pub fn number(id: GameId) -> String {
    let GameId { round, engines, leg } = id;
    let number = format!("{}.{}", round + 1, leg + 1);
    match engines {
        [0, 1] => number,
        [first, second] => format!("{number}:{}-{}", first + 1, second + 1),
    }
}

/// What a game is known by whatever its number: its moves and their times.
struct Played {
    /// The moves whose times are known.
    moves: usize,
    /// The fingerprint of opening, moves and times.
    key: u64,
}

impl Played {
    /// With so many moves two games do not agree by chance in every move and every microsecond.
    const ENOUGH: usize = 8;

    /// None if no time is known.
    fn of(game: &GameRecord) -> Option<Self> {
        let moves = game.moves.iter().filter(|m| m.us > 0).count();
        let mut text = format!("{} {}", game.variant, game.opening);
        for m in &game.moves {
            text.push_str(&format!(" {} {}", m.usi, m.us));
        }
        (moves > 0).then(|| Self { moves, key: fingerprint(text.as_bytes()) })
    }
}

/// Plays a game again. Returns the key of the position after its opening.
fn replay<V: Variant>(game: &GameRecord, rules: Rules) -> Result<u64, String> {
    let opening: Opening = game.opening.parse()?;
    let mut position: Position<V> = opening.playable(rules)?;
    let key = position.key();
    for (index, m) in game.moves.iter().enumerate() {
        if let Some(outcome) = position.outcome() {
            return Err(format!("expected no move after the end ({outcome}), found {}", m.usi));
        }
        let m =
            position.parse_usi(&m.usi).map_err(|error| format!("move {}: {error}", index + 1))?;
        position.make(m);
    }
    let outcome = match game.ending.reason {
        Reason::Impasse => position.impasse(),
        _ => position.outcome(),
    };
    match outcome {
        Some(outcome) if Ending::from(outcome) == game.ending => Ok(key),
        None if !game.ending.by_rule() => Ok(key),
        found => {
            let found = found.map_or_else(|| "no end".to_owned(), |outcome| outcome.to_string());
            Err(format!("expected the end to be {}, found {found}", game.ending.reason))
        }
    }
}
