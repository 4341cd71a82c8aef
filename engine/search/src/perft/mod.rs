//! Perft on several threads, with a stop and with progress: all counting goes through here.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use std::time::Duration;

use kujira_position::{AnyPosition, Leaves, Move, Position, Variant, with_position};
use rayon::prelude::*;

use crate::pool::Pool;
use crate::system::{Control, Instant};

mod table;
mod tree;

pub use table::{CountTable, Tabled};
pub use tree::MoveTree;

/// The leaves below each move from `position`, in the order of the list, counted on the threads of the
/// current rayon pool; `None` if `control` stopped it.
///
/// The work is split two plies deep: the first moves alone are too few and too uneven to share out.
/// `progress` hears how many parts of how many are done; it is called from all threads.
///
/// ```
/// use kujira_position::{Leaves, Position, Whale};
/// use kujira_search::Control;
/// use kujira_search::perft::divide;
///
/// let start = Position::<Whale>::start();
/// let divided = divide(&start, 4, &Leaves::Bulk, &Control::new(), |_, _| ()).unwrap();
/// assert_eq!((divided.len(), divided.iter().map(|(_, leaves)| leaves).sum()), (7, 3230_u64));
/// ```
pub fn divide<V: Variant>(
    position: &Position<V>,
    depth: u32,
    tree: &impl MoveTree<V>,
    control: &Control,
    progress: impl Fn(usize, usize) + Sync,
) -> Option<Vec<(Move, u64)>> {
    if depth == 0 {
        return Some(Vec::new());
    }
    let first = tree.moves(position);
    let parts = parts(position, &first, depth, tree, control)?;
    let counts: Vec<AtomicU64> = first.iter().map(|_| AtomicU64::new(0)).collect();
    let done = AtomicUsize::new(0);
    parts.par_iter().with_max_len(1).try_for_each(|part| {
        if control.poll() {
            return None;
        }
        let mut after = tree.after(position, first[part.first]);
        let mut left = depth - 1;
        if let Some(reply) = part.reply {
            after = tree.after(&after, reply);
            left -= 1;
        }
        let count = below(&after, left, tree, control)?;
        counts[part.first].fetch_add(count, Ordering::Relaxed);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, parts.len());
        Some(())
    })?;
    Some(first.into_iter().zip(counts.into_iter().map(AtomicU64::into_inner)).collect())
}

/// Leaves below each legal move, and the time it took to count them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PerftReport {
    /// Each legal move, with the leaves below it.
    pub moves: Vec<(Move, u64)>,
    /// Wall-clock time.
    pub time: Duration,
}

impl PerftReport {
    /// All leaves.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.moves.iter().map(|(_, leaves)| leaves).sum()
    }
}

/// Counts the leaves of a position on so many threads; `None` if `control` stopped it.
#[must_use]
pub fn count(
    position: &AnyPosition,
    depth: u32,
    leaves: Leaves,
    threads: usize,
    control: &Control,
) -> Option<PerftReport> {
    let start = Instant::now();
    let count = || with_position!(position, position => divide(position, depth, &leaves, control, |_, _| ()));
    let moves = Pool::new(threads).install(count)?;
    Some(PerftReport { moves, time: start.elapsed() })
}

/// A part of the tree: what is below a first move, or below a reply to it. Positions are not kept, because
/// there can be millions of parts.
struct Part {
    /// Which of the first moves.
    first: usize,
    reply: Option<Move>,
}

/// The parts of a tree of `depth` plies, which has at least one.
fn parts<V: Variant>(
    position: &Position<V>,
    first: &[Move],
    depth: u32,
    tree: &impl MoveTree<V>,
    control: &Control,
) -> Option<Vec<Part>> {
    if depth < 3 {
        return Some((0..first.len()).map(|first| Part { first, reply: None }).collect());
    }
    let mut parts = Vec::new();
    for (index, &m) in first.iter().enumerate() {
        if control.poll() {
            return None;
        }
        let replies = tree.moves(&tree.after(position, m));
        parts.extend(replies.into_iter().map(|m| Part { first: index, reply: Some(m) }));
    }
    Some(parts)
}

/// About how many leaves may be counted between two looks at the control: some milliseconds of work.
const PIECE: usize = 1_000_000;

/// Whether `depth` plies are few enough to count without a look at the control, by the number of moves
/// here. Two plies always are.
fn is_small<V: Variant>(position: &Position<V>, depth: u32) -> bool {
    depth <= 2 || depth <= 4 && position.count_moves().pow(depth) <= PIECE
}

