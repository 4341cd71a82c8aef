//! The network files that the program is built with, or, in a page, that were fetched for the game in play.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use kujira_position::VariantId;

/// The bytes of the network file of a game.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(super) fn bytes(game: VariantId) -> &'static [u8] {
    match game {
        VariantId::Whale => include_bytes!("../../nets/whale.net"),
        VariantId::Paulowich => include_bytes!("../../nets/paulowich.net"),
        VariantId::Great => include_bytes!("../../nets/great.net"),
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(super) use fetched::bytes;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use fetched::lend_network;

/// Nobody waits for the networks of games that are not played.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod fetched {
    use std::sync::OnceLock;

    use kujira_position::{VariantId, with_variant};

    use crate::eval::{NetworkError, NetworkFile};

    static FILES: [OnceLock<Vec<u8>>; VariantId::ALL.len()] =
        [const { OnceLock::new() }; VariantId::ALL.len()];

    fn place(game: VariantId) -> Option<&'static OnceLock<Vec<u8>>> {
        let index = VariantId::ALL.iter().position(|&id| id == game)?;
        FILES.get(index)
    }

    /// Brings the network file of a game, without which there can be no engine for it. Only the first counts.
    ///
    /// # Errors
    /// If it is no network for the game.
    pub fn lend_network(game: VariantId, bytes: Vec<u8>) -> Result<(), NetworkError> {
        with_variant!(game, V => NetworkFile::from_bytes::<V>(&bytes).map(drop))?;
        if let Some(place) = place(game) {
            let _ = place.set(bytes);
        }
        Ok(())
    }

    pub(in crate::eval) fn bytes(game: VariantId) -> &'static [u8] {
        place(game).and_then(OnceLock::get).map_or(&[], Vec::as_slice)
    }
}
