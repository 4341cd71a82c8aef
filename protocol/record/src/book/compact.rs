//! A book that engines look moves up in: positions by their keys, each with the moves worth playing.
//!
//! ```text
//! # compact book whale\n                   what it is
//! key of the starting position      8      so that keys of other versions are noticed
//! number of texts                   4      then each: its length (1), its bytes: the USI texts of all moves
//! number of positions               4      then each, by rising key:
//!   key                             8
//!   number of moves                 1      then each, best first: number of its text (2), score (2)
//! CRC-32 of all before              4
//! ```
//!
//! Numbers are little-endian. A score is centipawns to the side to move; beyond ±30000 it is a mate in so many plies as
//! it lacks to ±32000.

use std::collections::BTreeMap;

use kujira_position::{Position, Variant, VariantId, with_variant};
use kujira_usi::Score;

use crate::error::{Error, Fault};

/// How the first line begins.
const HEAD: &str = "# compact book ";

/// A mate with no ply to come; scores in centipawns stay below [`MOST`].
const MATE: i32 = 32_000;

/// The farthest a score in centipawns goes.
const MOST: i32 = 30_000;

/// A position of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its key ([`kujira_position::Board::key`]).
    pub key: u64,
    /// Moves worth playing, best first.
    pub moves: Vec<BookMove>,
}

/// A move of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move as USI text.
    pub text: String,
    /// What it is worth to the side to move.
    pub score: Score,
}

/// A book for a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compact {
    game: VariantId,
    /// By rising key.
    entries: Vec<Entry>,
}

fn packed(score: Score) -> i16 {
    let value = match score {
        Score::Cp(value) => value.clamp(-MOST, MOST),
        Score::Mate(plies) if plies > 0 => MATE - plies.min(MATE - MOST - 1),
        Score::Mate(plies) => -MATE - plies.max(MOST + 1 - MATE),
    };
    // Within ±32000.
    i16::try_from(value).unwrap_or_default()
}

fn unpacked(value: i16) -> Score {
    match i32::from(value) {
        value if value > MOST => Score::Mate(MATE - value),
        value if value < -MOST => Score::Mate(-MATE - value),
        value => Score::Cp(value),
    }
}

/// The key of the starting position.
fn start_key(game: VariantId) -> u64 {
    with_variant!(game, V => start_key_of::<V>())
}

fn start_key_of<V: Variant>() -> u64 {
    Position::<V>::start().key()
}

impl Compact {
    /// A book of these positions; of one that is there twice the first counts.
    #[must_use]
    pub fn new(game: VariantId, mut entries: Vec<Entry>) -> Self {
        entries.sort_by_key(|entry| entry.key);
        entries.dedup_by_key(|entry| entry.key);
        Self { game, entries }
    }

    /// The game it is for.
    #[must_use]
    pub fn game(&self) -> VariantId {
        self.game
    }

    /// Its positions, by rising key.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The moves at the position with this key, best first; none if the book does not hold it.
    #[must_use]
    pub fn moves(&self, key: u64) -> &[BookMove] {
        let found = self.entries.binary_search_by_key(&key, |entry| entry.key).ok();
        found.and_then(|index| self.entries.get(index)).map_or(&[], |entry| &entry.moves)
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// If there is more than the file can hold.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut numbers: BTreeMap<&str, u16> = BTreeMap::new();
        for m in self.entries.iter().flat_map(|entry| &entry.moves) {
            numbers.insert(&m.text, 0);
        }
        let mut bytes = format!("{HEAD}{}\n", self.game).into_bytes();
        bytes.extend(start_key(self.game).to_le_bytes());
        let count = |len: usize| {
            u32::try_from(len).map_err(|_| Fault::TooMany("positions")).map(u32::to_le_bytes)
        };
        bytes.extend(count(numbers.len())?);
        for (index, (text, number)) in numbers.iter_mut().enumerate() {
            *number = u16::try_from(index).map_err(|_| Fault::TooMany("different moves"))?;
            bytes.push(u8::try_from(text.len()).map_err(|_| Fault::TooMany("squares in a move"))?);
            bytes.extend(text.as_bytes());
        }
        bytes.extend(count(self.entries.len())?);
        for entry in &self.entries {
            bytes.extend(entry.key.to_le_bytes());
            bytes.push(
                u8::try_from(entry.moves.len())
                    .map_err(|_| Fault::TooMany("moves in a position"))?,
            );
            for m in &entry.moves {
                let number = numbers.get(&m.text[..]).copied().unwrap_or_default();
                bytes.extend(number.to_le_bytes());
                bytes.extend(packed(m.score).to_le_bytes());
            }
        }
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        Ok(bytes)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// What was expected and what was found.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let first = str::from_utf8(first).unwrap_or("bytes that are no text");
        let Some(id) = first.strip_prefix(HEAD) else {
            let found = match first.starts_with("# book ") {
                true => {
                    "one as text (`kujira-bench book export` makes one of it that engines read)"
                        .to_owned()
                }
                false => crate::error::quoted(first),
            };
            return Err(Fault::instead("a compact book", found).into());
        };
        let game = VariantId::named(id).ok_or_else(|| {
            Fault::expected(format!("a game among {}", VariantId::choices()), id).in_line(1)
        })?;
        let damaged = || Fault::instead("a whole book with its check sum", "a damaged one");
        let (body, sum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
        if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return Err(damaged().into());
        }
        let mut rest = Rest(body.get(first.len() + 1..).unwrap_or_default());
        if rest.number(u64::from_le_bytes).ok_or_else(damaged)? != start_key(game) {
            let found = "one of another (`kujira-bench book export` makes it anew)";
            return Err(Fault::instead("a book of this version's keys", found).into());
        }
        let entries = rest.entries().filter(|_| rest.0.is_empty()).ok_or_else(damaged)?;
        if !entries.is_sorted_by(|a, b| a.key < b.key) {
            return Err(damaged().into());
        }
        Ok(Self { game, entries })
    }
}

