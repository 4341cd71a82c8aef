//! The build that searches in this program, where several machines are to search alike.

use clap::Args;
use kujira_position::VariantId;
use kujira_search::{BenchLimit, Control, engine};

/// Which build is wanted.
#[derive(Args, Clone, Copy)]
pub(super) struct SignatureArgs {
    /// The bench signature that this build must have: it runs its bench at the start, and another build is refused.
    #[arg(long, value_name = "N")]
    signature: Option<u64>,
}

/// Table of the bench, in MiB.
const HASH: usize = 16;

impl SignatureArgs {
    /// Refuses another build than the one that is wanted.
    ///
    /// # Errors
    /// Which signature was found.
    pub(super) fn check(self, game: VariantId) -> Result<(), String> {
        let Some(wanted) = self.signature else { return Ok(()) };
        let bench = engine(game).bench(BenchLimit::Signature, 1, HASH, &Control::new());
        match bench.map_err(|error| error.to_string())?.nodes {
            found if found == wanted => Ok(()),
            found => {
                Err(format!("expected a build with the bench signature {wanted}, found {found}"))
            }
        }
    }
}
