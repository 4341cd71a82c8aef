//! The openings of a match, round by round.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use kujira_position::Variant;
use kujira_program::growing;

use crate::files::openings_path;
use crate::openings::{Opening, RandomOpenings};

/// Where openings come from.
#[derive(Debug)]
pub enum Source<V: Variant> {
    /// These, over and over.
    Fixed(Vec<Opening>),
    /// Random ones.
    Random(Box<RandomOpenings<V>>),
}

impl<V: Variant> Source<V> {
    /// Whether finished games began from the openings that are there already, by their number: pairs are made of games
    /// from one opening.
    ///
    /// # Errors
    /// Which of them differs.
    pub fn agrees_with(&self, played: &BTreeMap<usize, String>) -> Result<(), String> {
        for (&round, played) in played {
            let opening = match self {
                Self::Fixed(openings) => openings.get(round % openings.len().max(1)),
                Self::Random(openings) => openings.made().get(round),
            };
            if let Some(opening) = opening {
                agree(round, played, opening)?;
            }
        }
        Ok(())
    }

    /// Ends the engine that judges openings, if there is one.
    pub(crate) fn finish(self) {
        if let Self::Random(openings) = self {
            openings.finish();
        }
    }
}

pub(crate) fn agree(round: usize, played: &str, opening: &Opening) -> Result<(), String> {
    if opening.to_string() == played {
        return Ok(());
    }
    Err(format!(
        "opening {}: expected \"{played}\" as in the journal's games, found \"{opening}\"",
        round + 1
    ))
}

/// The openings of the rounds, shared by all threads.
///
/// Openings that nobody judges cost little: all are made, and on disk, before the first game, so that
/// too few of them are noticed then. Those that an engine judges cost a search each, and a test may be
/// decided long before its last round: they are made when the first game of their round begins, by
/// the thread that plays it. Only threads that need the same opening wait for it.
#[derive(Debug)]
pub(crate) struct MatchOpenings<V: Variant> {
    ready: RwLock<Vec<Opening>>,
    /// What makes more; none: those that are ready are played over and over.
    maker: Option<Mutex<Maker<V>>>,
}

/// Makes random openings and puts them into their file.
#[derive(Debug)]
pub(crate) struct Maker<V: Variant> {
    openings: Box<RandomOpenings<V>>,
    /// None: they are written elsewhere.
    file: Option<File>,
    /// The openings of finished games, by number.
    played: BTreeMap<usize, String>,
}

impl<V: Variant> Maker<V> {
    /// Goes on after those made already, which are in the file at `prefix`. Those of finished games, by
    /// number from 0, must come out again.
    pub(crate) fn open(
        openings: Box<RandomOpenings<V>>,
        prefix: &Path,
        played: BTreeMap<usize, String>,
    ) -> Result<Self, String> {
        let path = openings_path(prefix);
        let file =
            growing::append(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { openings, file: Some(file), played })
    }

    /// Those made so far.
    pub(crate) fn made(&self) -> &[Opening] {
        self.openings.made()
    }

    /// Whether an engine judges them: each costs a search.
    pub(crate) fn are_judged(&self) -> bool {
        self.openings.are_judged()
    }

    /// Makes openings until there are so many, or until `stopped` is set. One that an engine judged is on disk before
    /// the next.
    pub(crate) fn fill(&mut self, count: usize, stopped: &AtomicBool) -> Result<(), String> {
        let mut text = String::new();
        while self.made().len() < count && !stopped.load(Ordering::Relaxed) {
            text.push_str(&self.another()?.1);
            if self.are_judged() {
                self.write(&text)?;
                text.clear();
            }
        }
        self.write(&text)
    }

    /// Ends the engine that judges openings, if there is one.
    pub(crate) fn finish(self) {
        self.openings.finish();
    }

