//! The transposition table: what earlier searches found out about a position.
//!
//! Shared by all threads without locks: an entry is two words, its data and a check, that fit together only
//! if they were written together (`slot`). The high bits of the key choose the bucket.
//!
//! ```text
//!        63  62 58 57 56 55     48 47           32 31            0
//!       ┌───┬─────┬─────┬─────────┬───────────────┬───────────────┐
//! data  │was│ age │bound│  depth  │     score     │     move      │
//!       │PV │     │     │         │               │               │
//!       ├───┴─────┴─────┴─────────┼───────────────┴───────────────┤
//! check │     evaluation (16)     │     key XOR data, folded (48) │
//!       └─────────────────────────┴───────────────────────────────┘
//! ```

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "entries are packed into words"
)]

use kujira_position::Move;
use rayon::prelude::*;

use crate::params::{table_age, table_shallower};
use crate::report::Bound;
use crate::score::Value;
use crate::slot::{EVAL, Slot, Words, seal};
use crate::system;

const SCORE: u32 = 32;
const DEPTH: u32 = 48;
const BOUND: u32 = 56;
const AGE: u32 = 58;
const AGES: u8 = 32;
const WAS_PV: u32 = 63;

/// Stands for no evaluation.
const NO_EVAL: i16 = i16::MIN;

/// Memory that a table leaves to everything else, bytes.
const SPARED: u64 = 64 << 20;

/// Fewest buckets that are worth a thread of their own when memory is filled.
const PORTION: usize = 1 << 14;

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move found; it may be no legal move of the position that asks.
    pub best: Option<Move>,
    /// The score, wins counted from the node.
    pub score: Value,
    /// Plies searched below.
    pub depth: i32,
    /// How the score stands to the true one.
    pub bound: Bound,
    /// What the evaluation says of the position itself, before any correction, if it was noted.
    pub eval: Option<Value>,
    /// Whether the position was once on an expected line (the "ttPv" of Stockfish, 2018).
    pub was_pv: bool,
}

impl Words {
    /// The bound of the entry; `None` for a slot never written to.
    #[inline(always)]
    fn bound(self) -> Option<Bound> {
        match self.data >> BOUND & 3 {
            1 => Some(Bound::Exact),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Upper),
            _ => None,
        }
    }

    #[inline(always)]
    fn depth(self) -> i32 {
        i32::from((self.data >> DEPTH) as u8)
    }

    #[inline(always)]
    fn age(self) -> u8 {
        (self.data >> AGE) as u8 & (AGES - 1)
    }

    #[inline(always)]
    fn eval(self) -> i16 {
        (self.check >> EVAL) as i16
    }
}

/// A bucket: four slots in one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// There is no memory for a table of this size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected memory for the transposition table, found less")]
pub struct NoMemory;

/// The transposition table, shared by all threads.
pub struct Table {
    buckets: Vec<Bucket>,
    mebibytes: usize,
    age: u8,
    /// Whether no search has begun since all of it was empty.
    empty: bool,
}

impl Table {
    /// A table of one bucket, for a system without memory for more.
    pub fn smallest() -> Self {
        Self { buckets: vec![Bucket::default()], mebibytes: 0, age: 0, empty: true }
    }

