//! Files of games: what was written comes back, and nothing else is taken for it.

mod common;

use std::fs;
use std::path::Path;

use common::{Scratch, make, read, settings};
use kujira_data::error::DataError;
use kujira_data::file::{Earlier, Reader, Writer};
use kujira_data::record::GameRecord;
use kujira_data::sample::Samples;
use kujira_position::{Paulowich, VariantId, Whale};
use kujira_training::settings::Settings;

/// Some games of 6×6.
fn games(scratch: &Scratch, count: u64) -> Vec<GameRecord> {
    let path = scratch.file("games");
    make::<Whale>(&path, &settings(VariantId::Whale), count, 1);
    read(&path)
}

/// A file of 6×6 without games, with these settings in its header.
fn header(settings: &str) -> Vec<u8> {
    let length = u32::try_from(settings.len()).unwrap().to_le_bytes();
    let checked = [&[1, 0, 0][..], &length].concat();
    let checksum = crc32fast::hash(&[&checked, settings.as_bytes()].concat()).to_le_bytes();
    [b"KUJIRA\r\n", &checked[..], &checksum, settings.as_bytes()].concat()
}

/// Writes a file whose blocks hold these games.
fn write(path: &Path, blocks: &[&[GameRecord]]) {
    let (mut writer, _) = Writer::open(path, &settings(VariantId::Whale).header()).unwrap();
    for games in blocks {
        for game in *games {
            writer.add(game).unwrap();
        }
        writer.flush().unwrap();
    }
}

/// The games of `bytes` up to the first fault, the fault, and the bytes cut short.
fn parse(bytes: &[u8]) -> Result<(Vec<GameRecord>, Option<DataError>, u64), DataError> {
    let mut reader = Reader::new(bytes)?;
    let mut games = Vec::new();
    let mut fault = None;
    for game in reader.by_ref() {
        match game {
            Ok(game) => games.push(game),
            Err(error) => fault = Some(error),
        }
    }
    assert!(reader.next().is_none(), "nothing follows the end or a fault");
    Ok((games, fault, reader.torn()))
}

#[test]
fn games_come_back_in_order_from_many_blocks() {
    let scratch = Scratch::new("blocks");
    let some = games(&scratch, 8);
    // Enough that blocks are written on the way: 64 KiB each.
    let many: Vec<GameRecord> = some.iter().cycle().take(600).cloned().collect();
    let path = scratch.file("many");
    let (mut writer, earlier) = Writer::open(&path, &settings(VariantId::Whale).header()).unwrap();
    assert_eq!(earlier, Earlier::default());
    for game in &many {
        writer.add(game).unwrap();
    }
    let before = fs::metadata(&path).unwrap().len();
    assert!(before > 64 << 10, "whole blocks are on disk before the end: {before} bytes");
    writer.flush().unwrap();
    writer.flush().unwrap();
    drop(writer);
    assert_eq!(read(&path), many);
    let header = settings(VariantId::Whale).header();
    assert_eq!(Reader::open(&path).unwrap().header(), &header);

    let plies: u64 = many.iter().map(|game| game.plies.len() as u64).sum();
    let (_, earlier) = Writer::open(&path, &settings(VariantId::Whale).header()).unwrap();
    let numbers = many.iter().map(|game| game.number).collect();
    assert_eq!(earlier, Earlier { games: 600, plies, numbers, torn: 0 });
    let a_ply = fs::metadata(&path).unwrap().len() as f64 / plies as f64;
    assert!((7.0..8.0).contains(&a_ply), "{a_ply} bytes a ply");
}

