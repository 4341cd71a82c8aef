//! The networks the program is built with.

use kujira_position::{Variant, VariantId};

use super::network_file::{NetworkError, NetworkFile};

/// The files of the games that have one.
static BUILT_IN: &[(VariantId, &[u8])] = &[
    (VariantId::Whale, include_bytes!("../../nets/whale.net")),
    (VariantId::Paulowich, include_bytes!("../../nets/paulowich.net")),
    (VariantId::Great, include_bytes!("../../nets/great.net")),
];

/// The network built in for the game; `None` if it has none.
pub(crate) fn built_in<V: Variant>() -> Option<Result<NetworkFile, NetworkError>> {
    find(BUILT_IN, V::ID).map(NetworkFile::from_bytes::<V>)
}

/// The checksum of the network built in for the game, with which its file ends; `None` if it has none.
#[must_use]
pub fn built_in_checksum<V: Variant>() -> Option<u32> {
    NetworkFile::checksum(find(BUILT_IN, V::ID)?)
}

fn find<'a>(files: &[(VariantId, &'a [u8])], game: VariantId) -> Option<&'a [u8]> {
    files.iter().find(|(id, _)| *id == game).map(|(_, bytes)| *bytes)
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};

    use super::*;

    #[test]
    fn each_game_finds_its_own() {
        let files: &[(VariantId, &[u8])] = &[(VariantId::Great, b"g"), (VariantId::Whale, b"w")];
        let found = VariantId::ALL.iter().map(|&game| find(files, game));
        assert_eq!(found.collect::<Vec<_>>(), [Some(&b"w"[..]), None, Some(&b"g"[..])]);
    }

    #[test]
    fn what_is_built_in_can_be_read_and_is_small() {
        fn check<V: Variant>(most: usize) {
            let Some(bytes) = find(BUILT_IN, V::ID) else { return };
            assert_eq!(NetworkFile::from_bytes::<V>(bytes).map(|_| ()), Ok(()), "{}", V::ID);
            assert!(bytes.len() <= most, "{}: {} bytes", V::ID, bytes.len());
        }
        check::<Whale>(1_000_000);
        check::<Paulowich>(1_000_000);
        check::<Great>(4_000_000);
    }
}
