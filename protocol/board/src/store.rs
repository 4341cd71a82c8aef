//! Games on disk: one JSON file each, written to a temporary name and renamed, so that a game is
//! whole whenever the program or the machine stops.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use kujira_position::VariantId;
use serde::{Deserialize, Serialize};

use crate::clock::TimeControl;
use crate::game::{Game, NodeId};
use crate::players::Player;
use crate::rules::Switches;
use crate::side::{Ending, Score};

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
    score: Option<(Score, u32)>,
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
#[derive(Serialize, Debug)]
pub struct Summary {
    /// The game's name.
    pub id: GameId,
    /// The game, for people.
    pub variant: &'static str,
    /// Who plays, Black first.
    pub players: [String; 2],
    /// Moves of the main line.
    pub moves: usize,
    /// How it ended.
    pub ending: Option<String>,
    /// When it was saved last, in seconds since 1970.
    pub modified: u64,
}

/// The folder of saved games.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// Opens the folder `games` in `state`, making it if need be.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn open(state: &Path) -> io::Result<Self> {
        let folder = state.join("games");
        fs::create_dir_all(&folder)?;
        Ok(Self { folder })
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
        let path = self.path(id);
        match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
            Ok(metadata) if metadata.len() > LARGEST => {
                return Err(invalid(format!("expected at most {LARGEST} bytes")));
            }
            Ok(_) => {}
        }
        let file: File = serde_json::from_slice(&fs::read(&path)?).map_err(io::Error::other)?;
        from_file(file).map(Some).map_err(invalid)
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

    /// The latest `most` games in few words. Files that cannot be read are left out, and stay.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn summaries(&self, most: usize) -> io::Result<Vec<Summary>> {
        let ids = self.ids()?;
        Ok(ids.into_iter().take(most).filter_map(|(id, time)| self.summary(id, time)).collect())
    }

    fn summary(&self, id: GameId, modified: u64) -> Option<Summary> {
        let saved = self.load(&id).ok()??;
        let line = saved.game.line_through(0);
        let end = saved.game.node(*line.last()?)?;
        Some(Summary {
            id,
            variant: saved.game.variant().spec().name,
            players: saved.players.map(Player::name),
            moves: line.len() - 1,
            ending: end.ending.map(|ending| ending.to_string()),
            modified,
        })
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
        ending: node.ending.filter(|ending| is_added(*ending)),
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
        score: game.node(0).and_then(|node| node.score),
        moves: moves.collect(),
    }
}

/// Whether an ending does not follow from the moves alone.
fn is_added(ending: Ending) -> bool {
    !ending.by_rule() || ending.reason == crate::side::Reason::Impasse
}

fn from_file(file: File) -> Result<Saved, String> {
    if file.format != FORMAT {
        return Err(format!("expected format {FORMAT}, found {}", file.format));
    }
    let variant = VariantId::named(&file.variant)
        .ok_or_else(|| format!("expected a game among {}", VariantId::choices()))?;
    let mut game =
        Game::new(variant, &file.start, file.rules.into()).map_err(|error| error.to_string())?;
    if let Some(root) = game.node_mut(0) {
        root.score = file.score;
    }
    let mut ids = vec![0];
    for m in file.moves {
        let after = *ids.get(m.after).ok_or("expected moves after those they follow")?;
        let id = game.play(after, &m.usi).map_err(|error| error.to_string())?;
        if let Some(node) = game.node_mut(id) {
            node.score = m.score;
            node.left = m.left;
            node.ending = node.ending.or(m.ending);
        }
        ids.push(id);
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
    use crate::side::{Reason, Side};
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
        let listed = store.summaries(9).unwrap();
        assert_eq!((listed.len(), listed[0].moves), (1, 2));
        assert_eq!(listed[0].players[1], "Engine, level 3 (shrimp)");
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
        assert!(store.summaries(9).unwrap().is_empty());
        assert!(path.exists());
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
