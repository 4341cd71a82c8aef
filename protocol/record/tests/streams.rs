//! Games are read one at a time: of a file that never ends no more is taken than the games that were asked for.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::atomic::{AtomicUsize, Ordering};

use kujira_position::{Coordinates, VariantId};
use kujira_record::{Fault, FileFormat, Record, games};
use kujira_tests::records::{Random, random_game, random_head};

/// A file that has the same games for ever, and counts what is taken of it.
struct Endless<'a> {
    text: &'a [u8],
    at: usize,
    taken: &'a AtomicUsize,
}

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Endless<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(&self.text[self.at..])
    }

    fn consume(&mut self, length: usize) {
        self.at = (self.at + length) % self.text.len();
        self.taken.fetch_add(length, Ordering::Relaxed);
    }
}

/// A few games in a format, as they stand one behind the other in a file.
fn text(format: FileFormat) -> (String, usize) {
    let mut text = String::new();
    let mut count = 0;
    for &variant in VariantId::ALL {
        for seed in 0..4 {
            let random = &mut Random::new(seed);
            let record = Record { game: random_game(variant, random), head: random_head(random) };
            format.append(&mut text, &record, Coordinates::Western);
            count += 1;
        }
    }
    // Where the file begins again.
    if matches!(format, FileFormat::Pgn | FileFormat::Hodges) {
        text.push('\n');
    }
    (text, count)
}

#[test]
fn a_file_without_end_is_read_a_game_at_a_time() {
    for format in FileFormat::ALL {
        let (text, in_text) = text(format);
        let taken = AtomicUsize::new(0);
        let file = Endless { text: text.as_bytes(), at: 0, taken: &taken };
        let mut games = games(file, format, None);
        for round in 1..=50 {
            let plies = |record: Record| record.game.reachable().len();
            let found: usize = games.by_ref().take(in_text).map(|read| plies(read.unwrap())).sum();
            assert!(found > in_text, "{format:?}");
            // The line that tells where a game ends belongs to the next one.
            let (least, most) = (text.len() * (round - 1), text.len() * round + 1000);
            assert!(
                (least..most).contains(&taken.load(Ordering::Relaxed)),
                "{format:?} {round}: {}",
                taken.load(Ordering::Relaxed)
            );
        }
        assert!(taken.load(Ordering::Relaxed) > text.len() * 49);
    }
}

#[test]
fn what_is_read_in_pieces_is_the_same() {
    for format in FileFormat::ALL {
        let (text, count) = text(format);
        let file = BufReader::with_capacity(1, text.as_bytes());
        let mut again = String::new();
        for read in games(file, format, None) {
            format.append(&mut again, &read.unwrap(), Coordinates::Western);
        }
        assert_eq!(again.trim_end(), text.trim_end(), "{format:?}");
        assert_eq!(games(text.as_bytes(), format, None).count(), count, "{format:?}");
    }
}

/// However a file's lines end, the games are the same; where one game, or none, would be found, it is refused.
#[test]
fn ends_of_lines_do_not_lose_games() {
    for format in FileFormat::ALL {
        let (text, count) = text(format);
        for end in ["\r\n", "\r\r\n"] {
            let ended = text.replace('\n', end);
            let read = games(ended.as_bytes(), format, None).filter(Result::is_ok);
            assert_eq!(read.count(), count, "{format:?} {end:?}");
        }
        let old = text.replace('\n', "\r");
        let read: Vec<_> = games(old.as_bytes(), format, None).collect();
        assert!(!read.is_empty() && read.iter().all(Result::is_err), "{format:?}: {read:?}");
        let fault = read[0].as_ref().unwrap_err();
        let expected = "expected lines that end with a line feed";
        assert!(
            format == FileFormat::Jsonl || fault.to_string().contains(expected),
            "{format:?}: {fault}"
        );
    }
}

#[test]
fn errors_say_where_in_the_file_they_are() {
    let read = |format, text: &[u8]| -> Vec<_> {
        let told = |read: Result<Record, _>| read.map(|record| record.game.end());
        games(text, format, None).map(told).collect()
    };
    let long = "1. 2e2d {a comment\nof two lines} 5b5c *\n\n".repeat(500);
    let found = read(FileFormat::Pgn, format!("{long}1. 2e2d\n5b5c 2e2b *\n1. 2e2d *").as_bytes());
    let error = found[500].as_ref().unwrap_err();
    assert!(matches!(*error.fault, Fault::Usi(_)), "{error}");
    let place = (error.place.line, error.place.column, error.place.game, error.place.ply);
    assert_eq!(place, (Some(1502), Some(6), Some(501), Some(3)));
    assert_eq!((found.len(), &found[501]), (502, &Ok(1)));
    // Behind what is no text there is nothing more; the games before it are whole.
    let found = read(FileFormat::Pgn, b"1. 2e2d *\n1. 2e2d {caf\xe9} *\n1. 2e2d *\n");
    let error = found[1].as_ref().unwrap_err();
    let expected = "line 2, column 13: expected a text in UTF-8, found the byte 0xe9";
    assert_eq!((error.to_string(), &*error.fault), (expected.to_owned(), &Fault::Byte(0xe9)));
    assert_eq!((&found[0], found.len()), (&Ok(1), 2));
    let lines = b"startpos moves 2e2d\nstartpos moves 2e2d 2e2d\nstartpos moves\n";
    let found = read(FileFormat::Usi, lines);
    let error = found[1].as_ref().unwrap_err();
    assert!(error.to_string().starts_with("line 2, column 21: game 2, move 2: "), "{error}");
    assert_eq!((&found[0], &found[2], found.len()), (&Ok(1), &Ok(0), 3));
}

/// A file that ends with an error of the system.
struct Broken<'a>(&'a [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::ErrorKind::ConnectionReset.into()),
            length => Ok(length),
        }
    }
}

#[test]
fn a_file_that_breaks_off_is_told_once() {
    for format in FileFormat::ALL {
        let (text, count) = text(format);
        let read: Vec<_> = games(BufReader::new(Broken(text.as_bytes())), format, None).collect();
        let errors: Vec<_> = read.iter().filter_map(|read| read.as_ref().err()).collect();
        let [error] = errors[..] else { panic!("{format:?}: {errors:?}") };
        let reset = matches!(*error.fault, Fault::Io { kind: io::ErrorKind::ConnectionReset, .. });
        assert!(reset && error.place.game.is_none(), "{format:?}: {error}");
        assert!(read.len() >= count, "{format:?}: {}", read.len());
        assert!(read.last().is_some_and(Result::is_err), "{format:?}: nothing follows");
    }
}
