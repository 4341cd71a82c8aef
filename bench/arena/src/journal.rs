//! The journal of a match: JSON Lines, first what is played, then every finished game.
//!
//! It is the truth about a match: the other files are written from it. A line is appended whole and
//! synced before the result is shown; one that was cut off by a crash is dropped when the match is
//! taken up again.

mod lines;
mod stream;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use kujira_program::growing;
use kujira_program::outputs::Mark;
use kujira_record::journal::{self, Entry, Read, Whole};
use kujira_record::played::GameRecord;
use serde::Serialize;

use crate::header::MatchHeader;

use lines::Reader;

pub use lines::Line;
pub(crate) use lines::NO_SUM;
pub use stream::{Found, Stream, Tail};

/// Reads a journal with the memory of one game: hands over each finished game with the header and the place of its line,
/// and returns the header and how many bytes are whole lines. Every line must be as it was written and fit the header.
/// `unchecked`: a line may be without a check sum, as in journals of before December 2026.
///
/// # Errors
/// What is wrong with which line, or what was said of its game. A last line that is cut off is no error.
pub fn each_game(
    file: impl BufRead,
    unchecked: bool,
    mut take: impl FnMut(&MatchHeader, GameRecord, Range<u64>) -> Result<(), String>,
) -> Result<(Option<MatchHeader>, u64), String> {
    let mut lines = journal::Reader::new(file, "a journal");
    let mut reader = Reader::new(unchecked);
    for entry in &mut lines {
        let Entry { number, value, summed, place } = entry?;
        let game = reader.take(number, value, summed);
        let game = game.map_err(|error| format!("line {number}: {error}"))?;
        if let (Some(game), Some(header)) = (game, &reader.header) {
            take(header, game, place)?;
        }
    }
    Ok((reader.header, lines.whole()))
}

/// Reads a journal that is in memory as [`each_game`] does, with all its games.
///
/// # Errors
/// What is wrong with which line.
pub fn read_journal(
    text: &[u8],
    unchecked: bool,
) -> Result<(Option<MatchHeader>, Vec<GameRecord>, u64), String> {
    let mut games = Vec::new();
    let (header, whole) = each_game(text, unchecked, |_, game, _| {
        games.push(game);
        Ok(())
    })?;
    Ok((header, games, whole))
}

/// How the journal of a match begins.
pub const MATCH: Mark = Mark::new("the journal of a match", &[b"{\"match\":"]);

/// How a line of a game begins.
const GAME: &[u8] = b"{\"game\":{";

/// Whether a line is one of a game.
#[must_use]
pub fn is_game(line: &[u8]) -> bool {
    line.trim_ascii().starts_with(GAME)
}

/// How a line begins that says where games are played.
const HOST: &[u8] = b"{\"host\":{";

/// Whether a file of games whose first line that is not blank is this one is a journal: it begins with a match, or with
/// a line that has a check sum and is no game, which was one before it was damaged.
#[must_use]
pub fn is_journal(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    MATCH.fits(line) || journal::has_sum(line) && !is_game(line)
}

/// Looks for what is wrong with the lines of journals one behind the other.
#[derive(Default)]
pub struct Faults {
    reader: Reader,
}

impl Faults {
    /// `unchecked`: lines may be without check sums.
    #[must_use]
    pub fn new(unchecked: bool) -> Self {
        Self { reader: Reader::new(unchecked) }
    }

    /// What is wrong with the next line, in a sentence. A last line that is cut off is not wrong.
    pub fn of(&mut self, number: usize, line: &[u8]) -> Option<String> {
        if line.trim_ascii().is_empty() {
            return None;
        }
        match journal::line_of(number, line, "a journal") {
            Ok(Read { value, summed }) => {
                if matches!(value, Line::Match(_)) {
                    *self = Self::new(self.reader.unchecked());
                }
                let error = self.reader.take(number, value, summed).err()?;
                Some(format!("line {number}: {error}"))
            }
            Err(error) if error.is_cut_off() => None,
            Err(error) => {
                // The games behind what may have been another header are not of the match before it.
                if !is_game(line) {
                    *self = Self::new(self.reader.unchecked());
                }
                Some(error.to_string())
            }
        }
    }
}

/// Refuses a journal, of whatever sort, of which a line has no check sum.
///
/// # Errors
/// Which line it is.
pub fn want_sums<T>(whole: &Whole<T>, unchecked: bool) -> Result<(), String> {
    match whole.unsummed.filter(|_| !unchecked) {
        Some(number) => Err(format!("line {number}: {NO_SUM}")),
        None => Ok(()),
    }
}

/// A journal open for writing.
#[derive(Debug)]
pub struct Journal {
    file: File,
    /// Where it is, if it was made now.
    made: Option<PathBuf>,
    /// Where the next line goes: behind the whole lines, so that one whose writing failed half way is written over.
    end: u64,
}

