//! Games on disk: one JSON file each, there as a whole whenever the program or the machine stops. One board at a
//! time has the folder.
use std::fs::{self, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use kujira_shell::whole;
use kujira_table::{Content, GameId, Levels, Saved};
use serde::Serialize;

/// The most games kept.
pub const MOST_GAMES: usize = 500;

/// The largest file that is read as a game, in bytes.
const LARGEST: u64 = 16 * 1024 * 1024;

/// A new name of a game, which nobody can guess.
///
/// # Errors
/// If the system has no random numbers.
pub fn random_id() -> io::Result<GameId> {
    let mut bytes = [0; 12];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(GameId::from_bytes(bytes))
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

/// The folder of saved games.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    levels: Levels,
    /// Locked as long as it is open.
    _lock: fs::File,
}

impl Store {
    /// Opens the folder `games` in `state`, making it if need be; `levels` are those that engines of its games may
    /// have. No other board can use it from now on.
    ///
    /// # Errors
    /// If it cannot be made, or another board has it.
    pub fn open(state: &Path, levels: Levels) -> io::Result<Self> {
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
        whole::sweep_folder(&folder);
        Ok(Self { folder, levels, _lock: lock })
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
        whole::write(&self.path(id), &saved.to_json().map_err(io::Error::other)?)
    }

    /// Reads a game; `None` if there is none of this name.
    ///
    /// # Errors
    /// If reading fails, or the file is no game: then with what is wrong.
    pub fn load(&self, id: &GameId) -> io::Result<Option<Saved>> {
        let Some(text) = self.read(id)? else { return Ok(None) };
        Saved::from_json(&text, &self.levels).map(Some).map_err(invalid)
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
            let content = match self.read(&id) {
                Ok(text) => Content::of(&text?, &self.levels),
                Err(error) => Content::Unreadable { unreadable: error.to_string() },
            };
            Some(Summary { id, modified, content })
        };
        Ok(self.ids()?.into_iter().filter_map(summary).collect())
    }
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use kujira_table::new_game;

    use super::*;
    use crate::config;

    fn store(folder: &Path) -> io::Result<Store> {
        Store::open(folder, config::levels())
    }

    fn sample() -> Saved {
        let request = r#"{"variant": "whale", "text": "startpos moves 2e2d",
            "players": [{"kind": "human"}, {"kind": "engine", "level": 3}]}"#;
        new_game(&serde_json::from_str(request).unwrap(), &config::levels()).unwrap().saved
    }

    #[test]
    fn games_are_written_listed_read_and_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path()).unwrap();
        let id = random_id().unwrap();
        assert!(!store.has(&id) && store.load(&id).unwrap().is_none());
        store.save(&id, &sample()).unwrap();
        assert!(store.has(&id));
        let back = store.load(&id).unwrap().unwrap();
        assert_eq!(back.game.usi(back.tip), "startpos moves 2e2d");
        let listed = store.summaries().unwrap();
        let players = ["Human".to_owned(), "Engine, level 3 (shrimp)".to_owned()];
        let game = Content::Game { variant: "Whale Shogi", players, moves: 1, ending: None };
        assert_eq!((listed.len(), &listed[0].id, &listed[0].content), (1, &id, &game));
        store.delete(&id).unwrap();
        store.delete(&id).unwrap();
        assert!(store.load(&id).unwrap().is_none());
    }

    /// A board that was killed while it saved leaves nothing that the next one keeps or lists.
    #[test]
    fn what_was_left_unfinished_goes_when_the_folder_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let id = random_id().unwrap();
        let first = store(folder.path()).unwrap();
        first.save(&id, &sample()).unwrap();
        let left = first.folder.join(format!(".{}.json.kujira-a1B2c3.part", id.text()));
        fs::write(&left, "{").unwrap();
        let past = std::time::SystemTime::now() - std::time::Duration::from_secs(99);
        fs::File::options().write(true).open(&left).unwrap().set_modified(past).unwrap();
        drop(first);
        let second = store(folder.path()).unwrap();
        assert_eq!(second.summaries().unwrap().len(), 1);
        let names = fs::read_dir(&second.folder).unwrap().flatten().map(|entry| entry.file_name());
        assert_eq!(names.collect::<Vec<_>>(), [format!("{}.json", id.text()).as_str()]);
    }

    #[test]
    fn broken_files_are_reported_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path()).unwrap();
        let id = random_id().unwrap();
        let path = store.path(&id);
        fs::write(&path, "{").unwrap();
        let error = store.load(&id).unwrap_err().to_string();
        assert!(error.contains("EOF"), "{error}");
        let listed = store.summaries().unwrap();
        let json = serde_json::to_value(&listed[0]).unwrap();
        assert_eq!(
            (json["id"].as_str(), json["unreadable"].as_str()),
            (Some(id.text()), Some(&*error))
        );
        store.delete(&id).unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn one_board_at_a_time_has_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let first = store(folder.path()).unwrap();
        let error = store(folder.path()).unwrap_err().to_string();
        assert!(error.contains("a board is running there already"), "{error}");
        drop(first);
        store(folder.path()).unwrap();
    }
}