#[test]
fn a_last_block_cut_short_is_left_out_and_cut_off() {
    let scratch = Scratch::new("torn");
    let some = games(&scratch, 3);
    let path = scratch.file("torn");
    write(&path, &[&some[..2], &some[2..]]);
    let whole = fs::read(&path).unwrap();
    let short = scratch.file("short");
    write(&short, &[&some[..2]]);
    let first = fs::read(&short).unwrap().len();
    assert_eq!(parse(&whole).unwrap().0, some);
    for cut in first..whole.len() {
        let (games, fault, torn) = parse(&whole[..cut]).unwrap();
        assert_eq!((games.as_slice(), torn), (&some[..2], (cut - first) as u64), "{cut}");
        assert!(fault.is_none());
    }
    // Whoever writes next begins behind the last whole block.
    for cut in [first + 1, first + 20, whole.len() - 1] {
        fs::write(&path, &whole[..cut]).unwrap();
        let (mut writer, earlier) =
            Writer::open(&path, &settings(VariantId::Whale).header()).unwrap();
        assert_eq!((earlier.games, earlier.torn), (2, (cut - first) as u64));
        writer.add(&some[2]).unwrap();
        writer.flush().unwrap();
        drop(writer);
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}

/// A length says how far to read, never how much memory to take: one that lies is told with its place.
#[test]
fn lying_lengths_are_told_and_not_believed() {
    let scratch = Scratch::new("lying");
    let some = games(&scratch, 1);
    let path = scratch.file("lying");
    write(&path, &[&some]);
    let whole = fs::read(&path).unwrap();
    let begun = settings(VariantId::Whale).header().settings.len() + 19;
    let with = |length: u32, count: u32| {
        let mut bytes = whole.clone();
        bytes[begun + 4..begun + 8].copy_from_slice(&length.to_le_bytes());
        bytes[begun + 8..begun + 12].copy_from_slice(&count.to_le_bytes());
        let sum = crc32fast::hash(&bytes[begun..begun + 16]).to_le_bytes();
        bytes[begun + 16..begun + 20].copy_from_slice(&sum);
        bytes
    };
    let told = |bytes: &[u8]| parse(bytes).unwrap().1.unwrap().to_string();
    let length = (whole.len() - begun - 20) as u32;
    let largest = (64 << 10) + 9 + 255 * 4 + 65_535 * 7;
    assert_eq!(with(length, 1), whole);
    for lying in [u32::MAX, largest + 1] {
        let expected = format!(
            "damaged at byte {}: expected at most {largest} bytes of games, found {lying}",
            begun + 4
        );
        assert_eq!(told(&with(lying, 1)), expected);
        fs::write(&path, with(lying, 1)).unwrap();
        let refused =
            Writer::open(&path, &settings(VariantId::Whale).header()).unwrap_err().to_string();
        assert_eq!(refused, expected);
        assert_eq!(fs::read(&path).unwrap(), with(lying, 1));
    }
    // One that a block may have is a block cut short.
    assert!(parse(&with(largest, 1)).unwrap().1.is_none());
    let expected =
        format!("damaged at byte {}: expected 4 more bytes of a game, found 0", whole.len());
    assert_eq!(told(&with(length, u32::MAX)), expected);
    let more =
        format!("damaged at byte {}: expected 0 games, found {length} bytes more", begun + 20);
    assert_eq!(told(&with(length, 0)), more);
    let mut settings = whole.clone();
    settings[11..15].copy_from_slice(&u32::MAX.to_le_bytes());
    let error = parse(&settings).unwrap_err().to_string();
    let expected = "damaged at byte 11: expected at most 65536 bytes of settings, found 4294967295";
    assert_eq!(error, expected);
}

#[test]
fn every_changed_byte_is_noticed_and_nothing_is_cut_off_for_it() {
    let scratch = Scratch::new("damaged");
    let some = games(&scratch, 2);
    let path = scratch.file("damaged");
    write(&path, &[&some[..1]]);
    let first = fs::read(&path).unwrap().len() as u64;
    write(&path, &[&some[1..]]);
    let whole = fs::read(&path).unwrap();
    let begun = settings(VariantId::Whale).header().settings.len() + 19;
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        match parse(&bytes) {
            Err(DataError::Foreign) => assert!(at < 8, "{at}"),
            Err(DataError::Version { found: 0x11 | 0x1001, .. }) => assert!((8..10).contains(&at)),
            Err(DataError::Damaged { offset: 0 | 11, fault }) => {
                assert!((10..begun).contains(&at), "{at}");
                assert!(fault.starts_with("expected"), "{fault}");
            }
            Err(error) => panic!("{at}: {error}"),
            Ok((games, Some(DataError::Damaged { offset, fault }), 0)) => {
                let blocks_before = usize::from(at as u64 >= first);
                assert_eq!(games, some[..blocks_before], "{at}");
                assert_eq!(offset, [begun as u64, first][blocks_before]);
                assert!(fault.starts_with("expected the checksum"), "{fault}");
            }
            Ok(other) => panic!("{at}: {other:?}"),
        }
    }
    let mut bytes = whole.clone();
    bytes[begun + 30] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let error = Writer::open(&path, &settings(VariantId::Whale).header()).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("damaged at byte {begun}: expected the checksum")),
        "{error}"
    );
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_header_cut_short_is_begun_anew() {
    let scratch = Scratch::new("header");
    let path = scratch.file("header");
    write(&path, &[]);
    let header = fs::read(&path).unwrap();
    for cut in 0..header.len() {
        fs::write(&path, &header[..cut]).unwrap();
        let (_, earlier) = Writer::open(&path, &settings(VariantId::Whale).header()).unwrap();
        assert_eq!(earlier, Earlier::default());
        assert_eq!(fs::read(&path).unwrap(), header, "{cut}");
        let error = parse(&header[..cut]).unwrap_err().to_string();
        let expected =
            if cut < 8 { "expected a file of self-play games" } else { "expected a whole" };
        assert!(error.contains(expected), "{cut}: {error}");
    }
}

