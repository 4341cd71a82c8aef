//! The transposition table: what earlier searches found out about a position.
//!
//! Shared by all threads without locks: an entry is two words, its data and its key XOR its data, so
//! that an entry half written by another thread fits no key (Hyatt and Mann, "A lock-less
//! transposition table implementation for parallel search", ICGA Journal 2002).
//!
//! ```text
//! 63  58 57 56 55     48 47           32 31            0
//! ┌─────┬─────┬─────────┬───────────────┬───────────────┐
//! │ age │bound│  depth  │     score     │     move      │
//! └─────┴─────┴─────────┴───────────────┴───────────────┘
//! ```

use std::sync::atomic::{AtomicU64, Ordering};

use kujira_position::Move;
use rayon::prelude::*;

use crate::report::Bound;
use crate::score::Value;

const SCORE: u32 = 32;
const DEPTH: u32 = 48;
const BOUND: u32 = 56;
const AGE: u32 = 58;
const AGES: u8 = 64;

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
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Four slots: a cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// There is no memory for a table of this size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoMemory;

/// The table.
pub struct Table {
    buckets: Vec<Bucket>,
    mebibytes: usize,
    age: u8,
}

impl Table {
    /// A table of one bucket, for want of memory.
    pub fn smallest() -> Self {
        Self { buckets: vec![Bucket::default()], mebibytes: 0, age: 0 }
    }

    /// An empty table.
    pub fn new(mebibytes: usize) -> Result<Self, NoMemory> {
        let wanted = mebibytes.max(1);
        let count = wanted.checked_mul((1 << 20) / size_of::<Bucket>()).ok_or(NoMemory)?;
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| NoMemory)?;
        // The first touch of each page is slow: all threads share it.
        (0..count).into_par_iter().map(|_| Bucket::default()).collect_into_vec(&mut buckets);
        Ok(Self { buckets, mebibytes: wanted, age: 0 })
    }

    /// Size in MiB.
    pub fn mebibytes(&self) -> usize {
        self.mebibytes
    }

    /// Forgets everything, on the threads of the current pool.
    pub fn clear(&mut self) {
        self.age = 0;
        self.buckets.par_iter_mut().with_min_len(1 << 12).for_each(|bucket| {
            *bucket = Bucket::default();
        });
    }

    /// A new search begins: entries of earlier ones are worth less from now.
    pub fn new_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        // The high half of the product: as even as the key, without a division.
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// What is known about the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key
                && let Some(bound) = bound(data)
            {
                return Some(Entry {
                    best: Move::from_bits(data as u32),
                    score: Value::from((data >> SCORE) as i16),
                    depth: depth(data),
                    bound,
                });
            }
        }
        None
    }

    /// Notes what was found out; a shallower entry or one of an earlier search makes room.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let mut chosen = None;
        let mut least = i32::MAX;
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if bound(data).is_none() || slot.check.load(Ordering::Relaxed) ^ data == key {
                chosen = Some((slot, data));
                break;
            }
            let old = self.age.wrapping_sub((data >> AGE) as u8) % AGES;
            let worth = depth(data) - 8 * i32::from(old);
            if worth < least {
                least = worth;
                chosen = Some((slot, data));
            }
        }
        let Some((slot, old)) = chosen else { return };
        let same = slot.check.load(Ordering::Relaxed) ^ old == key && bound(old).is_some();
        // A bound from a much shallower search does not push out a deep result of this one.
        if same
            && entry.bound != Bound::Exact
            && (old >> AGE) as u8 == self.age
            && entry.depth + 3 < depth(old)
        {
            return;
        }
        let best = match entry.best {
            Some(best) => best.bits(),
            None if same => old as u32,
            None => 0,
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
            | u64::from(self.age) << AGE;
        slot.data.store(data, Ordering::Relaxed);
        slot.check.store(data ^ key, Ordering::Relaxed);
    }

    /// How much of the table the present search has filled, in permille, by a sample.
    pub fn permille(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let filled = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .filter(|slot| {
                let data = slot.data.load(Ordering::Relaxed);
                bound(data).is_some() && (data >> AGE) as u8 == self.age
            })
            .count();
        (filled * 1000 / (sample.len() * 4)) as u32
    }
}

#[inline(always)]
fn depth(data: u64) -> i32 {
    i32::from((data >> DEPTH) as u8)
}

/// `None` for a slot never written to.
#[inline(always)]
fn bound(data: u64) -> Option<Bound> {
    match data >> BOUND & 3 {
        1 => Some(Bound::Exact),
        2 => Some(Bound::Lower),
        3 => Some(Bound::Upper),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Kind, Square};

    use super::*;

    fn entry(depth: i32, score: Value) -> Entry {
        let best = Move::drop(Kind::from_index(3), Square::from_index(70));
        Entry { best: Some(best), score, depth, bound: Bound::Lower }
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
    fn a_move_once_known_stays() {
        let table = Table::new(1).unwrap();
        table.store(7, entry(2, 10));
        table.store(7, Entry { best: None, score: 20, depth: 3, bound: Bound::Upper });
        let found = table.probe(7).unwrap();
        assert_eq!((found.best, found.score, found.bound), (entry(0, 0).best, 20, Bound::Upper));
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
}
