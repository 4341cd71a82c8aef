//! Journals of matches that commands read, and whether their lines may be without check sums.

use std::path::PathBuf;

use clap::Args;
use kujira_arena::replay::PlayedMatch;

/// How journals are read.
#[derive(Args, Clone, Copy)]
pub(super) struct SumArgs {
    /// Take lines of journals that have no check sum: those of before December 2026, and those that other programs
    /// wrote. A sum that is there must fit anyhow.
    #[arg(long)]
    pub(super) unchecked: bool,
}

impl SumArgs {
    /// The matches of journals, not yet replayed.
    ///
    /// # Errors
    /// What is wrong with which journal.
    pub(super) fn read(self, journals: &[PathBuf]) -> Result<Vec<PlayedMatch>, String> {
        journals.iter().map(|path| PlayedMatch::read(path, self.unchecked)).collect()
    }
}
