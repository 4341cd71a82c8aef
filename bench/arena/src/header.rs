//! What a journal begins with: the match that is played and its engines.

mod differences;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use kujira_position::VariantId;
use kujira_program::shard::Share;
use kujira_record::played::{GameId, GameRecord, PgnHead, Player};
use kujira_statistics::Sprt;
use kujira_statistics::pool::LONGEST_NAME;
use kujira_usi::Switches;
use kujira_usi::names::VARIANT;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::adjudication::Adjudication;
use crate::fingerprint::fingerprint;
use crate::schedule::Format;

pub use differences::differences;

/// A random number that a journal is given when it is begun: a game is its run and its number in the match, however
/// a copy of the journal is written. In files 16 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunNumber(u64);

impl RunNumber {
    /// A number that no other run has.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn random() -> Result<Self, String> {
        let number = getrandom::u64();
        number.map(Self).map_err(|error| format!("a random number from the system: {error}"))
    }

    /// The number of what these runs come to together: the same, in whatever order they are named.
    #[must_use]
    pub fn together(runs: impl IntoIterator<Item = Self>) -> Self {
        let mut numbers: Vec<u64> = runs.into_iter().map(|Self(number)| number).collect();
        numbers.sort_unstable();
        let bytes: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
        Self(fingerprint(&bytes))
    }
}

impl From<RunNumber> for String {
    fn from(RunNumber(number): RunNumber) -> Self {
        format!("{number:016x}")
    }
}

impl TryFrom<String> for RunNumber {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.len() == 16 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        let number = u64::from_str_radix(&text, 16).ok().filter(|_| digits);
        number.map(Self).ok_or_else(|| {
            format!("expected the number of a run as 16 hexadecimal digits, found \"{text}\"")
        })
    }
}

/// What is played: two matches with equal headers can be one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchHeader {
    /// Which kind of whale shogi.
    pub game: String,
    /// The rule switches.
    #[serde(with = "kujira_usi::rules::words")]
    pub rules: Switches,
    /// The engines in order.
    pub engines: Vec<EngineHeader>,
    /// Who plays whom.
    pub format: Format,
    /// Where the openings come from.
    pub openings: String,
    /// Longest game in plies.
    pub max_plies: usize,
    /// When scores end a game.
    pub adjudication: Adjudication,
    /// The test, if the match is one.
    pub sprt: Option<Sprt>,
    /// What it is called; no part of what is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Which pairs of it are played here; none: all.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "share")]
    pub shard: Option<Share>,
    /// What is played, as a [number](MatchHeader::experiment) by which shards of one match are known; only with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<String>,
    /// Tells its games from those of every other run; none in what is to be played.
    pub run: Option<RunNumber>,
}

/// A share of the pairs as a text.
mod share {
    use kujira_program::shard::Share;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        share: &Option<Share>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match share {
            Some(share) => to.collect_str(share),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Share>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
}

/// What a journal remembers of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineHeader {
    /// Name, limits and options.
    #[serde(flatten)]
    pub player: Player,
    /// The program, its arguments, and the lines sent before the handshake.
    pub command: Vec<String>,
    /// Fingerprints of the program and of the files it loads, by path: another build is another
    /// engine.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// How it is run and how long it is waited for, as `key=value` words.
    #[serde(default)]
    pub settings: Vec<String>,
    /// The signature of its bench, where one was taken: builds of one signature search the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<u64>,
    /// What it calls itself, with its version, where that is known; no part of what it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// Refuses a name that would break a table, or be taken for another.
///
/// # Errors
/// What names are made of.
pub fn check_name(name: &str) -> Result<(), String> {
    let is_word = |word: &str| {
        // Marks, such as accents that are signs of their own, belong to a letter.
        let mut lettered = false;
        let is_sign = |letter: char| {
            lettered = letter.is_alphanumeric() || lettered && is_mark(letter);
            lettered || letter.is_ascii_punctuation()
        };
        !word.is_empty() && word.chars().all(is_sign)
    };
    let words = |name: &str| name.split(' ').all(is_word);
    if name.chars().take(LONGEST_NAME + 1).count() <= LONGEST_NAME && words(name) {
        return Ok(());
    }
    let shown: String = name.chars().take(LONGEST_NAME).flat_map(char::escape_debug).collect();
    Err(format!(
        "expected a name of 1 to {LONGEST_NAME} letters, digits and ASCII signs with single blanks between words, \
         found \"{shown}\" ({} letters)",
        name.chars().count()
    ))
}

/// Whether a sign is a visible mark on the letter before it. The standard library tells it by what it escapes: such a
/// mark at the beginning of a text alone, what is invisible anywhere.
fn is_mark(sign: char) -> bool {
    let behind = String::from_iter(['x', sign]);
    !sign.is_ascii() && sign.escape_debug().len() > 1 && behind.escape_debug().eq(behind.chars())
}

impl EngineHeader {
    /// The program: where it is, and its fingerprint.
    fn program(&self) -> Option<(&str, &str)> {
        let command = Path::new(self.command.first()?);
        let common = |path: &Path| {
            let both = path.components().rev().zip(command.components().rev());
            both.take_while(|(one, other)| one == other).count()
        };
        // A file of its name may be an option's.
        let is_named = |path: &Path| {
            self.player.options.values().any(|value| !value.is_empty() && path.ends_with(value))
        };
        let likeness = |path: &Path| (path == command, common(path), !is_named(path));
        let named = self.files.iter().filter(|(path, _)| common(Path::new(path)) > 0);
        named
            .max_by_key(|(path, _)| likeness(Path::new(path)))
            .map(|(path, print)| (&path[..], &print[..]))
    }

