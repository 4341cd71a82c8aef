//! Processor time of this program and of the engines it ran.

use std::fmt;
use std::time::Duration;

/// Processor time, of all threads and in user and system mode together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProcessorTime {
    /// Of the runner.
    pub own: Duration,
    /// Of engines that have ended.
    pub engines: Duration,
}

impl ProcessorTime {
    /// What was used since the program began; nothing where the system does not tell.
    #[cfg(unix)]
    #[must_use]
    pub fn now() -> Option<Self> {
        use nix::sys::resource::{UsageWho, getrusage};
        use nix::sys::time::TimeVal;
        let duration = |time: TimeVal| {
            let (seconds, micros) = (u64::try_from(time.tv_sec()), u64::try_from(time.tv_usec()));
            Some(Duration::from_secs(seconds.ok()?) + Duration::from_micros(micros.ok()?))
        };
        let used = |who| {
            let usage = getrusage(who).ok()?;
            Some(duration(usage.user_time())? + duration(usage.system_time())?)
        };
        let (own, engines) = (UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN);
        Some(Self { own: used(own)?, engines: used(engines)? })
    }

    /// What was used since the program began; nothing where the system does not tell.
    #[cfg(not(unix))]
    #[must_use]
    pub fn now() -> Option<Self> {
        None
    }

    /// The runner's time as a share of the engines', in percent; 0 if they used none.
    #[must_use]
    pub fn percent(self) -> f64 {
        if self.engines.is_zero() {
            return 0.0;
        }
        self.own.as_secs_f64() / self.engines.as_secs_f64() * 100.0
    }
}

impl fmt::Display for ProcessorTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (own, engines) = (self.own.as_secs_f64(), self.engines.as_secs_f64());
        write!(
            f,
            "{engines:.2} s for the engines, {own:.2} s ({:.1} %) for the runner",
            self.percent()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_engines_time() {
        let time = |own, engines| ProcessorTime {
            own: Duration::from_millis(own),
            engines: Duration::from_millis(engines),
        };
        let text = time(250, 10_000).to_string();
        assert_eq!(text, "10.00 s for the engines, 0.25 s (2.5 %) for the runner");
        assert_eq!(time(250, 0).percent(), 0.0);
    }

    #[cfg(unix)]
    #[test]
    fn time_goes_on() {
        let before = ProcessorTime::now().unwrap();
        let begun = std::time::Instant::now();
        while ProcessorTime::now().unwrap().own == before.own {
            assert!(begun.elapsed() < Duration::from_secs(60), "no processor time in a minute");
        }
    }
}
