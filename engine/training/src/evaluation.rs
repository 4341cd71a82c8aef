//! Which evaluation judged the positions of a file.

use kujira_position::{VariantId, with_variant};
use kujira_search::eval::built_in_checksum;
use kujira_search::eval::weights::Weights;

/// The line of the settings that names it begins so.
const NAME: &str = "evaluation ";

/// That line for an engine of this build: the checksums of the network of the game, if it has one, and of the
/// linear weights.
#[must_use]
pub fn line(game: VariantId) -> String {
    with_variant!(game, V => {
        let weights = crc32fast::hash(Weights::built_in::<V>().to_text::<V>().as_bytes());
        match built_in_checksum::<V>() {
            Some(network) => format!("{NAME}network {network:08x} weights {weights:08x}"),
            None => format!("{NAME}weights {weights:08x}"),
        }
    })
}

/// The evaluation that the settings of a file name; `None` for files that are older than this line.
#[must_use]
pub fn named(settings: &str) -> Option<&str> {
    settings.lines().find_map(|line| line.strip_prefix(NAME))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_game_has_its_own() {
        let lines: Vec<String> = VariantId::ALL.iter().map(|&game| line(game)).collect();
        let words = lines.iter().flat_map(|line| line.split(' '));
        let checksums: Vec<&str> = words.filter(|word| word.len() == 8).collect();
        // One by one: those of bytes that end with their own checksum would all be the same.
        let distinct: HashSet<&&str> = checksums.iter().collect();
        assert!(checksums.len() >= lines.len(), "{lines:?}");
        assert_eq!(distinct.len(), checksums.len(), "{lines:?}");
    }

    #[test]
    fn it_is_found_among_settings() {
        let settings = format!("seed 1\n{}\n", line(VariantId::Whale));
        assert_eq!(named(&settings), line(VariantId::Whale).strip_prefix(NAME));
        assert_eq!(named("seed 1\nnodes 5000\n"), None);
    }
}
