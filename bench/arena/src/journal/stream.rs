//! The games of a journal one after the other, with the memory of one: for files of any size, and for those that grow.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;

use kujira_program::regular;
use kujira_record::journal;
use kujira_record::played::GameRecord;

use super::{Line, Reader};
use crate::header::MatchHeader;
use crate::host::Host;

/// A journal that is read game by game.
pub struct Stream {
    input: BufReader<File>,
    state: State,
    line: Vec<u8>,
}

/// How far a journal is read: what it takes to go on later, while the file is closed.
#[derive(Default)]
pub struct State {
    reader: Reader,
    /// Where games are played by now.
    host: Option<Host>,
    /// The lines read so far, and where the next one begins.
    lines: usize,
    offset: u64,
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
        let reader = Reader { unchecked, ..Reader::default() };
        Self::go_on(path, State { reader, ..State::default() })
    }

    /// Opens a journal where it was [left](Stream::leave).
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn go_on(path: &Path, state: State) -> io::Result<Self> {
        let mut input = BufReader::with_capacity(1 << 16, regular::open(path)?);
        input.seek(SeekFrom::Start(state.offset))?;
        Ok(Self { input, state, line: Vec::new() })
    }

    /// Closes the journal for now.
    #[must_use]
    pub fn leave(self) -> State {
        self.state
    }

    /// What is played; none before the first line is read.
    #[must_use]
    pub fn header(&self) -> Option<&MatchHeader> {
        self.state.reader.header.as_ref()
    }

    /// Where the last game that was read was played, if that is known.
    #[must_use]
    pub fn host(&self) -> Option<&Host> {
        self.state.host.as_ref()
    }

    /// The next game; none at the end, where a line that is cut off may follow: it is read once it is whole.
    ///
    /// # Errors
    /// What is wrong with which line.
    pub fn next_game(&mut self) -> Result<Option<Found>, String> {
        loop {
            self.line.clear();
            let read = self.input.read_until(b'\n', &mut self.line);
            let length = read.map_err(|error| error.to_string())? as u64;
            if length == 0 {
                return Ok(None);
            }
            let number = self.state.lines + 1;
            let begin = self.state.offset;
            let text = match self.line.strip_prefix(b"\xef\xbb\xbf") {
                Some(text) if begin == 0 => text,
                _ => &self.line[..],
            };
            let read = match text.trim_ascii().is_empty() {
                true if text.ends_with(b"\n") => None,
                true => return self.again(begin),
                false => match journal::line_of(number, text, "a journal") {
                    Ok(read) => Some(read),
                    Err(error) if error.is_cut_off() => return self.again(begin),
                    Err(error) => return Err(error.to_string()),
                },
            };
            let state = &mut self.state;
            state.lines = number;
            state.offset = begin + length;
            let Some(journal::Read { value, summed }) = read else { continue };
            if let Line::Host(host) = &value {
                state.host = Some(host.clone());
            }
            let game = state.reader.take(number, value, summed);
            if let Some(game) = game.map_err(|error| format!("line {number}: {error}"))? {
                return Ok(Some(Found { game, place: begin..state.offset }));
            }
        }
    }

    /// Goes back to where a line begins that is not whole yet.
    fn again(&mut self, begin: u64) -> Result<Option<Found>, String> {
        let back = self.input.seek(SeekFrom::Start(begin));
        back.map(|_| None).map_err(|error| error.to_string())
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