/// The number of sequences of `depth` moves from `position`, in pieces between which `control` can stop it.
fn below<V: Variant>(
    position: &Position<V>,
    depth: u32,
    tree: &impl MoveTree<V>,
    control: &Control,
) -> Option<u64> {
    if control.poll() {
        return None;
    }
    if is_small(position, depth) {
        return Some(tree.leaves(position, depth));
    }
    if let Some(count) = tree.known(position, depth) {
        return Some(count);
    }
    let mut moves = tree.moves(position).into_iter();
    let count = moves.try_fold(0, |sum, m| {
        Some(sum + below(&tree.after(position, m), depth - 1, tree, control)?)
    })?;
    tree.keep(position, depth, count);
    Some(count)
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Leaves, Paulowich, Whale, perft};

    use super::*;

    fn divided<V: Variant>(
        position: &Position<V>,
        depth: u32,
        leaves: Leaves,
        control: &Control,
    ) -> Option<Vec<(Move, u64)>> {
        divide(position, depth, &leaves, control, |_, _| ())
    }

    fn total(divided: &[(Move, u64)]) -> u64 {
        divided.iter().map(|(_, count)| count).sum()
    }

    fn check<V: Variant>(totals: &[u64]) {
        let start = Position::<V>::start();
        for (depth, &expected) in (1..).zip(totals) {
            for leaves in [Leaves::Bulk, Leaves::Played] {
                let found = divided(&start, depth, leaves, &Control::new()).unwrap();
                assert_eq!(total(&found), expected, "depth {depth}");
                assert!(found.iter().map(|(m, _)| m).eq(start.legal_moves().iter()));
            }
        }
        assert_eq!(divided(&start, 0, Leaves::Bulk, &Control::new()), Some(Vec::new()));
    }

    #[test]
    fn totals() {
        check::<Whale>(&[7, 49, 398, 3230, 30_664, 302_268, 3_376_569]);
        check::<Paulowich>(&[8, 64, 584, 5329, 54_323, 558_162]);
        check::<Great>(&[42, 1764, 73_627, 3_073_156]);
    }

    /// Lists of thousands of moves: two plies are 8.6 million lines.
    #[test]
    fn the_longest_lists_are_counted_and_stopped() {
        let sfen = "w,10/11/11/11/11/11/11/11/11/11/W,10 b \
                    BW,BD,RT,SE,M,F,B,HP,DP,BR,S,2NB,H,P,K,BRC,bw,bd,rt,se,m,f,b,hp,dp,br,s,2nb,h,p,k,brc";
        let position = Position::<Great>::from_sfen(sfen).unwrap();
        let found = total(&divided(&position, 2, Leaves::Bulk, &Control::new()).unwrap());
        assert_eq!(found, perft(&position, 2, Leaves::Bulk));
        assert!(found > 3_000_000);
        // The lists of replies are not made to their end.
        assert_eq!(stopped_at(&position, 4, 100), 100);
    }

    /// The rules' moves, until so many lists of moves or trees of leaves were made: the maker of the last one, and of
    /// all later ones, stops the counting.
    struct Stopping {
        control: Control,
        made: AtomicUsize,
        last: usize,
    }

    impl Stopping {
        fn count(&self) {
            let made = self.made.fetch_add(1, Ordering::Relaxed) + 1;
            if made >= self.last {
                self.control.stop();
            }
        }
    }

    impl<V: Variant> MoveTree<V> for Stopping {
        fn moves(&self, position: &Position<V>) -> Vec<Move> {
            self.count();
            Leaves::Bulk.moves(position)
        }

        fn after(&self, position: &Position<V>, m: Move) -> Position<V> {
            Leaves::Bulk.after(position, m)
        }

        fn leaves(&self, _: &Position<V>, _: u32) -> u64 {
            self.count();
            1
        }
    }

    /// How many lists and trees there were in a counting that was stopped at the one of this number.
    fn stopped_at<V: Variant>(position: &Position<V>, depth: u32, last: usize) -> usize {
        let tree = Stopping { control: Control::new(), made: AtomicUsize::new(0), last };
        assert_eq!(divide(position, depth, &tree, &tree.control, |_, _| ()), None);
        tree.made.into_inner()
    }

    /// Each thread has looked at the control before its next piece of work.
    #[test]
    fn a_stop_in_the_midst_of_the_work_stops() {
        // One list, one for each of the 42 moves after it, and the pieces.
        let made = stopped_at(&Position::<Great>::start(), 12, 1000);
        assert!((1000..1000 + rayon::current_num_threads()).contains(&made), "{made}");
    }

    #[test]
    fn a_stop_stops() {
        let control = Control::new();
        control.stop();
        assert_eq!(divided(&Position::<Great>::start(), 12, Leaves::Bulk, &control), None);
    }

    #[test]
    fn progress_reaches_the_end() {
        let most = AtomicUsize::new(0);
        let hear = |done, all| {
            assert_eq!(all, 49);
            most.fetch_max(done, Ordering::Relaxed);
        };
        let start = Position::<Whale>::start();
        divide(&start, 4, &Leaves::Bulk, &Control::new(), hear).unwrap();
        assert_eq!(most.into_inner(), 49);
    }
}
