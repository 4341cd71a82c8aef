//! Counts of positions met before, by which perft does not count the same tree again.

use std::sync::atomic::{AtomicU64, Ordering};

use kujira_position::{Color, Leaves, Move, Position, Variant, perft};

use super::tree::MoveTree;
use crate::tt::{NoMemory, check_available};

/// Plies from which a tree is worth a place: two are counted sooner than looked up.
const WORTH: u32 = 3;

/// Where the plies stand in a word of data, above the count.
const PLIES: u32 = 56;

/// A count, without locks: the keys are mixed with the data, so that words that were not written together fit no
/// position.
#[derive(Default)]
struct Slot {
    key: AtomicU64,
    check: AtomicU64,
    data: AtomicU64,
}

/// What a position is known by: 128 bits, for a wrong count among 10¹⁰ lookups would not be noticed.
#[derive(Clone, Copy)]
struct Name {
    key: u64,
    check: u64,
}

/// The counts of positions met before, shared by all threads. Of two places the first keeps the deepest tree, the
/// second the last one.
pub struct CountTable {
    buckets: Vec<[Slot; 2]>,
}

impl CountTable {
    /// A table of so many MiB.
    ///
    /// # Errors
    /// If there is not as much memory.
    pub fn new(mebibytes: usize) -> Result<Self, NoMemory> {
        check_available(mebibytes, 0)?;
        let count = mebibytes.checked_mul((1 << 20) / size_of::<[Slot; 2]>()).ok_or(NoMemory)?;
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count.max(1)).map_err(|_| NoMemory)?;
        buckets.resize_with(count.max(1), Default::default);
        Ok(Self { buckets })
    }

    fn bucket(&self, name: Name) -> Option<&[Slot; 2]> {
        let place = (u128::from(name.key) * self.buckets.len() as u128) >> 64;
        self.buckets.get(usize::try_from(place).ok()?)
    }

    fn get(&self, name: Name, plies: u32) -> Option<u64> {
        self.bucket(name)?.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let fits = slot.key.load(Ordering::Relaxed) == name.key ^ data
                && slot.check.load(Ordering::Relaxed) == name.check ^ data
                && data >> PLIES == u64::from(plies);
            fits.then_some(data & ((1 << PLIES) - 1))
        })
    }

    fn put(&self, name: Name, plies: u32, count: u64) {
        if count >> PLIES != 0 {
            return;
        }
        let Some([deepest, last]) = self.bucket(name) else { return };
        let deeper = deepest.data.load(Ordering::Relaxed) >> PLIES > u64::from(plies);
        let slot = if deeper { last } else { deepest };
        let data = u64::from(plies) << PLIES | count;
        slot.data.store(data, Ordering::Relaxed);
        slot.key.store(name.key ^ data, Ordering::Relaxed);
        slot.check.store(name.check ^ data, Ordering::Relaxed);
    }
}

/// Mixes all bits of a number: the end of SplitMix64 (Steele, Lea, Flood 2014).
fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// What a position and a number of plies are known by: its Zobrist key, and another one made anew from the pieces.
fn name<V: Variant>(position: &Position<V>, plies: u32) -> Name {
    let mut check = u64::from(plies) << 1 | u64::from(position.side() == Color::White);
    for square in position.occupied() {
        let piece = position.piece_on(square);
        let index = piece.map_or(0, |piece| piece.kind().index() * 2 + piece.color().index());
        check = mix(check ^ (square.index() << 8 | index) as u64);
    }
    for color in [Color::Black, Color::White] {
        let hand = position.hand(color);
        for kind in hand.iter() {
            let word = (hand.count(kind) << 8 | kind.index()) * 2 + color.index();
            check = mix(check ^ (word as u64) << 32);
        }
    }
    Name { key: mix(position.key() ^ u64::from(plies)), check }
}

/// The legal moves of a position, counted with a table.
pub struct Tabled<'a> {
    table: &'a CountTable,
}

impl<'a> Tabled<'a> {
    /// Counts with a table, which may hold counts of the same game from before.
    #[must_use]
    pub fn new(table: &'a CountTable) -> Self {
        Self { table }
    }

    fn count<V: Variant>(&self, position: &mut Position<V>, depth: u32) -> u64 {
        if depth < WORTH {
            return perft(position, depth, Leaves::Bulk);
        }
        let name = name(position, depth);
        if let Some(count) = self.table.get(name, depth) {
            return count;
        }
        let mut count = 0;
        for &m in position.legal_moves().iter() {
            position.make(m);
            count += self.count(position, depth - 1);
            position.undo();
        }
        self.table.put(name, depth, count);
        count
    }
}

impl<V: Variant> MoveTree<V> for Tabled<'_> {
    fn moves(&self, position: &Position<V>) -> Vec<Move> {
        Leaves::Bulk.moves(position)
    }

    fn after(&self, position: &Position<V>, m: Move) -> Position<V> {
        Leaves::Bulk.after(position, m)
    }

    fn leaves(&self, position: &Position<V>, depth: u32) -> u64 {
        self.count(&mut position.clone(), depth)
    }

    fn known(&self, position: &Position<V>, depth: u32) -> Option<u64> {
        self.table.get(name(position, depth), depth)
    }

    fn keep(&self, position: &Position<V>, depth: u32, count: u64) {
        self.table.put(name(position, depth), depth, count);
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};

    use super::*;
    use crate::Control;
    use crate::perft::divide;

    /// A table of one place, of few, and of many: each is the truth.
    fn check<V: Variant>(sfen: Option<&str>, depth: u32) {
        let position =
            sfen.map_or_else(Position::start, |sfen| Position::<V>::from_sfen(sfen).unwrap());
        let expected = perft(&position, depth, Leaves::Bulk);
        for mebibytes in [0, 1, 8] {
            let table = CountTable::new(mebibytes).unwrap();
            for _ in 0..2 {
                let counts =
                    divide(&position, depth, &Tabled::new(&table), &Control::new(), |_, _| ());
                let found: u64 = counts.unwrap().iter().map(|(_, count)| count).sum();
                assert_eq!(found, expected, "{mebibytes} MiB");
            }
        }
    }

    #[test]
    fn a_table_changes_no_count() {
        check::<Whale>(None, 7);
        check::<Whale>(Some("K4B/h1D2K/w3DB/ddd2D/nn1gD1/HW3g b D4d 133"), 4);
        check::<Paulowich>(None, 6);
        check::<Great>(None, 4);
    }

    #[test]
    fn positions_and_plies_have_names_of_their_own() {
        let table = CountTable::new(1).unwrap();
        let position = Position::<Whale>::start();
        table.put(name(&position, 5), 5, 30_664);
        assert_eq!(table.get(name(&position, 5), 5), Some(30_664));
        assert_eq!(table.get(name(&position, 4), 4), None);
        let mut other = position.clone();
        other.make(position.legal_moves()[0]);
        assert_eq!(table.get(name(&other, 5), 5), None);
        // More than there is room for.
        table.put(name(&other, 5), 5, 1 << PLIES);
        assert_eq!(table.get(name(&other, 5), 5), None);
    }
}
