//! Runs a match: deals games out, collects results, knows when to stop.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use kujira_position::Variant;
use kujira_record::played::GameRecord;
use kujira_statistics::{Sprt, Verdict};

use crate::crew::{Crew, End, Games, Played, Task};
use crate::engine::Timeouts;
use crate::entrant::Entrant;
use crate::files::{Begin, Earlier, Files, Found, journal_path};
use crate::game::{Finished, GameRules};
use crate::header::MatchHeader;
use crate::match_openings::{MatchOpenings, Source};
use crate::openings::Opening;
use crate::progress::Progress;
use crate::schedule::{Next, Schedule};
use crate::standings::Standings;

/// Everything about a match but the games.
#[derive(Clone, Debug)]
pub struct MatchSpec {
    /// What the journal begins with.
    pub header: MatchHeader,
    /// The engines.
    pub entrants: Vec<Entrant>,
    /// What holds for every game.
    pub game_rules: GameRules,
    /// Openings, from each of which every pairing that begins there plays a pair of games: in a round robin or a
    /// gauntlet the pairs of games for each pairing.
    pub rounds: u32,
    /// Games at a time.
    pub concurrency: usize,
    /// How long to wait for engines.
    pub timeouts: Timeouts,
    /// The test, if the match is one.
    pub sprt: Option<Sprt>,
    /// No pair is begun once this file is there.
    pub stop_file: Option<PathBuf>,
    /// Beginning of the names of the match's files.
    pub out: PathBuf,
    /// What to do with what an earlier run left.
    pub begin: Begin,
}

/// How a match came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// All games are played.
    Complete,
    /// The test has its answer.
    Decided(Verdict),
    /// It was stopped from outside.
    Stopped,
    /// The stop file was there, and the pairs that were begun are played.
    CalledOff,
    /// All games are played but those of engines that could not be started.
    Lacking,
}

/// Opens the files of the match, for [`run`], and makes what was left there known to `source`.
///
/// # Errors
/// If the files cannot be opened or are of another match.
pub fn open<V: Variant>(
    spec: &MatchSpec,
    source: impl FnOnce(Vec<Opening>) -> Result<Source<V>, String>,
) -> Result<(Files, Earlier, Source<V>), String> {
    let (found, mut earlier) = Found::look(&spec.out, &spec.header, spec.begin)?;
    let source = source(std::mem::take(&mut earlier.openings))?;
    source.agrees_with(&earlier.played)?;
    let openings = match &source {
        Source::Random(openings) => Some(openings.made()),
        Source::Fixed(_) => None,
    };
    let files = found.begin(&spec.header, openings)?;
    Ok((files, earlier, source))
}

/// Plays the match to its end, or until `stopped` is set.
///
/// # Errors
/// If an engine cannot be started, openings run out, or files cannot be written. All games that
/// were shown are on disk even then.
pub fn run<V: Variant>(
    spec: &MatchSpec,
    (files, earlier, source): (Files, Earlier, Source<V>),
    stopped: &AtomicBool,
    progress: &Progress<'_>,
) -> Result<(Standings, Finish), String> {
    let Earlier { results, standings, played, .. } = earlier;
    if standings.games > 0 {
        progress.say(&format!("taking up the match after {} games", standings.games));
    }
    if let Some(verdict) = decided(spec, &standings) {
        source.finish();
        return Ok((standings, Finish::Decided(verdict)));
    }
    let openings = MatchOpenings::open(source, spec.rounds, &spec.out, played, stopped)?;
    let (format, engines) = (spec.header.format, spec.entrants.len());
    let mut schedule = Schedule::new(format, engines, spec.rounds, results)
        .map_err(|error| format!("{}: {error}", journal_path(&spec.out).display()))?
        .only(spec.header.shard);
    for (engine, entrant) in spec.entrants.iter().enumerate() {
        if entrant.sits_out() {
            schedule.withdraw(engine);
        }
    }
    progress.expect(schedule.total());
    let crew = Crew {
        entrants: &spec.entrants,
        game_rules: &spec.game_rules,
        timeouts: spec.timeouts,
        concurrency: spec.concurrency,
        openings: &openings,
        forfeits: true,
        say: &|text| progress.say(text),
    };
    let mut scorer = Scorer { spec, files, standings, schedule, progress };
    let finish = crew.play(stopped, |games| scorer.score::<V>(games))?;
    progress.finish();
    openings.finish();
    Ok((scorer.standings, finish?))
}

