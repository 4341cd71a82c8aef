//! The table of the mate solver: what is known of positions, by board and hand.
//!
//! Positions that differ only in the attacker's hand share a bucket, because one may decide the other: a mate with
//! fewer pieces in hand is one with more, and if there is none with more there is none with fewer.

#![expect(
    clippy::cast_possible_truncation,
    reason = "keys are cut into the bits of indices and marks"
)]

use kujira_position::{Bits, Hand, Move};

use super::numbers::{FOREVER, Length, Loops, Value};
use super::path::Path;

/// Entries of a bucket.
const ENTRIES: usize = 8;

/// Bytes of memory that are asked for at a time: little, since boards lie everywhere in the table.
const PAGE: usize = 1 << 14;

/// An entry.
#[derive(Clone, Copy)]
struct Entry<B> {
    /// The attacker's hand.
    hand: Hand<B>,
    /// The key of the board and the side to move.
    board: u64,
    value: Value,
    /// The move that mates, where one is known.
    mating: Option<Move>,
    /// The path on which the disproof by loops holds.
    tag: u32,
    /// The least ply at which the position was met in the pass.
    ply: u16,
    pass: u16,
    /// The search that it is of; 0 for none.
    age: u16,
    /// Nodes searched below it.
    amount: u32,
}

impl<B: Bits> Entry<B> {
    const EMPTY: Self = Self {
        hand: Hand::EMPTY,
        board: 0,
        value: Value::NONE,
        mating: None,
        tag: 0,
        ply: u16::MAX,
        pass: 0,
        age: 0,
        amount: 0,
    };
}

/// Entries of boards with the same bucket.
struct Entries<B> {
    /// What tells boards and searches apart, see [`mark`]: most of what does not fit is seen here, in one cache line.
    marks: [u32; ENTRIES],
    entries: [Entry<B>; ENTRIES],
}

/// Tells a board in the search `age` from others: the low bits of its key, while the high ones choose the bucket.
#[inline]
fn mark(board: u64, age: u16) -> u32 {
    board as u32 ^ u32::from(age).wrapping_mul(0x9e37_79b9)
}

/// Which position is meant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<B> {
    /// The key of board and side to move.
    pub(super) board: u64,
    /// The attacker's hand.
    pub(super) hand: Hand<B>,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// Numbers and lengths.
    pub(super) value: Value,
    /// The move that mates, where one is known.
    pub(super) mating: Option<Move>,
    /// The least ply at which the position itself was met in this pass; `u16::MAX` if it was not.
    pub(super) ply: u16,
}

/// The table.
pub(super) struct Table<B> {
    /// Pages of buckets, each empty until it is needed.
    pages: Vec<Box<[Entries<B>]>>,
    buckets: u64,
    /// The search in progress, and its pass: what is met at which ply is another matter in each.
    age: u16,
    pass: u16,
    /// Entries made in it.
    filled: u64,
    /// Whether what is known with one hand says anything of others.
    dominance: bool,
}

impl<B: Bits> Table<B> {
    /// Buckets of a page.
    const BUCKETS: usize = PAGE / size_of::<Entries<B>>();

    /// An empty table of at most `mebibytes` MiB (at least 1). It asks for memory only as it fills.
    pub(super) fn new(mebibytes: usize) -> Self {
        let pages = mebibytes.max(1) * ((1 << 20) / PAGE);
        Self {
            pages: (0..pages).map(|_| Box::default()).collect(),
            buckets: (pages * Self::BUCKETS) as u64,
            age: 0,
            pass: 0,
            filled: 0,
            dominance: true,
        }
    }

    /// Forgets what was known, and takes what is found out with one hand for true of better or worse ones only if
    /// `dominance`.
    pub(super) fn begin(&mut self, dominance: bool) {
        self.dominance = dominance;
        self.filled = 0;
        self.age = self.age.wrapping_add(1);
        if self.age == 0 {
            // So old that its entries could be taken for new ones.
            self.age = 1;
            self.pages.fill_with(Box::default);
        }
    }

    /// Begins another pass of the search: everything is met anew.
    pub(super) fn next_pass(&mut self) {
        self.pass = self.pass.wrapping_add(1);
    }

    /// Fill in permille.
    pub(super) fn permille(&self) -> u32 {
        let room = self.buckets * ENTRIES as u64;
        u32::try_from(self.filled * 1000 / room).unwrap_or(1000).min(1000)
    }

    /// The page of a board, and its bucket there.
    #[inline]
    fn index(&self, board: u64) -> (usize, usize) {
        let index = ((u128::from(board) * u128::from(self.buckets)) >> 64) as usize;
        (index / Self::BUCKETS, index % Self::BUCKETS)
    }

    /// The bucket of a board, on a page that is made where it is missing; `None` where there is no memory.
    #[inline]
    fn bucket(&mut self, board: u64) -> Option<&mut Entries<B>> {
        let (page, index) = self.index(board);
        let page = &mut self.pages[page];
        if page.is_empty() {
            *page = new_page(Self::BUCKETS);
        }
        page.get_mut(index)
    }

