//! Files of books, as all of `book` reads and writes them.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use kujira_position::{Variant, VariantId};
use kujira_program::outputs::{Mark, Outputs};
use kujira_program::regular;
use kujira_program::status::{Stop, warn};
use kujira_record::book::{self, Found, Searched, game_of};
use kujira_record::text;

use super::out::{refuse_existing, write};

/// How compact books begin.
pub(super) const COMPACT_BEGINS: &[u8] = b"# compact book ";

/// A book to read.
#[derive(Args)]
pub(super) struct FileArgs {
    /// A book: a journal of `book build`, or what `book merge` made.
    pub(super) file: PathBuf,
}

/// A file to write.
#[derive(Args)]
pub(super) struct OutArgs {
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Write over a file that is there already, whoever made it. What is read is never written over.
    #[arg(long)]
    force: bool,
}

impl OutArgs {
    /// Refuses what is no file of this sort, what is of another game, and what is read. What a command makes of one game
    /// begins with `begins`.
    pub(super) fn check(&self, mark: Mark, begins: &str, inputs: &[&Path]) -> Result<(), Stop> {
        let mut outputs = Outputs::new(self.force);
        outputs.output("--out", &self.out, mark).inputs("a book that is read", inputs).check()?;
        let mut found = Vec::new();
        if let Ok(file) = regular::open(&self.out) {
            let named = |error: io::Error| format!("{}: {error}", self.out.display());
            file.take(begins.len() as u64).read_to_end(&mut found).map_err(named)?;
        }
        if self.force || begins.as_bytes().starts_with(&found) {
            return Ok(());
        }
        let out = self.out.display();
        Err(format!("--out: {out}: expected one of this game or no file, found another game's (--force writes over it)")
            .into())
    }

    /// Refuses any file that is there.
    pub(super) fn check_new(&self, what: &'static str, inputs: &[&Path]) -> Result<(), Stop> {
        refuse_existing(&self.out, self.force)?;
        self.check(Mark::none(what), "", inputs)
    }

    /// Writes the file, whole or not at all; `check` is done again.
    pub(super) fn write(
        &self,
        bytes: &[u8],
        check: impl Fn() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        // Somebody may have put a file there in the meantime.
        check()?;
        Ok(write(&self.out, bytes)?)
    }
}

/// The text of a book.
fn text_of(path: &Path) -> Result<String, Stop> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let bytes = regular::read(path, u64::MAX).map_err(|error| named(&error))?;
    if bytes.starts_with(COMPACT_BEGINS) {
        return Err(named(&"expected a book as text, found a compact one").into());
    }
    Ok(text::decode(&bytes).map_err(|error| named(&error))?.to_owned())
}

/// The game of a book.
pub(super) fn game_in(path: &Path) -> Result<VariantId, Stop> {
    let found = game_of(&text_of(path)?);
    found.map_err(|error| error.in_file(path.display().to_string()).to_string().into())
}

/// A book with the numbers of its lines.
pub(super) fn read<V: Variant>(path: &Path) -> Result<Found<V>, Stop> {
    let found = book::read(&text_of(path)?);
    found.map_err(|error| error.in_file(path.display().to_string()).to_string().into())
}

/// What a book says; that half a line is left out is told.
pub(super) fn open<V: Variant>(path: &Path) -> Result<Vec<Searched<V>>, Stop> {
    let found = read(path)?;
    if let Some(line) = found.cut {
        warn(&format!("kujira-bench: {}: line {line}: cut off, and left out\n", path.display()));
    }
    Ok(found.searched.into_iter().map(|(_, searched)| searched).collect())
}
