//! The games of a tuning run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use kujira_position::{Color, Variant};
use kujira_program::status::tell;
use kujira_record::played::GameId;
use kujira_usi::Side;

use crate::engine::{Failure, Patience, Session};
use crate::entrant::Entrant;
use crate::game::{Contender, Finished, GameRules, dropped, play};
use crate::match_openings::Source;
use crate::openings::Opening;
use crate::waiting::{Unmet, Waiting};
use crate::watchdog::Watchdog;

use super::journal::{IterationRecord, Line, Opened};
use super::{Trial, Tuner};

/// How a tuning run is played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The engine, which plays both sides.
    pub entrant: Entrant,
    /// The names of the numbers, in the tuner's order.
    pub names: Vec<String>,
    /// Pairs of games an iteration.
    pub pairs: u32,
    /// What holds for every game.
    pub terms: GameRules,
    /// Games at a time.
    pub concurrency: usize,
    /// How long to wait for the engine.
    pub patience: Patience,
    /// Iterations from one shown to the next.
    pub every: u32,
}

/// Plays a run to its end, or until `stopped` is set; returns its state.
///
/// # Errors
/// If the engine cannot be started, openings run out, or the file cannot be written. Finished
/// iterations are on disk even then.
pub fn run<V: Variant>(
    plan: &Plan,
    opened: Opened,
    mut source: Source<V>,
    stopped: &Arc<AtomicBool>,
) -> Result<Tuner, String> {
    let Opened { mut journal, path, mut tuner, .. } = opened;
    if tuner.iteration() > 0 {
        tell(&format!("taking up the run after {} iterations\n", tuner.iteration()));
    }
    let watchdog = Watchdog::start().map_err(|error| format!("the watchdog: {error}"))?;
    let mut boards: Vec<_> =
        (0..plan.concurrency.max(1)).map(|_| Board::<V>::new(plan, stopped, &watchdog)).collect();
    let (started, first) = (Instant::now(), tuner.iteration());
    let mut sum = [0; 3];
    let result = loop {
        let Some(trial) = tuner.trial() else { break Ok(()) };
        let games = match games(&mut source, tuner.iteration(), plan.pairs) {
            Ok(games) => games,
            // An engine that is told to end while it judges an opening fails in its own way.
            Err(_) if stopped.load(Ordering::Relaxed) => break Ok(()),
            Err(error) => break Err(error),
        };
        let played = match iteration(&mut boards, &games, &trial) {
            Ok(Some(played)) => played,
            // Stopped; games of an iteration that is not finished are dropped.
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        };
        let number = tuner.iteration() + 1;
        let mut record = IterationRecord {
            number,
            plus: trial.plus.clone(),
            minus: trial.minus.clone(),
            games: [0; 3],
            openings: games.iter().step_by(2).map(|(_, opening)| opening.to_string()).collect(),
            values: Vec::new(),
        };
        for game in &played {
            record.games[2 - game.half_points] += 1;
            sum[2 - game.half_points] += 1;
            if let Some(alarm) = &game.alarm {
                tell(&format!("!!! iteration {number}: {alarm}\n"));
            }
        }
        tuner.learn(&trial, record.score());
        tuner.values().clone_into(&mut record.values);
        if let Err(error) = journal.append(&[Line::Iteration(Box::new(record))]) {
            break Err(format!("{}: {error}", path.display()));
        }
        if number.is_multiple_of(plan.every.max(1)) {
            let [wins, draws, losses]: [u32; 3] = std::mem::take(&mut sum);
            let an_hour = f64::from(number - first) / started.elapsed().as_secs_f64() * 3600.0;
            tell(&format!(
                "iteration {number}: +{wins} ={draws} -{losses}, {an_hour:.0} iterations an hour | {}\n",
                tuner.line()
            ));
        }
    };
    for board in boards {
        board.quit();
    }
    source.finish();
    result.map(|()| tuner)
}

/// The games of an iteration (from 0): pairs from one opening, colours swapped.
fn games<V: Variant>(
    source: &mut Source<V>,
    iteration: u32,
    pairs: u32,
) -> Result<Vec<(GameId, Opening)>, String> {
    let mut games = Vec::new();
    for pair in 0..pairs {
        let round = iteration * pairs + pair;
        let index = round as usize;
        let opening = match source {
            Source::Fixed(openings) => openings.get(index % openings.len().max(1)),
            Source::Random(openings) => {
                while openings.made().len() <= index {
                    openings.another()?;
                }
                openings.made().get(index)
            }
        };
        let opening =
            opening.ok_or_else(|| "expected at least one opening, found none".to_owned())?;
        for leg in 0..2 {
            games.push((GameId { round, engines: [0, 1], leg }, opening.clone()));
        }
    }
    Ok(games)
}

/// How a game ended.
struct Played {
    /// Of the first side.
    half_points: usize,
    /// What people should know.
    alarm: Option<String>,
}

