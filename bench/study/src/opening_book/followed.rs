//! A journal that another process writes, read as it grows.

use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use kujira_position::Variant;
use kujira_program::regular;
use kujira_record::book::{Searched, head, read_line};
use kujira_record::text::{decode, lines};

/// A journal and how far it has been read.
#[derive(Debug)]
pub struct Followed {
    path: PathBuf,
    bytes: u64,
    lines: usize,
}

impl Followed {
    /// A journal that may not be there yet.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), bytes: 0, lines: 0 }
    }

    /// What has been added since, whole lines alone.
    ///
    /// # Errors
    /// That the file cannot be read, or what is wrong with which line.
    pub fn news<V: Variant>(&mut self) -> Result<Vec<Searched<V>>, String> {
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", self.path.display());
        let mut bytes = Vec::new();
        match regular::open(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(named(&error)),
            Ok(mut file) => file
                .seek(SeekFrom::Start(self.bytes))
                .and_then(|_| file.read_to_end(&mut bytes))
                .map_err(|error| named(&error))?,
        };
        bytes.truncate(bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1));
        let text = decode(&bytes).map_err(|error| named(&error))?;
        if self.lines == 0 && text.lines().next().is_some_and(|first| first != head(V::ID)) {
            return Err(named(&format!(
                "expected a book that begins with `{}`, found another file",
                head(V::ID)
            )));
        }
        let before = self.lines;
        let numbered = lines(text).map(|mut line| {
            line.number += before;
            read_line(line).map_err(|error| named(&error))
        });
        let news = numbered.collect::<Result<_, _>>()?;
        self.bytes += bytes.len() as u64;
        self.lines += text.lines().count();
        Ok(news)
    }
}
