//! Threads that play games, each with engines of its own, kept from game to game.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kujira_position::{Color, Variant};
use kujira_record::played::GameId;
use kujira_usi::{Ending, Reason};

use crate::affinity::Cores;
use crate::engine::{Failure, Session, Timeouts};
use crate::entrant::Entrant;
use crate::game::{Contender, Finished, GameRules, dropped, not_started, play};
use crate::match_openings::MatchOpenings;
use crate::openings::Opening;
use crate::replay::number;
use crate::waiting::{Unmet, Waiting};
use crate::watchdog::Watchdog;

/// Rest between two tries of a tuner to start an engine.
const REST: Duration = Duration::from_millis(100);

/// Pauses before the next try when the system does not let an engine start: too many processes, no memory.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(250), Duration::from_secs(1), Duration::from_secs(4)];

/// Whatever ends a job (Slurm, a shutdown) tells all of its processes at once, and an engine may hear of it before this
/// program does: for so long that is waited for.
const NOTICE: Duration = Duration::from_secs(2);

/// Whether an engine ended as one does that is told to: by a signal, or with the status that shells have for it.
fn was_told_to_end(finished: &Finished) -> bool {
    const SIGNALS: [&str; 4] = ["SIGHUP", "SIGINT", "SIGKILL", "SIGTERM"];
    const STATUSES: [&str; 4] = ["status: 129", "status: 130", "status: 137", "status: 143"];
    finished.ending.reason == Reason::Died
        && SIGNALS.iter().chain(&STATUSES).any(|word| finished.detail.contains(word))
}

/// Who plays, and how.
pub(crate) struct Crew<'a, V: Variant> {
    /// The engines.
    pub entrants: &'a [Entrant],
    /// What holds for every game.
    pub game_rules: &'a GameRules,
    /// How long to wait for engines.
    pub timeouts: Timeouts,
    /// Games at a time.
    pub concurrency: usize,
    /// The openings of the rounds.
    pub openings: &'a MatchOpenings<V>,
    /// Whether an engine that does not start loses its game; otherwise it is started again.
    pub forfeits: bool,
    /// Tells people what they should know.
    pub say: &'a (dyn Fn(&str) + Sync),
}

/// A game to play.
pub(crate) struct Task {
    /// Which.
    pub id: GameId,
    /// Whole numbers that each engine is told before the game; none: all play as they are.
    pub numbers: Vec<Vec<(String, i64)>>,
}

/// A game that was played.
pub(crate) struct Played {
    /// Which.
    pub id: GameId,
    /// From where.
    pub opening: Opening,
    /// How it went.
    pub finished: Finished,
    /// Engines that play no more, because they do not start.
    pub gone: Vec<usize>,
    /// How often it was dropped before, after a stall.
    pub again: u32,
}

/// Why nothing more comes from the threads.
pub(crate) enum End {
    /// It was stopped from outside.
    Stopped,
    /// A thread could not go on.
    Failed(String),
}

/// The games that are being played, for the one who deals them out and takes results.
pub(crate) struct Games<'a> {
    tasks: Option<Sender<Task>>,
    results: Receiver<Result<Played, String>>,
    /// Games that were dealt out and have not come back.
    open: usize,
    stopped: &'a AtomicBool,
    halt: &'a AtomicBool,
}

