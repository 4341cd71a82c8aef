//! Games on disk: one JSON file each, written to a temporary name and renamed, so that a game is
//! whole whenever the program or the machine stops. One board at a time has the folder.

use std::collections::HashMap;
use std::fs::{self, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use kujira_position::VariantId;
use serde::{Deserialize, Serialize};

use crate::clock::TimeControl;
use crate::game::{Game, NodeId};
use crate::players::Player;
use crate::rules::Switches;
use crate::side::{Ending, Reason, Score};

/// The most games kept.
pub const MOST_GAMES: usize = 500;

/// The largest file that is read as a game, in bytes.
const LARGEST: u64 = 4 * 1024 * 1024;

const FORMAT: u32 = 1;

/// The name of a game: 24 hexadecimal digits, and nothing else, so that it can stand in a path.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
pub struct GameId(String);

impl GameId {
    /// The id with this text, if it is one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (text.len() == 24 && digits).then(|| Self(text.to_owned()))
    }

    /// A new id, which nobody can guess.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn random() -> io::Result<Self> {
        let mut bytes = [0; 12];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// A game with what the table needs to go on with it.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The game.
    pub game: Game,
    /// Who plays, Black first.
    pub players: [Player; 2],
    /// The time control, if a clock runs.
    pub time: Option<TimeControl>,
    /// The node shown.
    pub current: NodeId,
    /// The node where the game stands.
    pub tip: NodeId,
    /// Whether the game is on, as against a board to move pieces on.
    pub playing: bool,
    /// What was left on the clocks, in milliseconds.
    pub left: Option<[u64; 2]>,
}

#[derive(Serialize, Deserialize)]
struct File {
    format: u32,
    variant: String,
    start: String,
    #[serde(default)]
    rules: Switches,
    players: [Player; 2],
    time: Option<TimeControl>,
    left: Option<[u64; 2]>,
    current: usize,
    tip: usize,
    playing: bool,
    moves: Vec<FileMove>,
    /// How it ended at the start, and what was thought of it.
    #[serde(default)]
    ending: Option<Ending>,
    #[serde(default)]
    score: Option<(Score, u32)>,
    /// Missing in files of older boards.
    #[serde(default)]
    line: Option<MainLine>,
}

/// The main line in few words, so that games can be listed without being played through.
#[derive(Serialize, Deserialize)]
struct MainLine {
    moves: usize,
    ending: Option<Ending>,
}

/// What the list of games needs of a [`File`].
#[derive(Deserialize)]
struct Head {
    format: u32,
    variant: String,
    players: [Player; 2],
    #[serde(default)]
    line: Option<MainLine>,
}

#[derive(Serialize, Deserialize)]
struct FileMove {
    /// Number of the move before, from 1; 0 is the start.
    after: usize,
    usi: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<(Score, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<[u64; 2]>,
    /// An ending that does not follow from the rules: resignation, time, agreement, a claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ending: Option<Ending>,
}

/// A line of the list of saved games.
#[derive(Serialize, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The game's name.
    pub id: GameId,
    /// When it was saved last, in seconds since 1970.
    pub modified: u64,
    /// What is in its file.
    #[serde(flatten)]
    pub content: Content,
}

/// What the list tells of a file.
#[derive(Serialize, PartialEq, Eq, Debug)]
#[serde(untagged)]
pub enum Content {
    /// A game.
    Game {
        /// Which, for people.
        variant: &'static str,
        /// Who plays, Black first.
        players: [String; 2],
        /// Moves of the main line.
        moves: usize,
        /// How it ended.
        ending: Option<String>,
    },
    /// Nothing that can be read.
    Unreadable {
        /// Why.
        unreadable: String,
    },
}

/// The folder of saved games.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    /// Locked as long as it is open.
    _lock: fs::File,
}