    /// The files that it reads beside its program, with their fingerprints.
    fn others(&self) -> impl Iterator<Item = (&str, &str)> {
        let program = self.program().map(|(path, _)| path);
        let files = self.files.iter().map(|(path, print)| (&path[..], &print[..]));
        files.filter(move |&(path, _)| Some(path) != program)
    }

    /// What its program is known by, in a few words; empty where nothing is known.
    #[must_use]
    pub fn build(&self) -> String {
        let signature = self.signature.map(|signature| format!("signature {signature}"));
        let print = self.program().map(|(_, print)| print.to_owned());
        let others = self.others().map(|(path, print)| format!("{path} {print}"));
        print.into_iter().chain(signature).chain(others).collect::<Vec<_>>().join(", ")
    }

    /// A word as it counts: a file by what it holds, wherever that is.
    fn known_by<'a>(&'a self, word: &'a str) -> &'a str {
        let named = word.strip_prefix("load ").unwrap_or(word);
        // Every path ends with nothing.
        let mut others = self.others().filter(|_| !named.is_empty());
        let file = others.find(|(path, _)| Path::new(path).ends_with(named));
        file.map_or(word, |(_, print)| print)
    }

    /// The value of an option as it counts.
    fn option(&self, name: &str) -> Option<&str> {
        self.player.options.get(name).map(|value| self.known_by(value))
    }

    /// What makes the same name another engine: limits, options, arguments, builds. What the engine is told of the game
    /// and its rules is none of it. `same_game`: both play one game; signatures of different games do not compare.
    #[must_use]
    pub fn differs(&self, other: &Self, same_game: bool) -> Option<String> {
        let (ours, theirs) = (&self.player, &other.player);
        if ours.limit != theirs.limit {
            return Some(format!("{}, there {}", ours.limit, theirs.limit));
        }
        let is_rule = |name: &str| {
            let rules = kujira_usi::rules::options(Default::default());
            VARIANT.is(name) || rules.iter().any(|(rule, _)| rule.eq_ignore_ascii_case(name))
        };
        let names: BTreeSet<&String> = ours.options.keys().chain(theirs.options.keys()).collect();
        let mut options = names.into_iter().filter(|name| !is_rule(name));
        if let Some(name) = options.find(|&name| self.option(name) != other.option(name)) {
            let value = |player: &Player| match player.options.get(name).map(String::as_str) {
                None => "not set".to_owned(),
                Some("") => "nothing".to_owned(),
                Some(value) => value.to_owned(),
            };
            return Some(format!("option {name} {}, there {}", value(ours), value(theirs)));
        }
        let arguments = |engine: &Self| -> Vec<String> {
            engine.command.iter().skip(1).map(|word| engine.known_by(word).to_owned()).collect()
        };
        if arguments(self) != arguments(other) {
            let words = |engine: &Self| match engine.command.get(1..).unwrap_or_default() {
                [] => "none".to_owned(),
                words => words.join(" "),
            };
            return Some(format!("arguments {}, there {}", words(self), words(other)));
        }
        let build = |engine: &Self| engine.program().map(|(_, print)| print.to_owned());
        let different = match (self.signature, other.signature) {
            (Some(ours), Some(theirs)) if same_game => ours != theirs,
            _ => build(self).zip(build(other)).is_some_and(|(ours, theirs)| ours != theirs),
        };
        let prints = |engine: &Self| -> BTreeSet<String> {
            engine.others().map(|(_, print)| print.to_owned()).collect()
        };
        let others =
            !self.files.is_empty() && !other.files.is_empty() && prints(self) != prints(other);
        (different || others).then(|| format!("build {}, there {}", self.build(), other.build()))
    }