    /// What is known of a position that is met on `path`, in a search of `left` plies from there; `None` if that is
    /// next to nothing.
    pub(super) fn look_up(&self, place: Place<B>, left: Length, path: &Path) -> Option<Known> {
        let (page, index) = self.index(place.board);
        let bucket = self.pages[page].get(index)?;
        let (age, pass) = (self.age, self.pass);
        let mark = mark(place.board, age);
        let mut known = Known { value: Value::open(1, 1, 0), mating: None, ply: u16::MAX };
        let mut met = false;
        for (_, entry) in
            bucket.marks.iter().zip(&bucket.entries).filter(|&(&known, _)| known == mark)
        {
            if entry.age != age || entry.board != place.board {
                continue;
            }
            let same = entry.hand == place.hand;
            if same {
                (known.value.proof, known.value.disproof) =
                    (entry.value.proof, entry.value.disproof);
                if entry.pass == pass {
                    known.ply = entry.ply;
                }
                if entry.value.loops.any() && path.tag(entry.value.loops.last) == Some(entry.tag) {
                    known.value.loops = entry.value.loops;
                    known.value.looped = entry.value.looped;
                }
                met = true;
            } else if !self.dominance {
                continue;
            }
            let mates = entry.value.proved < known.value.proved;
            if mates && (same || place.hand.covers(entry.hand)) {
                (known.value.proved, known.mating) = (entry.value.proved, entry.mating);
                met = true;
            }
            let refuted = entry.value.fewest > known.value.fewest;
            if refuted && (same || entry.hand.covers(place.hand)) {
                known.value.fewest = entry.value.fewest;
            }
        }
        (met || known.value.fewest > left).then_some(known)
    }

    /// Notes what was found out of a position met on `path`, with `amount` nodes searched below it.
    pub(super) fn note(&mut self, place: Place<B>, known: &Known, path: &Path, amount: u32) {
        let (age, pass) = (self.age, self.pass);
        let Some(bucket) = self.bucket(place.board) else { return };
        let mark = mark(place.board, age);
        let old = (0..ENTRIES).find(|&index| {
            let entry = &bucket.entries[index];
            bucket.marks[index] == mark
                && entry.age == age
                && entry.board == place.board
                && entry.hand == place.hand
        });
        let mut more = 0;
        let index = old.unwrap_or_else(|| {
            // One of an earlier search, or else that with the least work in it.
            let worth = |entry: &Entry<B>| (entry.age == age).then_some(entry.amount);
            let worths = bucket.entries.each_ref().map(worth);
            let index = (0..ENTRIES).min_by_key(|&index| worths[index]).unwrap_or(0);
            more = u64::from(bucket.entries[index].age != age);
            bucket.entries[index] =
                Entry { value: Value::open(1, 1, 0), ply: u16::MAX, ..Entry::EMPTY };
            index
        });
        bucket.marks[index] = mark;
        let entry = &mut bucket.entries[index];
        (entry.age, entry.board, entry.hand) = (age, place.board, place.hand);
        if entry.pass != pass {
            (entry.pass, entry.ply) = (pass, u16::MAX);
        }
        entry.ply = entry.ply.min(known.ply);
        entry.amount = entry.amount.saturating_add(amount);
        let value = known.value;
        // What was settled, at one length or on one path, is open at others.
        let settled = value.proof == 0 || value.disproof == 0;
        (entry.value.proof, entry.value.disproof) =
            if settled { (1, 1) } else { (value.proof, value.disproof) };
        if value.proved < entry.value.proved {
            (entry.value.proved, entry.mating) = (value.proved, known.mating);
        }
        entry.value.fewest = entry.value.fewest.max(value.fewest);
        if value.loops.any()
            && let Some(tag) = path.tag(value.loops.last)
        {
            (entry.value.loops, entry.value.looped, entry.tag) = (value.loops, value.looped, tag);
        }
        // A mate holds on all paths, and so does what rests on nothing.
        let settled = entry.value.fewest == FOREVER || entry.value.proved <= entry.value.looped;
        if settled {
            entry.value.loops = Loops::NONE;
        }
        self.filled += more;
    }
}