impl Games<'_> {
    /// Games that were dealt out and have not come back.
    pub(crate) fn open(&self) -> usize {
        self.open
    }

    /// Deals a game out: it is played once a thread is free.
    pub(crate) fn deal(&mut self, task: Task) {
        // If no thread is left, the results tell why.
        if self.tasks.as_ref().is_some_and(|tasks| tasks.send(task).is_ok()) {
            self.open += 1;
        }
    }

    /// All games that are finished by now, at least one, or else why there are no more. Games in progress are dropped
    /// then; those that are finished are kept, whatever the end was.
    pub(crate) fn collect(&mut self) -> (Vec<Played>, Option<End>) {
        let mut games = Vec::new();
        let first = Waiting::default().unless(self.stopped).wait(|time| {
            match self.results.recv_timeout(time) {
                Ok(result) => Some(result),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(Err("no thread plays".to_owned())),
            }
        });
        let end = match first {
            Ok(first) => {
                let results = std::iter::once(first).chain(self.results.try_iter());
                let failure = results.map(|result| result.map(|game| games.push(game)));
                failure.filter_map(Result::err).next().map(End::Failed)
            }
            Err(_) => Some(End::Stopped),
        };
        if end.is_some() {
            self.halt.store(true, Ordering::Relaxed);
            self.tasks = None;
            games.extend(self.results.iter().flatten());
        }
        self.open -= games.len().min(self.open);
        match end {
            // Engines that are told to end fail in their own ways.
            Some(End::Failed(_)) if self.stopped.load(Ordering::Relaxed) => {
                (games, Some(End::Stopped))
            }
            end => (games, end),
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

impl<V: Variant> Crew<'_, V> {
    /// Lets `lead` deal games out and take results, until `stopped` is set or it has enough.
    ///
    /// # Errors
    /// If the watchdog cannot be started.
    pub(crate) fn play<T>(
        &self,
        stopped: &AtomicBool,
        lead: impl FnOnce(Games<'_>) -> T,
    ) -> Result<T, String> {
        let watchdog = Watchdog::start().map_err(|error| format!("the watchdog: {error}"))?;
        let concurrency = self.concurrency.max(1);
        let threads = self.entrants.iter().map(Entrant::threads).max().unwrap_or(1);
        let cores =
            self.game_rules.affinity.then(|| Cores::share(concurrency, threads)).transpose()?;
        // Set when no more games are wanted, for whatever reason.
        let halt = Arc::new(AtomicBool::new(false));
        let failed_starts: Vec<_> = self.entrants.iter().map(|_| AtomicU32::new(0)).collect();
        let (tasks, inbox) = channel();
        let inbox = Mutex::new(inbox);
        Ok(std::thread::scope(|scope| {
            let (sender, results) = channel();
            for place in 0..concurrency {
                let worker = Worker {
                    crew: self,
                    halt: &halt,
                    tasks: &inbox,
                    results: sender.clone(),
                    sessions: HashMap::new(),
                    failed_starts: &failed_starts,
                    watchdog: &watchdog,
                };
                let cores = cores.as_ref();
                scope.spawn(move || {
                    // Engines stay where the thread is that starts them.
                    match cores.map_or(Ok(()), |cores| cores.keep(place)) {
                        Ok(()) => worker.work(),
                        Err(error) => drop(worker.results.send(Err(error))),
                    }
                });
            }
            drop(sender);
            // Whatever ends this closure, a panic too, ends the threads that it waits for.
            let _raised = RaiseOnDrop(&halt);
            lead(Games { tasks: Some(tasks), results, open: 0, stopped, halt: &halt })
        }))
    }
}

/// A thread that plays one game after the other.
struct Worker<'a, V: Variant> {
    crew: &'a Crew<'a, V>,
    halt: &'a Arc<AtomicBool>,
    tasks: &'a Mutex<Receiver<Task>>,
    results: Sender<Result<Played, String>>,
    sessions: HashMap<usize, Session>,
    /// How often each engine has failed to start since it last did, in all threads. One that has failed too often plays
    /// no more.
    failed_starts: &'a [AtomicU32],
    watchdog: &'a Watchdog,
}

impl<V: Variant> Drop for Worker<'_, V> {
    fn drop(&mut self) {
        // Others would wait for the result of its game.
        if std::thread::panicking() {
            let _ = self.results.send(Err("a thread has panicked".to_owned()));
        }
        for (_, session) in self.sessions.drain() {
            session.quit();
        }
    }
}

