//! Files of games: a header, then checked blocks, each holding some games.
//!
//! ```text
//! header:  magic "KUJIRA\r\n" | version u16 | game u8 | settings u32 bytes | CRC-32 u32 | settings
//! block:   magic "GMS\n" | bytes u32 | games u32 | CRC-32 of the games | CRC-32 of these 16 bytes | games
//! ```
//!
//! The header's CRC is that of version, game and settings. All numbers are little endian; games are
//! laid out in [`crate::record`], settings are text, one a line. A file only ever grows by whole
//! blocks. The last block can be cut short if a run was killed while it wrote: readers leave such a
//! block out, and the next run cuts it off. Anything else that does not check is an error, and
//! nothing is ever cut off for that.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use kujira_position::VariantId;
use kujira_program::growing;

use crate::error::DataError;
use crate::record::GameRecord;

/// Version of the format.
pub const VERSION: u16 = 1;

const MAGIC: [u8; 8] = *b"KUJIRA\r\n";
const BLOCK_MAGIC: [u8; 4] = *b"GMS\n";
const BLOCK_HEADER: usize = 20;

/// Games are put on disk at the latest when they take this many bytes.
const BLOCK: usize = 1 << 16;

/// The most bytes of games in a block: the last one can be as long as the format lets it.
const LARGEST_BLOCK: usize = BLOCK + GameRecord::LARGEST;

/// Which games a file holds, and how they were made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The game.
    pub game: VariantId,
    /// The settings, one a line.
    pub settings: String,
}

impl Header {
    /// The most bytes of settings that readers take.
    pub const MOST_SETTINGS: u32 = 1 << 16;

    fn encode(&self) -> Vec<u8> {
        let mut checked = Vec::new();
        checked.extend(VERSION.to_le_bytes());
        checked.push(number(self.game));
        checked.extend((self.settings.len() as u32).to_le_bytes());
        let mut crc = crc32fast::Hasher::new();
        crc.update(&checked);
        crc.update(self.settings.as_bytes());
        let mut out = MAGIC.to_vec();
        out.extend(checked);
        out.extend(crc.finalize().to_le_bytes());
        out.extend(self.settings.as_bytes());
        out
    }

    fn read(from: &mut impl Read) -> Result<Self, DataError> {
        let mut magic = [0; MAGIC.len()];
        if fill(from, &mut magic)? < magic.len() || magic != MAGIC {
            return Err(DataError::Foreign);
        }
        let damaged = |fault: String| DataError::Damaged { offset: 0, fault };
        let mut fixed = [0; 11];
        if fill(from, &mut fixed)? < fixed.len() {
            return Err(damaged("expected a whole header".to_owned()));
        }
        let [v0, v1, game, l0, l1, l2, l3, c0, c1, c2, c3] = fixed;
        let version = u16::from_le_bytes([v0, v1]);
        if version != VERSION {
            return Err(DataError::Version { expected: VERSION, found: version });
        }
        let length = u32::from_le_bytes([l0, l1, l2, l3]);
        if length > Self::MOST_SETTINGS {
            // Behind magic, version and game.
            return Err(DataError::Damaged {
                offset: MAGIC.len() as u64 + 3,
                fault: format!(
                    "expected at most {} bytes of settings, found {length}",
                    Self::MOST_SETTINGS
                ),
            });
        }
        let mut settings = vec![0; length as usize];
        if fill(from, &mut settings)? < settings.len() {
            return Err(damaged("expected a whole header".to_owned()));
        }
        let mut crc = crc32fast::Hasher::new();
        crc.update(&[v0, v1, game, l0, l1, l2, l3]);
        crc.update(&settings);
        check(crc.finalize(), u32::from_le_bytes([c0, c1, c2, c3])).map_err(damaged)?;
        let id = VariantId::ALL.iter().copied().find(|&id| number(id) == game);
        let game = id.ok_or_else(|| damaged(format!("expected a game, found number {game}")))?;
        let settings = String::from_utf8(settings).map_err(|error| damaged(error.to_string()))?;
        Ok(Self { game, settings })
    }
}

/// The number of a game in files.
fn number(game: VariantId) -> u8 {
    VariantId::ALL.iter().position(|&id| id == game).unwrap_or(usize::MAX) as u8
}

fn check(found: u32, expected: u32) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("expected the checksum {expected:08x}, found {found:08x}"))
}

/// Reads until `buffer` is full or there is no more; how much was read.
fn fill(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let all = buffer.len() as u64;
    Ok(io::copy(&mut from.take(all), &mut &mut *buffer)? as usize)
}

/// The games of a file, in order.
///
/// As an iterator it gives the games block by block; after an error it ends.
#[derive(Debug)]
pub struct Reader<R> {
    from: R,
    header: Header,
    /// Where the next block begins.
    offset: u64,
    torn: u64,
    games: std::vec::IntoIter<GameRecord>,
    ended: bool,
}

