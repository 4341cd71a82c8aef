//! The pictures of XBoard's pieces: draws them, and holds the files in `protocol/xboard/tiles` to it.
//! With `KUJIRA_DRAW_TILES=1` in the environment the files are written instead.
//!
//! The tiles are those of Kujira Board (`protocol/page/src/view/shapes.js`): wedges that point at the
//! opponent, with a whale in the colour of its family and a letter; here drawn with strokes, so that no
//! font is needed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kujira_cecp::definition::picture;
use kujira_cecp::notation::offered;
use kujira_picture::Tiles;
use kujira_position::{Kind, Spec};

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
    let tiles = Tiles::default();
    let family = tiles.family(spec, kind).unwrap();
    let (colour, whale, outline, foot) = (family.color, family.whale, tiles.body, tiles.foot);
    let token = spec.kind(kind).token;
    let (_, letter) = LETTERS.iter().find(|(letter, _)| *letter == token).expect("a letter drawn");
    let (body, turn) =
        if first { ("#fdf5e2", "") } else { ("#efe3c8", " transform=\"rotate(180 50 55)\"") };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"118\" height=\"118\" viewBox=\"-9 -4 118 118\">\n\
         <title>{name}</title>\n\
         <g{turn}>\n\
         <path fill=\"{body}\" stroke=\"#8b7650\" stroke-width=\"2.6\" stroke-linejoin=\"round\" \
         d=\"{outline}\"/>\n\
         <path fill=\"{colour}\" d=\"{foot}\"/>\n\
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
