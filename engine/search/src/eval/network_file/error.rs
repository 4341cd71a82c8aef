//! Why bytes are no network.

use kujira_position::VariantId;

/// Why bytes are no network of a game: what was expected there, and what was found.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The bytes do not begin as a network does.
    #[error("expected a network of Kujira, found something else")]
    NotANetwork,
    /// The file has a version of the format that this program does not read.
    #[error("expected version {expected} of the format, found {found}")]
    Version {
        /// The version that is read.
        expected: u32,
        /// The version found.
        found: u32,
    },
    /// The network is one of another game.
    #[error("expected a network for {expected}, found one for {found}")]
    Game {
        /// The game wanted.
        expected: VariantId,
        /// What the file says.
        found: String,
    },
    /// The network was made for other inputs than this program knows.
    #[error("expected a network for inputs {expected:016x}, found {found:016x}")]
    Inputs {
        /// Their identity here.
        expected: u64,
        /// Their identity in the file.
        found: u64,
    },
    /// A number is beyond its bounds.
    #[error("expected {what} {expected}, found {found}")]
    Range {
        /// What it is.
        what: &'static str,
        /// Its bounds.
        expected: String,
        /// What it was.
        found: i64,
    },
    /// The bytes are more or fewer than the header asks for.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// Bytes wanted.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
    /// The bytes were changed.
    #[error("expected the checksum {expected:08x}, found {found:08x}")]
    Checksum {
        /// The checksum of the bytes.
        expected: u32,
        /// The checksum in the file.
        found: u32,
    },
    /// A hidden unit could leave 16 bits.
    #[error(
        "expected every hidden unit to stay within {}, found that unit {unit} can reach {reach}",
        i16::MAX
    )]
    Overflow {
        /// The number of the unit.
        unit: usize,
        /// How far it could get from 0.
        reach: i64,
    },
}