    /// An empty table of `mebibytes` MiB (at least 1), filled on the threads of the current pool.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn new(mebibytes: usize) -> Result<Self, NoMemory> {
        let wanted = mebibytes.max(1);
        check_available(wanted, 0)?;
        Ok(Self { buckets: fill(wanted)?, mebibytes: wanted, age: 0, empty: true })
    }

    /// Gives the table another size, which empties it; the same size changes nothing. Works on the
    /// threads of the current pool.
    ///
    /// # Errors
    /// If there is no memory for it; then the table keeps its size, and what it holds unless there is no
    /// room for both and it had to go before the attempt.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), NoMemory> {
        let wanted = mebibytes.max(1);
        if wanted == self.mebibytes {
            return Ok(());
        }
        if let Ok(table) = Self::new(wanted) {
            *self = table;
            return Ok(());
        }
        // Both at a time may be more than there is.
        check_available(wanted, self.mebibytes)?;
        let kept = std::mem::replace(self, Self::smallest()).mebibytes;
        match Self::new(wanted) {
            Ok(table) => *self = table,
            Err(error) => {
                *self = Self::new(kept).unwrap_or_else(|_| Self::smallest());
                return Err(error);
            }
        }
        Ok(())
    }

    /// Size in MiB.
    pub fn mebibytes(&self) -> usize {
        self.mebibytes
    }

    /// Whether no search has begun since all of it was empty.
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// Forgets everything, on the threads of the current pool.
    pub fn clear(&mut self) {
        (self.age, self.empty) = (0, true);
        self.buckets.par_iter_mut().with_min_len(PORTION).for_each(|bucket| {
            *bucket = Bucket::default();
        });
    }

    /// Begins a new search: entries of earlier ones count less from now on.
    pub fn new_search(&mut self) {
        self.age = (self.age + 1) % AGES;
        self.empty = false;
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[high_product(key, self.buckets.len())]
    }

    /// Has the processor fetch what is known about the position with this key, for a probe that is
    /// soon to come.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: a hint that reads nothing and faults at no address.
            #[expect(unsafe_code, reason = "the intrinsic; see docs/decisions.md for its gain")]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(bucket.cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known about the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        for slot in &self.bucket(key).0 {
            let words = slot.load();
            if words.is_of(key)
                && let Some(bound) = words.bound()
            {
                let eval = words.eval();
                return Some(Entry {
                    best: Move::from_bits(words.data as u32),
                    score: Value::from((words.data >> SCORE) as i16),
                    depth: words.depth(),
                    bound,
                    eval: (eval != NO_EVAL).then(|| Value::from(eval)),
                    was_pv: words.data >> WAS_PV != 0,
                });
            }
        }
        None
    }

    /// Notes what was found out; a shallower entry or one of an earlier search makes room. A best
    /// move or an evaluation known before stays if there is no new one.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let mut chosen = None;
        let mut least = i32::MAX;
        for slot in &self.bucket(key).0 {
            let words = slot.load();
            if words.bound().is_none() || words.is_of(key) {
                chosen = Some((slot, words));
                break;
            }
            let old = self.age.wrapping_sub(words.age()) % AGES;
            let value = words.depth() - table_age() * i32::from(old);
            if value < least {
                least = value;
                chosen = Some((slot, words));
            }
        }
        let Some((slot, old)) = chosen else { return };
        let same = old.is_of(key) && old.bound().is_some();
        // A bound from a much shallower search, or quiescence, does not push out a deep result of
        // this one.
        if same
            && (entry.bound != Bound::Exact || entry.depth == 0)
            && old.age() == self.age
            && entry.depth + table_shallower() < old.depth()
        {
            return;
        }
        let was_pv = entry.was_pv || same && old.data >> WAS_PV != 0;
        let best = match entry.best {
            Some(best) => best.bits(),
            None if same => old.data as u32,
            None => 0,
        };
        let eval = match entry.eval {
            Some(eval) => eval.clamp(-Value::from(i16::MAX), Value::from(i16::MAX)) as i16,
            None if same => old.eval(),
            None => NO_EVAL,
        };
        let code = match entry.bound {
            Bound::Exact => 1_u64,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        let data = u64::from(best)
            | u64::from(entry.score as i16 as u16) << SCORE
            | (entry.depth.clamp(0, 255) as u64) << DEPTH
            | code << BOUND
            | u64::from(was_pv) << WAS_PV
            | u64::from(self.age) << AGE;
        let check = seal(key, data) | u64::from(eval as u16) << EVAL;
        slot.store(Words { check, data });
    }

    /// How much of the table the present search has filled, in permille, by a sample.
    pub fn permille(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let filled = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .filter(|slot| {
                let words = slot.load();
                words.bound().is_some() && words.age() == self.age
            })
            .count();
        (filled * 1000 / (sample.len() * 4)) as u32
    }
}

/// Refuses a table that would leave too little memory to everything else: most systems promise more
/// than they have, and end a process that takes them at their word. `returned` MiB are given back
/// before.
pub(crate) fn check_available(mebibytes: usize, returned: usize) -> Result<(), NoMemory> {
    let bytes = |mebibytes: usize| (mebibytes as u64).checked_mul(1 << 20);
    let needed = bytes(mebibytes).and_then(|bytes| bytes.checked_add(SPARED)).ok_or(NoMemory)?;
    let there = system::available()
        .map_or(u64::MAX, |free| free.saturating_add(bytes(returned).unwrap_or_default()));
    if needed <= there { Ok(()) } else { Err(NoMemory) }
}

