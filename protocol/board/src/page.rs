//! The page: the files of `protocol/page/src`, which are part of the program.
use include_dir::{Dir, DirEntry, include_dir};

static PAGE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../page/src");

/// Content types by how a file's name ends; a file of another kind is not served.
const KINDS: [(&str, &str); 5] = [
    (".html", "text/html; charset=utf-8"),
    (".css", "text/css; charset=utf-8"),
    (".js", "text/javascript; charset=utf-8"),
    (".json", "application/json"),
    (".svg", "image/svg+xml"),
];

/// A file of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Asset {
    /// Its content type.
    pub(crate) kind: &'static str,
    /// What is in it.
    pub(crate) content: &'static [u8],
}

/// The file at an address relative to the page, such as `view/board.js`.
pub(crate) fn find(address: &str) -> Option<Asset> {
    let kind = KINDS.iter().find(|(ending, _)| address.ends_with(ending))?.1;
    PAGE.get_file(address).map(|file| Asset { kind, content: file.contents() })
}

/// The size of all files of the page together, in bytes, without puzzles, openings and courses, which are fetched when
/// needed.
#[must_use]
pub fn weight() -> usize {
    fn of(entry: &DirEntry<'_>) -> usize {
        match entry {
            DirEntry::Dir(folder) => folder.entries().iter().map(of).sum(),
            DirEntry::File(file) if file.path().extension().is_some_and(|kind| kind == "json") => 0,
            DirEntry::File(file) => file.contents().len(),
        }
    }
    PAGE.entries().iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_its_content_type() {
        let mut folders = vec![&PAGE];
        let mut files = 0;
        while let Some(folder) = folders.pop() {
            folders.extend(folder.dirs());
            for file in folder.files() {
                let address = file.path().to_str().unwrap();
                let found = find(address).unwrap_or_else(|| panic!("{address} is not served"));
                assert_eq!(found.content, file.contents(), "{address}");
                files += 1;
            }
        }
        assert!(files > 10, "{files} files");
        assert_eq!(find("app.js").map(|file| file.kind), Some("text/javascript; charset=utf-8"));
        for address in ["", "view", "none.js", "../Cargo.toml", "/app.js", "app.js/"] {
            assert_eq!(find(address), None, "{address}");
        }
    }
}
