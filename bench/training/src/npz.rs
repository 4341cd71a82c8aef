//! Games as arrays of numpy (`.npz`): the records of a `.ktd` file, those of one kind together.
//!
//! ```text
//! version   uint16, no dimension   VERSION
//! game      uint8 × letters        id of the game, in UTF-8
//! settings  uint8 × letters        as in the header of a `.ktd` file
//! games     9 bytes × games        number, opening, plies, winner, reason, as in `kujira_data::record`
//! openings  uint32 × moves         moves of all openings, game after game
//! plies     7 bytes × plies        move, score, flags of all games, game after game
//! ```
//!
//! A `.npz` file is an archive (zip) of `.npy` files, each a header of text and the bytes of an array.

use std::collections::BTreeSet;
use std::io::{Cursor, Read, Seek, Write};

use kujira_data::file::Header;
use kujira_data::record::GameRecord;
use kujira_position::VariantId;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Version of the layout.
const VERSION: u16 = 1;

/// An array by its name, with the type of its items as numpy writes it, and their size in bytes.
struct Array {
    name: &'static str,
    items: &'static str,
    size: usize,
}

const NUMBER: Array = Array { name: "version", items: "'<u2'", size: 2 };
const GAME: Array = Array { name: "game", items: "'|u1'", size: 1 };
const SETTINGS: Array = Array { name: "settings", items: "'|u1'", size: 1 };
const GAMES: Array = Array {
    name: "games",
    items: "[('number', '<u4'), ('opening', '|u1'), ('plies', '<u2'), ('winner', '|u1'), ('reason', '|u1')]",
    size: 9,
};
const OPENINGS: Array = Array { name: "openings", items: "'<u4'", size: 4 };
const PLIES: Array = Array {
    name: "plies",
    items: "[('move', '<u4'), ('score', '<i2'), ('flags', '|u1')]",
    size: 7,
};

/// What stands before the version of a `.npy` file.
const MAGIC: &[u8] = b"\x93NUMPY";

/// Length of that, the version and the length of the header.
const PREAMBLE: usize = 10;

impl Array {
    /// What the header says before the number of items.
    fn begin(&self) -> String {
        format!("{{'descr': {}, 'fortran_order': False, 'shape': (", self.items)
    }

    /// The `.npy` file of these items.
    fn file(&self, items: &[u8], shape: &str) -> Vec<u8> {
        let header = format!("{}{shape}), }}", self.begin());
        // Items begin at a multiple of 64.
        let length = (PREAMBLE + header.len() + 1).next_multiple_of(64) - PREAMBLE;
        let mut file = MAGIC.to_vec();
        file.extend([1, 0]);
        file.extend((length as u16).to_le_bytes());
        file.extend(format!("{header:<width$}\n", width = length - 1).bytes());
        file.extend(items);
        file
    }

    /// The bytes of the items of this array in an archive.
    fn find(&self, archive: &mut ZipArchive<impl Read + Seek>) -> Result<Vec<u8>, String> {
        let named = |fault: String| format!("array {}: {fault}", self.name);
        let mut file = Vec::new();
        let found = archive.by_name(&format!("{}.npy", self.name));
        found.and_then(|mut found| Ok(found.read_to_end(&mut file)?)).map_err(
            |error| match error {
                ZipError::FileNotFound => named("expected it, found none".to_owned()),
                error => named(error.to_string()),
            },
        )?;
        let (header, items) = parts(&file).ok_or_else(|| {
            named("expected a file .npy of version 1, found something else".to_owned())
        })?;
        let shape = header.strip_prefix(&self.begin()).and_then(|rest| rest.strip_suffix("), }"));
        let count = shape.and_then(|shape| match shape {
            "" => Some(1),
            _ => shape.strip_suffix(',')?.parse().ok(),
        });
        let Some(count) = count else {
            let expected = self.items;
            return Err(named(format!("expected items {expected} in a row, found {header:.200}")));
        };
        if usize::checked_mul(count, self.size) != Some(items.len()) {
            let found = items.len();
            let size = self.size;
            return Err(named(format!("expected {count} × {size} bytes, found {found}")));
        }
        Ok(items.to_vec())
    }

    /// An array that holds a text.
    fn find_text(&self, archive: &mut ZipArchive<impl Read + Seek>) -> Result<String, String> {
        let text = String::from_utf8(self.find(archive)?);
        text.map_err(|error| format!("array {}: expected UTF-8: {error}", self.name))
    }
}

