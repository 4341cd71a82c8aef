//! Files of training games, as bytes and with their checksums put right: games that are read are written the same,
//! and replayed or refused.
//!
//! Bytes: `r` for checksums put right, then the file.

use kujira_position::{Variant, with_variant};
use kujira_data::file::Reader;
use kujira_data::record::GameRecord;
use kujira_data::sample::samples;
use kujira_data::statistics::Statistics;

/// Where the fields of a header are: the checked ones, their checksum, the settings.
const CHECKED: std::ops::Range<usize> = 8..15;
const SETTINGS: usize = 19;

/// Bytes of the header of a block.
const BLOCK: usize = 20;

/// Runs the target.
pub fn run(data: &[u8]) {
    match data.split_first() {
        Some((b'r', file)) => read(&repaired(file)),
        Some((_, file)) => read(file),
        None => {}
    }
}

/// The file with every checksum put right.
fn repaired(file: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    let number = |file: &[u8], at: usize| -> Option<usize> {
        let bytes = file.get(at..at + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
    };
    let put = |file: &mut [u8], at: usize, number: u32| {
        if let Some(field) = file.get_mut(at..at + 4) {
            field.copy_from_slice(&number.to_le_bytes());
        }
    };
    let Some(length) = number(&file, CHECKED.end - 4) else { return file };
    let mut at = SETTINGS.saturating_add(length).min(file.len());
    let Some(settings) = file.get(SETTINGS..at) else { return file };
    let checked = [file.get(CHECKED).unwrap_or_default(), settings].concat();
    put(&mut file, CHECKED.end, crc32fast::hash(&checked));
    while let Some(length) = number(&file, at + 4) {
        let end = (at + BLOCK).saturating_add(length).min(file.len());
        let Some(games) = file.get(at + BLOCK..end) else { return file };
        let sum = crc32fast::hash(games);
        put(&mut file, at + 12, sum);
        let sum = file.get(at..at + 16).map_or(0, crc32fast::hash);
        put(&mut file, at + 16, sum);
        at = end.max(at + BLOCK);
    }
    file
}

fn read(file: &[u8]) {
    let mut reader = match Reader::new(file) {
        Ok(reader) => reader,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let game = reader.header().game;
    with_variant!(game, V => games::<V>(&mut reader));
    assert!(reader.torn() <= file.len() as u64);
}

fn games<V: Variant>(reader: &mut Reader<&[u8]>) {
    let mut statistics = Statistics::new(2000);
    let mut counted = 0;
    for game in reader {
        let game = match game {
            Ok(game) => game,
            Err(error) => return assert!(error.to_string().contains("expected "), "{error}"),
        };
        let mut bytes = Vec::new();
        game.encode(&mut bytes).expect("a game that was read is not too long");
        assert!(bytes.len() <= GameRecord::LARGEST);
        let mut rest = &bytes[..];
        assert_eq!(GameRecord::decode(&mut rest), Ok(game.clone()));
        assert!(rest.is_empty());
        let replayed = samples::<V>(&game);
        let added = statistics.add::<V>(&game);
        assert_eq!(replayed.is_ok(), added.is_ok());
        counted += u64::from(added.is_ok());
        if let Ok(samples) = replayed {
            assert_eq!(samples.len(), game.plies.len());
        }
    }
    assert_eq!(statistics.games(), counted);
}
