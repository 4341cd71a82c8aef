//! The perft files: positions with the known number of move sequences from them.

use std::path::PathBuf;

use kujira_position::Variant;
use kujira_record::list;

/// A position whose number of move sequences is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// Where it stands: file and line.
    pub place: String,
    /// The position.
    pub sfen: String,
    /// Depth in plies and number of leaves, depth rising.
    pub counts: Vec<(u32, u64)>,
}

/// Leaves from the start by depth, from depth 1.
#[must_use]
pub fn start<V: Variant>() -> Known {
    let counts: &[u64] = match V::SPEC.id {
        "whale" => &[7, 49, 398, 3_230, 30_664, 302_268, 3_376_569, 40_077_336],
        "paulowich" => &[8, 64, 584, 5_329, 54_323, 558_162, 6_339_714, 73_402_483],
        "great" => &[42, 1_764, 73_627, 3_073_156, 128_700_499],
        other => panic!("no counts for {other}"),
    };
    Known {
        place: format!("{} start", V::SPEC.id),
        sfen: V::SPEC.start.to_owned(),
        counts: (1..).zip(counts.iter().copied()).collect(),
    }
}

/// Every line of the files of a game: those in `tests/perft` whose names begin with its id.
///
/// # Panics
/// If the files cannot be read or are not of the form `SFEN ;D1 n ;D2 n …`.
#[must_use]
pub fn known<V: Variant>() -> Vec<Known> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/perft"));
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder of the perft files")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "epd"))
        .filter(|path| {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
            stem.split('-').next() == Some(V::SPEC.id)
        })
        .collect();
    files.sort();
    let mut known = Vec::new();
    for path in files {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        for entry in list::open(&path).expect("a perft file") {
            let counts = entry.counts(64).expect("counts");
            let sfen = entry.opening.sfen.expect("a position");
            known.push(Known { place: format!("{name}:{}", entry.line), sfen, counts });
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use kujira_position::{Great, Paulowich, Whale};

    #[test]
    fn every_line_is_read() {
        assert_eq!(known::<Whale>().len(), 40);
        assert_eq!(known::<Paulowich>().len(), 40);
        assert_eq!(known::<Great>().len(), 40 + 41);
        let first = &known::<Whale>()[0];
        assert_eq!(first.place, "whale.epd:1");
        assert_eq!(first.sfen, "bnp1gh/ddwdd1/2d1Dd/2D3/DD1D1D/HGWPNB b - 7");
        assert_eq!(first.counts, [(1, 9), (2, 91), (3, 1137), (4, 14312), (5, 190_370)]);
    }
}
