//! Which evaluation judged the positions of a file.

use kujira_position::VariantId;
use kujira_search::eval::NetworkFile;

/// The beginning of the line of the settings that names the evaluation.
const NAME: &str = "evaluation ";

/// The line that names the evaluation of an engine of this build: the checksum of the network of the game.
#[must_use]
pub fn line(game: VariantId) -> String {
    format!("{NAME}network {:08x}", NetworkFile::built_in_checksum(game))
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
        let lines: HashSet<String> = VariantId::ALL.iter().map(|&game| line(game)).collect();
        // Checksums of bytes that end with their own checksum would all be the same.
        assert_eq!(lines.len(), VariantId::ALL.len(), "{lines:?}");
    }

    #[test]
    fn it_is_found_among_settings() {
        let settings = format!("seed 1\n{}\n", line(VariantId::Whale));
        assert_eq!(named(&settings), line(VariantId::Whale).strip_prefix(NAME));
        assert_eq!(named("seed 1\nnodes 5000\n"), None);
        // As files of a time before have it.
        let older = "evaluation network 01234567 weights 89abcdef\n";
        assert_eq!(named(older), Some("network 01234567 weights 89abcdef"));
    }
}
