//! Games on disk: one JSON file each, always whole, also after a crash or a power cut. One board at a time uses the
//! folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use kujira_program::{growing, regular, whole};
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
    /// Locked as long as they are open.
    _lock: fs::File,
    _own: Option<fs::File>,
}

/// The game that a file of this name holds, if it is one of a game.
fn id_of(name: &str) -> Option<GameId> {
    name.strip_suffix(".json").and_then(GameId::parse)
}

/// Why a folder of games cannot be had.
fn taken() -> io::Error {
    io::Error::other(
        "a board is running there already; use its page, or name another folder with --state",
    )
}

/// Locks the folder of games itself, where the system can: another board may reach it by a link.
fn lock_folder(folder: &Path) -> io::Result<Option<fs::File>> {
    let Ok(opened) = fs::File::open(folder) else { return Ok(None) };
    match opened.try_lock() {
        Ok(()) => Ok(Some(opened)),
        Err(fs::TryLockError::WouldBlock) => Err(taken()),
        // Some know no locks of folders.
        Err(fs::TryLockError::Error(_)) => Ok(None),
    }
}

impl Store {
    /// Opens the folder `games` in `state`, making it if need be; `levels` are those that engines of its games may
    /// have. No other board can use it from now on.
    ///
    /// # Errors
    /// If it cannot be made, or another board has it.
    pub fn open(state: &Path, levels: Levels) -> io::Result<Self> {
        let folder = state.join("games");
        growing::make_folder(&folder)?;
        // Two boards would write over each other's games.
        let lock = growing::open(&state.join("board.lock"))?.ok_or_else(taken)?;
        let own = lock_folder(&folder)?;
        whole::sweep_folder(&folder, |name| id_of(name).is_some());
        let store = Self { folder, levels, _lock: lock, _own: own };
        store.take_up()?;
        Ok(store)
    }

