//! Runs a match: hands games to threads, collects results, knows when to stop.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kujira_position::{Color, Variant};
use kujira_statistics::{Sprt, Verdict};

use crate::engine::{Failure, Patience, Session};
use crate::entrant::Entrant;
use crate::files::{Begin, Earlier, Files, Found, journal_path};
use crate::game::{Contender, Finished, GameRules, dropped, not_started, play};
use crate::header::MatchHeader;
use crate::match_openings::{MatchOpenings, Source};
use crate::openings::Opening;
use crate::progress::Progress;
use crate::schedule::{Next, Schedule};
use crate::standings::Standings;
use crate::waiting::{Unmet, Waiting};
use crate::watchdog::Watchdog;
use kujira_record::played::{GameId, GameRecord};

/// Everything about a match but the games.
#[derive(Clone, Debug)]
pub struct MatchSpec {
    /// What the journal begins with.
    pub header: MatchHeader,
    /// The engines.
    pub entrants: Vec<Entrant>,
    /// What holds for every game.
    pub terms: GameRules,
    /// Openings, from each of which every pairing that begins there plays a pair of games: in a round robin or a
    /// gauntlet the pairs of games for each pairing.
    pub rounds: u32,
    /// Games at a time.
    pub concurrency: usize,
    /// How long to wait for engines.
    pub patience: Patience,
    /// The test, if the match is one.
    pub sprt: Option<Sprt>,
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
}

/// Opens the files of the match, for [`run`], and makes what was left there known to `source`.
///
/// # Errors
/// If the files cannot be opened or are of another match.
pub fn open<V: Variant>(
    plan: &MatchSpec,
    source: impl FnOnce(Vec<Opening>) -> Result<Source<V>, String>,
) -> Result<(Files, Earlier, Source<V>), String> {
    let (found, mut earlier) = Found::look(&plan.out, &plan.header, plan.begin)?;
    let source = source(std::mem::take(&mut earlier.openings))?;
    source.agrees_with(&earlier.games)?;
    let openings = match &source {
        Source::Random(openings) => Some(openings.made()),
        Source::Fixed(_) => None,
    };
    let files = found.begin(&plan.header, &earlier.games, openings)?;
    Ok((files, earlier, source))
}

/// Plays the match to its end, or until `stopped` is set.
///
/// # Errors
/// If an engine cannot be started, openings run out, or files cannot be written. All games that
/// were shown are on disk even then.
pub fn run<V: Variant>(
    plan: &MatchSpec,
    (files, earlier, source): (Files, Earlier, Source<V>),
    stopped: &Arc<AtomicBool>,
    progress: &Progress,
) -> Result<(Standings, Finish), String> {
    let names = plan.entrants.iter().map(|entrant| entrant.player.name.clone()).collect();
    let standings = Standings::of(names, &earlier.games);
    if !earlier.games.is_empty() {
        progress.say(&format!("taking up the match after {} games", earlier.games.len()));
    }
    if let Some(verdict) = decided(plan, &standings) {
        source.finish();
        return Ok((standings, Finish::Decided(verdict)));
    }
    let openings = MatchOpenings::open(source, plan.rounds, &plan.out, &earlier.games)?;
    let (format, engines) = (plan.header.format, plan.entrants.len());
    let schedule = Schedule::new(format, engines, plan.rounds, &earlier.games)
        .map_err(|error| format!("{}: {error}", journal_path(&plan.out).display()))?;
    let schedule = Agenda { schedule: Mutex::new(schedule), more: Condvar::new() };
    progress.expect(schedule.lock().total());

    let watchdog = Watchdog::start().map_err(|error| format!("the watchdog: {error}"))?;
    // Set when no more games are wanted, for whatever reason.
    let halt = Arc::new(AtomicBool::new(false));
    let played_again = AtomicU64::new(0);
    let failed_starts: Vec<_> = plan.entrants.iter().map(|_| AtomicU32::new(0)).collect();
    let mut scorer = Scorer { plan, files, standings, schedule: &schedule, progress };
    let finish = std::thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..plan.concurrency.max(1) {
            let worker = Worker {
                plan,
                schedule: &schedule,
                openings: &openings,
                halt: &halt,
                results: sender.clone(),
                sessions: HashMap::new(),
                failed_starts: &failed_starts,
                watchdog: &watchdog,
                played_again: &played_again,
                progress,
            };
            scope.spawn(move || worker.work());
        }
        drop(sender);
        // Whatever ends this closure, a panic too, ends the threads that it waits for.
        let _raised = RaiseOnDrop(&halt);
        scorer.score(&results, stopped, &halt)
    });
    let mut standings = scorer.standings;
    standings.played_again = played_again.into_inner();
    progress.finish();
    openings.finish();
    Ok((standings, finish?))
}

