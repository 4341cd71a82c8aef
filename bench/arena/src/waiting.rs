//! Waiting with a deadline, and with a flag that calls it off.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often whoever waits looks whether that was called off.
const LOOK: Duration = Duration::from_millis(50);

/// Why waiting ended without what was waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unmet {
    /// The time is up.
    TimeUp,
    /// The flag was raised.
    CalledOff,
}

/// How long something is waited for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Waiting<'a> {
    deadline: Option<Instant>,
    flag: Option<&'a AtomicBool>,
}

impl<'a> Waiting<'a> {
    /// For up to `time` from now.
    pub(crate) fn up_to(time: Duration) -> Self {
        Self::until(Instant::now() + time)
    }

    /// Until `deadline`.
    pub(crate) fn until(deadline: Instant) -> Self {
        Self { deadline: Some(deadline), flag: None }
    }

    /// Only as long as `flag` is not raised.
    pub(crate) fn unless(self, flag: &'a AtomicBool) -> Self {
        Self { flag: Some(flag), ..self }
    }

    /// Waits until `look` has something. It is called again and again, with the time for which it may
    /// block, and once more when the time is up.
    ///
    /// # Errors
    /// Why there is nothing.
    pub(crate) fn wait<T>(self, mut look: impl FnMut(Duration) -> Option<T>) -> Result<T, Unmet> {
        loop {
            if self.flag.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(Unmet::CalledOff);
            }
            let left = self.deadline.map(|at| at.saturating_duration_since(Instant::now()));
            if let Some(found) = look(left.map_or(LOOK, |left| left.min(LOOK))) {
                return Ok(found);
            }
            if left.is_some_and(|left| left.is_zero()) {
                return Err(Unmet::TimeUp);
            }
        }
    }

    /// Sleeps through the time, and says why that ended.
    pub(crate) fn sleep(self) -> Unmet {
        let look = |time| {
            thread::sleep(time);
            None
        };
        match self.wait::<Infallible>(look) {
            Ok(never) => match never {},
            Err(why) => why,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_found_even_when_the_time_is_up() {
        assert_eq!(Waiting::up_to(Duration::ZERO).wait(|_| Some(7)), Ok(7));
        let (mut looks, time) = (Vec::new(), Duration::from_millis(120));
        let begun = Instant::now();
        let waited: Result<(), _> = Waiting::up_to(time).wait(|time| {
            looks.push(time);
            thread::sleep(time);
            None
        });
        assert_eq!(waited, Err(Unmet::TimeUp));
        assert!(begun.elapsed() >= time);
        // Never blocked for long, and once more in the end.
        assert!(looks.len() >= 2 && looks.iter().all(|&look| look <= LOOK), "{looks:?}");
        assert_eq!(looks.last(), Some(&Duration::ZERO));
    }

    #[test]
    fn a_flag_ends_every_waiting() {
        let flag = AtomicBool::new(false);
        let mut looks = 0;
        let waited = Waiting::default().unless(&flag).wait(|_| {
            looks += 1;
            flag.store(looks == 3, Ordering::Relaxed);
            None::<()>
        });
        assert_eq!((waited, looks), (Err(Unmet::CalledOff), 3));
        let hour = Waiting::up_to(Duration::from_secs(3600));
        assert_eq!(hour.unless(&flag).sleep(), Unmet::CalledOff);
        flag.store(false, Ordering::Relaxed);
        assert_eq!(Waiting::up_to(LOOK / 5).unless(&flag).sleep(), Unmet::TimeUp);
    }
}
