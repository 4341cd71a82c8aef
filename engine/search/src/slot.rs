//! Where an entry of the transposition table lies: two words that threads read and write without a lock.
//!
//! The low 48 bits of the check are those of the key XOR the data, so that an entry half written by another thread
//! fits no key (Hyatt and Mann, "A lock-less transposition table implementation for parallel search", ICGA Journal
//! 2002). The data is folded, its highest 16 bits XOR its lowest, so that all of it is checked.
//!
//! `tests/interleavings.rs` compiles this file once more, with atomics that try every order in which threads can see
//! each other's writes: it may use nothing of the crate but what that program puts in its place (`atomics`).

use crate::atomics::{AtomicU64, Ordering};

/// Position of the evaluation in the check, and number of the bits of the key below it.
pub(crate) const EVAL: u32 = 48;

/// The two words in memory.
#[derive(Default)]
pub(crate) struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// What one look at a slot found; the words may come from different writes.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    /// The seal, and the evaluation above it.
    pub(crate) check: u64,
    /// Everything else.
    pub(crate) data: u64,
}

impl Slot {
    /// Reads both words.
    #[inline(always)]
    pub(crate) fn load(&self) -> Words {
        let data = self.data.load(Ordering::Relaxed);
        Words { check: self.check.load(Ordering::Relaxed), data }
    }

    /// Writes both words.
    #[inline(always)]
    pub(crate) fn store(&self, words: Words) {
        self.data.store(words.data, Ordering::Relaxed);
        self.check.store(words.check, Ordering::Relaxed);
    }
}

/// The bits of the check that tell whether `data` belongs to the position with this key.
#[inline(always)]
pub(crate) const fn seal(key: u64, data: u64) -> u64 {
    (key ^ data ^ data >> EVAL) & ((1 << EVAL) - 1)
}

impl Words {
    /// Whether both words belong together, and to the position with this key.
    #[inline(always)]
    pub(crate) fn is_of(self, key: u64) -> bool {
        (self.check ^ seal(key, self.data)) << (u64::BITS - EVAL) == 0
    }
}