impl Store {
    /// Opens the folder `games` in `state`, making it if need be. No other board can use it from now on.
    ///
    /// # Errors
    /// If it cannot be made, or another board has it.
    pub fn open(state: &Path) -> io::Result<Self> {
        let folder = state.join("games");
        fs::create_dir_all(&folder)?;
        let mut options = fs::OpenOptions::new();
        let lock =
            options.create(true).truncate(false).write(true).open(state.join("board.lock"))?;
        // Two boards would write over each other's games.
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => io::Error::other(
                "a board is running there already; use its page, or name another folder with --state",
            ),
            TryLockError::Error(error) => error,
        })?;
        Ok(Self { folder, _lock: lock })
    }

    fn path(&self, id: &GameId) -> PathBuf {
        self.folder.join(format!("{}.json", id.text()))
    }

    /// Whether a game of this name is saved.
    #[must_use]
    pub fn has(&self, id: &GameId) -> bool {
        self.path(id).exists()
    }

    /// Writes a game.
    ///
    /// # Errors
    /// If writing fails; then the file is as it was.
    pub fn save(&self, id: &GameId, saved: &Saved) -> io::Result<()> {
        let temporary = self.folder.join(format!("{}.new", id.text()));
        let mut file = fs::File::create(&temporary)?;
        file.write_all(&serde_json::to_vec(&to_file(saved)).map_err(io::Error::other)?)?;
        file.sync_data()?;
        drop(file);
        fs::rename(&temporary, self.path(id))
    }

    /// Reads a game; `None` if there is none of this name.
    ///
    /// # Errors
    /// If reading fails, or the file is no game: then with what is wrong.
    pub fn load(&self, id: &GameId) -> io::Result<Option<Saved>> {
        let Some(text) = self.read(id)? else { return Ok(None) };
        let file: File = serde_json::from_slice(&text).map_err(io::Error::other)?;
        from_file(file).map(Some).map_err(invalid)
    }

    /// The text of a game's file; `None` if there is none.
    fn read(&self, id: &GameId) -> io::Result<Option<Vec<u8>>> {
        let path = self.path(id);
        match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
            Ok(metadata) if metadata.len() > LARGEST => {
                Err(invalid(format!("expected at most {LARGEST} bytes")))
            }
            Ok(_) => fs::read(&path).map(Some),
        }
    }

    /// Deletes a game; one that is not there is deleted already.
    ///
    /// # Errors
    /// If deleting fails.
    pub fn delete(&self, id: &GameId) -> io::Result<()> {
        match fs::remove_file(self.path(id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The names of all saved games and when they were saved, the latest first.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn ids(&self) -> io::Result<Vec<(GameId, u64)>> {
        let mut ids = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let id =
                name.to_str().and_then(|name| name.strip_suffix(".json")).and_then(GameId::parse);
            if let Some(id) = id {
                let modified = entry.metadata().and_then(|metadata| metadata.modified());
                let since = modified.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
                ids.push((id, since.map_or(0, |since| since.as_secs())));
            }
        }
        ids.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(ids)
    }

    /// All saved games in few words, the latest first; also files that cannot be read, so that they
    /// can be deleted.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn summaries(&self) -> io::Result<Vec<Summary>> {
        let summary = |(id, modified)| {
            let content = match self.content(&id) {
                Ok(content) => content?,
                Err(error) => Content::Unreadable { unreadable: error.to_string() },
            };
            Some(Summary { id, modified, content })
        };
        Ok(self.ids()?.into_iter().filter_map(summary).collect())
    }

    fn content(&self, id: &GameId) -> io::Result<Option<Content>> {
        let Some(text) = self.read(id)? else { return Ok(None) };
        let head: Head = serde_json::from_slice(&text).map_err(io::Error::other)?;
        let variant = check_head(head.format, &head.variant).map_err(invalid)?;
        let line = match head.line {
            Some(line) => line,
            None => {
                let file: File = serde_json::from_slice(&text).map_err(io::Error::other)?;
                main_line(&from_file(file).map_err(invalid)?.game)
            }
        };
        Ok(Some(Content::Game {
            variant: variant.spec().name,
            players: head.players.map(Player::name),
            moves: line.moves,
            ending: line.ending.map(|ending| ending.to_string()),
        }))
    }
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

fn to_file(saved: &Saved) -> File {
    let game = &saved.game;
    let order = game.reachable();
    let numbers: HashMap<NodeId, usize> =
        order.iter().enumerate().map(|(number, &id)| (id, number)).collect();
    let number = |node: NodeId| numbers.get(&node).copied().unwrap_or(0);
    let moves = order.iter().skip(1).filter_map(|&id| game.node(id)).map(|node| FileMove {
        after: node.parent.map_or(0, number),
        usi: node.usi.clone(),
        score: node.score,
        left: node.left,
        ending: added(node.ending),
    });
    File {
        format: FORMAT,
        variant: game.variant().spec().id.to_owned(),
        start: game.start().to_owned(),
        rules: game.rules().into(),
        players: saved.players,
        time: saved.time,
        left: saved.left,
        current: number(saved.current),
        tip: number(saved.tip),
        playing: saved.playing,
        ending: game.node(0).and_then(|node| added(node.ending)),
        score: game.node(0).and_then(|node| node.score),
        line: Some(main_line(game)),
        moves: moves.collect(),
    }
}

fn main_line(game: &Game) -> MainLine {
    let line = game.line_through(0);
    let end = line.last().and_then(|&end| game.node(end));
    MainLine { moves: line.len().saturating_sub(1), ending: end.and_then(|node| node.ending) }
}

/// An ending, if it does not follow from the moves alone.
fn added(ending: Option<Ending>) -> Option<Ending> {
    ending.filter(|ending| !ending.by_rule() || ending.reason == Reason::Impasse)
}

fn check_head(format: u32, variant: &str) -> Result<VariantId, String> {
    if format != FORMAT {
        return Err(format!("expected format {FORMAT}, found {format}"));
    }
    VariantId::named(variant)
        .ok_or_else(|| format!("expected a game among {}", VariantId::choices()))
}

fn from_file(file: File) -> Result<Saved, String> {
    let variant = check_head(file.format, &file.variant)?;
    let mut game =
        Game::new(variant, &file.start, file.rules.into()).map_err(|error| error.to_string())?;
    if let Some(root) = game.node_mut(0) {
        root.score = file.score;
    }
    let mut ids = vec![0];
    let mut endings = vec![(0, file.ending)];
    for m in file.moves {
        let after = *ids.get(m.after).ok_or("expected moves after those they follow")?;
        let id = game.play(after, &m.usi).map_err(|error| error.to_string())?;
        if let Some(node) = game.node_mut(id) {
            node.score = m.score;
            node.left = m.left;
        }
        endings.push((id, m.ending));
        ids.push(id);
    }
    // Only now: nobody could play on behind a claim, which may stand before moves that were there already.
    for (id, ending) in endings {
        if let Some(node) = game.node_mut(id) {
            node.ending = node.ending.or(ending);
        }
    }
    if !file.players.iter().all(|player| player.valid()) {
        return Err("expected levels that exist".to_owned());
    }
    let place = |number: usize| ids.get(number).copied().ok_or("expected a move of the game");
    Ok(Saved {
        current: place(file.current)?,
        tip: place(file.tip)?,
        game,
        players: file.players,
        time: file.time.filter(|time| time.valid()),
        playing: file.playing,
        left: file.left,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::side::Side;
    use kujira_position::Rules;

    fn sample() -> Saved {
        let mut game =
            Game::new(VariantId::Whale, VariantId::Whale.spec().start, Rules::DEFAULT).unwrap();
        let a = game.play(0, "2e2d").unwrap();
        let b = game.play(a, "3b3c").unwrap();
        let cut = game.play(0, "3e3d").unwrap();
        let c = game.play(0, "5e5d").unwrap();
        game.remove(cut);
        game.node_mut(b).unwrap().score = Some((Score::Mate(-4), 9));
        game.node_mut(a).unwrap().left = Some([1000, 2000]);
        let resigned = Ending { winner: Some(Side::White), reason: Reason::Resignation };
        game.node_mut(c).unwrap().ending = Some(resigned);
        Saved {
            game,
            players: [Player::Human, Player::Engine { level: 3 }],
            time: Some(TimeControl { main: 60_000, increment: 0, byoyomi: 5_000 }),
            current: c,
            tip: b,
            playing: true,
            left: Some([50_000, 40_000]),
        }
    }

    #[test]
    fn games_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let id = GameId::random().unwrap();
        let saved = sample();
        store.save(&id, &saved).unwrap();
        let back = store.load(&id).unwrap().unwrap();
        assert_eq!(back.game.usi(back.tip), "startpos moves 2e2d 3b3c");
        assert_eq!(back.game.usi(back.current), "startpos moves 5e5d");
        assert_eq!(back.game.reachable().len(), 4, "what was cut is not saved");
        assert_eq!(back.game.node(back.tip).unwrap().score, Some((Score::Mate(-4), 9)));
        assert_eq!(
            back.game.node(back.current).unwrap().ending,
            saved.game.node(saved.current).unwrap().ending
        );
        assert_eq!((back.players, back.time, back.left), (saved.players, saved.time, saved.left));
        let players = ["Human".to_owned(), "Engine, level 3 (shrimp)".to_owned()];
        let game = Content::Game { variant: "Whale Shogi", players, moves: 2, ending: None };
        let listed = || -> Vec<_> {
            store.summaries().unwrap().into_iter().map(|line| (line.id, line.content)).collect()
        };
        assert_eq!(listed(), [(id.clone(), game)]);
        // A file of an older board does not tell its main line, which is then played through.
        let told = listed();
        let text = fs::read_to_string(store.path(&id)).unwrap();
        let older = text.replace("\"line\":", "\"unknown\":");
        assert_ne!(older, text);
        fs::write(store.path(&id), older).unwrap();
        assert_eq!(listed(), told);
        store.delete(&id).unwrap();
        store.delete(&id).unwrap();
        assert!(store.load(&id).unwrap().is_none());
    }

    #[test]
    fn broken_files_are_reported_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let id = GameId::random().unwrap();
        store.save(&id, &sample()).unwrap();
        let path = store.path(&id);
        let text = fs::read_to_string(&path).unwrap();
        for (from, to, expected) in [
            ("\"format\":1", "\"format\":2", "expected format 1, found 2"),
            ("2e2d", "2e2a", "expected a legal move"),
            ("\"after\":0", "\"after\":9", "expected moves after those they follow"),
            ("\"level\":3", "\"level\":30", "expected levels that exist"),
            ("whale", "chess", "expected a game among"),
        ] {
            fs::write(&path, text.replace(from, to)).unwrap();
            let error = store.load(&id).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        for length in [0, 1, text.len() / 2, text.len() - 1] {
            fs::write(&path, &text[..length]).unwrap();
            assert!(store.load(&id).is_err(), "cut to {length} bytes");
        }
        let listed = store.summaries().unwrap();
        let [Summary { content: Content::Unreadable { unreadable }, .. }] = &listed[..] else {
            panic!("one file that cannot be read: {listed:?}");
        };
        assert!(unreadable.contains("EOF"), "{unreadable}");
        let json = serde_json::to_value(&listed[0]).unwrap();
        assert_eq!(json["id"], id.text());
        assert_eq!(json["unreadable"], *unreadable);
        store.delete(&id).unwrap();
        assert!(!path.exists());
    }

    /// Nobody can play on behind a claim, but what had been played there before stays.
    #[test]
    fn a_claim_among_moves_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let rules = Rules { impasse: true, ..Rules::DEFAULT };
        let start = "W5/6/6/6/5w/6 b 2G4D8d 1";
        let mut game = Game::new(VariantId::Whale, start, rules).unwrap();
        let a = game.play(0, "6a5a").unwrap();
        let b = game.play(a, "1e1f").unwrap();
        let claimed = game.impasse(a).unwrap();
        assert_eq!(claimed.reason, Reason::Impasse);
        game.node_mut(a).unwrap().ending = Some(claimed);
        let resigned = Ending { winner: Some(Side::White), reason: Reason::Resignation };
        game.node_mut(0).unwrap().ending = Some(resigned);
        let id = GameId::random().unwrap();
        store.save(&id, &Saved { game, current: a, tip: a, ..sample() }).unwrap();
        let back = store.load(&id).unwrap().unwrap().game;
        assert_eq!(back.node(a).unwrap().ending, Some(claimed));
        assert_eq!(back.node(b).unwrap().usi, "1e1f");
        assert_eq!(back.node(0).unwrap().ending, Some(resigned));
    }

    #[test]
    fn one_board_at_a_time_has_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let error = Store::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("a board is running there already"), "{error}");
        drop(store);
        Store::open(folder.path()).unwrap();
    }

    #[test]
    fn names_cannot_lead_out_of_the_folder() {
        for text in ["", "../../../../etc/passwd00", "0123456789ABCDEF01234567", "0123"] {
            assert_eq!(GameId::parse(text), None, "{text}");
        }
        let id = GameId::random().unwrap();
        assert_eq!(GameId::parse(id.text()), Some(id));
    }
}