    /// What it is, wherever its files are: a part of what an experiment is known by.
    fn identity(&self) -> Value {
        let Self { player, settings, signature, .. } = self;
        let names = player.options.keys();
        let options: BTreeMap<_, _> = names.map(|name| (name, self.option(name))).collect();
        let arguments = self.command.iter().skip(1).map(|word| self.known_by(word));
        let build = match signature {
            Some(signature) => Some(signature.to_string()),
            None => self.program().map(|(_, print)| print.to_owned()),
        };
        json!({
            "name": player.name,
            "limit": player.limit,
            "options": options,
            "arguments": arguments.collect::<Vec<_>>(),
            "settings": settings.iter().filter(|word| !word.starts_with("dir=")).collect::<Vec<_>>(),
            "build": build,
            "files": self.others().map(|(_, print)| print).collect::<BTreeSet<_>>(),
        })
    }

    /// Without what it calls itself: what it is made of says what it is.
    #[must_use]
    pub fn unversioned(&self) -> Self {
        Self { version: None, ..self.clone() }
    }

    /// Without what says nothing about what it is, or beside a signature that both have.
    pub(crate) fn beside(&self, other: &Self) -> Self {
        let mut known = self.unversioned();
        if self.signature.is_some()
            && self.signature == other.signature
            && let Some(path) = self.program().map(|(path, _)| path.to_owned())
        {
            known.files.remove(&path);
        }
        known
    }
}

impl MatchHeader {
    /// Whether a match with this header can go on with the journal of the other.
    #[must_use]
    pub fn fits(&self, other: &Self) -> bool {
        let known = self.without_joining(other);
        known.beside(other) == other.beside(&known)
    }

    fn without_joining(&self, other: &Self) -> Self {
        let mut known = self.clone();
        known.engines.truncate(self.engines.len() - self.joining(other).len());
        known
    }

    /// The engines that join a match of the other header: those behind its own, where results do not decide who plays
    /// whom.
    #[must_use]
    pub fn joining(&self, other: &Self) -> &[EngineHeader] {
        let rest = self.engines.get(other.engines.len()..).unwrap_or_default();
        if self.is_open() && other.engines.len() > 1 { rest } else { &[] }
    }

    /// Whether engines may join and leave while it goes on.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.sprt.is_none() && matches!(self.format, Format::RoundRobin | Format::Gauntlet)
    }

    /// Takes in an engine that joins the match.
    ///
    /// # Errors
    /// If its name is none, or that of another.
    pub fn join(&mut self, engine: EngineHeader) -> Result<(), String> {
        if !self.is_open() {
            return Err("expected no further engine of this match, found one".to_owned());
        }
        self.engines.push(engine);
        self.check()
    }

    /// Without what says nothing beside the other.
    fn beside(&self, other: &Self) -> Self {
        let beside = |(engine, other): (&EngineHeader, &EngineHeader)| engine.beside(other);
        let engines = match self.engines.len() == other.engines.len() {
            true => self.engines.iter().zip(&other.engines).map(beside).collect(),
            false => self.engines.iter().map(EngineHeader::unversioned).collect(),
        };
        Self { run: None, experiment: None, title: None, engines, ..self.clone() }
    }

    /// Whether the other is of the same experiment, or of what that was before engines joined it.
    #[must_use]
    pub fn has_grown_from(&self, other: &Self) -> bool {
        self.without_joining(other).experiment() == other.experiment()
    }

    /// What the PGN of its games says of all of them.
    #[must_use]
    pub fn pgn_head(&self) -> PgnHead {
        let versions = self.engines.iter().map(|engine| engine.version.clone().unwrap_or_default());
        PgnHead {
            event: self.title.clone().unwrap_or_default(),
            versions: versions.collect(),
            rules: self.rules,
        }
    }