/// The test's answer, if the match is a test and its games give one.
fn decided(plan: &MatchSpec, standings: &Standings) -> Option<Verdict> {
    let sprt = plan.sprt.as_ref()?;
    sprt.verdict(sprt.llr(&standings.first_pairing().pairs))
}

/// The one place that finished games come to: it writes, counts and shows them, and knows when the match is over.
struct Scorer<'a> {
    plan: &'a MatchSpec,
    files: Files,
    standings: Standings,
    schedule: &'a Agenda,
    progress: &'a Progress,
}

impl Scorer<'_> {
    /// Scores games until the match is over.
    fn score(
        &mut self,
        results: &Receiver<Result<GameRecord, String>>,
        stopped: &AtomicBool,
        halt: &AtomicBool,
    ) -> Result<Finish, String> {
        loop {
            let (mut games, end) = collect(results, stopped);
            if end.is_some() {
                // Games in progress are dropped: they are played again when the match is taken up.
                // Those that are finished are kept, whatever the end was.
                halt.store(true, Ordering::Relaxed);
                games.extend(results.iter().flatten());
            }
            if let Some(verdict) = self.take(games)? {
                return Ok(Finish::Decided(verdict));
            }
            match end {
                None => {}
                Some(End::AllPlayed) => return Ok(Finish::Complete),
                Some(End::Stopped) => return Ok(Finish::Stopped),
                // Engines that are told to end fail in their own ways.
                Some(End::Failed(_)) if stopped.load(Ordering::Relaxed) => {
                    return Ok(Finish::Stopped);
                }
                Some(End::Failed(error)) => return Err(error),
            }
        }
    }

    /// Takes finished games, up to the one that decides the test. Returns the test's answer then.
    ///
    /// That game is the last one: how many games come at once must not matter, and those after it would be
    /// counted when the journal is read.
    fn take(&mut self, mut games: Vec<GameRecord>) -> Result<Option<Verdict>, String> {
        let mut verdict = None;
        if self.plan.sprt.is_some() {
            let mut after = self.standings.clone();
            let decides = |game: &GameRecord| {
                after.add(game);
                verdict = decided(self.plan, &after);
                verdict.is_some()
            };
            if let Some(last) = games.iter().position(decides) {
                games.truncate(last + 1);
            }
        }
        let written = self.files.append(&games);
        written.map_err(|error| format!("the files of the match: {error}"))?;
        let total = self.schedule.add(&games);
        self.progress.expect(total);
        for game in &games {
            self.standings.add(game);
            self.progress.game(game, &self.standings, self.plan.sprt.as_ref());
        }
        Ok(verdict)
    }
}

/// The schedule as threads share it.
struct Agenda {
    schedule: Mutex<Schedule>,
    /// Told when results have come in, on which it may depend who plays whom.
    more: Condvar,
}

impl Agenda {
    fn lock(&self) -> MutexGuard<'_, Schedule> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next game, once it is known; none if there are no more or `halt` is raised.
    fn next(&self, halt: &AtomicBool) -> Option<GameId> {
        let mut schedule = Some(self.lock());
        let next = Waiting::default().unless(halt).wait(|time| {
            let mut held = schedule.take().unwrap_or_else(|| self.lock());
            match held.begin() {
                Next::Game(id) => return Some(Some(id)),
                Next::Over => return Some(None),
                Next::Later => {}
            }
            let waited = self.more.wait_timeout(held, time);
            schedule = Some(waited.unwrap_or_else(PoisonError::into_inner).0);
            None
        });
        next.ok().flatten()
    }