/// The test's answer, if the match is a test and its games give one.
fn decided(spec: &MatchSpec, standings: &Standings) -> Option<Verdict> {
    let sprt = spec.sprt.as_ref()?;
    sprt.verdict(sprt.llr(&standings.first_pairing().pairs))
}

/// The one place that games are dealt out from and finished games come to: it writes, counts and shows them, and knows
/// when the match is over.
struct Scorer<'a> {
    spec: &'a MatchSpec,
    files: Files,
    standings: Standings,
    schedule: Schedule,
    progress: &'a Progress<'a>,
}

impl Scorer<'_> {
    /// Deals games out and scores them until the match is over.
    fn score<V: Variant>(&mut self, mut games: Games<'_>) -> Result<Finish, String> {
        // As many again are ready, so that no thread waits until others' games are on disk; none where a match is to end
        // soon after it is told to.
        let ahead = if self.spec.stop_file.is_some() { 1 } else { 2 };
        let most = ahead * self.spec.concurrency.max(1);
        loop {
            let called_off = self.spec.stop_file.as_ref().is_some_and(|file| file.exists());
            while games.open() < most
                && let Next::Game(id) =
                    if called_off { self.schedule.finish() } else { self.schedule.begin() }
            {
                games.deal(Task { id, numbers: Vec::new() });
            }
            if games.open() == 0 {
                let over = !called_off || self.standings.games >= self.schedule.total();
                return Ok(if over { Finish::Complete } else { Finish::CalledOff });
            }
            let (played, end) = games.collect();
            if let Some(verdict) = self.take::<V>(played)? {
                return Ok(Finish::Decided(verdict));
            }
            match end {
                None => {}
                // Games in progress are dropped: they are played again when the match is taken up.
                Some(End::Stopped) => return Ok(Finish::Stopped),
                Some(End::Failed(error)) => return Err(error),
            }
        }
    }

    /// Takes finished games, up to the one that decides the test. Returns the test's answer then.
    ///
    /// That game is the last one: how many games come at once must not matter, and those after it would be
    /// counted when the journal is read.
    fn take<V: Variant>(&mut self, played: Vec<Played>) -> Result<Option<Verdict>, String> {
        for &engine in played.iter().flat_map(|game| &game.gone) {
            self.schedule.withdraw(engine);
        }
        self.standings.played_again += played.iter().map(|game| u64::from(game.again)).sum::<u64>();
        let mut games: Vec<_> = played.into_iter().map(|game| self.record::<V>(game)).collect();
        let mut verdict = None;
        if self.spec.sprt.is_some() {
            let mut after = self.standings.clone();
            let decides = |game: &GameRecord| {
                after.add(game);
                verdict = decided(self.spec, &after);
                verdict.is_some()
            };
            if let Some(last) = games.iter().position(decides) {
                games.truncate(last + 1);
            }
        }
        let written = self.files.append(&games);
        written.map_err(|error| format!("the files of the match: {error}"))?;
        for game in &games {
            self.schedule.add(game);
        }
        self.progress.expect(self.schedule.total());
        for game in &games {
            self.standings.add(game);
            self.progress.game(game, &self.standings, self.spec.sprt.as_ref());
        }
        Ok(verdict)
    }

    fn record<V: Variant>(&self, Played { id, opening, finished, .. }: Played) -> GameRecord {
        let Finished { ending, detail, moves, began, machine, .. } = finished;
        let [black, white] = id.by_color().map(|engine| self.spec.entrants[engine].player.clone());
        GameRecord {
            id,
            variant: V::SPEC.id.to_owned(),
            black,
            white,
            opening: opening.to_string(),
            moves,
            ending,
            detail,
            began,
            machine,
        }
    }
}