    /// What is played, as a number in 16 hexadecimal digits: game, rules, engines (names, limits, options, arguments;
    /// their signatures, or else what is in their files), openings, and when games end. Paths are none of it, so that
    /// it is the same on every machine and in every folder.
    #[must_use]
    pub fn experiment(&self) -> String {
        let parts = json!({
            "game": self.game,
            "rules": self.rules.to_string(),
            "engines": self.engines.iter().map(EngineHeader::identity).collect::<Vec<_>>(),
            "format": self.format,
            "openings": self.openings,
            "max_plies": self.max_plies,
            "adjudication": self.adjudication,
        });
        format!("{:016x}", fingerprint(parts.to_string().as_bytes()))
    }

    /// In what the other header is of another experiment, in words.
    #[must_use]
    pub fn other_experiment(&self, other: &Self) -> String {
        let [ours, theirs] = [self, other].map(|header| Self { shard: None, ..header.clone() });
        let mut found = ours.differences(&theirs, 0);
        if found.is_empty() {
            // Engines that joined are no difference where a match goes on.
            found.push(format!("{} engines, there {}", ours.engines.len(), theirs.engines.len()));
        }
        found.join("; ")
    }

    /// Which pairs are played, in a few words.
    #[must_use]
    pub fn share_in_words(&self) -> String {
        self.shard.map_or_else(|| "all pairs".to_owned(), |share| format!("share {share}"))
    }

    /// The number of a game's pair among all pairs in the order in which they begin, from 0.
    #[must_use]
    pub fn pair(&self, id: GameId) -> u64 {
        self.format.pair(self.engines.len(), id)
    }

    /// What differs from the header of a journal with so many games, each in a few words.
    #[must_use]
    pub fn differences(&self, other: &Self, games: usize) -> Vec<String> {
        let known = self.without_joining(other);
        differences(&known.beside(other), &other.beside(&known), games)
    }