/// Bytes still to be read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn number<const N: usize, T>(&mut self, from: fn([u8; N]) -> T) -> Option<T> {
        let (bytes, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(from(*bytes))
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = self.number(u8::from_le_bytes)?;
        let (text, rest) = self.0.split_at_checked(length.into())?;
        self.0 = rest;
        str::from_utf8(text).ok()
    }

    fn entries(&mut self) -> Option<Vec<Entry>> {
        let count = self.number(u32::from_le_bytes)?;
        let texts = (0..count).map(|_| self.text()).collect::<Option<Vec<_>>>()?;
        let count = self.number(u32::from_le_bytes)?;
        (0..count).map(|_| self.entry(&texts)).collect()
    }

    fn entry(&mut self, texts: &[&str]) -> Option<Entry> {
        let key = self.number(u64::from_le_bytes)?;
        let count = self.number(u8::from_le_bytes)?;
        let moves = (0..count).map(|_| {
            let number = self.number(u16::from_le_bytes)?;
            let text = (*texts.get(usize::from(number))?).to_owned();
            Some(BookMove { text, score: unpacked(self.number(i16::from_le_bytes)?) })
        });
        Some(Entry { key, moves: moves.collect::<Option<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(game: VariantId) -> Compact {
        let m = |text: &str, score| BookMove { text: text.to_owned(), score };
        let scores = [Score::Mate(3), Score::Cp(30_000), Score::Cp(-7), Score::Mate(-4)];
        let moves = scores.iter().zip(["2e2d", "6f5e4d", "BRC*10f", "2e2d"]);
        let first =
            Entry { key: u64::MAX, moves: moves.map(|(&score, text)| m(text, score)).collect() };
        let second = Entry { key: 7, moves: vec![m("1e1d", Score::Cp(35))] };
        Compact::new(game, vec![first, second])
    }

    #[test]
    fn books_come_back() {
        for &game in VariantId::ALL {
            let book = sample(game);
            let back = Compact::from_bytes(&book.to_bytes().unwrap()).unwrap();
            assert_eq!((&back, back.game()), (&book, game));
            assert_eq!(back.moves(7)[0].text, "1e1d");
            assert_eq!((back.moves(u64::MAX).len(), back.moves(8).len()), (4, 0));
        }
    }

    #[test]
    fn what_is_no_book_is_refused() {
        let bytes = sample(VariantId::Whale).to_bytes().unwrap();
        let error = |bytes: &[u8]| Compact::from_bytes(bytes).unwrap_err().to_string();
        for length in 22..bytes.len() {
            let expected = "expected a whole book with its check sum, found a damaged one";
            assert_eq!(error(&bytes[..length]), expected, "{length}");
        }
        for index in 22..bytes.len() {
            let mut other = bytes.clone();
            other[index] ^= 4;
            assert!(error(&other).ends_with("found a damaged one"), "{index}");
        }
        // Sound sums do not make a book: lists longer than the file, numbers of no text.
        for index in 22..bytes.len() - 4 {
            let mut other = bytes[..bytes.len() - 4].to_vec();
            other[index] = 0xff;
            let sum = crc32fast::hash(&other);
            other.extend(sum.to_le_bytes());
            let _ = Compact::from_bytes(&other);
        }
        assert_eq!(error(b""), "expected a compact book, found nothing");
        assert!(error(b"# book whale\n").contains("found one as text (`kujira-bench book export`"));
        assert!(error(b"# compact book chess\n").contains("found \"chess\""));
        let mut other = bytes[..bytes.len() - 4].to_vec();
        other[24] ^= 1;
        let sum = crc32fast::hash(&other);
        other.extend(sum.to_le_bytes());
        assert!(error(&other).starts_with("expected a book of this version's keys, "));
    }
}
