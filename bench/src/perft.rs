//! Perft over all cores with progress, and suites of known counts.

use std::sync::atomic::{AtomicUsize, Ordering};

use kujira_position::{Leaves, Position, Variant, perft};
use rayon::prelude::*;

use crate::peer_rules;

/// Most plies that are counted: each takes a list of moves on the stack, and nobody lives to see as many.
pub const DEEPEST: u32 = 64;

/// Which moves are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum List {
    /// Ours; the last ply as said.
    Ours(Leaves),
    /// Fairy-Stockfish's, see [`peer_rules`].
    Peer,
}

impl List {
    fn count<V: Variant>(self, position: &Position<V>, depth: u32) -> u64 {
        match self {
            Self::Ours(leaves) => perft(position, depth, leaves),
            Self::Peer => peer_rules::count(position, depth),
        }
    }

    fn children<V: Variant>(self, position: &Position<V>) -> Vec<(String, Position<V>)> {
        match self {
            Self::Ours(_) => position
                .legal_moves()
                .iter()
                .map(|&m| {
                    let mut after = position.clone();
                    after.make(m);
                    (position.usi(m), after)
                })
                .collect(),
            Self::Peer => peer_rules::children(position),
        }
    }
}

/// The leaves below each move, on the threads of the current rayon pool. `progress` hears how many
/// parts of how many are done; it is called from all threads.
pub fn divide<V: Variant>(
    position: &Position<V>,
    depth: u32,
    list: List,
    progress: impl Fn(usize, usize) + Sync,
) -> Vec<(String, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let first = list.children(position);
    // Two plies deep there are enough parts to share out and to show progress by.
    let parts: Vec<(usize, u32, Position<V>)> = if depth < 3 {
        first.iter().enumerate().map(|(i, (_, after))| (i, depth - 1, after.clone())).collect()
    } else {
        let replies = |(i, (_, after)): (usize, &(String, Position<V>))| {
            list.children(after).into_iter().map(move |(_, reply)| (i, depth - 2, reply))
        };
        first.iter().enumerate().flat_map(replies).collect()
    };
    let done = AtomicUsize::new(0);
    let counts: Vec<(usize, u64)> = parts
        .par_iter()
        .with_max_len(1)
        .map(|(i, depth, part)| {
            let count = list.count(part, *depth);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, parts.len());
            (*i, count)
        })
        .collect();
    let mut divided: Vec<_> = first.into_iter().map(|(text, _)| (text, 0)).collect();
    for (i, count) in counts {
        divided[i].1 += count;
    }
    divided
}

/// A line of a suite: a position and its counts by depth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its number in the file, from 1.
    pub line: usize,
    /// The position.
    pub sfen: String,
    /// Depths with their counts.
    pub counts: Vec<(u32, u64)>,
}

/// Reads a suite: lines `SFEN ;D1 9 ;D2 91`; empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// What was expected in which line.
pub fn read_suite(text: &str) -> Result<Vec<Entry>, String> {
    let mut entries = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut fields = line.split(';').map(str::trim);
        let sfen = fields.next().unwrap_or_default().to_owned();
        let count = |field: &str| {
            let (depth, count) = field.strip_prefix('D')?.split_once(' ')?;
            let depth = depth.parse().ok().filter(|&depth| depth <= DEEPEST)?;
            Some((depth, count.trim().parse().ok()?))
        };
        let mut counts = Vec::new();
        for field in fields {
            counts.push(count(field).ok_or_else(|| {
                let line = index + 1;
                format!("line {line}: expected a count such as D3 1137, up to D{DEEPEST}, found \"{field}\"")
            })?);
        }
        if counts.is_empty() {
            return Err(format!(
                "line {}: expected counts after the position, found none",
                index + 1
            ));
        }
        entries.push(Entry { line: index + 1, sfen, counts });
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};

    use super::*;

    #[test]
    fn divided_counts_add_up() {
        let ours = List::Ours(Leaves::Bulk);
        for list in [ours, List::Ours(Leaves::Played), List::Peer] {
            let divided = divide(&Position::<Whale>::start(), 4, list, |_, _| ());
            assert_eq!(divided.len(), 7);
            assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), 3230);
        }
        for (depth, leaves) in [(1, 42), (2, 1764), (3, 73627)] {
            let divided = divide(&Position::<Great>::start(), depth, ours, |_, _| ());
            assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), leaves);
        }
        assert!(divide(&Position::<Paulowich>::start(), 0, ours, |_, _| ()).is_empty());
    }

    #[test]
    fn progress_reaches_the_end() {
        let most = AtomicUsize::new(0);
        divide(&Position::<Whale>::start(), 4, List::Ours(Leaves::Bulk), |done, all| {
            assert_eq!(all, 49);
            most.fetch_max(done, Ordering::Relaxed);
        });
        assert_eq!(most.into_inner(), 49);
    }

    #[test]
    fn suites_are_read() {
        let text = "# counts\n\n5w/6/6/6/6/W5 b - 1 ;D1 3 ;D2 9\n";
        let entry =
            Entry { line: 3, sfen: "5w/6/6/6/6/W5 b - 1".to_owned(), counts: vec![(1, 3), (2, 9)] };
        assert_eq!(read_suite(text), Ok(vec![entry]));
        for (text, expected) in [
            ("5w/6 b -", "line 1: expected counts"),
            ("\n5w/6 b - ;D1", "line 2: expected a count such as D3 1137, up to D64, found \"D1\""),
            ("5w/6 b - ;D64 3 ;D65 3", "found \"D65 3\""),
            ("5w/6 b - ;Dx 3", "found \"Dx 3\""),
            ("5w/6 b - ;D1 -3", "found \"D1 -3\""),
        ] {
            let error = read_suite(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
