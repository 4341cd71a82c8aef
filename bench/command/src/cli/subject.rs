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

use super::matches::{PlayArgs, check_length, check_prefix, entrants, stop_on_interrupt};

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
    /// The openings given.
    pub(super) fixed: Option<Vec<Opening>>,
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
        check_prefix(&play.out)?;
        play.openings.check::<V>(play.rules.rules(), false)?;
        let stopped = stop_on_interrupt()?;
        let timeouts = play.limits.timeouts();
        let entrant = entrants(play, groups, timeouts, &stopped)?
            .pop()
            .ok_or_else(|| "expected an engine, found none".to_owned())?;
        let session = entrant
            .start(timeouts, &stopped)
            .map_err(|error| format!("{}: {error}", entrant.player.name))?;
        let spins = session.spins().collect();
        session.quit();
        let mut outputs = play.inputs([&entrant]);
        own(&mut outputs);
        outputs.check()?;
        let rules = play.rules.rules();
        let fixed = play.openings.fixed::<V>(rules)?;
        check_length(play, fixed.as_deref())?;
        let entrants = std::slice::from_ref(&entrant);
        play.openings.check_spelling::<V>(fixed.as_deref(), entrants, rules)?;
        let (header, complaints) = entrant.header(timeouts);
        for complaint in complaints {
            tell(&format!("{complaint}\n"));
        }
        Ok(Self { stopped, timeouts, entrant, header, spins, fixed })
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

    /// Where games begin; `made` are the random openings of an earlier run.
    ///
    /// # Errors
    /// If the engine cannot judge openings, or one made earlier is none.
    pub(super) fn source<V: Variant>(
        &self,
        play: &PlayArgs,
        made: &mut Vec<Opening>,
    ) -> Result<Source<V>, String> {
        if let Some(openings) = &self.fixed {
            return Ok(Source::Fixed(openings.clone()));
        }
        let seed = play.openings.seed ^ OWN_OPENINGS;
        let (rules, judge, made) = (play.rules.rules(), &self.entrant.config, std::mem::take(made));
        let openings = play.openings.random(seed, rules, judge, self.timeouts, &self.stopped, made);
        Ok(Source::Random(Box::new(openings?)))
    }
}
