//! What the compared positions contained, counted: a comparison that met nothing says nothing.

use std::collections::BTreeMap;

/// How often each thing was met, by its name.
#[derive(Clone, Default, Debug)]
pub struct Seen(BTreeMap<&'static str, usize>);

impl Seen {
    /// Notes that a thing was met `times` times.
    pub fn note(&mut self, thing: &'static str, times: usize) {
        if times > 0 {
            *self.0.entry(thing).or_default() += times;
        }
    }

    /// What was met in both, added up.
    pub fn plus(mut self, other: Self) -> Self {
        for (thing, times) in other.0 {
            self.note(thing, times);
        }
        self
    }

    /// How often a thing was met.
    pub fn count(&self, thing: &str) -> usize {
        self.0.get(thing).copied().unwrap_or(0)
    }

    /// Fails unless each thing was met at least as often as it says.
    pub fn assert_enough(&self, least: &[(&str, usize)]) {
        for &(thing, times) in least {
            assert!(self.count(thing) >= times, "too few {thing} to mean anything: {self:?}");
        }
    }
}