    /// Takes results, and returns how many games there are now.
    fn add(&self, games: &[GameRecord]) -> u64 {
        let mut schedule = self.lock();
        for game in games {
            schedule.add(game);
        }
        self.more.notify_all();
        schedule.total()
    }
}

/// Sets a flag if the thread that holds it panics.
struct RaiseOnPanic<'a>(&'a AtomicBool);

impl Drop for RaiseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Sets a flag when it goes out of scope.
struct RaiseOnDrop<'a>(&'a AtomicBool);

impl Drop for RaiseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Why nothing more comes from the threads.
enum End {
    /// There are no more games.
    AllPlayed,
    /// The match was stopped from outside.
    Stopped,
    /// A thread could not go on.
    Failed(String),
}

/// All games that are finished by now, and why they are the last; at least one of both.
fn collect(
    results: &Receiver<Result<GameRecord, String>>,
    stopped: &AtomicBool,
) -> (Vec<GameRecord>, Option<End>) {
    let mut games = Vec::new();
    let next = Waiting::default().unless(stopped).wait(|time| match results.recv_timeout(time) {
        Err(RecvTimeoutError::Timeout) => None,
        other => Some(other.ok()),
    });
    match next {
        Ok(Some(Ok(game))) => games.push(game),
        Ok(Some(Err(error))) => return (games, Some(End::Failed(error))),
        Ok(None) => return (games, Some(End::AllPlayed)),
        Err(_) => return (games, Some(End::Stopped)),
    }
    while let Ok(next) = results.try_recv() {
        match next {
            Ok(game) => games.push(game),
            Err(error) => return (games, Some(End::Failed(error))),
        }
    }
    (games, None)
}

/// A thread that plays one game after the other, with engines of its own.
struct Worker<'a, V: Variant> {
    plan: &'a MatchSpec,
    schedule: &'a Agenda,
    openings: &'a MatchOpenings<V>,
    halt: &'a Arc<AtomicBool>,
    results: Sender<Result<GameRecord, String>>,
    sessions: HashMap<usize, Session>,
    /// How often each engine has failed to start since it last did, in all threads.
    failed_starts: &'a [AtomicU32],
    watchdog: &'a Watchdog,
    /// Games that were dropped after a stall, in all threads.
    played_again: &'a AtomicU64,
    progress: &'a Progress,
}

/// An engine that fails to start so often in a row ends the match.
const MOST_FAILED_STARTS: u32 = 3;

/// Pauses before the next try when the system does not let an engine start: too many processes, no memory.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(250), Duration::from_secs(1), Duration::from_secs(4)];

