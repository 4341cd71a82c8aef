//! What `spsa` and `factorial` begin with: one engine, its numbers, and where games begin.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kujira_position::Variant;
use kujira_program::outputs::Outputs;
use kujira_program::status::tell;
use kujira_usi::Spin;

use kujira_arena::engine::Timeouts;
use kujira_arena::entrant::Entrant;
use kujira_arena::header::EngineHeader;
use kujira_arena::match_openings::Source;
use kujira_arena::openings::Opening;
use kujira_arena::starts::Starts;

use super::matches::{PlayArgs, check_prefix, entrants, stop_on_interrupt};

/// An engine that plays itself, with other numbers on either side.
pub(super) struct Subject {
    /// Set by Ctrl-C.
    pub(super) stopped: Arc<AtomicBool>,
    pub(super) timeouts: Timeouts,
    pub(super) entrant: Entrant,
    /// What the journal remembers of the engine.
    pub(super) header: EngineHeader,
    /// The whole numbers that it declares.
    spins: Vec<Spin>,
    /// Where games begin.
    pub(super) starts: Starts,
}

/// Makes the random openings of a seed others than those that `match`, `sprt` and `openings` make of it: a
/// match that judges what was found must not begin from what it was found on.
const OWN_OPENINGS: u64 = 0x6b75_6a69_7261_7370;

impl Subject {
    /// Meets the engine and reads the openings; `own` names the files that are written, which may be none of these.
    ///
    /// # Errors
    /// What is wrong with the arguments or the engine.
    pub(super) fn meet<V: Variant>(
        play: &PlayArgs,
        groups: &[Vec<String>],
        own: impl FnOnce(&mut Outputs),
    ) -> Result<Self, String> {
        if groups.len() != 1 {
            return Err(format!("expected --engine once, found it {} times", groups.len()));
        }
        let instead = "--concurrency plays several games at a time on it";
        play.share.refuse("a tuning run", instead)?;
        check_prefix(&play.out)?;
        let starts = play.openings.read::<V>(play.rules.rules(), false)?;
        let stopped = stop_on_interrupt()?;
        let timeouts = play.limits.timeouts();
        let mut outputs = play.outputs();
        own(&mut outputs);
        let entrant = entrants(play, groups, &play.out, outputs, &stopped)?
            .pop()
            .ok_or_else(|| "expected an engine, found none".to_owned())?;
        let session = entrant
            .start(timeouts, &stopped)
            .map_err(|error| format!("{}: {error}", entrant.player.name))?;
        let spins = session.spins().collect();
        session.quit();
        starts.check::<V>(play.ending.max_plies, std::slice::from_ref(&entrant))?;
        let (header, complaints) = entrant.header(timeouts);
        for complaint in complaints {
            tell(&format!("{complaint}\n"));
        }
        Ok(Self { stopped, timeouts, entrant, header, spins, starts })
    }

    /// The numbers as the engine declares them, beginning where its words put them.
    pub(super) fn spins(&self) -> impl Iterator<Item = Spin> {
        self.spins.iter().map(|spin| {
            let mut set = self.entrant.config.options.iter().rev();
            let set = set.find(|(name, _)| spin.name.eq_ignore_ascii_case(name));
            let default = set.and_then(|(_, value)| value.parse().ok()).unwrap_or(spin.default);
            Spin { default, ..spin.clone() }
        })
    }

    /// The number of this name, spelt as it is here: a run that was begun with that goes on.
    ///
    /// # Errors
    /// Which there are.
    pub(super) fn spin(&self, name: &str) -> Result<Spin, String> {
        let found = self.spins().find(|spin| spin.name.eq_ignore_ascii_case(name));
        found.map(|spin| Spin { name: name.to_owned(), ..spin }).ok_or_else(|| {
            format!(
                "expected names of the engine's whole numbers ({}), found \"{name}\"",
                self.list()
            )
        })
    }

    /// The names of all numbers.
    pub(super) fn list(&self) -> String {
        self.spins.iter().map(|spin| &spin.name[..]).collect::<Vec<_>>().join(", ")
    }

    /// The openings; `made` are the random ones of an earlier run.
    ///
    /// # Errors
    /// If the engine cannot judge openings, or one made earlier is none.
    pub(super) fn source<V: Variant>(&self, made: Vec<Opening>) -> Result<Source<V>, String> {
        let (seed, judge) = (self.starts.seed ^ OWN_OPENINGS, &self.entrant.config);
        self.starts.source(seed, judge, self.timeouts, &self.stopped, made)
    }
}
