//! Which moves perft counts, and suites of known counts.

use kujira_position::{Leaves, Move, Position, Variant};
use kujira_search::perft::MoveTree;

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

impl<V: Variant> MoveTree<V> for List {
    fn moves(&self, position: &Position<V>) -> Vec<Move> {
        match self {
            Self::Ours(leaves) => leaves.moves(position),
            Self::Peer => peer_rules::moves(position),
        }
    }

    fn after(&self, position: &Position<V>, m: Move) -> Position<V> {
        match self {
            Self::Ours(leaves) => leaves.after(position, m),
            Self::Peer => peer_rules::after(position, m),
        }
    }

    fn leaves(&self, position: &Position<V>, depth: u32) -> u64 {
        match self {
            Self::Ours(leaves) => leaves.leaves(position, depth),
            Self::Peer => peer_rules::count(position, depth),
        }
    }
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
    use kujira_position::{Great, Whale};
    use kujira_search::Control;
    use kujira_search::perft::divide;

    use super::*;

    fn divided<V: Variant>(depth: u32, list: List) -> Vec<u64> {
        let divided = divide(&Position::<V>::start(), depth, &list, &Control::new(), |_, _| ());
        divided.unwrap().into_iter().map(|(_, count)| count).collect()
    }

    #[test]
    fn divided_counts_add_up() {
        let ours = List::Ours(Leaves::Bulk);
        for list in [ours, List::Ours(Leaves::Played), List::Peer] {
            let counts = divided::<Whale>(4, list);
            assert_eq!((counts.len(), counts.iter().sum()), (7, 3230_u64));
        }
        for (depth, leaves) in [(1, 42), (2, 1764), (3, 73627)] {
            assert_eq!(divided::<Great>(depth, ours).iter().sum::<u64>(), leaves);
        }
        // Longer lines, with moves that are none of ours.
        assert_eq!(divided::<Whale>(5, List::Peer).iter().sum::<u64>(), 30_668);
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
