//! The network files that the program is built with, or that were lent to it for the games in play.

use std::sync::OnceLock;

use kujira_position::{VariantId, with_variant};

use crate::eval::{NetworkError, NetworkFile};

static LENT: [OnceLock<Vec<u8>>; VariantId::ALL.len()] =
    [const { OnceLock::new() }; VariantId::ALL.len()];

/// The network file that the program was built with for a game.
#[cfg(feature = "embedded-networks")]
fn embedded(game: VariantId) -> &'static [u8] {
    match game {
        VariantId::Whale => include_bytes!("../../nets/whale.net"),
        VariantId::Paulowich => include_bytes!("../../nets/paulowich.net"),
        VariantId::Great => include_bytes!("../../nets/great.net"),
    }
}

#[cfg(not(feature = "embedded-networks"))]
fn embedded(_: VariantId) -> &'static [u8] {
    &[]
}

fn place(game: VariantId) -> Option<&'static OnceLock<Vec<u8>>> {
    let index = VariantId::ALL.iter().position(|&id| id == game)?;
    LENT.get(index)
}

/// Lends the network file of a game to all searches that are made from now on. Only the first counts. A program built
/// without the feature `embedded-networks` needs one for each game before its first [`Searcher`](crate::Searcher): a
/// browser, for one, fetches the network of the game in play alone.
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

/// The bytes of the network file of a game; none if the program has none.
pub(super) fn bytes(game: VariantId) -> &'static [u8] {
    place(game).and_then(OnceLock::get).map_or_else(|| embedded(game), Vec::as_slice)
}
