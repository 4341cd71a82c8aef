//! The journal of a match: JSON Lines, first what is played, then every finished game.
//!
//! It is the truth about a match: the other files are written from it. A line is appended whole and
//! synced before the result is shown; one that was cut off by a crash is dropped when the match is
//! taken up again.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use kujira_record::journal;
use kujira_record::played::{GameId, GameRecord};
use kujira_shell::growing;
use serde::{Deserialize, Serialize};

use crate::header::MatchHeader;

/// A line of the journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// What is played: the first line.
    Match(Box<MatchHeader>),
    /// A finished game.
    Game(Box<GameRecord>),
}

/// Reads a journal: its header, the finished games, and how many bytes are whole lines.
///
/// # Errors
/// What is wrong with which line. A last line that is cut off is no error.
pub fn read_journal(text: &[u8]) -> Result<(Option<MatchHeader>, Vec<GameRecord>, u64), String> {
    let mut header = None;
    let mut games = Vec::new();
    let mut numbers: HashMap<GameId, usize> = HashMap::new();
    let whole = journal::read(text, "a journal")?;
    for (index, (number, line)) in whole.lines.into_iter().enumerate() {
        match line {
            Line::Match(found) if index == 0 => header = Some(*found),
            // As two journals in one file would have it: their games are of different matches.
            Line::Match(_) => {
                return Err(format!("line {number}: expected a game, found the header of a match"));
            }
            Line::Game(game) => {
                // Counted twice it would make a pair of its own.
                if let Some(earlier) = numbers.insert(game.id, number) {
                    return Err(format!(
                        "line {number}: expected every game once, found that of line {earlier} again"
                    ));
                }
                games.push(*game);
            }
        }
    }
    Ok((header, games, whole.length as u64))
}

/// A journal open for writing.
#[derive(Debug)]
pub struct Journal {
    file: File,
    /// Where the next line goes: behind the whole lines, so that one whose writing failed half way is written over.
    end: u64,
}

impl Journal {
    /// Opens the journal at `path`, made if it is not there, and reads it. Nobody else writes there
    /// from now on.
    ///
    /// # Errors
    /// If the file system refuses, or another process has the journal open.
    pub fn open(path: &Path) -> io::Result<(Self, Vec<u8>)> {
        // Two runs of one match would play every game twice.
        let Some(mut file) = growing::open(path)? else {
            return Err(io::Error::other("another run is writing here"));
        };
        // Read only now: what was read before the lock could be out of date.
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        let end = text.len() as u64;
        Ok((Self { file, end }, text))
    }