impl Reader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read, or is no file of games.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        Self::new(BufReader::with_capacity(1 << 18, File::open(path)?))
    }
}

impl<R: Read> Reader<R> {
    /// Reads the header of what `from` gives.
    ///
    /// # Errors
    /// If it cannot be read, or is no file of games.
    pub fn new(mut from: R) -> Result<Self, DataError> {
        let header = Header::read(&mut from)?;
        let offset = header.encode().len() as u64;
        Ok(Self { from, header, offset, torn: 0, games: Vec::new().into_iter(), ended: false })
    }

    /// The same reader, if the games are of this kind.
    ///
    /// # Errors
    /// If they are of another game.
    pub fn of(self, expected: VariantId) -> Result<Self, DataError> {
        match self.header.game {
            found if found == expected => Ok(self),
            found => Err(DataError::Game { expected, found }),
        }
    }

    /// Which games these are and how they were made.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes of a last block that was cut short; known once all games are read.
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// The games of the next block; `None` after the last one.
    fn block(&mut self) -> Result<Option<Vec<GameRecord>>, DataError> {
        let begin = self.offset;
        let damaged = |fault: String| DataError::Damaged { offset: begin, fault };
        let mut head = [0; BLOCK_HEADER];
        let read = fill(&mut self.from, &mut head)?;
        if read < BLOCK_HEADER {
            self.torn = read as u64;
            return Ok(None);
        }
        let (checked, own) = head.split_at(BLOCK_HEADER - 4);
        check(crc32fast::hash(checked), word(own, 0)).map_err(damaged)?;
        if checked.get(..4) != Some(&BLOCK_MAGIC) {
            return Err(damaged("expected the beginning of a block".to_owned()));
        }
        let (length, count) = (word(checked, 4), word(checked, 8));
        if length as usize > LARGEST_BLOCK {
            let fault = format!("expected at most {LARGEST_BLOCK} bytes of games, found {length}");
            return Err(DataError::Damaged { offset: begin + 4, fault });
        }
        let mut payload = vec![0; length as usize];
        let read = fill(&mut self.from, &mut payload)?;
        if read < payload.len() {
            self.torn = (BLOCK_HEADER + read) as u64;
            return Ok(None);
        }
        check(crc32fast::hash(&payload), word(checked, 12)).map_err(damaged)?;
        let mut rest = payload.as_slice();
        // Where what is left of the games begins.
        let at = |rest: &[u8]| begin + (BLOCK_HEADER + payload.len() - rest.len()) as u64;
        // Not as many as the block says: it may say anything.
        let mut games = Vec::new();
        for _ in 0..count {
            let offset = at(rest);
            let game = GameRecord::decode(&mut rest);
            games.push(game.map_err(|fault| DataError::Damaged { offset, fault })?);
        }
        if !rest.is_empty() {
            let fault = format!("expected {count} games, found {} bytes more", rest.len());
            return Err(DataError::Damaged { offset: at(rest), fault });
        }
        self.offset += (BLOCK_HEADER + payload.len()) as u64;
        Ok(Some(games))
    }
}

/// The little-endian word at `at`; 0 beyond the end.
fn word(bytes: &[u8], at: usize) -> u32 {
    let word = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
    word.map_or(0, |word| u32::from_le_bytes(*word))
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<GameRecord, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.games.next() {
                return Some(Ok(game));
            }
            if self.ended {
                return None;
            }
            match self.block() {
                Ok(Some(games)) => self.games = games.into_iter(),
                Ok(None) => self.ended = true,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// What an earlier run left in a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Earlier {
    /// Games.
    pub games: u64,
    /// Searched plies of these games.
    pub plies: u64,
    /// The numbers of their openings.
    pub numbers: BTreeSet<u32>,
    /// Bytes of a block cut short, which are gone now.
    pub torn: u64,
}

/// Games that go to disk together.
#[derive(Debug)]
struct Block {
    /// The games, behind room for the header.
    bytes: Vec<u8>,
    games: u32,
}

impl Block {
    fn new() -> Self {
        Self { bytes: vec![0; BLOCK_HEADER], games: 0 }
    }

    /// Adds a game; whether these are enough for a block now.
    fn add(&mut self, game: &GameRecord) -> Result<bool, DataError> {
        game.encode(&mut self.bytes)
            .map_err(|fault| DataError::Illegal { number: game.number, fault })?;
        self.games += 1;
        Ok(self.bytes.len() >= BLOCK)
    }

    /// The block as it goes to disk; nothing without games.
    fn finished(&mut self) -> Option<&[u8]> {
        if self.games == 0 {
            return None;
        }
        let (head, payload) = self.bytes.split_at_mut(BLOCK_HEADER);
        let mut fields = Vec::with_capacity(BLOCK_HEADER);
        fields.extend(BLOCK_MAGIC);
        fields.extend((payload.len() as u32).to_le_bytes());
        fields.extend(self.games.to_le_bytes());
        fields.extend(crc32fast::hash(payload).to_le_bytes());
        fields.extend(crc32fast::hash(&fields).to_le_bytes());
        head.copy_from_slice(&fields);
        Some(&self.bytes)
    }
}

/// A file of these games, to the byte as a [`Writer`] makes it that flushes once, at the end.
///
/// # Errors
/// If a game is too long for the format.
pub fn to_bytes<'a>(
    header: &Header,
    games: impl IntoIterator<Item = &'a GameRecord>,
) -> Result<Vec<u8>, DataError> {
    let mut bytes = header.encode();
    let mut block = Block::new();
    for game in games {
        if block.add(game)? {
            bytes.extend(block.finished().unwrap_or_default());
            block = Block::new();
        }
    }
    bytes.extend(block.finished().unwrap_or_default());
    Ok(bytes)
}

