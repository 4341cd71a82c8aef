//! Checkpoints: everything that a training needs to go on as if it had not been interrupted.
//!
//! ```text
//! magic "KUJTRN\r\n" | version u16 | settings u32 bytes | settings
//! steps u64 | loss f64 | epochs u32 | × 8 f64 (see Epoch)
//! parameters u32 | × f32 | mean of the gradient × f32 | mean of its square × f32
//! CRC-32 u32 of all that
//! ```
//!
//! All numbers are little endian; settings are text, one a line, and name the positions by their
//! checksum.

use std::fs;
use std::io;
use std::path::Path;

use kujira_data::file::differences;
use kujira_program::outputs::Mark;
use kujira_program::whole;

use super::adam::Adam;
use super::trainer::{Epoch, Judgement, State};

/// Version of the format.
const VERSION: u16 = 2;

const MAGIC: [u8; 8] = *b"KUJTRN\r\n";

/// How checkpoints begin.
pub const MARK: Mark = Mark::new("a checkpoint", &[&MAGIC]);

/// Why a checkpoint cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("expected a checkpoint, found something else")]
    Foreign,
    /// The file was written by another version of the format.
    #[error("expected version {VERSION} of the format of checkpoints, found {found}")]
    Version {
        /// Its version.
        found: u16,
    },
    /// The file is not as it was written.
    #[error("damaged checkpoint: {fault}")]
    Damaged {
        /// What was expected and what was found.
        fault: String,
    },
    /// The training was begun with other settings.
    #[error("expected the settings that the training was begun with: {}", differences.join("; "))]
    Settings {
        /// What differs.
        differences: Vec<String>,
    },
}

/// Writes a checkpoint, as a whole or not at all. `settings` are all that must be the same to go on.
///
/// # Errors
/// If the file system refuses.
pub fn save(path: &Path, settings: &str, state: &State) -> io::Result<()> {
    whole::write(path, &encode(settings, state))
}

/// Reads a checkpoint; `None` if there is no file.
///
/// # Errors
/// If the file cannot be read, or is no checkpoint of a training with these settings and so many
/// parameters.
pub fn load(
    path: &Path,
    settings: &str,
    parameters: usize,
) -> Result<Option<State>, CheckpointError> {
    match fs::read(path) {
        Ok(bytes) => decode(&bytes, settings, parameters).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn encode(settings: &str, state: &State) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend(VERSION.to_le_bytes());
    out.extend((settings.len() as u32).to_le_bytes());
    out.extend(settings.as_bytes());
    out.extend(state.steps.to_le_bytes());
    out.extend(state.loss.to_le_bytes());
    out.extend((state.history.len() as u32).to_le_bytes());
    for epoch in &state.history {
        let Epoch { number, training, held_out, rate, lambda } = *epoch;
        let Judgement { loss, scores, outlooks, signs } = held_out;
        for field in [f64::from(number), training, loss, scores, outlooks, signs, rate, lambda] {
            out.extend(field.to_le_bytes());
        }
    }
    out.extend((state.parameters.len() as u32).to_le_bytes());
    for list in [&state.parameters, &state.adam.mean, &state.adam.square] {
        out.extend(list.iter().flat_map(|number| number.to_le_bytes()));
    }
    out.extend(crc32fast::hash(&out).to_le_bytes());
    out
}

fn decode(bytes: &[u8], settings: &str, parameters: usize) -> Result<State, CheckpointError> {
    let damaged = |fault: String| CheckpointError::Damaged { fault };
    let Some(rest) = bytes.strip_prefix(&MAGIC) else { return Err(CheckpointError::Foreign) };
    let mut rest = Bytes { rest, at: MAGIC.len() };
    let found = u16::from_le_bytes(rest.take()?);
    if found != VERSION {
        return Err(CheckpointError::Version { found });
    }
    let (checked, sum) = bytes.split_last_chunk().unwrap_or((bytes, &[0; 4]));
    let (found, expected) = (crc32fast::hash(checked), u32::from_le_bytes(*sum));
    if found != expected {
        return Err(damaged(format!("expected the checksum {expected:08x}, found {found:08x}")));
    }
    let length = u32::from_le_bytes(rest.take()?) as usize;
    let theirs = String::from_utf8_lossy(rest.slice(length)?);
    let differences = differences(settings, &theirs);
    if !differences.is_empty() {
        return Err(CheckpointError::Settings { differences });
    }
    let steps = u64::from_le_bytes(rest.take()?);
    let loss = f64::from_le_bytes(rest.take()?);
    let epochs = u32::from_le_bytes(rest.take()?);
    let mut history = Vec::new();
    for _ in 0..epochs {
        let mut fields = [0.0; 8];
        for field in &mut fields {
            *field = f64::from_le_bytes(rest.take()?);
        }
        let [number, training, loss, scores, outlooks, signs, rate, lambda] = fields;
        let held_out = Judgement { loss, scores, outlooks, signs };
        history.push(Epoch { number: number as u32, training, held_out, rate, lambda });
    }
    let at = rest.at;
    let found = u32::from_le_bytes(rest.take()?) as usize;
    if found != parameters {
        return Err(damaged(format!(
            "expected {parameters} parameters at byte {at}, found {found}"
        )));
    }
    let mut numbers = || -> Result<Vec<f32>, CheckpointError> {
        let (chunks, _) = rest.slice(4 * parameters)?.as_chunks();
        Ok(chunks.iter().map(|&chunk| f32::from_le_bytes(chunk)).collect())
    };
    let (parameters, mean, square) = (numbers()?, numbers()?, numbers()?);
    if rest.rest.len() != 4 {
        return Err(damaged(format!(
            "expected a checksum at byte {}, found {} bytes",
            rest.at,
            rest.rest.len()
        )));
    }
    Ok(State { parameters, adam: Adam { mean, square }, steps, loss, history })
}

/// What is left of a file.
struct Bytes<'a> {
    rest: &'a [u8],
    /// Where that begins, in bytes from the start of the file.
    at: usize,
}