    /// Cuts the journal to its first `whole` bytes; what is appended follows them in a line of its own.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn cut(&mut self, whole: u64) -> io::Result<()> {
        self.file.set_len(whole)?;
        let mut last = [b'\n'];
        if whole > 0 {
            self.file.seek(SeekFrom::End(-1))?;
            self.file.read_exact(&mut last)?;
        }
        // A last line may be whole but for its end.
        self.end = whole;
        if last == *b"\n" { Ok(()) } else { self.put(b"\n") }
    }

    /// Appends lines and waits until they are on disk.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn append(&mut self, lines: &[impl Serialize]) -> io::Result<()> {
        let mut text = Vec::new();
        for line in lines {
            journal::write(&mut text, line)?;
        }
        self.put(&text)
    }

    /// Appends bytes as a whole or not at all, and waits until they are on disk.
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        if let Err(error) = self.file.write_all(bytes).and_then(|()| self.file.sync_data()) {
            // As after a full disk. If that fails, too, readers drop what is no whole line.
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        self.end += bytes.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kujira_record::played::Player;
    use kujira_usi::{Ending, Reason};

    /// Two runs of one match must not both write, and the second must know all of the first.
    #[test]
    fn a_journal_is_read_only_once_it_is_ours() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let (mut first, text) = Journal::open(&path).unwrap();
        assert_eq!(text, b"");
        let error = Journal::open(&path).unwrap_err();
        assert_eq!(error.to_string(), "another run is writing here");
        let line = |round| Line::Game(Box::new(game(round)));
        first.append(&[line(0)]).unwrap();
        assert!(Journal::open(&path).is_err());
        first.append(&[line(1), line(2)]).unwrap();
        drop(first);
        let (mut second, text) = Journal::open(&path).unwrap();
        let (header, games, whole) = read_journal(&text).unwrap();
        assert_eq!((header, games.len(), whole), (None, 3, text.len() as u64));
        // What was cut off is cut away, and what comes next follows the whole lines.
        let end = text[..text.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
        second.cut(end as u64).unwrap();
        second.append(&[line(2)]).unwrap();
        drop(second);
        assert_eq!(std::fs::read(&path).unwrap(), text);
    }

    #[test]
    fn a_game_stands_there_once_and_a_header_first() {
        let text = |lines: &[Line]| {
            let lines = lines.iter().map(|line| serde_json::to_string(line).unwrap() + "\n");
            lines.collect::<String>()
        };
        let line = |round| Line::Game(Box::new(game(round)));
        let header = || Line::Match(Box::new(header()));
        let (found, games, _) =
            read_journal(text(&[header(), line(0), line(1)]).as_bytes()).unwrap();
        assert_eq!((found.is_some(), games.len()), (true, 2));
        for (lines, expected) in [
            (
                [header(), line(0), line(1), line(0)],
                "line 4: expected every game once, found that of line 2 again",
            ),
            (
                [header(), line(0), header(), line(1)],
                "line 3: expected a game, found the header of a match",
            ),
        ] {
            assert_eq!(read_journal(text(&lines).as_bytes()).unwrap_err(), expected);
        }
    }

    /// Journals are kept for years: lines as they were written before the vocabulary had a crate of its own.
    #[test]
    fn lines_are_spelt_as_ever() {
        let header = |rules: &str| {
            format!(
                r#"{{"match":{{"game":"whale","rules":"{rules}","engines":[],"format":"round-robin","openings":"some","max_plies":8,"adjudication":{{"win":null,"draw":null}},"sprt":null}}}}"#
            )
        };
        let game = |end: &str| {
            format!(
                r#"{{"game":{{"round":0,"engines":[0,1],"leg":1,"variant":"whale","black":{{"name":"A","limit":""}},"white":{{"name":"B","limit":""}},"opening":"startpos","moves":[{{"usi":"5e5d","score":{{"mate":-3}},"depth":3,"us":291}}],{end}}}}}"#
            )
        };
        for line in [
            header(""),
            header("retreat two, retreat file limit, impasse"),
            header("repetition off"),
            game(r#""winner":"white","reason":"illegal-move","detail":"1a1a in x""#),
            game(r#""winner":null,"reason":"ply-limit""#),
            game(r#""winner":"black","reason":"no-moves""#),
        ] {
            let read: Line = serde_json::from_str(&line).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), line);
        }
        for end in [r#""winner":"b","reason":"time""#, r#""winner":null,"reason":"ply_limit""#] {
            assert!(serde_json::from_str::<Line>(&game(end)).is_err(), "{end}");
        }
    }

    fn header() -> MatchHeader {
        MatchHeader {
            game: "whale".to_owned(),
            rules: Default::default(),
            engines: Vec::new(),
            format: Default::default(),
            openings: "some".to_owned(),
            max_plies: 500,
            adjudication: Default::default(),
            sprt: None,
            run: None,
        }
    }

    fn game(round: u32) -> GameRecord {
        GameRecord {
            id: GameId { round, ..GameId::default() },
            variant: "whale".to_owned(),
            black: Player::default(),
            white: Player::default(),
            opening: "startpos".to_owned(),
            moves: Vec::new(),
            ending: Ending::draw(Reason::PlyLimit),
            detail: String::new(),
        }
    }
}
