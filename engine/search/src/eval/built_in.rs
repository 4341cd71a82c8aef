//! The network files that the program is built with.

use kujira_position::VariantId;

/// The bytes of the network file of a game.
pub(super) fn bytes(game: VariantId) -> &'static [u8] {
    match game {
        VariantId::Whale => include_bytes!("../../nets/whale.net"),
        VariantId::Paulowich => include_bytes!("../../nets/paulowich.net"),
        VariantId::Great => include_bytes!("../../nets/great.net"),
    }
}