/// Empty buckets; none where there is no memory.
fn new_page<B: Bits>(buckets: usize) -> Box<[Entries<B>]> {
    let mut page = Vec::new();
    if page.try_reserve_exact(buckets).is_ok() {
        let empty = || Entries { marks: [0; ENTRIES], entries: [Entry::EMPTY; ENTRIES] };
        page.resize_with(buckets, empty);
    }
    page.into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use kujira_position::{Position, Whale};

    use super::super::numbers::ANY;
    use super::*;

    /// Hands of 0 to 3 pieces of a kind.
    fn hands() -> Vec<Hand<u64>> {
        let hand = |sfen: &str| {
            let position = Position::<Whale>::from_sfen(sfen).unwrap();
            position.hand(position.side())
        };
        let with = |held: &str| hand(&format!("w5/6/6/6/6/5W b {held} 1"));
        ["-", "D", "2D", "3D"].map(with).to_vec()
    }

    #[test]
    fn better_hands_mate_and_worse_ones_do_not() {
        let hands = hands();
        let at = |n: usize| Place { board: 77 << 32 | 5, hand: hands[n] };
        for dominance in [true, false] {
            let mut table = Table::<u64>::new(1);
            table.begin(dominance);
            let mut path = Path::default();
            path.begin(1);
            let known = |value| Known { value, mating: None, ply: 3 };
            table.note(at(2), &known(Value::mate(7)), &path, 1);
            table.note(at(0), &known(Value::NONE), &path, 1);
            let seen = |n| table.look_up(at(n), ANY, &path).map(|known| known.value);
            let mates = |n| seen(n).is_some_and(|value: Value| value.is_mate(7));
            assert_eq!([0, 1, 2, 3].map(mates), [false, false, true, dominance]);
            let refuted = |n| seen(n).is_some_and(|value: Value| value.is_refuted(ANY));
            assert_eq!([0, 1, 2, 3].map(refuted), [true, false, false, false]);
            assert!(seen(1).is_none());
            // Another board in the same bucket.
            let other = Place { board: 77 << 32 | 6, hand: hands[2] };
            assert!(table.look_up(other, ANY, &path).is_none());
            table.begin(dominance);
            assert!(table.look_up(at(2), ANY, &path).is_none(), "of an earlier search");
        }
    }

    #[test]
    fn loops_hold_on_their_path() {
        let (mut table, hands) = (Table::<u64>::new(1), hands());
        table.begin(true);
        let place = Place { board: 1 << 40, hand: hands[1] };
        let walk = |keys: [u64; 3]| {
            let mut path = Path::default();
            path.begin(keys[0]);
            keys[1..].iter().for_each(|&key| path.push(key));
            path
        };
        let value = Value::looped(Loops { first: 0, last: 1 }, ANY);
        table.note(place, &Known { value, mating: None, ply: 2 }, &walk([1, 2, 3]), 1);
        let refuted = |table: &Table<u64>, keys| {
            table.look_up(place, ANY, &walk(keys)).unwrap().value.is_refuted(ANY)
        };
        assert!([[1, 2, 3], [1, 2, 9]].iter().all(|&keys| refuted(&table, keys)));
        assert!(!refuted(&table, [1, 4, 3]));
        // What needs no loop holds everywhere.
        table.note(place, &Known { value: Value::NONE, mating: None, ply: 2 }, &walk([1, 2, 3]), 1);
        assert!(refuted(&table, [1, 4, 3]));
    }

    /// Numbers of a refutation at one length say nothing of a longer one.
    #[test]
    fn what_is_refuted_at_one_length_is_open_at_another() {
        let (mut table, hands) = (Table::<u64>::new(1), hands());
        table.begin(true);
        let mut path = Path::default();
        path.begin(1);
        let place = Place { board: 3 << 40, hand: hands[1] };
        let value = Value { fewest: 6, ..Value::NONE };
        table.note(place, &Known { value, mating: None, ply: 2 }, &path, 1);
        let seen = |left| table.look_up(place, left, &path).unwrap().value.within(left);
        assert_eq!((seen(5).disproof, seen(7).proof, seen(7).disproof), (0, 1, 1));
        // More in hand: refuted at that length, too, as far as that is asked.
        let worse = Place { hand: hands[0], ..place };
        assert!(
            table.look_up(worse, 5, &path).is_some() && table.look_up(worse, 7, &path).is_none()
        );
    }

    #[test]
    fn plies_are_those_of_a_pass() {
        let (mut table, hands) = (Table::<u64>::new(1), hands());
        table.begin(true);
        let mut path = Path::default();
        path.begin(1);
        let place = Place { board: 3 << 40, hand: hands[1] };
        let note = |table: &mut Table<u64>, ply| {
            let known = Known { value: Value::open(2, 2, 0), mating: None, ply };
            table.note(place, &known, &path, 1);
            table.look_up(place, ANY, &path).unwrap().ply
        };
        assert_eq!((note(&mut table, 6), note(&mut table, 4), note(&mut table, 8)), (6, 4, 4));
        table.next_pass();
        assert_eq!(note(&mut table, 8), 8);
    }

    #[test]
    fn the_least_work_is_lost() {
        let (mut table, hands) = (Table::<u64>::new(1), hands());
        table.begin(true);
        let mut path = Path::default();
        path.begin(1);
        let known = Known { value: Value::open(2, 3, 0), mating: None, ply: 1 };
        let place = |n: u32| Place { board: 9 << 50 | u64::from(n), hand: hands[0] };
        for n in 0..=ENTRIES as u32 {
            table.note(place(n), &known, &path, if n == 3 { 1 } else { 10 + n });
        }
        let kept = |n| table.look_up(place(n), ANY, &path).is_some();
        assert!((0..=ENTRIES as u32).all(|n| kept(n) == (n != 3)));
    }
}