/// Plays the games of an iteration; nothing if the run was stopped meanwhile.
fn iteration<V: Variant>(
    boards: &mut [Board<'_, V>],
    games: &[(GameId, Opening)],
    trial: &Trial,
) -> Result<Option<Vec<Played>>, String> {
    let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let results: Vec<_> = std::thread::scope(|scope| {
        let (next, over) = (&next, &over);
        let threads: Vec<_> = boards
            .iter_mut()
            .take(games.len())
            .map(|board| {
                scope.spawn(move || {
                    let mut played = Vec::new();
                    while !over.load(Ordering::Relaxed) {
                        let Some((id, opening)) = games.get(next.fetch_add(1, Ordering::Relaxed))
                        else {
                            break;
                        };
                        match board.play(*id, opening, trial) {
                            Ok(game) => played.push(game),
                            Err(failure) => {
                                over.store(true, Ordering::Relaxed);
                                return Err(failure);
                            }
                        }
                    }
                    Ok(played)
                })
            })
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect()
    });
    let mut all = Vec::new();
    let mut interrupted = false;
    for result in results {
        match result {
            Ok(played) => all.extend(played),
            Err(Failure::Interrupted) => interrupted = true,
            Err(failure) => return Err(format!("the engine: {failure}")),
        }
    }
    Ok((!interrupted && all.len() == games.len()).then_some(all))
}

/// A place to play at: two processes of the engine, kept from game to game.
struct Board<'a, V: Variant> {
    plan: &'a Plan,
    stopped: &'a Arc<AtomicBool>,
    watchdog: &'a Watchdog,
    seats: [Option<Session>; 2],
    game: std::marker::PhantomData<V>,
}

/// An engine that fails so often in a row before a game ends the run.
const MOST_FAILED_STARTS: u32 = 3;

/// How long the engine rests between two such starts.
const PAUSE: Duration = Duration::from_millis(100);

impl<'a, V: Variant> Board<'a, V> {
    fn new(plan: &'a Plan, stopped: &'a Arc<AtomicBool>, watchdog: &'a Watchdog) -> Self {
        Self { plan, stopped, watchdog, seats: [None, None], game: std::marker::PhantomData }
    }

    /// Plays a game between the two sides of a trial, and again where a stall decided it.
    fn play(&mut self, id: GameId, opening: &Opening, trial: &Trial) -> Result<Played, Failure> {
        let mut again = 0;
        let Finished { ending, detail, .. } = loop {
            let finished = self.finish(id, opening, trial)?;
            match finished.stall {
                Some(stall) if again < Finished::MOST_AGAIN => {
                    again += 1;
                    tell(&format!("{}\n", dropped("a game", stall)));
                }
                _ => break finished,
            }
        };
        let half_points = ending.half_points(id.first_is());
        let alarm = (!ending.reason.is_regular()).then(|| {
            let first_lost = ending.winner != Some(Side::from(id.first_is()));
            let values = if first_lost { &trial.plus } else { &trial.minus };
            format!("a loss by {}: {} [{opening}; {values:?}]", ending.reason, detail)
        });
        Ok(Played { half_points, alarm })
    }

    /// Plays a game to its end.
    fn finish(
        &mut self,
        id: GameId,
        opening: &Opening,
        trial: &Trial,
    ) -> Result<Finished, Failure> {
        let mut plus = self.seat(0, &trial.plus)?;
        let mut minus = self.seat(1, &trial.minus)?;
        let entrant = &self.plan.entrant;
        let contender =
            |session| Contender { session, limit: entrant.limit, margin: entrant.margin };
        let mut contenders = [contender(&mut plus), contender(&mut minus)];
        if id.first_is() == Color::White {
            contenders.reverse();
        }
        let result = play::<V>(opening, contenders, &self.plan.terms, self.watchdog);
        self.seats = [Some(plus), Some(minus)];
        result
    }

    /// The engine of a side, running, in order, and with these values.
    fn seat(&mut self, side: usize, values: &[i64]) -> Result<Session, Failure> {
        let entrant = &self.plan.entrant;
        let mut failed = 0;
        loop {
            // One that went wrong is not asked: dropping it kills it.
            let earlier = self.seats[side].take().filter(|session| !session.broken());
            let earlier = earlier.and_then(|mut session| match session.ended() {
                None => Some(session),
                Some(how) => {
                    tell(&format!(
                        "!!! the engine ended between two games ({how}) and is started again\n"
                    ));
                    None
                }
            });
            let session = match earlier {
                Some(session) if !entrant.config.restart => Ok(session),
                earlier => {
                    if let Some(session) = earlier {
                        session.quit();
                    }
                    entrant.start(self.plan.patience, self.stopped)
                }
            };
            let numbers = self.plan.names.iter().map(String::as_str).zip(values.iter().copied());
            let ready = session.and_then(|mut session| {
                session.set_numbers(numbers);
                session.new_game()?;
                Ok(session)
            });
            match ready {
                Err(failure @ (Failure::Interrupted | Failure::Setup(_))) => return Err(failure),
                Err(_) if failed + 1 < MOST_FAILED_STARTS => {
                    failed += 1;
                    if Waiting::up_to(PAUSE).unless(self.stopped).sleep() == Unmet::CalledOff {
                        return Err(Failure::Interrupted);
                    }
                }
                ready => return ready,
            }
        }
    }

    /// Ends the engines: politely first.
    fn quit(self) {
        for session in self.seats.into_iter().flatten() {
            session.quit();
        }
    }
}