impl<'a> Bytes<'a> {
    fn slice(&mut self, length: usize) -> Result<&'a [u8], CheckpointError> {
        let Some((taken, rest)) = self.rest.split_at_checked(length) else {
            let fault = format!(
                "expected {length} more bytes at byte {}, found {}",
                self.at,
                self.rest.len()
            );
            return Err(CheckpointError::Damaged { fault });
        };
        self.rest = rest;
        self.at += length;
        Ok(taken)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], CheckpointError> {
        let mut taken = [0; N];
        taken.copy_from_slice(self.slice(N)?);
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: &str = "game whale\nhidden 16\n";

    fn state() -> State {
        let number = |n: usize| n as f32 * 0.1 - 0.5;
        let held_out = Judgement { loss: 0.07, scores: 0.01, outlooks: 0.2, signs: 0.8 };
        let epoch = Epoch { number: 1, training: 0.06, held_out, rate: 1e-3, lambda: 0.1 };
        State {
            parameters: (0..9).map(number).collect(),
            adam: Adam {
                mean: (9..18).map(number).collect(),
                square: (18..27).map(number).collect(),
            },
            steps: 77,
            loss: 12.5,
            history: vec![epoch, Epoch { number: 2, ..epoch }],
        }
    }

    #[test]
    fn a_state_comes_back_as_it_was() {
        let bytes = encode(SETTINGS, &state());
        assert_eq!(decode(&bytes, SETTINGS, 9).unwrap(), state());
    }

    #[test]
    fn what_is_wrong_is_said() {
        let bytes = encode(SETTINGS, &state());
        let refused = |bytes: &[u8], settings: &str, parameters: usize| {
            decode(bytes, settings, parameters).unwrap_err().to_string()
        };
        for cut in 0..bytes.len() {
            let error = refused(&bytes[..cut], SETTINGS, 9);
            let expected = if cut < 8 { "something else" } else { "damaged checkpoint: " };
            assert!(error.contains(expected), "{cut}: {error}");
        }
        for at in 10..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            let error = refused(&changed, SETTINGS, 9);
            assert!(error.contains("expected the checksum"), "{at}: {error}");
        }
        let mut later = bytes.clone();
        later[8] = 3;
        assert!(refused(&later, SETTINGS, 9).contains("expected version 2 of the format"));
        let at = bytes.len() - (4 + 3 * 9 * 4 + 4);
        let expected = format!("expected 8 parameters at byte {at}, found 9");
        assert!(refused(&bytes, SETTINGS, 8).contains(&expected));
        // The length of the settings, which no buffer is made as large as.
        let mut lying = bytes.clone();
        lying[10..14].fill(0xff);
        let end = lying.len() - 4;
        let sum = crc32fast::hash(&lying[..end]).to_le_bytes();
        lying[end..].copy_from_slice(&sum);
        let expected = format!("expected {} more bytes at byte 14, found {}", u32::MAX, end - 10);
        assert!(refused(&lying, SETTINGS, 9).contains(&expected));
        assert_eq!(
            refused(&bytes, "game whale\nhidden 32\n", 9),
            "expected the settings that the training was begun with: \"hidden 16\" there, \
             \"hidden 32\" here"
        );
    }
}