/// Header and items of a `.npy` file.
fn parts(file: &[u8]) -> Option<(&str, &[u8])> {
    let (&[low, high], rest) =
        file.strip_prefix(MAGIC)?.strip_prefix(&[1, 0])?.split_first_chunk::<2>()?;
    let (header, items) = rest.split_at_checked(u16::from_le_bytes([low, high]).into())?;
    Some((std::str::from_utf8(header).ok()?.trim_end(), items))
}

/// The archive of these games.
///
/// # Errors
/// If a game is too long for its format, or the archive for its own.
pub fn write(header: &Header, games: &[GameRecord]) -> Result<Vec<u8>, String> {
    let (mut heads, mut openings, mut plies) = (Vec::new(), Vec::new(), Vec::new());
    for game in games {
        let mut bytes = Vec::new();
        game.encode(&mut bytes).map_err(|fault| format!("game {}: {fault}", game.number))?;
        let (head, moves) = bytes.split_at(GAMES.size);
        let (opening, searched) = moves.split_at(OPENINGS.size * game.opening.len());
        heads.extend(head);
        openings.extend(opening);
        plies.extend(searched);
    }
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |array: Array, items: &[u8]| {
        let shape = match array.name {
            "version" => String::new(),
            _ => format!("{},", items.len() / array.size),
        };
        let file = array.file(items, &shape);
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file(u32::try_from(file.len()).is_err());
        archive.start_file(format!("{}.npy", array.name), options)?;
        archive.write_all(&file)
    };
    let id = header.game.spec().id;
    add(NUMBER, &VERSION.to_le_bytes())
        .and_then(|()| add(GAME, id.as_bytes()))
        .and_then(|()| add(SETTINGS, header.settings.as_bytes()))
        .and_then(|()| add(GAMES, &heads))
        .and_then(|()| add(OPENINGS, &openings))
        .and_then(|()| add(PLIES, &plies))
        .map_err(|error| error.to_string())?;
    archive.finish().map(Cursor::into_inner).map_err(|error| error.to_string())
}

/// The games of an archive. Whether their moves are legal only a replay tells, see [`kujira_data::sample::replay`].
///
/// # Errors
/// Which array is not as expected, and where.
pub fn read(archive: impl Read + Seek) -> Result<(Header, Vec<GameRecord>), String> {
    let mut archive = ZipArchive::new(archive)
        .map_err(|error| format!("expected an archive of arrays (.npz): {error}"))?;
    let version = NUMBER.find(&mut archive)?;
    if version != VERSION.to_le_bytes() {
        return Err(format!("array version: expected {VERSION}, found the bytes {version:?}"));
    }
    let game = GAME.find_text(&mut archive)?.parse::<VariantId>();
    let game = game.map_err(|error| format!("array game: {error}"))?;
    let settings = SETTINGS.find_text(&mut archive)?;
    let (most, found) = (Header::MOST_SETTINGS as usize, settings.len());
    if found > most {
        return Err(format!("array settings: expected at most {most} bytes, found {found}"));
    }
    let heads = GAMES.find(&mut archive)?;
    let openings = OPENINGS.find(&mut archive)?;
    let plies = PLIES.find(&mut archive)?;
    let (mut openings, mut plies) = (openings.as_slice(), plies.as_slice());
    let (mut games, mut numbers) = (Vec::new(), BTreeSet::new());
    for (row, head) in heads.chunks_exact(GAMES.size).enumerate() {
        let named = |fault: String| format!("array games, row {row}: {fault}");
        let &[_, _, _, _, opening, low, high, ..] = head else { continue };
        let lengths = (usize::from(opening), usize::from(u16::from_le_bytes([low, high])));
        let mut bytes = head.to_vec();
        for (array, count, left) in
            [(OPENINGS, lengths.0, &mut openings), (PLIES, lengths.1, &mut plies)]
        {
            let (taken, rest) = left.split_at_checked(count * array.size).ok_or_else(|| {
                let found = left.len() / array.size;
                named(format!("expected {count} more rows of {}, found {found}", array.name))
            })?;
            bytes.extend(taken);
            *left = rest;
        }
        let game = GameRecord::decode(&mut bytes.as_slice()).map_err(named)?;
        if !numbers.insert(game.number) {
            return Err(named(format!("expected numbers once, found {} again", game.number)));
        }
        games.push(game);
    }
    for (array, left) in [(OPENINGS, openings), (PLIES, plies)] {
        if !left.is_empty() {
            let more = left.len() / array.size;
            let name = array.name;
            return Err(format!("array {name}: expected the rows of the games, found {more} more"));
        }
    }
    Ok((Header { game, settings }, games))
}
