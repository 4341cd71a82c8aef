//! The threads that search.

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Stack of a searching thread of several; one alone has that of its caller. A ply takes less than a kibibyte,
/// and lists of moves are kept elsewhere: this is plenty.
const STACK: usize = 16 << 20;

/// Most threads.
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

    /// Runs `job` with its number on each thread at once; the results in order of number. One alone is
    /// run by the caller: on a busy machine handing a search over, and its answer back, takes
    /// milliseconds that no clock of ours sees.
    pub(crate) fn broadcast<R: Send>(&self, job: impl Fn(usize) -> R + Sync) -> Vec<R> {
        match &self.threads {
            Some(pool) if self.size() > 1 => pool.broadcast(|context| job(context.index())),
            _ => vec![job(0)],
        }
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
        let pool = Pool::new(3);
        assert_eq!(pool.size(), 3);
        assert_eq!(pool.broadcast(|index| index * 10), [0, 10, 20]);
        let alone = Pool::new(0);
        assert_eq!(alone.size(), 1);
        let here = std::thread::current().id();
        assert_eq!(alone.broadcast(|index| (index, std::thread::current().id())), [(0, here)]);
    }
}
