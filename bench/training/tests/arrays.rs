//! `export` and `import`: games as arrays of numpy and back.

mod common;

use std::fs;
use std::io::{Cursor, Write};

use common::{Scratch, make, read, settings};
use kujira_data::ending::Ending;
use kujira_data::file::{Header, to_bytes};
use kujira_data::record::GameRecord;
use kujira_position::{VariantId, Whale, with_variant};
use kujira_training::npz;
use kujira_trial::Program;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const PROGRAM: Program = Program::new(env!("CARGO_BIN_EXE_kujira-training"));

/// An array of a file of numpy as numpy itself writes it.
fn npy(items: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': {items}, 'fortran_order': False, 'shape': {shape}, }}");
    let width = (10 + header.len() + 1).next_multiple_of(64) - 11;
    let length = u16::try_from(width + 1).unwrap().to_le_bytes();
    let text = format!("{header:<width$}\n");
    [b"\x93NUMPY\x01\0", &length[..], text.as_bytes(), bytes].concat()
}

/// An archive of these files, as `numpy.savez_compressed` makes it.
fn archive(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .large_file(true);
    for (name, bytes) in files {
        archive.start_file(format!("{name}.npy"), options).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

const GAMES: &str = "[('number', '<u4'), ('opening', '|u1'), ('plies', '<u2'), ('winner', '|u1'), ('reason', '|u1')]";
const PLIES: &str = "[('move', '<u4'), ('score', '<i2'), ('flags', '|u1')]";

/// The arrays of two games of 6×6: one of two moves, one of nothing.
fn arrays() -> Vec<(&'static str, Vec<u8>)> {
    let moves: Vec<u32> = ["2e2d", "5b5c"].map(|usi| usi_move(usi).bits()).to_vec();
    let games = [3, 0, 0, 0, 1, 1, 0, 0, 9, 4, 0, 0, 0, 0, 0, 0, 0, 9];
    let ply = [&moves[1].to_le_bytes()[..], &30_i16.to_le_bytes(), &[0]].concat();
    vec![
        ("version", npy("'<u2'", "()", &[1, 0])),
        ("game", npy("'|u1'", "(5,)", b"whale")),
        ("settings", npy("'|u1'", "(0,)", b"")),
        ("games", npy(GAMES, "(2,)", &games)),
        ("openings", npy("'<u4'", "(1,)", &moves[0].to_le_bytes())),
        ("plies", npy(PLIES, "(1,)", &ply)),
    ]
}

/// A move of a game that begins with 2e2d.
fn usi_move(usi: &str) -> kujira_position::Move {
    let mut position = kujira_position::Position::<Whale>::start();
    if usi != "2e2d" {
        let first = position.parse_usi("2e2d").unwrap();
        position.make(first);
    }
    position.parse_usi(usi).unwrap()
}

#[test]
fn games_go_there_and_back_to_the_byte() {
    let scratch = Scratch::new("arrays");
    for &game in VariantId::ALL {
        let name = |end: &str| scratch.file(&format!("{game}{end}")).display().to_string();
        let (made, arrays, back) = (name(".ktd"), name(".npz"), name("-back.ktd"));
        let few = settings(game);
        with_variant!(game, V => make::<V>(made.as_ref(), &few, 4, 1));
        assert_eq!(PROGRAM.printed(&["export", &made, "--out", &arrays]), "4 games\n");
        let told = PROGRAM.printed(&["import", &arrays, "--out", &back]);
        assert_eq!(told, format!("4 games of {game}\n"));
        assert_eq!(fs::read(&made).unwrap(), fs::read(&back).unwrap());
        // The engine goes on with it.
        with_variant!(game, V => make::<V>(back.as_ref(), &few, 5, 1));
        assert_eq!(read(back.as_ref())[..4], read(made.as_ref()));
        // Nothing is written over.
        let before = fs::read(&back).unwrap();
        let said = PROGRAM.refused(&["import", &arrays, "--out", &back]);
        assert!(said.contains("found something else (--force writes over it)"), "{said}");
        assert_eq!(fs::read(&back).unwrap(), before);
        let said = PROGRAM.refused(&["export", &made, "--out", &made, "--force"]);
        assert!(said.contains("expected another file than FILE"), "{said}");
        let said = PROGRAM.refused(&["import", &made, "--out", &name("-none.ktd")]);
        assert!(said.contains("expected an archive of arrays (.npz)"), "{said}");
        let _ = PROGRAM.printed(&["import", &arrays, "--out", &back, "--force"]);
        assert_eq!(fs::read(&made).unwrap(), fs::read(&back).unwrap());
    }
}

#[test]
fn games_in_many_blocks_come_back() {
    let m = usi_move("2e2d");
    let header = Header { game: VariantId::Whale, settings: "x\n".repeat(9) };
    let game = |number| GameRecord {
        number,
        opening: vec![m; 255],
        plies: Vec::new(),
        ending: Ending::PLY_LIMIT,
    };
    let games: Vec<GameRecord> = (0..200).map(game).collect();
    let bytes = npz::write(&header, &games).unwrap();
    assert_eq!(npz::read(Cursor::new(&bytes)), Ok((header.clone(), games.clone())));
    let scratch = Scratch::new("array-blocks");
    let path = scratch.file("whole.ktd");
    fs::write(&path, to_bytes(&header, &games).unwrap()).unwrap();
    assert_eq!(read(&path), games);
}

/// What numpy packs is read.
#[test]
fn arrays_of_numpy_are_games() {
    let scratch = Scratch::new("numpy");
    let name = |name: &str| scratch.file(name).display().to_string();
    fs::write(name("a.npz"), archive(&arrays())).unwrap();
    let told = PROGRAM.printed(&["import", &name("a.npz"), "--out", &name("a.ktd")]);
    assert_eq!(told, "2 games of whale\n");
    let text = PROGRAM.printed(&["dump", &name("a.ktd")]);
    assert_eq!(text, "bnpwgh/dddddd/6/4D1/DDDD1D/HGWPNB w - 2\tcp 30\tdraw\t5b5c\n");
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let whole = || arrays();
    assert!(npz::read(Cursor::new(archive(&whole()))).is_ok());
    let refused = |files: &[(&str, Vec<u8>)], expected: &str| {
        let error = npz::read(Cursor::new(archive(files))).unwrap_err();
        assert!(error.contains(expected), "expected {expected}, found {error}");
    };
    for gone in 0..whole().len() {
        let mut files = whole();
        let (name, _) = files.remove(gone);
        refused(&files, &format!("array {name}: expected it, found none"));
    }
    let game = |number: u8, opening, plies| [number, 0, 0, 0, opening, plies, 0, 0, 9];
    for (name, file, expected) in [
        ("version", npy("'<u2'", "()", &[2, 0]), "array version: expected 1"),
        ("game", npy("'|u1'", "(5,)", b"chess"), "array game: expected one of whale"),
        ("game", npy("'|u1'", "(1,)", &[0xff]), "array game: expected UTF-8"),
        ("settings", npy("'|u1'", "(70000,)", &[b'x'; 70_000]), "array settings: expected at most"),
        ("games", b"no array".to_vec(), "array games: expected a file .npy of version 1"),
        ("games", npy("'<u4'", "(2,)", &[0; 8]), "array games: expected items [('number'"),
        ("games", npy(GAMES, "(1, 2)", &[0; 18]), "found {'descr': [('number', '<u4')"),
        ("games", npy(GAMES, "(9999999999999999999,)", &[]), "expected 9999999999999999999 × 9"),
        ("games", npy(GAMES, "(3,)", &[0; 18]), "array games: expected 3 × 9 bytes, found 18"),
        (
            "games",
            npy(GAMES, "(2,)", &[game(1, 2, 1), game(2, 0, 0)].concat()),
            "array games, row 0: expected 2 more rows of openings, found 1",
        ),
        (
            "games",
            npy(GAMES, "(2,)", &[game(1, 1, 1), game(2, 0, 1)].concat()),
            "array games, row 1: expected 1 more rows of plies, found 0",
        ),
        (
            "games",
            npy(GAMES, "(2,)", &[game(1, 1, 1), game(1, 0, 0)].concat()),
            "array games, row 1: expected numbers once, found 1 again",
        ),
        (
            "games",
            npy(GAMES, "(1,)", &game(1, 1, 0)),
            "array plies: expected the rows of the games, found 1 more",
        ),
        (
            "games",
            npy(GAMES, "(1,)", &[1, 0, 0, 0, 1, 1, 0, 3, 9]),
            "array games, row 0: expected a winner from 0 to 2, found 3",
        ),
        ("openings", npy("'<u4'", "(1,)", &[0; 4]), "row 0: expected a move, found the bits 0x0"),
        ("plies", npy(PLIES, "(1,)", &[255; 7]), "row 0: expected a move, found the bits"),
    ] {
        let mut files = whole();
        files.iter_mut().find(|(found, _)| *found == name).unwrap().1 = file;
        refused(&files, expected);
    }
    // Legal or not, only a replay tells.
    let mut files = whole();
    files[4].1 = npy("'<u4'", "(1,)", &usi_move("5b5c").bits().to_le_bytes());
    let scratch = Scratch::new("illegal-arrays");
    let name = |name: &str| scratch.file(name).display().to_string();
    fs::write(name("a.npz"), archive(&files)).unwrap();
    let said = PROGRAM.refused(&["import", &name("a.npz"), "--out", &name("a.ktd")]);
    assert!(said.contains("a.npz: game 3: ") && !scratch.file("a.ktd").exists(), "{said}");
    // Cut short or changed anywhere: no panic, and what is read is what was written.
    let bytes = archive(&whole());
    let same = npz::read(Cursor::new(&bytes)).unwrap();
    for at in 0..bytes.len() {
        assert!(npz::read(Cursor::new(&bytes[..at])).is_err(), "{at}");
        let mut changed = bytes.clone();
        changed[at] ^= 0x11;
        if let Ok(found) = npz::read(Cursor::new(&changed)) {
            assert_eq!(found, same, "{at}");
        }
    }
}
