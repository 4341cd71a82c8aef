//! Files that grow line by line, and that a run goes on with.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use kujira_program::growing;

/// A file of lines under a first one that says what they are. One run at a time has it.
pub(super) struct GrowingLines {
    file: File,
    path: PathBuf,
}

impl GrowingLines {
    /// Opens the file of earlier runs, or makes one. Returns it and its whole lines, the first one among them; half a
    /// line, as a killed run leaves it, is cut off.
    ///
    /// # Errors
    /// If the file system refuses, another run has the file, or it begins with another line.
    pub(super) fn open(path: &Path, head: &str) -> Result<(Self, String), String> {
        let named = |error: std::io::Error| format!("{}: {error}", path.display());
        let file = growing::open(path).map_err(named)?;
        let mut file = file.ok_or_else(|| {
            format!("{}: expected a file that no other run has, found one in use", path.display())
        })?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(named)?;
        // A run that was killed may have left half of what it wrote, even of the first line.
        if text.is_empty() || text == head {
            text = format!("{head}\n");
            file.rewind().map_err(named)?;
            file.write_all(text.as_bytes()).map_err(named)?;
        }
        if text.lines().next() != Some(head) {
            return Err(format!(
                "{}: expected a file that begins with `{head}`, found another",
                path.display()
            ));
        }
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).map_err(named)?;
        file.seek(SeekFrom::End(0)).map_err(named)?;
        text.truncate(whole);
        Ok((Self { file, path: path.to_owned() }, text))
    }

    /// Adds lines.
    ///
    /// # Errors
    /// If the file system refuses.
    pub(super) fn append(&mut self, lines: &[String]) -> Result<(), String> {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| format!("{}: {error}", self.path.display()))
    }
}