impl Journal {
    /// Opens the journal at `path`, made if it is not there. Nobody else writes there from now on.
    ///
    /// # Errors
    /// If the file system refuses, or another process has the journal open.
    pub fn open(path: &Path) -> io::Result<Self> {
        let made = (!path.exists()).then(|| path.to_owned());
        // Two runs of one match would play every game twice.
        let Some(file) = growing::open(path)? else {
            return Err(io::Error::other("another run is writing here"));
        };
        let end = file.metadata()?.len();
        Ok(Self { file, made, end })
    }

    /// Reads it from the beginning. What was read before it was opened could be out of date.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn reader(&mut self) -> io::Result<impl BufRead + '_> {
        self.file.rewind()?;
        Ok(BufReader::new((&self.file).take(self.end)))
    }

    /// Whether it says anywhere where games were played.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn has_hosts(&mut self) -> io::Result<bool> {
        let (mut reader, mut line) = (self.reader()?, Vec::new());
        while reader.read_until(b'\n', &mut line)? > 0 {
            if line.starts_with(HOST) {
                return Ok(true);
            }
            line.clear();
        }
        Ok(false)
    }

    /// All that is in it.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn text(&mut self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        self.reader()?.read_to_end(&mut text)?;
        Ok(text)
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

impl Drop for Journal {
    /// A run that came to nothing leaves no journal behind.
    fn drop(&mut self) {
        if let Some(path) = &self.made {
            growing::remove_empty(path, &self.file);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use kujira_record::played::GameId;

    use super::*;
    use crate::header::EngineHeader;
    use crate::schedule::Format;
    use kujira_record::played::Player;
    use kujira_usi::{Ending, Reason};

    /// Two runs of one match must not both write, and the second must know all of the first.
    #[test]
    fn a_journal_is_read_only_once_it_is_ours() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let mut first = Journal::open(&path).unwrap();
        assert_eq!(first.text().unwrap(), b"");
        let error = Journal::open(&path).unwrap_err();
        assert_eq!(error.to_string(), "another run is writing here");
        let line = |round| Line::Game(Box::new(game(round, 0)));
        first.append(&[Line::Match(Box::new(header()))]).unwrap();
        assert!(Journal::open(&path).is_err());
        first.append(&[line(1), line(2)]).unwrap();
        drop(first);
        let mut second = Journal::open(&path).unwrap();
        let text = second.text().unwrap();
        let (found, games, whole) = read_journal(&text, false).unwrap();
        assert_eq!((found, games.len(), whole), (Some(header()), 2, text.len() as u64));
        // What was cut off is cut away, and what comes next follows the whole lines.
        let end = text[..text.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
        second.cut(end as u64).unwrap();
        second.append(&[line(2)]).unwrap();
        drop(second);
        assert_eq!(std::fs::read(&path).unwrap(), text);
    }

    /// The lines that are wrong, each with what is wrong with it.
    fn faults(text: &[u8], unchecked: bool) -> Vec<(&[u8], String)> {
        let mut faults = Faults::new(unchecked);
        let lines = (1..).zip(text.split_inclusive(|&byte| byte == b'\n'));
        lines.filter_map(|(number, line)| Some((line, faults.of(number, line)?))).collect()
    }

    /// The text of a journal.
    fn text(lines: &[Line]) -> Vec<u8> {
        let mut text = Vec::new();
        for line in lines {
            journal::write(&mut text, line).unwrap();
        }
        text
    }

    fn line(change: impl FnOnce(&mut GameRecord)) -> Line {
        let mut game = game(0, 0);
        change(&mut game);
        Line::Game(Box::new(game))
    }

    fn head(change: impl FnOnce(&mut MatchHeader)) -> Line {
        let mut header = header();
        change(&mut header);
        Line::Match(Box::new(header))
    }

    #[test]
    fn a_line_that_contradicts_the_head_is_told() {
        let second = || Line::Game(Box::new(game(0, 1)));
        let lines = [head(|_| ()), line(|_| ()), second()];
        let (found, games, _) = read_journal(&text(&lines), false).unwrap();
        assert_eq!((found, games), (Some(header()), vec![game(0, 0), game(0, 1)]));
        for (wrong, expected) in [
            (line(|_| ()), "line 3: expected every game once, found that of line 2 again"),
            (head(|_| ()), "line 3: expected a game, found the header of a match"),
            (
                line(|game| game.id.leg = 2),
                "line 3: expected a game of this match, the first or second of two",
            ),
            (line(|game| game.id.engines = [0, 7]), "found leg 0 of engines [0, 7]"),
            (line(|game| game.id.engines = [1, 1]), "found leg 0 of engines [1, 1]"),
            (line(|game| game.id.engines = [1, 0]), "found leg 0 of engines [1, 0]"),
            (
                line(|game| game.id.leg = 1),
                "expected Black to be engine 2 of this match: name B, there A",
            ),
            (
                line(|game| game.variant = "great".to_owned()),
                "line 3: expected a game of whale, found \"great\"",
            ),
            (
                line(|game| game.white.limit = "nodes 5".to_owned()),
                "expected White to be engine 2 of this match: limit nothing, there nodes 5",
            ),
            (
                line(|game| {
                    *game = self::game(0, 1);
                    game.opening = "startpos moves 2e2d".to_owned();
                }),
                "line 3: expected the opening of round 0 as in line 2, \"startpos\", found \"startpos moves 2e2d\"",
            ),
        ] {
            let error =
                read_journal(&text(&[head(|_| ()), line(|_| ()), wrong]), true).unwrap_err();
            assert!(error.contains(expected), "{expected}: {error}");
        }
        for (first, expected) in [
            (line(|_| ()), "line 1: expected the match in the first line, found a game"),
            (
                head(|head| head.game = "go".to_owned()),
                "line 1: expected one of whale, paulowich, great, found",
            ),
            (
                head(|head| head.engines[1].player.name = "A".to_owned()),
                "line 1: expected engines of different names, found A twice",
            ),
            (
                head(|head| head.engines[1].player.name = "B ".to_owned()),
                "line 1: expected a name of 1 to 64 letters",
            ),
            (
                head(|head| head.run = None),
                "line 1: expected the number of the run (run), found none",
            ),
        ] {
            let error = read_journal(&text(&[first, line(|_| ())]), true).unwrap_err();
            assert!(error.starts_with(expected), "{expected}: {error}");
        }
    }

    #[test]
    fn engines_may_join() {
        let mut third = header().engines.remove(0);
        third.player.name = "C".to_owned();
        let joined = || Line::Joined(Box::new(third.clone()));
        let mut game = game(0, 0);
        (game.id.engines, game.white) = ([0, 2], player("C"));
        let game = || Line::Game(Box::new(game.clone()));
        let (found, games, _) =
            read_journal(&text(&[head(|_| ()), joined(), game()]), false).unwrap();
        assert_eq!((found.unwrap().engines.len(), games.len()), (3, 1));
        let knockout = Format::Knockout { pairs: 1, extra: 0 };
        for (lines, expected) in [
            (vec![joined()], "line 1: expected the match in the first line, found an engine"),
            (vec![head(|_| ()), game(), joined()], "line 2: expected a game of this match"),
            (vec![head(|_| ()), joined(), joined()], "line 3: expected engines of different names"),
            (vec![head(|h| h.format = knockout), joined()], "line 2: expected no further engine"),
        ] {
            let error = read_journal(&text(&lines), false).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn check_sums_are_wanted() {
        let summed = text(&[head(|_| ()), line(|_| ())]);
        let bare: String = [head(|_| ()), line(|_| ())]
            .map(|line| serde_json::to_string(&line).unwrap() + "\n")
            .concat();
        let error = read_journal(bare.as_bytes(), false).unwrap_err();
        assert!(
            error.starts_with("line 1: expected a check sum (crc32) at the end, found none"),
            "{error}"
        );
        assert_eq!(read_journal(bare.as_bytes(), true).unwrap().1, [game(0, 0)]);
        let mixed = [&summed[..], bare.lines().nth(1).unwrap().as_bytes()].concat();
        let error = read_journal(&mixed, false).unwrap_err();
        assert!(error.starts_with("line 3: expected a check sum"), "{error}");
        // One that is wrong is wrong anyhow.
        let changed = String::from_utf8(summed.clone()).unwrap().replace("startpos", "startpox");
        for unchecked in [false, true] {
            let error = read_journal(changed.as_bytes(), unchecked).unwrap_err();
            assert!(
                error.starts_with("line 2: expected a line of a journal as it was written"),
                "{error}"
            );
        }
        // Journals one behind the other, as games to be converted.
        let two = [&summed[..], changed.as_bytes(), bare.as_bytes(), &summed].concat();
        let wrong: Vec<_> = faults(&two, false).into_iter().map(|(line, _)| line).collect();
        let all: Vec<_> = two.split_inclusive(|&byte| byte == b'\n').collect();
        assert_eq!(wrong, all[3..6]);
        assert_eq!(faults(&two, true).len(), 1);
        for (file, ours) in [
            (&two[..], true),
            (b" {\"match\":{}}", true),
            // A damaged header has its check sum.
            (&two[9..], true),
            (&text(&[line(|_| ())]), false),
            (b"{\"variant\":\"whale\"}", false),
        ] {
            assert_eq!(is_journal(file), ours, "{}", String::from_utf8_lossy(file));
        }
    }

    /// Games behind a header that cannot be read are not those of the match before it.
    #[test]
    fn a_damaged_header_takes_its_games_with_it() {
        let first = text(&[head(|_| ()), line(|_| ())]);
        let second = text(&[head(|head| head.max_plies = 9), Line::Game(Box::new(game(1, 0)))]);
        let lines_of = |parts: &[&[u8]]| -> Vec<String> {
            let text = parts.concat();
            let errors = faults(&text, false).into_iter().map(|(_, error)| error);
            errors.map(|error| error.split_once(": ").unwrap().0.to_owned()).collect()
        };
        let damaged = |from: &str, to: &str| {
            String::from_utf8(second.clone()).unwrap().replacen(from, to, 1).into_bytes()
        };
        assert!(lines_of(&[&first, &second, &first]).is_empty());
        for header in
            [damaged("match", "matsh"), damaged("plies\":9", "plies\":8"), second[9..].to_vec()]
        {
            assert_eq!(lines_of(&[&first, &header, &first]), ["line 3", "line 4"]);
        }
        // A game that is damaged is alone.
        let alone = damaged("\"round\":1", "\"round\":7");
        assert_eq!(lines_of(&[&first, &alone, &first]), ["line 4"]);
    }

    /// Whatever a disk or a transfer does to one bit, no other account comes of it.
    #[test]
    fn every_bit_of_a_journal_is_guarded() {
        let mut second = game(0, 1);
        second.moves = vec![kujira_record::played::MoveRecord {
            usi: "2e2d".to_owned(),
            score: Some(kujira_usi::Score::Mate(3)),
            depth: Some(7),
            seldepth: None,
            nodes: Some(12_345),
            us: 678,
        }];
        let whole = text(&[head(|_| ()), line(|_| ()), Line::Game(Box::new(second))]);
        let expected = read_journal(&whole, false).unwrap();
        for (at, bit) in (0..whole.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << bit;
            let found = read_journal(&flipped, false);
            assert!(found.is_err() || found.as_ref() == Ok(&expected), "{at} {bit}: {found:?}");
        }
    }

    /// Journals are kept for years: lines as they were written before the vocabulary had a crate of its own.
    #[test]
    fn lines_are_spelt_as_ever() {
        let header = |rules: &str| {
            format!(
                r#"{{"match":{{"game":"whale","rules":"{rules}","engines":[],"format":"round-robin","openings":"some","max_plies":8,"adjudication":{{"win":null,"draw":null}},"sprt":null,"run":"0123456789abcdef"}}}}"#
            )
        };
        let engine = r#"{"name":"A","limit":"nodes 1","command":["k"],"files":{},"settings":[]}"#;
        let titled = r#""title":"The cup","run":"#;
        let game = |end: &str| {
            format!(
                r#"{{"game":{{"round":0,"engines":[0,1],"leg":1,"variant":"whale","black":{{"name":"A","limit":""}},"white":{{"name":"B","limit":""}},"opening":"startpos","moves":[{{"usi":"5e5d","score":{{"mate":-3}},"depth":3,"us":291}}],{end}}}}}"#
            )
        };
        for line in [
            header(""),
            header("retreat two, retreat file limit, impasse"),
            header("repetition off"),
            header("").replace("[]", &format!("[{engine}]")),
            header("").replace("\"run\":", titled),
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

    fn player(name: &str) -> Player {
        Player { name: name.to_owned(), ..Player::default() }
    }

    pub(crate) fn header() -> MatchHeader {
        let engines = ["A", "B"].map(|name| EngineHeader {
            player: player(name),
            command: Vec::new(),
            files: Default::default(),
            settings: Vec::new(),
            signature: None,
            version: None,
        });
        MatchHeader {
            game: "whale".to_owned(),
            rules: Default::default(),
            engines: engines.into(),
            format: Default::default(),
            openings: "some".to_owned(),
            max_plies: 500,
            adjudication: Default::default(),
            sprt: None,
            title: None,
            shard: None,
            experiment: None,
            run: "0123456789abcdef".to_owned().try_into().ok(),
        }
    }

    pub(crate) fn game(round: u32, leg: u8) -> GameRecord {
        let id = GameId { round, engines: [0, 1], leg };
        let [black, white] = id.by_color().map(|engine| player(["A", "B"][engine]));
        GameRecord {
            id,
            variant: "whale".to_owned(),
            black,
            white,
            opening: "startpos".to_owned(),
            moves: Vec::new(),
            ending: Ending::draw(Reason::PlyLimit),
            detail: String::new(),
            began: String::new(),
            machine: None,
        }
    }
}