impl<V: Variant> Worker<'_, V> {
    fn work(mut self) {
        loop {
            // The lock is held while it waits: whoever comes next waits for the lock.
            let task = self.tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Some(task) = task.ok().filter(|_| !self.halt.load(Ordering::Relaxed)) else {
                return;
            };
            let opening = self.crew.openings.get(task.id.round);
            let Some(result) = opening.and_then(|opening| self.game(&task, opening)).transpose()
            else {
                return;
            };
            let failed = result.is_err();
            // Nobody listens any more once the run is over.
            if self.results.send(result).is_err() || failed {
                return;
            }
        }
    }

    /// Plays a game, and again where a stall decided it; nothing if the run was stopped meanwhile.
    fn game(&mut self, task: &Task, opening: Opening) -> Result<Option<Played>, String> {
        let (id, mut again) = (task.id, 0);
        loop {
            let Some(finished) = self.finish(task, &opening)? else { return Ok(None) };
            match finished.stall {
                Some(stall) if again < Finished::MOST_AGAIN => {
                    again += 1;
                    (self.crew.say)(&dropped(&format!("game {}", number(id)), stall));
                }
                _ => {
                    let gone =
                        id.engines.into_iter().filter(|&engine| self.is_gone(engine)).collect();
                    return Ok(Some(Played { id, opening, finished, gone, again }));
                }
            }
        }
    }

    /// Whether an engine has failed to start too often to be tried again. In a match of two there is no going on without
    /// it.
    fn is_gone(&self, engine: usize) -> bool {
        self.crew.forfeits
            && self.crew.entrants.len() > 2
            && self.failed_starts[engine].load(Ordering::Relaxed)
                >= self.crew.game_rules.start_tries
    }

    /// Plays a game to its end; nothing if the run was stopped meanwhile.
    fn finish(&mut self, task: &Task, opening: &Opening) -> Result<Option<Finished>, String> {
        let players = task.id.by_color();
        let mut seated = Vec::with_capacity(2);
        for (color, engine) in Color::BOTH.into_iter().zip(players) {
            if self.is_gone(engine) {
                self.sessions.extend(players.into_iter().zip(seated));
                let ending = Ending::win(!color, Reason::Died);
                return Ok(Some(Finished::unplayed(
                    ending,
                    "it does not start any more".to_owned(),
                )));
            }
            let mut tries = 0;
            let numbers = task.numbers.get(engine).map_or(&[][..], Vec::as_slice);
            let session = loop {
                let failure = match self.seat(engine, task.id, numbers) {
                    Ok(session) => break Ok(session),
                    Err(Failure::Interrupted) => return Ok(None),
                    Err(failure) => failure,
                };
                let name = &self.crew.entrants[engine].player.name;
                tries += 1;
                let all = self.failed_starts[engine].fetch_add(1, Ordering::Relaxed) + 1;
                let failed = if self.crew.forfeits { all } else { tries };
                let most = self.crew.game_rules.start_tries;
                if failed >= most {
                    let error =
                        format!("{name}: failed to start {failed} times in a row: {failure}");
                    if !self.is_gone(engine) {
                        self.sessions.extend(players.into_iter().zip(seated));
                        return Err(error);
                    }
                    if failed == most {
                        (self.crew.say)(&format!("!!! {error}: it plays no more"));
                    }
                }
                let lost =
                    not_started(color, failure).map_err(|failure| format!("{name}: {failure}"))?;
                if self.crew.forfeits {
                    break Err(lost);
                }
                // Where the machine is busy the next try fares better a little later.
                Waiting::up_to(REST).unless(self.halt).sleep();
            };
            match session {
                Ok(session) => seated.push(session),
                Err((ending, detail)) => {
                    self.sessions.extend(players.into_iter().zip(seated));
                    return Ok(Some(Finished::unplayed(ending, detail)));
                }
            }
        }
        let (Some(mut white), Some(mut black)) = (seated.pop(), seated.pop()) else {
            return Err("expected two engines in a game".to_owned());
        };
        let contender = |session, engine: usize| {
            let entrant = &self.crew.entrants[engine];
            Contender { session, limit: entrant.limit, margin: entrant.margin }
        };
        let contenders = [contender(&mut black, players[0]), contender(&mut white, players[1])];
        let played = play::<V>(opening, contenders, self.crew.game_rules, self.watchdog);
        self.sessions.extend(players.into_iter().zip([black, white]));
        match played {
            // The game is none if this program is told to end, too.
            Ok(finished)
                if was_told_to_end(&finished)
                    && Waiting::up_to(NOTICE).unless(self.halt).sleep() == Unmet::CalledOff =>
            {
                Ok(None)
            }
            Ok(finished) => Ok(Some(finished)),
            Err(Failure::Interrupted) => Ok(None),
            Err(failure) => Err(failure.to_string()),
        }
    }

    /// The engine, running, in order, and told these numbers.
    fn seat(
        &mut self,
        engine: usize,
        id: GameId,
        numbers: &[(String, i64)],
    ) -> Result<Session, Failure> {
        let entrant = &self.crew.entrants[engine];
        let (game, name) = (number(id), &entrant.player.name);
        match self.sessions.remove(&engine) {
            Some(mut session) if !session.broken() && !entrant.config.restart => {
                session.label(&game, name);
                session.set_numbers(numbers);
                // One that ends because a game is over may still be there at first. In a match what else goes wrong
                // shows when the game begins, and loses it; a tuner would learn from that.
                let died = |how| format!("ended between two games ({how})");
                let ready = match session.ended() {
                    Some(how) => Err(Failure::Died(how)),
                    None => session.new_game(),
                };
                let failed = match ready {
                    Ok(()) => None,
                    // Whose session is over; a game that began with it would be lost.
                    Err(Failure::Interrupted) => return Err(Failure::Interrupted),
                    Err(Failure::Died(how)) => Some(died(how)),
                    Err(failure) => {
                        (!self.crew.forfeits).then(|| format!("{failure} between two games"))
                    }
                };
                match failed {
                    None => return Ok(session),
                    // No game was lost by that: the system may have killed it.
                    Some(how) => (self.crew.say)(&format!(
                        "!!! {} {how} and is started again",
                        entrant.player.name
                    )),
                }
            }
            Some(session) if !session.broken() => session.quit(),
            // One that went wrong is not asked: dropping it kills it.
            _ => {}
        }
        let mut session = self.start(entrant)?;
        session.label(&game, name);
        session.set_numbers(numbers);
        if !self.crew.forfeits {
            session.new_game()?;
        }
        self.failed_starts[engine].store(0, Ordering::Relaxed);
        Ok(session)
    }

    /// Starts an engine. What the system refuses is no fault of the engine: it is asked again later.
    fn start(&self, entrant: &Entrant) -> Result<Session, Failure> {
        let mut pauses = PAUSES.into_iter();
        loop {
            let failure = match entrant.start(self.crew.timeouts, self.halt) {
                Err(failure @ Failure::Start(_)) => failure,
                result => return result,
            };
            let Some(pause) = pauses.next() else { return Err(failure) };
            (self.crew.say)(&format!(
                "!!! {} {failure}: another try in {pause:.1?}",
                entrant.player.name
            ));
            if Waiting::up_to(pause).unless(self.halt).sleep() == Unmet::CalledOff {
                return Err(Failure::Interrupted);
            }
        }
    }
}