    /// Boards of old wrote to `NAME.new` and renamed that: what a crash left of it becomes the game if there is no
    /// other of that name and it is whole, and goes otherwise.
    fn take_up(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let left = entry?.path();
            let id = left.file_name().and_then(|name| name.to_str()?.strip_suffix(".new"));
            let Some(id) = id.and_then(GameId::parse) else { continue };
            let game = self.path(&id);
            // What cannot be read, or not be saved now, stays for another start.
            let Ok(json) = regular::read(&left, LARGEST) else { continue };
            let lost = !game.exists() && Saved::from_json(&json, &self.levels).is_ok();
            if !lost || whole::write(&game, &json).is_ok() {
                // What cannot be removed harms nobody: the game is the other file.
                let _ = fs::remove_file(&left);
            }
        }
        Ok(())
    }

    fn path(&self, id: &GameId) -> PathBuf {
        self.folder.join(format!("{}.json", id.text()))
    }

    /// Writes a game, as [`Saved::to_json`] has it. When this returns the file survives a power cut.
    ///
    /// # Errors
    /// If writing fails; then the file is as it was.
    pub fn write(&self, id: &GameId, json: &[u8]) -> io::Result<()> {
        whole::write(&self.path(id), json)
    }

    /// Reads a game; `None` if there is none of this name.
    ///
    /// # Errors
    /// If reading fails, or the file is no game: then with what is wrong.
    pub fn load(&self, id: &GameId) -> io::Result<Option<Saved>> {
        let Some(text) = self.read(id)? else { return Ok(None) };
        Saved::from_json(&text, &self.levels)
            .map(Some)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    /// The text of a game's file; `None` if there is none.
    fn read(&self, id: &GameId) -> io::Result<Option<Vec<u8>>> {
        match regular::read(&self.path(id), LARGEST) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        }
    }

    /// Deletes a game; one that is not there is deleted already.
    ///
    /// # Errors
    /// If deleting fails.
    pub fn delete(&self, id: &GameId) -> io::Result<()> {
        match fs::remove_file(self.path(id)) {
            Ok(()) => whole::sync_folder(&self.folder),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
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
            if let Some(id) = name.to_str().and_then(id_of) {
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

#[cfg(test)]
mod tests {
    use kujira_table::new_game;

    use super::*;

    fn store(folder: &Path) -> io::Result<Store> {
        Store::open(folder, Levels::kujira())
    }

    /// The folder of a store that was there before: an engine that another test has just begun may have its lock, too,
    /// until it runs a program of its own.
    fn store_again(folder: &Path) -> Store {
        let mut opened = None;
        kujira_trial::wait_until("nobody has the folder", || {
            opened = store(folder).ok();
            opened.is_some()
        });
        opened.unwrap()
    }

    fn sample() -> Vec<u8> {
        let request = r#"{"variant": "whale", "text": "startpos moves 2e2d",
            "players": [{"kind": "human"}, {"kind": "engine", "level": 3}]}"#;
        new_game(&serde_json::from_str(request).unwrap(), &Levels::kujira())
            .unwrap()
            .saved
            .to_json()
            .unwrap()
    }

    #[test]
    fn games_are_written_listed_read_and_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path()).unwrap();
        let id = random_id().unwrap();
        assert!(store.load(&id).unwrap().is_none());
        store.write(&id, &sample()).unwrap();
        let back = store.load(&id).unwrap().unwrap();
        assert_eq!(back.game.usi(back.tip), "startpos moves 2e2d");
        let listed = store.summaries().unwrap();
        let game =
            Content::Game { variant: "whale", players: back.players, moves: 1, ending: None };
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
        first.write(&id, &sample()).unwrap();
        // However young it is: no other board writes there.
        let left = first.folder.join(format!(".{}.json.kujira-a1B2c3.part", id.text()));
        fs::write(&left, "{").unwrap();
        // Boards of old left these.
        let old = first.folder.join(format!("{}.new", id.text()));
        fs::write(&old, "{").unwrap();
        let [lost, broken] = [random_id().unwrap(), random_id().unwrap()];
        fs::write(first.folder.join(format!("{}.new", lost.text())), sample()).unwrap();
        fs::write(first.folder.join(format!("{}.new", broken.text())), "{").unwrap();
        // What cannot be read may be the only copy of a game.
        let huge = format!("{}.new", random_id().unwrap().text());
        fs::File::create(first.folder.join(&huge)).unwrap().set_len(LARGEST + 1).unwrap();
        // These are somebody else's.
        for name in ["my-own.new", ".my-own.kujira-a1B2c3.part"] {
            fs::write(first.folder.join(name), "{").unwrap();
        }
        drop(first);
        let second = store_again(folder.path());
        assert_eq!(second.summaries().unwrap().len(), 2);
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<_> = fs::read_dir(&second.folder).unwrap().flatten().map(name).collect();
        names.sort();
        let mut expected = [id, lost].map(|id| format!("{}.json", id.text())).to_vec();
        expected.extend(["my-own.new", ".my-own.kujira-a1B2c3.part"].map(str::to_owned));
        expected.push(huge);
        expected.sort();
        assert_eq!(names, expected);
    }

    /// Nothing hangs on the clock of the machine but the order of the list.
    #[test]
    fn games_of_any_time_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path()).unwrap();
        let hours = |number: u64| std::time::Duration::from_secs(3600 * number);
        let times = [UNIX_EPOCH - hours(9), UNIX_EPOCH + hours(1_000_000), UNIX_EPOCH + hours(1)];
        for time in times {
            let id = random_id().unwrap();
            store.write(&id, &sample()).unwrap();
            let file = fs::File::options().write(true).open(store.path(&id)).unwrap();
            file.set_modified(time).unwrap();
        }
        let listed = store.summaries().unwrap();
        let times: Vec<_> = listed.iter().map(|game| game.modified).collect();
        assert_eq!(times, [3600 * 1_000_000, 3600, 0]);
    }

    /// A pipe in the folder is not waited for.
    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_told_of() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path()).unwrap();
        let id = random_id().unwrap();
        nix::unistd::mkfifo(&store.path(&id), nix::sys::stat::Mode::S_IRWXU).unwrap();
        let error = store.load(&id).unwrap_err().to_string();
        assert_eq!(error, "expected a regular file, found a pipe");
        assert_eq!(
            store.summaries().unwrap()[0].content,
            Content::Unreadable { unreadable: error }
        );
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
        // Nor can it be reached by a link.
        #[cfg(unix)]
        {
            let other = tempfile::tempdir().unwrap();
            std::os::unix::fs::symlink(folder.path().join("games"), other.path().join("games"))
                .unwrap();
            let error = store(other.path()).unwrap_err().to_string();
            assert!(error.contains("a board is running there already"), "{error}");
        }
        drop(first);
        drop(store_again(folder.path()));
    }
}
