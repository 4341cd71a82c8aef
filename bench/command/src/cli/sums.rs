//! Whether lines of journals may be without check sums.

use clap::Args;

/// How journals are read.
#[derive(Args, Clone, Copy)]
pub(super) struct SumArgs {
    /// Take lines of journals that have no check sum: those of before December 2026, and those that other programs
    /// wrote. A sum that is there must fit anyhow.
    #[arg(long)]
    pub(super) unchecked: bool,
}
