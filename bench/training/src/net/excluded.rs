//! Positions that strength is tested on, which networks are not to learn from.

use std::collections::HashSet;
use std::path::Path;

use kujira_position::{Board, Rules, Variant};
use kujira_record::{Error, list, text};

/// A set of positions, their past and move numbers left aside.
#[derive(Clone, Default, Debug)]
pub struct Excluded {
    keys: HashSet<u64>,
}

impl Excluded {
    /// Adds the positions that the openings of a list lead to, as `kujira-bench` reads lists: see
    /// [`kujira_record::list`].
    ///
    /// # Errors
    /// If the file cannot be read, or what is wrong with which line.
    pub fn read<V: Variant>(&mut self, path: &Path) -> Result<(), Error> {
        let text = text::open(path)?;
        let named = |error: Error| error.in_file(path.display().to_string());
        for entry in list::entries(&text) {
            let entry = entry.map_err(named)?;
            let position = entry.position::<V>(Rules::DEFAULT).map_err(named)?;
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
