//! Positions that strength is tested on, which networks are not to learn from.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use kujira_position::{Board, Position, Variant};

/// A set of positions, their past and move numbers left aside.
#[derive(Clone, Default, Debug)]
pub struct Excluded {
    keys: HashSet<u64>,
}

impl Excluded {
    /// Adds the positions that the openings of a file lead to: one a line as `kujira-bench` reads them, `startpos` or
    /// `sfen …`, with or without `position` before it and `moves …` behind it, or an SFEN alone; what follows a `;`
    /// is not looked at. Empty lines and those that begin with `#` are skipped.
    ///
    /// # Errors
    /// If the file cannot be read, or what is wrong with which line.
    pub fn read<V: Variant>(&mut self, path: &Path) -> Result<(), String> {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        for (index, line) in text.lines().enumerate().map(|(index, line)| (index, line.trim())) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let position =
                position::<V>(line).map_err(|error| format!("line {}: {error}", index + 1))?;
            self.keys.insert(position.board().key());
        }
        Ok(())
    }

    /// Whether the position is one of them.
    #[must_use]
    pub fn contains<V: Variant>(&self, board: &Board<V>) -> bool {
        self.keys.contains(&board.key())
    }
}

/// The position that an opening leads to.
fn position<V: Variant>(line: &str) -> Result<Position<V>, String> {
    let line = line.strip_prefix("position ").unwrap_or(line);
    let line = line.split(';').next().unwrap_or(line).trim();
    let (start, moves) = line.split_once(" moves").unwrap_or((line, ""));
    let sfen = match start.trim() {
        "startpos" => V::SPEC.start,
        start => start.strip_prefix("sfen ").unwrap_or(start),
    };
    let mut position = Position::<V>::from_sfen(sfen.trim()).map_err(|error| error.to_string())?;
    for text in moves.split_ascii_whitespace() {
        let m = position.parse_usi(text).map_err(|error| error.to_string())?;
        position.make(m);
    }
    Ok(position)
}