#[test]
fn foreign_files_are_refused_and_stay() {
    let scratch = Scratch::new("foreign");
    let path = scratch.file("foreign");
    for text in ["x", "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1\n", &"KUJIRA\n".repeat(200)] {
        fs::write(&path, text).unwrap();
        for error in [
            Reader::open(&path).map(|_| ()).unwrap_err(),
            Writer::open(&path, &settings(VariantId::Whale).header()).map(|_| ()).unwrap_err(),
        ] {
            let expected = "expected a file of self-play games, found something else";
            assert_eq!(error.to_string(), expected, "{text}");
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    assert!(matches!(Reader::open(&scratch.file("none")), Err(DataError::Io(_))));
}

#[test]
fn a_file_of_another_run_is_refused() {
    let scratch = Scratch::new("other");
    let path = scratch.file("other");
    write(&path, &[]);
    let refused = |settings: Settings| {
        Writer::open(&path, &settings.header()).map(|_| ()).unwrap_err().to_string()
    };

    let mut other = settings(VariantId::Whale);
    other.nodes = 101;
    other.seed = 12;
    assert_eq!(
        refused(other),
        "expected the settings that the file was begun with: \"seed 11\" there, \"seed 12\" here; \
         \"soft-nodes 100 up to 1600\" there, \"soft-nodes 101 up to 1616\" here"
    );
    let other = refused(settings(VariantId::Paulowich));
    assert_eq!(other, "expected games of paulowich, found games of whale");
    let reader = Reader::open(&path).unwrap();
    let error = Samples::<Paulowich, _>::new(reader).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "expected games of paulowich, found games of whale");

    let writing = Writer::open(&path, &settings(VariantId::Whale).header()).unwrap();
    let second = refused(settings(VariantId::Whale));
    assert_eq!(second, "expected a file that nobody writes to, found it in use");
    assert_eq!(read(&path), []);
    drop(writing);
    assert!(Writer::open(&path, &settings(VariantId::Whale).header()).is_ok());
}

/// A run is not gone on with by another evaluation, nor with another kind of limit; its file stays readable.
#[test]
fn a_file_of_an_older_build_is_read_but_not_gone_on_with() {
    let scratch = Scratch::new("older");
    let some = games(&scratch, 2);
    let now = settings(VariantId::Whale).to_string();
    let (begin, evaluation) = now.split_at(now.find("evaluation ").unwrap());
    let other = "evaluation network 01234567 weights 89abcdef\n";
    let hard = begin.replace("soft-nodes 100 up to 1600", "nodes 100");
    let path = scratch.file("older");
    write(&path, &[&some]);
    let whole = fs::read(&path).unwrap();
    let blocks = whole.strip_prefix(&header(&now)[..]).unwrap();
    let here = evaluation.trim_end();
    for (settings_there, differences) in [
        (begin.to_owned() + other, format!("\"{}\" there, \"{here}\" here", other.trim_end())),
        (
            hard,
            format!(
                "\"nodes 100\" there, \"soft-nodes 100 up to 1600\" here; \"nothing\" there, \"{here}\" here"
            ),
        ),
    ] {
        let bytes = [&header(&settings_there), blocks].concat();
        fs::write(&path, &bytes).unwrap();
        let error =
            Writer::open(&path, &settings(VariantId::Whale).header()).unwrap_err().to_string();
        let expected = "expected the settings that the file was begun with: ";
        assert_eq!(error, format!("{expected}{differences}"));
        assert_eq!(Reader::open(&path).unwrap().header().settings, settings_there);
        assert_eq!(read(&path), some);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}
