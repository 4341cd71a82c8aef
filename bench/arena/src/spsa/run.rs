//! The games of a tuning run.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use kujira_position::Variant;
use kujira_program::status::tell;
use kujira_record::played::GameId;
use kujira_usi::Side;

use crate::crew::{Crew, End, Games, Played, Task};
use crate::engine::Timeouts;
use crate::entrant::Entrant;
use crate::game::{Finished, GameRules};
use crate::match_openings::{MatchOpenings, Source};

use super::journal::{IterationRecord, Line, Opened};
use super::{Trial, Tuner};

/// How a tuning run is played.
#[derive(Clone, Debug)]
pub struct SpsaSpec {
    /// The engine, which plays both sides.
    pub entrant: Entrant,
    /// The names of the numbers, in the tuner's order.
    pub names: Vec<String>,
    /// Pairs of games an iteration.
    pub pairs: u32,
    /// What holds for every game.
    pub game_rules: GameRules,
    /// Games at a time.
    pub concurrency: usize,
    /// How long to wait for the engine.
    pub timeouts: Timeouts,
    /// Iterations from one shown to the next.
    pub every: u32,
}

/// Plays a run to its end, or until `stopped` is set; returns its state.
///
/// # Errors
/// If the engine cannot be started, openings run out, or the file cannot be written. Finished
/// iterations are on disk even then.
pub fn run<V: Variant>(
    spec: &SpsaSpec,
    opened: Opened,
    source: Source<V>,
    stopped: &AtomicBool,
) -> Result<Tuner, String> {
    let Opened { mut journal, path, mut tuner, .. } = opened;
    if tuner.iteration() > 0 {
        tell(&format!("taking up the run after {} iterations\n", tuner.iteration()));
    }
    // Both sides are the engine, told other numbers.
    let mut entrant = spec.entrant.clone();
    "the engine".clone_into(&mut entrant.player.name);
    let openings = MatchOpenings::unwritten(source);
    let crew = Crew::<V> {
        entrants: &[entrant.clone(), entrant],
        game_rules: &spec.game_rules,
        timeouts: spec.timeouts,
        // More threads than games would each start engines of their own.
        concurrency: spec.concurrency.min(2 * spec.pairs as usize),
        openings: &openings,
        forfeits: false,
        say: &|text| tell(&format!("{text}\n")),
    };
    let result = crew.play(stopped, |mut games| {
        let (started, first) = (Instant::now(), tuner.iteration());
        let mut sum = [0; 3];
        while let Some(trial) = tuner.trial().filter(|_| !stopped.load(Ordering::Relaxed)) {
            let Some(record) = iteration(spec, &mut games, tuner.iteration(), &trial)? else {
                // Stopped; games of an iteration that is not finished are dropped.
                break;
            };
            let number = record.number;
            sum.iter_mut().zip(record.games).for_each(|(sum, games)| *sum += games);
            tuner.learn(&trial, record.score());
            let record = IterationRecord { values: tuner.values().to_vec(), ..record };
            journal
                .append(&[Line::Iteration(Box::new(record))])
                .map_err(|error| format!("{}: {error}", path.display()))?;
            if number.is_multiple_of(spec.every.max(1)) {
                let [wins, draws, losses]: [u32; 3] = std::mem::take(&mut sum);
                let an_hour = f64::from(number - first) / started.elapsed().as_secs_f64() * 3600.0;
                tell(&format!(
                    "iteration {number}: +{wins} ={draws} -{losses}, {an_hour:.0} iterations an hour | {}\n",
                    tuner.line()
                ));
            }
        }
        Ok(tuner)
    })?;
    openings.finish();
    result
}

/// Plays an iteration (from 0): pairs from one opening, colours swapped. Nothing if the run was stopped meanwhile.
fn iteration(
    spec: &SpsaSpec,
    games: &mut Games<'_>,
    iteration: u32,
    trial: &Trial,
) -> Result<Option<IterationRecord>, String> {
    let sides = [&trial.plus, &trial.minus];
    for round in iteration * spec.pairs..(iteration + 1) * spec.pairs {
        for leg in 0..2 {
            let named = |side: &Vec<i64>| spec.names.iter().cloned().zip(side.clone()).collect();
            let numbers = sides.map(named).into();
            games.deal(Task { id: GameId { round, engines: [0, 1], leg }, numbers });
        }
    }
    let mut record = IterationRecord {
        number: iteration + 1,
        plus: trial.plus.clone(),
        minus: trial.minus.clone(),
        games: [0; 3],
        openings: Vec::new(),
        values: Vec::new(),
    };
    let mut openings = BTreeMap::new();
    while games.open() > 0 {
        let (played, end) = games.collect();
        for Played { id, opening, finished: Finished { ending, detail, .. }, .. } in played {
            record.games[2 - ending.half_points(id.first_is())] += 1;
            if !ending.reason.is_regular() {
                let first_lost = ending.winner != Some(Side::from(id.first_is()));
                let values = sides[usize::from(!first_lost)];
                let number = record.number;
                tell(&format!(
                    "!!! iteration {number}: a loss by {}: {detail} [{opening}; {values:?}]\n",
                    ending.reason
                ));
            }
            openings.insert(id.round, opening.to_string());
        }
        match end {
            None => {}
            Some(End::Stopped) if games.open() > 0 => return Ok(None),
            // All of it was finished by then.
            Some(End::Stopped) => {}
            Some(End::Failed(error)) => return Err(error),
        }
    }
    record.openings = openings.into_values().collect();
    Ok(Some(record))
}
