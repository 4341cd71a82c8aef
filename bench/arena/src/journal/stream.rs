//! The games of a journal one after the other, with the memory of one: for files of any size, and for those that grow.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;

use kujira_program::regular;
use kujira_record::journal;
use kujira_record::played::GameRecord;
use serde::de::DeserializeOwned;

use super::lines::{Line, Reader};
use crate::header::MatchHeader;
use crate::host::Host;

/// How far the lines of a file that grows are read: all that it takes to go on later.
#[derive(Default)]
pub struct Tail {
    /// Lines that are read, and where the next one begins.
    lines: usize,
    offset: u64,
}

/// A line, with its number and where it is.
type Place<T> = (usize, journal::Read<T>, Range<u64>);

impl Tail {
    /// Where the next line begins, in bytes.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Opens the file where it is to be read on.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(&self, path: &Path) -> io::Result<BufReader<File>> {
        let mut input = BufReader::with_capacity(1 << 16, regular::open(path)?);
        input.seek(SeekFrom::Start(self.offset))?;
        Ok(input)
    }

    /// The next line; none at the end, where a line that is cut off may follow: it is read once it is whole.
    ///
    /// # Errors
    /// What is wrong with which line.
    pub fn next<T: DeserializeOwned>(
        &mut self,
        input: &mut BufReader<File>,
        line: &mut Vec<u8>,
    ) -> Result<Option<Place<T>>, String> {
        loop {
            line.clear();
            let read = input.read_until(b'\n', line);
            let length = read.map_err(|error| error.to_string())? as u64;
            if length == 0 {
                return Ok(None);
            }
            let (number, begin) = (self.lines + 1, self.offset);
            let text = match line.strip_prefix(b"\xef\xbb\xbf") {
                Some(text) if begin == 0 => text,
                _ => &line[..],
            };
            let read = match text.trim_ascii().is_empty() {
                true if text.ends_with(b"\n") => None,
                true => return Self::again(input, begin),
                false => match journal::line_of(number, text, "a journal") {
                    Ok(read) => Some(read),
                    Err(error) if error.is_cut_off() => return Self::again(input, begin),
                    Err(error) => return Err(error.to_string()),
                },
            };
            self.lines = number;
            self.offset = begin + length;
            if let Some(read) = read {
                return Ok(Some((number, read, begin..self.offset)));
            }
        }
    }

    /// Goes back to where a line begins that is not whole yet.
    fn again<T>(input: &mut BufReader<File>, begin: u64) -> Result<Option<T>, String> {
        input.seek(SeekFrom::Start(begin)).map(|_| None).map_err(|error| error.to_string())
    }
}

/// A journal that is read game by game.
pub struct Stream {
    input: BufReader<File>,
    tail: Tail,
    line: Vec<u8>,
    reader: Reader,
    /// Where games are played by now.
    host: Option<Host>,
}

/// A game of a journal.
#[derive(Debug)]
pub struct Found {
    /// The game.
    pub game: GameRecord,
    /// Where its line is.
    pub place: Range<u64>,
}

impl Stream {
    /// Opens a journal. `unchecked`: lines may be without check sums.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: &Path, unchecked: bool) -> io::Result<Self> {
        let (tail, reader) = (Tail::default(), Reader::new(unchecked));
        Ok(Self { input: tail.open(path)?, tail, line: Vec::new(), reader, host: None })
    }

    /// What is played; none before the first line is read.
    #[must_use]
    pub fn header(&self) -> Option<&MatchHeader> {
        self.reader.header.as_ref()
    }

    /// What is played, as the first line says; none where nothing is there yet, or half of that line.
    ///
    /// # Errors
    /// What is wrong with that line, or that something else is there.
    pub fn head(&mut self) -> Result<Option<&MatchHeader>, String> {
        if self.reader.header.is_none() {
            match self.tail.next(&mut self.input, &mut self.line)? {
                Some((number, read, _)) => {
                    let taken = self.reader.take(number, read.value, read.summed);
                    taken.map_err(|error| format!("line {number}: {error}"))?;
                }
                None => {
                    let begin = self.input.fill_buf().map_err(|error| error.to_string())?;
                    if !journal::may_be_cut_off(begin, "match") {
                        return Err(
                            "expected the journal of a match, found something else".to_owned()
                        );
                    }
                }
            }
        }
        Ok(self.header())
    }

    /// Where the last game that was read was played, if that is known.
    #[must_use]
    pub fn host(&self) -> Option<&Host> {
        self.host.as_ref().filter(|host| **host != Host::default())
    }

    /// The next game; none at the end.
    ///
    /// # Errors
    /// What is wrong with which line.
    pub fn next_game(&mut self) -> Result<Option<Found>, String> {
        while let Some((number, read, place)) = self.tail.next(&mut self.input, &mut self.line)? {
            if let Line::Host(host) = &read.value {
                self.host = Some(host.clone());
            }
            let game = self.reader.take(number, read.value, read.summed);
            if let Some(game) = game.map_err(|error| format!("line {number}: {error}"))? {
                return Ok(Some(Found { game, place }));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use super::super::read_journal;
    use super::super::tests::{game, header};
    use super::*;

    /// A journal cut at every byte, and one that grows byte by byte, say what they say as a whole.
    #[test]
    fn games_come_as_they_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let host = Host {
            name: "localhost".to_owned(),
            processor: String::new(),
            cores: 2,
            load: Some(0.5),
            nps: 7,
        };
        let mut text = b"\xef\xbb\xbf".to_vec();
        let mut ends = Vec::new();
        for (index, line) in [
            Line::Match(Box::new(header())),
            Line::Game(Box::new(game(0, 0))),
            Line::Host(host.clone()),
            Line::Game(Box::new(game(0, 1))),
            Line::Game(Box::new(game(1, 0))),
        ]
        .iter()
        .enumerate()
        {
            journal::write(&mut text, line).unwrap();
            if index == 1 {
                text.extend(b"\r\n");
            }
            ends.push(text.len());
        }
        fs::write(&path, "").unwrap();
        let mut growing = Stream::open(&path, false).unwrap();
        let mut file = fs::File::options().append(true).open(&path).unwrap();
        let (mut places, mut games) = (Vec::new(), Vec::new());
        for &byte in &text {
            file.write_all(&[byte]).unwrap();
            while let Some(found) = growing.next_game().unwrap() {
                let host = growing.host().cloned();
                assert_eq!(host.is_some(), found.game.id != game(0, 0).id);
                places.push(found.place.clone());
                games.push(found.game);
            }
        }
        assert_eq!(growing.header(), Some(&header()));
        assert_eq!(growing.host(), Some(&host));
        assert_eq!(games, read_journal(&text, false).unwrap().1);
        for (place, game) in places.iter().zip(&games) {
            let line = &text[place.start as usize..place.end as usize];
            let read = journal::line_of::<Line>(1, line, "a journal").unwrap();
            assert_eq!(read.value, Line::Game(Box::new(game.clone())));
        }
        fs::write(&path, text.repeat(2)).unwrap();
        let mut twice = Stream::open(&path, false).unwrap();
        let error = std::iter::repeat_with(|| twice.next_game()).find_map(Result::err).unwrap();
        assert!(error.starts_with("line 7: expected a "), "{error}");
    }
}
