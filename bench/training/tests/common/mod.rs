//! What the tests of self-play share.

#![allow(dead_code, reason = "each test program uses some of it")]

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use kujira_data::file::Reader;
use kujira_data::record::GameRecord;
use kujira_position::{Variant, VariantId};
use kujira_training::datagen::{State, Target, run};
use kujira_training::settings::Settings;

/// A directory that goes when the test is over.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new directory for the test called `name`.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kujira-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Fast games.
pub fn settings(game: VariantId) -> Settings {
    Settings { seed: 11, nodes: 100, hash: 1, max_plies: 200, ..Settings::new(game) }
}

/// Makes games until there are as many as asked for.
pub fn make<V: Variant>(path: &Path, settings: &Settings, games: u64, threads: usize) -> State {
    let never = AtomicBool::new(false);
    run::<V>(path, settings, Target::Games(games), threads, &never, |_| ()).unwrap().0
}

/// All games of a file without faults.
pub fn read(path: &Path) -> Vec<GameRecord> {
    Reader::open(path).unwrap().map(Result::unwrap).collect()
}
