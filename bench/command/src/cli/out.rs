//! A file that a command writes whole, at its end.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use kujira_program::outputs::{Mark, Outputs};
use kujira_program::whole;

/// Where to, and what is not to be lost by it.
#[derive(Clone, Copy)]
pub(super) struct Out<'a> {
    pub(super) path: &'a Path,
    /// Whether a file that is there is written over, whoever made it.
    pub(super) force: bool,
    /// What the file is going to be.
    pub(super) what: &'static str,
    /// What is read, which is never written over.
    pub(super) inputs: &'a [PathBuf],
}

impl Out<'_> {
    /// Refuses what is read, and a file that is there: the formats do not tell who made it.
    pub(super) fn refuse_loss(&self) -> Result<(), String> {
        let mut outputs = Outputs::new(self.force);
        outputs.output("--out", self.path, Mark::none(self.what));
        outputs.inputs("a file that is read", self.inputs);
        refuse_existing(self.path, self.force)?;
        Ok(outputs.check()?)
    }

    pub(super) fn write(&self, text: &str) -> Result<(), String> {
        // Somebody may have put a file there in the meantime.
        self.refuse_loss()?;
        write(self.path, text.as_bytes())
    }
}

impl Out<'_> {
    /// Writes what `put` makes of it bit by bit.
    pub(super) fn write_with(
        &self,
        put: impl FnOnce(&mut dyn Write) -> Result<(), String>,
    ) -> Result<(), String> {
        self.refuse_loss()?;
        let mut failed = None;
        let written = whole::write_with(self.path, |out| {
            put(out).map_err(|error| {
                failed = Some(error);
                io::ErrorKind::Other.into()
            })
        });
        match failed {
            Some(error) => Err(error),
            None => written.map_err(|error| format!("{}: {error}", self.path.display())),
        }
    }
}

/// Writes a file, whole or not at all.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    whole::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// Refuses a file that is there, unless it is to be written over.
pub(super) fn refuse_existing(out: &Path, force: bool) -> Result<(), String> {
    if force || !out.is_file() {
        return Ok(());
    }
    Err(format!(
        "expected no file yet at {}, found one (--force writes over it, another --out keeps it)",
        out.display()
    ))
}