impl<V: Variant> Worker<'_, V> {
    fn work(mut self) {
        // Others would wait for the result of its game.
        let _raised = RaiseOnPanic(self.halt);
        while let Some(id) = self.schedule.next(self.halt) {
            let result = self.openings.get(id.round).and_then(|opening| self.game(id, &opening));
            let result = match result {
                Ok(None) => break,
                Ok(Some(game)) => Ok(game),
                Err(error) => Err(error),
            };
            let failed = result.is_err();
            // Nobody listens any more once the match is over.
            if self.results.send(result).is_err() || failed {
                break;
            }
        }
        for (_, session) in self.sessions.drain() {
            session.quit();
        }
    }

    /// Plays a game, and again where a stall decided it; nothing if the match was stopped meanwhile.
    fn game(&mut self, id: GameId, opening: &Opening) -> Result<Option<GameRecord>, String> {
        let mut again = 0;
        loop {
            let Some(finished) = self.finish(id, opening)? else { return Ok(None) };
            match finished.stall {
                Some(stall) if again < Finished::MOST_AGAIN => {
                    again += 1;
                    self.played_again.fetch_add(1, Ordering::Relaxed);
                    let game = format!("game {}.{}", id.round + 1, id.leg + 1);
                    self.progress.say(&dropped(&game, stall));
                }
                _ => return Ok(Some(self.record(id, opening, finished))),
            }
        }
    }

    /// Plays a game to its end; nothing if the match was stopped meanwhile.
    fn finish(&mut self, id: GameId, opening: &Opening) -> Result<Option<Finished>, String> {
        let players = id.by_color();
        let mut seated = Vec::with_capacity(2);
        for (color, engine) in Color::BOTH.into_iter().zip(players) {
            match self.seat(engine) {
                Ok(session) => seated.push(session),
                Err(Failure::Interrupted) => return Ok(None),
                Err(failure) => {
                    self.sessions.extend(players.into_iter().zip(seated));
                    let name = &self.plan.entrants[engine].player.name;
                    let failed = self.failed_starts[engine].fetch_add(1, Ordering::Relaxed) + 1;
                    if failed >= MOST_FAILED_STARTS {
                        return Err(format!(
                            "{name}: failed to start {failed} times in a row: {failure}"
                        ));
                    }
                    let (ending, detail) = not_started(color, failure)
                        .map_err(|failure| format!("{name}: {failure}"))?;
                    return Ok(Some(Finished { ending, detail, moves: Vec::new(), stall: None }));
                }
            }
        }
        let (Some(mut white), Some(mut black)) = (seated.pop(), seated.pop()) else {
            return Err("expected two engines in a game".to_owned());
        };
        let contender = |session, engine: usize| {
            let entrant = &self.plan.entrants[engine];
            Contender { session, limit: entrant.limit, margin: entrant.margin }
        };
        let contenders = [contender(&mut black, players[0]), contender(&mut white, players[1])];
        let played = play::<V>(opening, contenders, &self.plan.terms, self.watchdog);
        for (engine, session) in players.into_iter().zip([black, white]) {
            self.sessions.insert(engine, session);
        }
        match played {
            Ok(finished) => Ok(Some(finished)),
            Err(Failure::Interrupted) => Ok(None),
            Err(failure) => Err(failure.to_string()),
        }
    }

    fn record(&self, id: GameId, opening: &Opening, finished: Finished) -> GameRecord {
        let Finished { ending, detail, moves, .. } = finished;
        let [black, white] = id.by_color().map(|engine| self.plan.entrants[engine].player.clone());
        GameRecord {
            id,
            variant: V::SPEC.id.to_owned(),
            black,
            white,
            opening: opening.to_string(),
            moves,
            ending,
            detail,
        }
    }

    /// The engine, running and in order.
    fn seat(&mut self, engine: usize) -> Result<Session, Failure> {
        let entrant = &self.plan.entrants[engine];
        match self.sessions.remove(&engine) {
            Some(mut session) if !session.broken() && !entrant.config.restart => {
                // One that ends because a game is over may still be there at first. What else goes wrong shows when
                // the game begins.
                let ended = session.ended().or_else(|| match session.new_game() {
                    Err(Failure::Died(how)) => Some(how),
                    _ => None,
                });
                match ended {
                    None => return Ok(session),
                    // No game was lost by that: the system may have killed it.
                    Some(how) => self.progress.say(&format!(
                        "!!! {} ended between two games ({how}) and is started again",
                        entrant.player.name
                    )),
                }
            }
            Some(session) if !session.broken() => session.quit(),
            // One that went wrong is not asked: dropping it kills it.
            _ => {}
        }
        let session = self.start(entrant)?;
        self.failed_starts[engine].store(0, Ordering::Relaxed);
        Ok(session)
    }

    /// Starts an engine. What the system refuses is no fault of the engine: it is asked again later.
    fn start(&self, entrant: &Entrant) -> Result<Session, Failure> {
        let mut pauses = PAUSES.into_iter();
        loop {
            let failure = match entrant.start(self.plan.patience, self.halt) {
                Err(failure @ Failure::Start(_)) => failure,
                result => return result,
            };
            let Some(pause) = pauses.next() else { return Err(failure) };
            self.progress
                .say(&format!("!!! {} {failure}: another try in {pause:.1?}", entrant.player.name));
            if Waiting::up_to(pause).unless(self.halt).sleep() == Unmet::CalledOff {
                return Err(Failure::Interrupted);
            }
        }
    }
}
