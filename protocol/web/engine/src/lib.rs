//! The engine as WebAssembly: a USI session whose lines come from JavaScript.
//!
//! A worker calls `lend` with the network of the game, `start`, then `hear` with each line and `serve`,
//! which returns when everything heard is answered. While `serve` searches it calls the worker's `listen` about
//! every 200 µs, in which lines that have come meanwhile are given to `hear`. Nothing here stands on anything
//! but a browser; elsewhere the crate is empty.
#![cfg(all(target_family = "wasm", target_os = "unknown"))]
#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::io::{self, Write};
use std::time::Duration;

use kujira::book::fetch_books;
use kujira::usi::{self, Reader, Session};
use kujira_position::VariantId;
use kujira_search::eval::lend_network;
use kujira_search::{Page, set_page};
use wasm_bindgen::prelude::wasm_bindgen;

mod told;

use told::told;

/// What the worker does for the engine.
mod worker {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen(raw_module = "./outside.js")]
    extern "C" {
        /// Milliseconds since some moment.
        pub(crate) fn now() -> f64;
        /// Gives lines that have come to [`crate::hear`].
        pub(crate) fn listen();
        /// Waits until a line may have come.
        pub(crate) fn wait();
        /// Hands on a line that the engine says, and what it tells, as JSON.
        pub(crate) fn say(line: &str, told: Option<String>);
        /// The file of the book of a game, empty where it cannot be had.
        pub(crate) fn book(game: &str) -> Vec<u8>;
        /// Tells of a defect, after which nothing here works any more.
        pub(crate) fn fail(message: &str);
    }
}

thread_local! {
    static READER: RefCell<Option<Reader>> = const { RefCell::new(None) };
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// What this was built from: engine and table of one page were built from the same.
#[wasm_bindgen]
#[must_use]
pub fn sources() -> String {
    option_env!("KUJIRA_SOURCES").unwrap_or_default().to_owned()
}

/// Brings the network file of a game, without which that game cannot be begun or chosen.
///
/// # Errors
/// What was expected, if that is no game or no network for it.
#[wasm_bindgen]
pub fn lend(game: &str, bytes: Vec<u8>) -> Result<(), String> {
    lend_network(named(game)?, bytes).map_err(|error| error.to_string())
}

/// Opens the session, with a game whose network has been brought. Only the first call does anything.
///
/// # Errors
/// What was expected, if that is no game.
#[wasm_bindgen]
pub fn start(game: &str) -> Result<(), String> {
    let game = named(game)?;
    if READER.with_borrow(Option::is_some) {
        return Ok(());
    }
    std::panic::set_hook(Box::new(|panic| worker::fail(&panic.to_string())));
    let clock = || Duration::try_from_secs_f64(worker::now() / 1000.0).unwrap_or_default();
    fetch_books(|game| worker::book(game.spec().id));
    set_page(Page { clock, hear: || worker::listen(), wait: || worker::wait() });
    let (reader, session) = usi::open(game, Lines::default(), kujira_search::engine);
    READER.set(Some(reader));
    SESSION.set(Some(session));
    Ok(())
}

/// Takes a line, also while [`serve`] searches. Returns whether another may follow: after `quit` none may.
#[wasm_bindgen]
pub fn hear(line: &str) -> bool {
    let reader = READER.with_borrow(Clone::clone);
    reader.is_some_and(|reader| {
        let more = reader.hear(line.as_bytes());
        if !more {
            reader.close();
        }
        more
    })
}

/// Answers everything that has been heard. Does nothing where it is called from within.
#[wasm_bindgen]
pub fn serve() {
    if let Some(mut session) = SESSION.take() {
        session.serve();
        SESSION.set(Some(session));
    }
}

fn named(game: &str) -> Result<VariantId, String> {
    let choices = VariantId::choices();
    VariantId::named(game).ok_or_else(|| format!("expected a game among {choices}, found {game:?}"))
}

/// Cuts what is written into lines and says them.
#[derive(Default)]
struct Lines(Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.0);
        String::from_utf8_lossy(&text).lines().for_each(|line| worker::say(line, told(line)));
        Ok(())
    }
}