/// Empty buckets. They are touched now, by all threads of the current pool: the first touch of a page
/// is slow, and would else be a part of the first search.
fn fill(mebibytes: usize) -> Result<Vec<Bucket>, NoMemory> {
    let count = mebibytes.checked_mul((1 << 20) / size_of::<Bucket>()).ok_or(NoMemory)?;
    // With addresses of 32 bits, 2048 MiB are one byte more than a vector may have.
    let count = count.min(isize::MAX as usize / size_of::<Bucket>());
    let mut buckets = Vec::new();
    buckets.try_reserve_exact(count).map_err(|_| NoMemory)?;
    system::advise_huge(&mut buckets);
    (0..count)
        .into_par_iter()
        .with_min_len(PORTION)
        .map(|_| Bucket::default())
        .collect_into_vec(&mut buckets);
    Ok(buckets)
}

/// The high half of the product: as even as the key, without a division.
#[inline(always)]
fn high_product(key: u64, len: usize) -> usize {
    #[cfg(target_pointer_width = "64")]
    let index = (u128::from(key) * len as u128) >> 64;
    // The same by halves, where a product of 128 bits is a call (2 to 4 % of the nodes a second of WebAssembly).
    #[cfg(not(target_pointer_width = "64"))]
    let index = {
        let (len, low) = (len as u64, key & 0xffff_ffff);
        ((key >> 32) * len + ((low * len) >> 32)) >> 32
    };
    index as usize
}

#[cfg(test)]
mod tests {
    use kujira_position::{Kind, Square};

    use super::*;

