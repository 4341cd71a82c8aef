//! The pictures of XBoard's pieces: draws them, and holds the files in `protocol/xboard/tiles` to it.
//! With `KUJIRA_DRAW_TILES=1` in the environment the files are written instead.
//!
//! The tiles are those of Kujira Board (`protocol/page/src/tiles.js`): wedges that point at the
//! opponent, with a whale in the colour of its family and a letter; here drawn with strokes, so that no
//! font is needed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kujira_cecp::definition::picture;
use kujira_cecp::notation::offered;
use kujira_position::{Kind, Spec};

/// Families of whales by what their names contain, the first that fits: colour, and silhouette in a box
/// of 48 by 28.
const FAMILIES: [(&str, &str, &str); 6] = [
    (
        "white whale",
        "#b0820d",
        "M16 9 14.5 1.5 19.5 4.5 24 0 28.5 4.5 33.5 1.5 32 9ZM3 20C5 13 15 11 25 12 33 13 38 15 41 15L46 10 \
         45 17 47 23 41 20.5C35 25 27 27 18 27 9 27 2 25 3 20Z",
    ),
    (
        "killer",
        "#23282e",
        "M2 18C3 11 12 9 19 9 20 5 22 2 25.5 0 25 4 26 7 28 9.5 34 10.5 38 12 41 13.5L47 8 45 15 47 22 41 \
         18C34 22 28 24 18 23.5L14 27 11 23C6 22.5 1.5 21.5 2 18ZM8.5 13.5A3 1.7 0 1 0 14.5 13.5 3 1.7 0 1 \
         0 8.5 13.5Z",
    ),
    (
        "dolphin",
        "#0d8577",
        "M1 20C5 17 8 9 18 6.5 20 3 24 1.5 28 1 26.5 3 26.5 5 27.5 7.5 35 10.5 40 16 42 22 44 22 46 23.5 47 \
         26.5 44 25 42 25 40 27.5 39 25.5 39 24 40 22 34 17.5 28 15.5 22 16.5 20 19.5 18 21 14.5 22 16 20 \
         16 18.5 16.5 17 11 17.5 8 20.5 1 20Z",
    ),
    (
        "porpoise",
        "#7447ad",
        "M3 17C4 10 12 7.5 20 7.5L24 3 27.5 8.5C34 9.5 38 12 41 14L46 9 45 16 47 22 41 18.5C34 22.5 28 23.5 \
         20 23L16 26.5 13.5 22.5C8 22 2.5 21 3 17Z",
    ),
    (
        "narwhal",
        "#2b93c4",
        "M0 4 14 10.5C18 8 24 8 29 9.5 35 11 38 13 41 14L47 9 45 16 47 22.5 41 18.5C35 21.5 29 23.5 22 \
         23.5L18 26.5 15.5 22.5C11 21 9 19 9 16 9 14.3 9.5 13 10.5 12Z",
    ),
    (
        "",
        "#1d4f8f",
        "M2 18C3 8 17 5 28 9 34 11.5 37 13 40 10.5 38.5 7.5 39.5 4.5 41.5 2 42.5 5 44.5 6 47.5 5.5 47 9 45 \
         10.5 43.5 11.5 42.5 18 34 24.5 22 24.5L18 27.5 15.5 24C8 23.5 2 22.5 2 18Z",
    ),
];

/// Letters as strokes in a box of 40 by 40.
const LETTERS: [(&str, &str); 9] = [
    ("W", "M0 0 10 40 20 12 30 40 40 0"),
    ("K", "M5 0V40M36 0 5 23M15 16 37 40"),
    ("H", "M4 0V40M36 0V40M4 20H36"),
    ("G", "M36 8C32 2 27 0 21 0 9 0 2 8 2 20 2 32 9 40 21 40 28 40 34 37 37 33V22H23"),
    ("N", "M4 40V0L36 40V0"),
    ("B", "M5 19H22C32 19 36 24 36 30 36 36 32 40 22 40H5V0H21C30 0 34 4 34 9.5 34 15 30 19 21 19"),
    ("D", "M5 0V40H16C29 40 37 33 37 20 37 7 29 0 16 0Z"),
    ("A", "M2 40 20 0 38 40M8 27H32"),
    ("P", "M6 40V0H22C32 0 37 5 37 12 37 19 32 24 22 24H6"),
];

/// The tile of a kind for the side that moves first, or its opponent.
fn tile(spec: &Spec, kind: Kind, first: bool) -> String {
    let name = spec.name_of(kind);
    let (_, colour, whale) = FAMILIES.iter().find(|(part, ..)| name.contains(part)).unwrap();
    let token = spec.kind(kind).token;
    let (_, letter) = LETTERS.iter().find(|(letter, _)| *letter == token).expect("a letter drawn");
    let (body, turn) =
        if first { ("#fdf5e2", "") } else { ("#efe3c8", " transform=\"rotate(180 50 55)\"") };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"118\" height=\"118\" viewBox=\"-9 -4 118 118\">\n\
         <title>{name}</title>\n\
         <g{turn}>\n\
         <path fill=\"{body}\" stroke=\"#8b7650\" stroke-width=\"2.6\" stroke-linejoin=\"round\" \
         d=\"M50 3 83 17 94 106H6L17 17Z\"/>\n\
         <path fill=\"{colour}\" d=\"M7.2 97 6 106H94L92.8 97Z\"/>\n\
         <path fill=\"{colour}\" fill-rule=\"evenodd\" transform=\"translate(27 18) scale(.96)\" \
         d=\"{whale}\"/>\n\
         <path fill=\"none\" stroke=\"#221a0e\" stroke-width=\"8.5\" stroke-linecap=\"round\" \
         stroke-linejoin=\"round\" transform=\"translate(33 53) scale(.85)\" d=\"{letter}\"/>\n\
         </g>\n\
         </svg>\n"
    )
}

#[test]
fn the_tiles_are_those_drawn_here() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../xboard/tiles");
    let mut drawn = BTreeMap::new();
    for game in offered() {
        let spec = game.spec();
        for kind in spec.all_kinds() {
            let slot = picture(spec, spec.kind(kind)).unwrap();
            for (colour, first) in [("White", true), ("Black", false)] {
                let picture = tile(spec, kind, first);
                // What two games share looks alike.
                let other = drawn.insert(format!("{colour}{slot}.svg"), picture.clone());
                assert!(other.is_none_or(|other| other == picture), "{colour}{slot} twice");
            }
        }
    }
    if std::env::var_os("KUJIRA_DRAW_TILES").is_some() {
        for (name, picture) in &drawn {
            std::fs::write(folder.join(name), picture).unwrap();
        }
    }
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let entry = entry.unwrap();
        let picture = std::fs::read_to_string(entry.path()).unwrap();
        files.insert(entry.file_name().into_string().unwrap(), picture);
    }
    assert!(files == drawn, "protocol/xboard/tiles: draw them with KUJIRA_DRAW_TILES=1");
}
