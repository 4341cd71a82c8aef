//! Files of games for JavaScript: the entry `whaleshogi/games` of the npm package, described in `docs/javascript.md`.
//! Games cross the border as JSON Lines, which say all that a record can say (`kujira_record::jsonl`). Nothing here stands
//! on anything but JavaScript; elsewhere the crate is empty.
#![cfg(all(target_family = "wasm", target_os = "unknown"))]
#![forbid(unsafe_code)]

use std::io::Cursor;

use js_sys::RangeError;
use kujira_binding::{Refused, names};
use kujira_position::Coordinates;
use kujira_record::{Error, Fault, FileFormat, Games, Head, Place, games};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

fn wrong(why: impl ToString) -> JsValue {
    RangeError::new(&why.to_string()).into()
}

fn format(name: &str) -> Result<FileFormat, JsValue> {
    let choices = || FileFormat::ALL.map(FileFormat::name).join(", ");
    FileFormat::named(name).ok_or_else(|| wrong(Refused::none_of(&choices(), name)))
}

/// Reads the games of a file one after the other.
#[wasm_bindgen]
pub struct Reader {
    games: Games<'static>,
}

#[wasm_bindgen]
impl Reader {
    /// Begins to read a file in a format; `game` is the one to try first where the file does not name one.
    ///
    /// # Errors
    /// If there is no such format or game.
    #[wasm_bindgen(constructor)]
    pub fn new(file: Vec<u8>, format: &str, game: Option<String>) -> Result<Self, JsValue> {
        let game = game.map(|id| names::game_named(&id).map_err(wrong)).transpose()?;
        Ok(Self { games: games(Cursor::new(file), self::format(format)?, game) })
    }

    /// The next game as a line of JSON; none behind the last.
    ///
    /// # Errors
    /// What is wrong with it, and where; then the next one may be asked for.
    #[wasm_bindgen(js_name = next)]
    pub fn read_next(&mut self) -> Result<Option<String>, JsValue> {
        let record = self.games.next().transpose().map_err(wrong)?;
        Ok(record.map(|record| FileFormat::Jsonl.write(&record, Coordinates::Japanese)))
    }
}

/// Whether what a tag of this name says is said elsewhere in a game: it would be left out.
#[wasm_bindgen(js_name = isTold)]
#[must_use]
pub fn is_told(name: &str) -> bool {
    name.bytes().all(|letter| letter.is_ascii_alphabetic())
        && Head::default().set(name, "").is_err()
}

/// Writes games, given as lines of JSON, in a format; `squares` are those of Hodges text.
///
/// # Errors
/// If there is no such format or there are no such squares, or what is wrong with a game, and where.
#[wasm_bindgen]
pub fn write(lines: &str, format: &str, squares: &str) -> Result<String, JsValue> {
    let format = self::format(format)?;
    let squares = names::squares_named(squares).map_err(wrong)?;
    let mut text = String::new();
    for record in games(lines.as_bytes(), FileFormat::Jsonl, None) {
        format.append(&mut text, &record.map_err(of_object)?, squares);
    }
    Ok(text)
}

/// What is wrong with a game that was given as an object: its number says where, and nobody saw a line.
fn of_object(Error { place, fault }: Error) -> JsValue {
    let place = Place { line: None, ..place };
    match *fault {
        Fault::Json { found, .. } => {
            let (found, _) = found.rsplit_once(" at line ").unwrap_or((&found, ""));
            wrong(format!("{place}{found}"))
        }
        _ => wrong(Error { place, fault }),
    }
}