    fn entry(depth: i32, score: Value) -> Entry {
        let best = Move::drop(Kind::from_index(3), Square::from_index(70));
        Entry {
            best: Some(best),
            score,
            depth,
            bound: Bound::Lower,
            eval: Some(score / 2),
            was_pv: false,
        }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.probe(0), None);
        for (i, score) in [-31_999, -1, 0, 1, 32_000].into_iter().enumerate() {
            let key = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            table.store(key, entry(i as i32, score));
            assert_eq!(table.probe(key), Some(entry(i as i32, score)));
            assert_eq!(table.probe(key ^ 1), None);
        }
    }

    #[test]
    fn what_was_once_expected_stays_so_through_all_ages() {
        let mut table = Table::new(1).unwrap();
        table.store(7, Entry { was_pv: true, ..entry(2, 10) });
        for _ in 0..=AGES {
            table.new_search();
            table.store(7, entry(3, 20));
            assert_eq!(table.probe(7), Some(Entry { was_pv: true, ..entry(3, 20) }));
        }
        table.store(8, entry(2, 10));
        assert_eq!(table.probe(8), Some(entry(2, 10)));
    }

    #[test]
    fn move_and_evaluation_once_known_stay() {
        let table = Table::new(1).unwrap();
        table.store(7, entry(2, 10));
        let later = Entry {
            best: None,
            score: 20,
            depth: 3,
            bound: Bound::Upper,
            eval: None,
            was_pv: false,
        };
        table.store(7, later);
        assert_eq!(table.probe(7), Some(Entry { best: entry(0, 0).best, eval: Some(5), ..later }));
        // Of another position nothing is taken over.
        let table = Table::smallest();
        for key in 0..5 {
            table.store(key, if key < 4 { entry(1, 10) } else { later });
        }
        assert_eq!(table.probe(4), Some(later));
    }

    #[test]
    fn evaluations_beyond_the_range_are_cut_off() {
        let table = Table::smallest();
        for (given, found) in
            [(0, 0), (-7, -7), (32_767, 32_767), (-32_768, -32_767), (1 << 20, 32_767)]
        {
            table.store(3, Entry { eval: Some(given), ..entry(1, 0) });
            assert_eq!(table.probe(3).unwrap().eval, Some(found));
        }
    }

    #[test]
    fn half_an_entry_is_none() {
        let table = Table::smallest();
        let slot = &table.buckets[0].0[0];
        let written = |key, entry| {
            slot.store(Words { check: 0, data: 0 });
            table.store(key, entry);
            slot.load()
        };
        let of_one = written(1, entry(5, 100));
        let later = written(1, entry(6, 101));
        let of_two = written(2, entry(7, 102));
        for (first, second) in [(of_one, of_two), (of_two, of_one), (of_one, later)] {
            slot.store(Words { check: first.check, data: second.data });
            assert_eq!((table.probe(1), table.probe(2)), (None, None));
        }
        slot.store(of_two);
        assert_eq!(table.probe(2), Some(entry(7, 102)));
    }

    /// Threads that write the same few slots at once: whatever is found was stored so.
    #[test]
    fn threads_read_only_what_one_of_them_wrote() {
        let table = Table::smallest();
        let of = |number: u64, round: u64| Entry {
            eval: Some(round as Value % 1000 + number as Value),
            ..entry((round % 200) as i32, (round % 200) as Value + number as Value)
        };
        // Keys as different as those of positions: small numbers look like one another's data.
        let key = |number: u64| (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let seen: usize = std::thread::scope(|scope| {
            let threads = [1_u64, 2, 3].map(|seed| {
                let table = &table;
                scope.spawn(move || {
                    let mut seen = 0;
                    for round in 0..60_000 {
                        let number = (round * seed) % 6;
                        table.store(key(number), of(number, round));
                        let number = (round + seed) % 6;
                        if let Some(found) = table.probe(key(number)) {
                            assert_eq!(found.score, found.depth + number as Value);
                            assert_eq!(found.best, entry(0, 0).best);
                            seen += 1;
                        }
                    }
                    seen
                })
            });
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert!(seen > 1000, "{seen}");
    }

    #[test]
    fn a_prefetch_changes_nothing() {
        let table = Table::new(1).unwrap();
        table.store(9, entry(4, 50));
        for key in [0, 9, u64::MAX] {
            table.prefetch(key);
        }
        assert_eq!((table.probe(9), table.probe(0)), (Some(entry(4, 50)), None));
    }

    #[test]
    fn old_and_shallow_entries_make_room() {
        let mut table = Table::smallest();
        for (key, depth) in [(1_u64, 9), (2, 3), (3, 8), (4, 7)] {
            table.store(key, entry(depth, 0));
        }
        table.store(5, entry(1, 0));
        assert_eq!(table.probe(2), None);
        assert!(table.probe(1).is_some() && table.probe(5).is_some());
        assert_eq!(table.permille(), 1000);
        table.new_search();
        assert_eq!(table.permille(), 0);
        for key in 11..15 {
            table.store(key, entry(1, 0));
        }
        assert_eq!(table.probe(1), None, "an old deep entry gives way to a young shallow one");
        table.clear();
        assert_eq!(table.probe(14), None);
    }

    #[test]
    fn too_large_a_table_is_refused() {
        assert_eq!(Table::new(usize::MAX >> 22).err(), Some(NoMemory));
        assert_eq!(Table::new(usize::MAX).err(), Some(NoMemory));
        assert_eq!(Table::new(2).map(|table| table.mebibytes()), Ok(2));
    }

    #[test]
    fn more_memory_than_there_is_left_is_refused() {
        // The system would promise this much: nobody has touched it yet.
        let left = (system::available().unwrap() >> 20) as usize;
        assert_eq!(Table::new(2 * left).err(), Some(NoMemory));
        let mut table = Table::new(2).unwrap();
        table.store(7, entry(2, 10));
        assert_eq!(table.resize(2 * left), Err(NoMemory));
        assert_eq!((table.mebibytes(), table.probe(7)), (2, Some(entry(2, 10))));
    }

    #[test]
    fn another_size_empties_the_table() {
        let mut table = Table::new(1).unwrap();
        table.store(7, entry(2, 10));
        assert_eq!((table.resize(1), table.probe(7)), (Ok(()), Some(entry(2, 10))));
        assert_eq!((table.resize(5), table.mebibytes(), table.probe(7)), (Ok(()), 5, None));
        assert_eq!(table.buckets.len(), 5 << 14);
        assert_eq!((table.resize(0), table.mebibytes()), (Ok(()), 1));
    }
}
