//! Finished games read back from a journal and played again under our rules.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::path::{Path, PathBuf};

use kujira_position::{Position, Rules, Variant, VariantId, with_variant};
use kujira_usi::{Ending, Reason};

use crate::fingerprint::fingerprint;
use crate::header::{EngineHeader, MatchHeader};
use crate::journal::read_journal;
use crate::openings::Opening;
use crate::standings::Standings;
use kujira_record::played::{GameId, GameRecord};

/// A match as its journal tells of it.
#[derive(Debug)]
pub struct PlayedMatch {
    /// The journal.
    pub path: PathBuf,
    /// What was played.
    pub header: MatchHeader,
    game: VariantId,
    /// The finished games.
    pub games: Vec<GameRecord>,
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
    /// Reads a journal. A last line that is cut off is dropped. `unchecked`: lines may be without check sums.
    ///
    /// # Errors
    /// What is wrong with which line, or that the file cannot be read.
    pub fn read(path: &Path, unchecked: bool) -> Result<Self, String> {
        let named = |error: &dyn Display| format!("{}: {error}", path.display());
        let bytes = std::fs::read(path).map_err(|error| named(&error))?;
        let (header, games, _) = read_journal(&bytes, unchecked).map_err(|error| named(&error))?;
        let header =
            header.ok_or_else(|| named(&"expected a match in the first line, found none"))?;
        let game = VariantId::named(&header.game)
            .ok_or_else(|| named(&format!("expected one of {}", VariantId::choices())))?;
        let mut known = HashMap::new();
        for record in &games {
            let Some(Played { moves, key }) = Played::of(record) else { continue };
            if let Some(earlier) = known.insert(key, record.id)
                && moves >= Played::ENOUGH
            {
                let [one, other] = [earlier, record.id].map(number);
                let what =
                    format!("expected every game once, found game {one} again as game {other}");
                return Err(named(&what));
            }
        }
        Ok(Self { path: path.to_owned(), header, game, games })
    }

    /// An error that names the journal.
    pub fn named(&self, error: &dyn Display) -> String {
        format!("{}: {error}", self.path.display())
    }

    /// Which kind of whale shogi.
    #[must_use]
    pub fn game(&self) -> VariantId {
        self.game
    }

    /// The finished games, in the order in which they ended.
    #[must_use]
    pub fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// The names of the engines.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.header.engines.iter().map(|engine| engine.player.name.clone()).collect()
    }

    /// Whether the two hold games of one run, in whatever way their journals are written: copies, parts, and what
    /// became of a journal that was gone on with twice.
    #[must_use]
    pub fn is_again(&self, other: &Self) -> bool {
        self.header.run == other.header.run
    }

    /// Whether a game that both hold went on differently: one journal was gone on with twice.
    #[must_use]
    pub fn went_on_differently(&self, other: &Self) -> bool {
        let ours: HashMap<_, _> = self.games.iter().map(|game| (game.id, game)).collect();
        other.games.iter().any(|game| ours.get(&game.id).is_some_and(|&ours| ours != game))
    }

    /// The results by what was played: the game, the rule switches that are not as usual, the handicap.
    #[must_use]
    pub fn by_setting(&self) -> BTreeMap<String, Standings> {
        let mut settings: BTreeMap<String, Standings> = BTreeMap::new();
        for game in &self.games {
            let mut setting = self.header.game.clone();
            let rules = self.header.rules.to_string();
            if !rules.is_empty() {
                setting.push_str(&format!(", {rules}"));
            }
            if let Some(handicap) = game.handicap() {
                setting.push_str(&format!(", handicap {}", handicap.id));
            }
            settings.entry(setting).or_insert_with(|| Standings::new(self.names())).add(game);
        }
        settings
    }

    /// Plays every game again: each move must be legal, and an end by the rules must be one.
    ///
    /// # Errors
    /// What is wrong with which game.
    pub fn replay(&self) -> Result<Account, String> {
        let game = self.game;
        let mut pairs: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for record in &self.games {
            let key = with_variant!(game, V => replay::<V>(record, self.header.rules.into()))
                .map_err(|error| self.named(&format!("game {}: {error}", number(record.id))))?;
            if record.id.engines == [0, 1] {
                pairs.entry(record.id.round).or_default().push(key);
            }
        }
        let finished = pairs.into_iter().filter(|(_, games)| games.len() == 2);
        Ok(Account {
            standings: Standings::of(self.names(), &self.games),
            beginnings: finished.map(|(round, games)| (round, games[0])).collect(),
        })
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

/// The number of a game as it is shown while a match runs.
pub fn number(id: GameId) -> String {
    format!("{}.{}", id.round + 1, id.leg + 1)
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
