//! The threads that search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::Result;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Stack of a searching thread; the first has that of its caller. A ply takes less than a kibibyte,
/// and lists of moves are kept elsewhere: this is plenty.
const STACK: usize = 16 << 20;

/// The most threads of a pool.
const MOST: usize = 1024;

/// A pool of threads for searching, perft and clearing tables.
pub(crate) struct Pool {
    threads: Option<ThreadPool>,
}

impl Pool {
    /// A pool of `threads` threads, or of as many as there can be.
    pub(crate) fn new(threads: usize) -> Self {
        let mut wanted = threads.clamp(1, MOST);
        loop {
            let pool = ThreadPoolBuilder::new()
                .num_threads(wanted)
                .stack_size(STACK)
                .thread_name(|index| format!("search {index}"))
                .build();
            if let Ok(pool) = pool {
                return Self { threads: Some(pool) };
            }
            if wanted == 1 {
                return Self { threads: None };
            }
            wanted /= 2;
        }
    }

    /// How many threads there are.
    pub(crate) fn size(&self) -> usize {
        self.threads.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Runs `job` once a thread, all at once, with the number of each; returns the results in order of number,
    /// and the panic of a thread in place of its result, unless it is the first. The caller runs the first job
    /// itself: on a busy machine, handing over a search and its answer takes milliseconds that no clock of ours
    /// sees.
    pub(crate) fn broadcast<R: Send>(&self, job: impl Fn(usize) -> R + Sync) -> Vec<Result<R>> {
        let mut others: Vec<Option<Result<R>>> = (1..self.size()).map(|_| None).collect();
        let job = &job;
        let first = match &self.threads {
            Some(pool) if !others.is_empty() => pool.in_place_scope(|scope| {
                for (place, index) in others.iter_mut().zip(1..) {
                    scope.spawn(move |_| {
                        *place = Some(catch_unwind(AssertUnwindSafe(|| job(index))));
                    });
                }
                job(0)
            }),
            _ => job(0),
        };
        std::iter::once(Ok(first)).chain(others.into_iter().flatten()).collect()
    }

    /// Runs `job` so that what it does in parallel is done by this pool.
    pub(crate) fn install<R: Send>(&self, job: impl FnOnce() -> R + Send) -> R {
        match &self.threads {
            Some(pool) => pool.install(job),
            None => job(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_takes_part() {
        let here = std::thread::current().id();
        for (wanted, size) in [(3, 3), (0, 1)] {
            let pool = Pool::new(wanted);
            assert_eq!(pool.size(), size);
            let answers = pool.broadcast(|index| (index, std::thread::current().id() == here));
            let answers: Vec<_> = answers.into_iter().flatten().collect();
            let expected: Vec<_> = (0..size).map(|index| (index, index == 0)).collect();
            assert_eq!(answers, expected);
        }
    }

    #[test]
    fn a_panic_of_another_thread_is_survived() {
        let answers = Pool::new(3).broadcast(|index| {
            assert!(index != 1, "as asked");
            index
        });
        let answers: Vec<_> = answers.into_iter().map(Result::ok).collect();
        assert_eq!(answers, [Some(0), None, Some(2)]);
    }
}