/// Adds games to a file. Others may read the file meanwhile; a second writer is refused.
#[derive(Debug)]
pub struct Writer {
    file: File,
    /// The games of the next block.
    block: Block,
    /// Where the next block goes: behind the whole blocks, so that one whose writing failed half way
    /// is written over by the next try.
    end: u64,
}

impl Writer {
    /// Opens or begins the file of a run with this header.
    ///
    /// # Errors
    /// If the file system refuses, or the file is something else, damaged, in use, or was begun with
    /// other settings. It is as before then.
    pub fn open(path: &Path, header: &Header) -> Result<(Self, Earlier), DataError> {
        let mut file = growing::open(path)?.ok_or(DataError::InUse)?;
        let begin = header.encode();
        let length = file.metadata()?.len();
        if length < begin.len() as u64 {
            // Empty, or killed while its header was written: begun anew.
            let mut found = Vec::new();
            file.read_to_end(&mut found)?;
            if begin.starts_with(&found) {
                file.seek(SeekFrom::Start(0))?;
                file.write_all(&begin)?;
                file.sync_data()?;
                return Ok((Self::at(file, begin.len() as u64), Earlier::default()));
            }
            file.seek(SeekFrom::Start(0))?;
        }
        let earlier = Self::check(&file, header)?;
        if earlier.torn > 0 {
            file.set_len(length - earlier.torn)?;
        }
        Ok((Self::at(file, length - earlier.torn), earlier))
    }

    /// Reads all that is there.
    fn check(file: &File, header: &Header) -> Result<Earlier, DataError> {
        let mut reader = Reader::new(BufReader::with_capacity(1 << 18, file))?;
        let found = reader.header();
        if found.game != header.game {
            return Err(DataError::Game { expected: header.game, found: found.game });
        }
        let differences = differences(&header.settings, &found.settings);
        if !differences.is_empty() {
            return Err(DataError::Settings { differences });
        }
        let mut earlier = Earlier::default();
        for game in reader.by_ref() {
            let game = game?;
            earlier.games += 1;
            earlier.plies += game.plies.len() as u64;
            earlier.numbers.insert(game.number);
        }
        earlier.torn = reader.torn();
        Ok(earlier)
    }

    fn at(file: File, end: u64) -> Self {
        Self { file, block: Block::new(), end }
    }

    /// Adds a game; with enough of them a block goes to disk.
    ///
    /// # Errors
    /// If the file system refuses, or the game is too long for the format.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), DataError> {
        if self.block.add(game)? { self.flush() } else { Ok(()) }
    }

    /// Puts all games on disk: when this returns they are there.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn flush(&mut self) -> Result<(), DataError> {
        let Some(block) = self.block.finished() else { return Ok(()) };
        self.file.seek(SeekFrom::Start(self.end))?;
        if let Err(error) = self.file.write_all(block).and_then(|()| self.file.sync_data()) {
            // As after a full disk. If that fails, too, readers leave out what is no whole block.
            let _ = self.file.set_len(self.end);
            return Err(error.into());
        }
        self.end += block.len() as u64;
        self.block = Block::new();
        Ok(())
    }
}

/// What differs between two lists of settings, one a line; empty if nothing does.
#[must_use]
pub fn differences(ours: &str, found: &str) -> Vec<String> {
    let (mut here, mut there) = (ours.lines(), found.lines());
    let mut differences = Vec::new();
    loop {
        match (here.next(), there.next()) {
            (None, None) => return differences,
            (Some(here), Some(there)) if here == there => {}
            (here, there) => differences.push(format!(
                "\"{}\" there, \"{}\" here",
                there.unwrap_or("nothing"),
                here.unwrap_or("nothing")
            )),
        }
    }
}