    /// Looks whether the header is one of a journal: a game that there is, engines that can be told apart, a run.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), String> {
        if VariantId::named(&self.game).is_none() {
            let choices = VariantId::choices();
            return Err(format!("expected one of {choices}, found {:?}", self.game));
        }
        let mut known = HashSet::new();
        for EngineHeader { player, .. } in &self.engines {
            check_name(&player.name)?;
            if !known.insert(&player.name) {
                let name = &player.name;
                return Err(format!("expected engines of different names, found {name} twice"));
            }
        }
        if self.run.is_none() {
            return Err("expected the number of the run (run), found none".to_owned());
        }
        Ok(())
    }

    /// Looks whether a game can be one of this match.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub fn check_game(&self, game: &GameRecord) -> Result<(), String> {
        let GameId { engines, leg, .. } = game.id;
        if !self.format.has_pairing(self.engines.len(), engines) || leg > 1 {
            return Err(format!(
                "expected a game of this match, the first or second of two of its {} engines, found leg {leg} of \
                 engines {engines:?}",
                self.engines.len()
            ));
        }
        if let Some(share) = self.shard.filter(|share| !share.has(self.pair(game.id))) {
            let pair = self.pair(game.id);
            return Err(format!("expected a game of share {share}, found one of pair {pair}"));
        }
        if game.variant != self.game {
            return Err(format!("expected a game of {}, found {:?}", self.game, game.variant));
        }
        let seats = [("Black", &game.black), ("White", &game.white)];
        for ((color, player), engine) in seats.into_iter().zip(game.id.by_color()) {
            let expected = &self.engines[engine].player;
            if player != expected {
                let what = differences(expected, player, 0).join("; ");
                return Err(format!(
                    "expected {color} to be engine {} of this match: {what}",
                    engine + 1
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(
        name: &str,
        limit: &str,
        options: &[(&str, &str)],
        files: &[(&str, &str)],
    ) -> EngineHeader {
        let map = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
        };
        EngineHeader {
            player: Player {
                name: name.to_owned(),
                limit: limit.to_owned(),
                options: map(options),
            },
            command: vec!["./bin/k".to_owned()],
            files: map(files),
            settings: vec!["proto=usi".to_owned(), "margin=50ms".to_owned()],
            signature: None,
            version: None,
        }
    }

    fn header(engines: &[EngineHeader]) -> MatchHeader {
        MatchHeader {
            game: "whale".to_owned(),
            rules: Switches::default(),
            engines: engines.to_vec(),
            format: Format::default(),
            openings: "seed 1".to_owned(),
            max_plies: 500,
            adjudication: Adjudication::default(),
            sprt: None,
            title: None,
            shard: None,
            experiment: None,
            run: None,
        }
    }

    #[test]
    fn differences_are_told_in_a_few_words() {
        let build = [("bin/k", "01"), ("a.net", "02")];
        let ours = header(&[
            engine("K", "nodes 1", &[("Threads", "1")], &build),
            engine("B", "", &[], &[]),
        ]);
        let told = |change: fn(&mut MatchHeader)| {
            let mut theirs = ours.clone();
            change(&mut theirs);
            assert!(!ours.fits(&theirs));
            ours.differences(&theirs, 36).join("; ")
        };
        for (change, expected) in [
            ((|h| h.max_plies = 9) as fn(&mut MatchHeader), "max-plies 500, there 9"),
            (|h| h.game = "great".to_owned(), "game whale, there great"),
            (|h| h.format = Format::Swiss { pairs: 2 }, "format round-robin, there swiss pairs 2"),
            (|h| h.adjudication.win = Some((300, 4)), "adjudication win none, there 300 4"),
            (|h| drop(h.engines.pop()), "2 engines, there 1"),
            (|h| h.engines[1].player.name = "C".to_owned(), "engine B: name B, there C"),
            (
                |h| h.engines[0].player.limit = "depth 6".to_owned(),
                "engine K: limit nodes 1, there depth 6",
            ),
            (|h| h.engines[0].player.options.clear(), "engine K: option Threads 1, there none"),
            (
                |h| h.engines[0].settings[1] = "margin=9ms".to_owned(),
                "engine K: margin=50ms, there margin=9ms",
            ),
            (
                |h| h.engines[0].command.push("-x".to_owned()),
                "engine K: command ./bin/k, there ./bin/k -x",
            ),
            (
                |h| drop(h.engines[0].files.insert("bin/k".to_owned(), "03".to_owned())),
                "engine K: bin/k has changed since game 36",
            ),
            (|h| drop(h.engines[0].files.remove("a.net")), "engine K: reads a.net, there not"),
            (
                |h| drop(h.engines[1].files.insert("b.net".to_owned(), "03".to_owned())),
                "engine B: does not read b.net, there so",
            ),
        ] {
            assert_eq!(told(change), expected);
        }
        let mut other = ours.clone();
        other.run = Some(RunNumber(1));
        // What they are called is no part of what is played.
        other.title = Some("The cup".to_owned());
        other.engines[0].version = Some("K 1.3".to_owned());
        assert_eq!(ours.experiment(), other.experiment());
        assert!(ours.fits(&other) && ours.differences(&other, 1).is_empty());
        // Builds of one signature are one, whatever their bytes.
        other.engines[0].files.insert("bin/k".to_owned(), "03".to_owned());
        other.engines[0].signature = Some(7);
        assert!(!ours.fits(&other));
        let mut signed = ours.clone();
        signed.engines[0].signature = Some(7);
        assert!(signed.fits(&other));
    }

    #[test]
    fn what_makes_another_engine_of_a_name_is_named() {
        let net = [("bin/k", "01"), ("nets/a.net", "02")];
        let ours =
            engine("K", "nodes 300", &[("EvalFile", "a.net"), ("USI_Variant", "whale")], &net);
        let told = |change: &dyn Fn(&mut EngineHeader)| {
            let mut theirs = ours.clone();
            change(&mut theirs);
            let there = theirs.differs(&ours, true);
            assert_eq!(ours.differs(&theirs, true).is_some(), there.is_some());
            ours.differs(&theirs, true).unwrap_or_default()
        };
        assert_eq!(told(&|e| e.player.limit = "depth 6".to_owned()), "nodes 300, there depth 6");
        let option = |name: &'static str, value: &'static str| {
            move |e: &mut EngineHeader| {
                drop(e.player.options.insert(name.to_owned(), value.to_owned()))
            }
        };
        assert_eq!(told(&option("Threads", "2")), "option Threads not set, there 2");
        // The game is no choice of the engine's.
        assert_eq!(told(&option("usi_variant", "great")), "");
        assert_eq!(told(&|e| e.command.push("-x".to_owned())), "arguments none, there -x");
        assert_eq!(
            told(&|e| drop(e.files.insert("bin/k".to_owned(), "03".to_owned()))),
            "build 01, nets/a.net 02, there 03, nets/a.net 02"
        );
        assert!(
            told(&|e| drop(e.files.insert("nets/a.net".to_owned(), "03".to_owned())))
                .starts_with("option EvalFile")
        );
        // The same files elsewhere, and files of which nothing is known.
        let moved = |e: &mut EngineHeader| {
            e.command = vec!["/usr/k".to_owned()];
            e.files = [("/usr/k", "01"), ("/usr/b.net", "02")]
                .map(|(path, print)| (path.to_owned(), print.to_owned()))
                .into();
            option("EvalFile", "/usr/b.net")(e);
        };
        assert_eq!(told(&moved), "");
        let mut bare = engine("K", "nodes 300", &[], &[]);
        assert_eq!(bare.differs(&engine("K", "nodes 300", &[], &[("bin/k", "01")]), true), None);
        // A signature counts for more than bytes.
        bare.files.insert("bin/k".to_owned(), "01".to_owned());
        bare.signature = Some(5);
        let mut native = bare.clone();
        native.files.insert("bin/k".to_owned(), "02".to_owned());
        assert_eq!(bare.differs(&native, true), None);
        native.signature = Some(6);
        let other = "build 01, signature 5, there 02, signature 6";
        assert_eq!(bare.differs(&native, true).unwrap(), other);
        // Each game has its own: there only bytes tell builds apart.
        assert_eq!(bare.differs(&native, false).unwrap(), other);
        native.files.clone_from(&bare.files);
        assert_eq!(bare.differs(&native, false), None);
    }

    /// An empty word is no file, though every path ends with it.
    #[test]
    fn nothing_is_no_file() {
        let files = [("bin/k", "01"), ("a.net", "02")];
        let empty = engine("K", "", &[("EvalFile", "")], &files);
        let mut named = engine("K", "", &[("EvalFile", "a.net")], &files);
        assert_eq!(empty.differs(&named, true).unwrap(), "option EvalFile nothing, there a.net");
        named.player.options.clear();
        assert_eq!(named.differs(&empty, true).unwrap(), "option EvalFile not set, there nothing");
        assert_eq!(empty.known_by("load "), "load ");
    }

    /// A file that is called as the program is need not be it.
    #[test]
    fn a_program_is_found_by_all_of_its_path() {
        let build = |command: &str, files: &[(&str, &str)]| {
            let options = [("Book", "/data/k"), ("Empty", "")];
            let engine = EngineHeader {
                command: vec![command.to_owned()],
                ..engine("K", "", &options, files)
            };
            engine.program().map(|(path, _)| path.to_owned())
        };
        for (command, files, program) in [
            ("./bin/k", &[("/data/k", "02"), ("./bin/k", "01")][..], Some("./bin/k")),
            ("./bin/k", &[("/data/k", "02"), ("bin/k", "01")], Some("bin/k")),
            ("bin/k", &[("/other/bin/k", "02"), ("bin/k", "01")], Some("bin/k")),
            ("k", &[("/bin/k", "01"), ("/data/k", "02")], Some("/bin/k")),
            ("k", &[("/data/k", "01"), ("/usr/bin/k", "02")], Some("/usr/bin/k")),
            ("k", &[("/usr/bin/other", "01")], None),
        ] {
            assert_eq!(build(command, files).as_deref(), program, "{command} {files:?}");
        }
    }

    #[test]
    fn names_have_a_length_and_signs() {
        let longest = "x".repeat(LONGEST_NAME);
        for name in
            ["K", "Kujira 1.0 (dev) #2", "鯨", "a \\ \"b\"", "Ame\u{301}lie", "हिन्दी", &longest]
        {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        let long = "x".repeat(70_000);
        for name in [
            "",
            " ",
            "K ",
            " K",
            "a  b",
            "a\nb",
            "a\tb",
            "a\u{a0}b",
            "a\u{200b}b",
            "a\u{202e}b",
            "a\u{200d}b",
            "\u{301}a",
            "a \u{301}",
            "(\u{301}",
            &long,
        ] {
            let error = check_name(name).unwrap_err();
            assert!(error.starts_with("expected a name of 1 to 64 letters"), "{error}");
            assert!(error.len() < 1000 && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn runs_have_numbers_of_their_own() {
        let (one, other) = (RunNumber::random().unwrap(), RunNumber::random().unwrap());
        assert_ne!(one, other);
        let text = String::from(RunNumber(0x1f));
        assert_eq!(
            (&text[..], RunNumber::try_from(text.clone())),
            ("000000000000001f", Ok(RunNumber(0x1f)))
        );
        for text in ["", "1f", "+00000000000001f", "00000000000000g0", "00000000000000001f"] {
            let error = RunNumber::try_from(text.to_owned()).unwrap_err();
            assert!(error.contains("16 hexadecimal digits"), "{error}");
        }
    }
}