    /// Makes another opening, as text for the file too.
    fn another(&mut self) -> Result<(Opening, String), String> {
        let number = self.openings.made().len();
        let opening = self.openings.another()?;
        if let Some(played) = self.played.get(&number) {
            agree(number, played, opening)?;
        }
        Ok((opening.clone(), format!("{opening}\n")))
    }

    fn write(&mut self, text: &str) -> Result<(), String> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.write_all(text.as_bytes())
            .and_then(|()| file.sync_data())
            .map_err(|error| format!("the file of openings: {error}"))
    }
}

impl<V: Variant> MatchOpenings<V> {
    /// The openings of `rounds` rounds of the match at `prefix`, of which these are those of finished games, by number.
    /// There are fewer if `stopped` is set: then none is asked for.
    ///
    /// # Errors
    /// If there are not enough, or files cannot be written.
    pub(crate) fn open(
        source: Source<V>,
        rounds: u32,
        prefix: &Path,
        played: BTreeMap<usize, String>,
        stopped: &AtomicBool,
    ) -> Result<Self, String> {
        let openings = match source {
            Source::Fixed(_) => return Ok(Self::unwritten(source)),
            Source::Random(openings) => openings,
        };
        let mut maker = Maker::open(openings, prefix, played)?;
        if !maker.are_judged() {
            maker.fill(rounds as usize, stopped)?;
        }
        let ready = RwLock::new(maker.made().to_vec());
        Ok(Self { ready, maker: Some(Mutex::new(maker)) })
    }

    /// Openings that are made as they are wanted and written into no file of their own.
    pub(crate) fn unwritten(source: Source<V>) -> Self {
        match source {
            Source::Fixed(openings) => Self { ready: RwLock::new(openings), maker: None },
            Source::Random(openings) => {
                let ready = RwLock::new(openings.made().to_vec());
                let maker = Maker { openings, file: None, played: BTreeMap::new() };
                Self { ready, maker: Some(Mutex::new(maker)) }
            }
        }
    }

    /// The opening of a round, from 0.
    ///
    /// # Errors
    /// If there is none, or its file cannot be written.
    pub(crate) fn get(&self, round: u32) -> Result<Opening, String> {
        let round = round as usize;
        let Some(maker) = &self.maker else {
            let ready = self.ready.read().unwrap_or_else(PoisonError::into_inner);
            return ready
                .get(round % ready.len().max(1))
                .cloned()
                .ok_or_else(|| "expected at least one opening, found none".to_owned());
        };
        if let Some(opening) = self.ready(round) {
            return Ok(opening);
        }
        let mut maker = maker.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            // Another thread may have made it while this one waited.
            if let Some(opening) = self.ready(round) {
                return Ok(opening);
            }
            let (opening, text) = maker.another()?;
            maker.write(&text)?;
            self.ready.write().unwrap_or_else(PoisonError::into_inner).push(opening);
        }
    }

    fn ready(&self, round: usize) -> Option<Opening> {
        self.ready.read().unwrap_or_else(PoisonError::into_inner).get(round).cloned()
    }

    /// Ends the engine that judges openings, if there is one.
    pub fn finish(self) {
        if let Some(maker) = self.maker {
            maker.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Rules, Whale};

    use super::*;

    #[test]
    fn who_stops_a_match_does_not_wait_for_its_openings() {
        let folder = tempfile::tempdir().unwrap();
        let prefix = folder.path().join("match");
        std::fs::write(openings_path(&prefix), "").unwrap();
        let made = |rounds: u32, stopped: bool| {
            let random =
                RandomOpenings::<Whale>::new(1, 5..=8, Rules::DEFAULT, None, Vec::new()).unwrap();
            let (source, stopped) = (Source::Random(Box::new(random)), AtomicBool::new(stopped));
            MatchOpenings::open(source, rounds, &prefix, BTreeMap::new(), &stopped).unwrap();
            std::fs::read_to_string(openings_path(&prefix)).unwrap().lines().count()
        };
        assert_eq!(made(u32::MAX, true), 0);
        assert_eq!(made(3, false), 3);
    }
}
