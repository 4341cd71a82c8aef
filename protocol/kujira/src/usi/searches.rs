//! The searches that have been asked for and not yet answered: how the reader reaches them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kujira_search::{Control, Limits, Times};
use kujira_usi::Clocks;

use super::go::{limited, over};

/// Requests that can be stopped, in the order in which they were read. The first may be running, the
/// others wait for it.
#[derive(Debug, Default)]
pub(crate) struct Searches {
    open: Mutex<Vec<Open>>,
}

#[derive(Debug)]
struct Open {
    control: Arc<Control>,
    task: Task,
    /// Clocks it was given.
    times: Option<Times>,
    /// Whether its turn has come: it runs.
    begun: bool,
    /// Number of `readyok` owed as soon as its turn has come.
    pings: usize,
}

/// When an `isready` is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ready {
    /// At once, by the reader: a search is running.
    Now,
    /// When the first of the searches read before it begins, which may go on for ever.
    WithSearch,
    /// When everything read before it is done.
    InTurn,
}

/// The kind of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// A search that ends by itself.
    Limited,
    /// A search that waits for a stop.
    Infinite,
    /// A search that waits for a ponder hit or a stop.
    Ponder(AfterHit),
    /// Perft or bench: let finish when the input ends, so that commands can be piped in.
    Count,
}

/// What a search does after its ponder hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AfterHit {
    /// The search ends by itself.
    Limited,
    /// The search ends by itself if the hit brought times, and else waits for a stop.
    Untold,
    /// The search waits for a stop.
    Infinite,
}

impl Task {
    pub(crate) fn of(limits: &Limits) -> Self {
        match (limits.ponder, limits.infinite, limited(limits)) {
            (true, true, _) => Self::Ponder(AfterHit::Infinite),
            (true, false, true) => Self::Ponder(AfterHit::Limited),
            (true, false, false) => Self::Ponder(AfterHit::Untold),
            (false, false, true) => Self::Limited,
            // One without a limit looks for a mate for as long as it takes.
            (false, ..) => Self::Infinite,
        }
    }
}

impl Open {
    /// Whether the search would go on for ever if nothing more came.
    fn waits(&self) -> bool {
        match self.task {
            Task::Infinite => true,
            Task::Ponder(after) => {
                self.control.ponder_hit_at().is_none_or(|(_, times)| match after {
                    AfterHit::Limited => false,
                    AfterHit::Untold => times.is_none(),
                    AfterHit::Infinite => true,
                })
            }
            Task::Limited | Task::Count => false,
        }
    }
}

impl Searches {
    fn open(&self) -> MutexGuard<'_, Vec<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a request that has just been read. Its clock runs from now. A new search ends those
    /// before it that would wait for ever.
    pub(crate) fn begin(&self, task: Task, times: Option<Times>) -> Arc<Control> {
        let control = Arc::new(Control::new());
        let mut open = self.open();
        if task != Task::Count {
            let waiting = open.iter().filter(|search| search.waits());
            waiting.for_each(|search| search.control.stop());
        }
        open.push(Open { control: Arc::clone(&control), task, times, begun: false, pings: 0 });
        control
    }

    /// The turn of a request has come. Returns how many `readyok` are owed now.
    pub(crate) fn start(&self, control: &Arc<Control>) -> usize {
        let mut open = self.open();
        let started = open.iter_mut().find(|request| Arc::ptr_eq(&request.control, control));
        started.map_or(0, |request| {
            request.begun = true;
            std::mem::take(&mut request.pings)
        })
    }

    /// Stops everything that has been asked for.
    pub(crate) fn stop_all(&self) {
        self.open().iter().for_each(|search| search.control.stop());
    }

    /// Stops every search, but lets perft and bench finish.
    pub(crate) fn close(&self) {
        let open = self.open();
        let searches = open.iter().filter(|search| search.task != Task::Count);
        searches.for_each(|search| search.control.stop());
    }

    /// Tells the latest search that ponders that its move was played; `false` if there is none. If the times that
    /// came with it were `garbled` and there is nothing else to end it by, it ends now.
    pub(crate) fn ponder_hit(&self, clocks: &Clocks, garbled: bool) -> bool {
        let open = self.open();
        let ponders = |search: &&Open| {
            matches!(search.task, Task::Ponder(_)) && search.control.ponder_hit_at().is_none()
        };
        let Some(search) = open.iter().rev().find(ponders) else { return false };
        let times = over(clocks, search.times);
        search.control.ponder_hit(times);
        if garbled && times.is_none() && search.task == Task::Ponder(AfterHit::Untold) {
            search.control.stop();
        }
        true
    }

    /// When to answer an `isready` that has just been read; one that is owed [`Ready::WithSearch`] is
    /// noted. Only searches nobody has told to end count: after a `stop` there is time to get ready.
    /// Nor do perft and bench: people type them, and wait for their end with `isready`.
    pub(crate) fn ping(&self) -> Ready {
        let mut open = self.open();
        let first = open
            .iter_mut()
            .find(|request| request.task != Task::Count && !request.control.stopped());
        match first {
            None => Ready::InTurn,
            Some(search) if search.begun => Ready::Now,
            Some(search) => {
                search.pings += 1;
                Ready::WithSearch
            }
        }
    }

    /// Forgets a request that is about to be answered.
    pub(crate) fn finish(&self, control: &Arc<Control>) {
        self.open().retain(|search| !Arc::ptr_eq(&search.control, control));
    }
}

#[cfg(test)]
mod tests {
    use kujira_usi::Protocol;

    use super::super::go::Go;
    use super::*;

    #[test]
    fn what_a_search_waits_for_is_told_by_what_was_asked() {
        for (asked, task) in [
            ("depth 99", Task::Limited),
            ("depth 100", Task::Limited),
            ("depth 101", Task::Limited),
            ("mate 3 depth 100", Task::Limited),
            ("mate 3", Task::Infinite),
            ("mate 3 infinite", Task::Infinite),
            ("mate 0", Task::Limited),
            ("", Task::Infinite),
            ("depth 4 infinite", Task::Infinite),
            ("ponder depth 100", Task::Ponder(AfterHit::Limited)),
            ("ponder mate 3", Task::Ponder(AfterHit::Untold)),
            ("ponder", Task::Ponder(AfterHit::Untold)),
            ("ponder infinite", Task::Ponder(AfterHit::Infinite)),
        ] {
            let go = Go::from(kujira_usi::Go::read(asked, Protocol::Uci));
            assert_eq!(Task::of(&go.limits), task, "{asked}");
        }
    }

    #[test]
    fn a_ping_is_answered_when_the_first_search_begins() {
        let searches = Searches::default();
        assert_eq!(searches.ping(), Ready::InTurn);
        let count = searches.begin(Task::Count, None);
        assert_eq!((searches.ping(), searches.start(&count)), (Ready::InTurn, 0));
        searches.finish(&count);
        let first = searches.begin(Task::Limited, None);
        let second = searches.begin(Task::Limited, None);
        assert_eq!((searches.ping(), searches.ping()), (Ready::WithSearch, Ready::WithSearch));
        assert_eq!(searches.start(&first), 2);
        assert_eq!(searches.ping(), Ready::Now);
        // One told to end is no reason to answer at once, but the next one may take long.
        first.stop();
        assert_eq!(searches.ping(), Ready::WithSearch);
        searches.finish(&first);
        assert_eq!((searches.start(&second), searches.start(&second)), (1, 0));
        searches.stop_all();
        assert_eq!(searches.ping(), Ready::InTurn);
    }
}
