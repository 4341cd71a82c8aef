//! Tables for a page that has no server, as WebAssembly: what `kujira-board` does with a `Table`, done by
//! JavaScript. It keeps games, starts engines, and knows the time; here texts become values and values texts.
//! Nothing here stands on anything but a browser; elsewhere the crate is empty.
#![cfg(all(target_family = "wasm", target_os = "unknown"))]
#![forbid(unsafe_code)]

use kujira_table::message::{Message, NewGame};
use kujira_table::spec::spec_view;
use kujira_table::{
    Config, Content, EngineCommand, EngineEvent, EngineId, GameId, Levels, Made, Millis, Output,
    PageId, Resources, Saved, Table, Timeouts, new_game,
};
use serde::Serialize;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

/// The one page there is.
const PAGE: PageId = PageId(1);

/// How long an engine may take from its start to its greeting: it may first be fetched, over a slow network.
const LOADING: Millis = 300_000;

/// What an engine uses in a page until it is told otherwise: two of them must leave a phone its memory.
const USUAL: Resources = Resources { threads: 1, hash: 16 };

/// The most it can be told to use: there is one thread.
const MOST: Resources = Resources { threads: 1, hash: 1024 };

/// What this was built from: engine and table of one page were built from the same.
#[wasm_bindgen]
#[must_use]
pub fn sources() -> String {
    option_env!("KUJIRA_SOURCES").unwrap_or_default().to_owned()
}

/// What there is to play, as JSON (`Spec` in `messages.d.ts`).
#[wasm_bindgen]
#[must_use]
pub fn spec() -> String {
    serde_json::to_string(&spec_view(&Levels::kujira(), MOST)).unwrap_or_default()
}

/// A game as it begins, to be kept, and what is to be said of it: `{ saved, notice }` as JSON, `saved` as text.
///
/// # Errors
/// What was expected of the request (`NewGame` in `messages.d.ts`).
#[wasm_bindgen]
pub fn create(request: &str) -> Result<String, String> {
    let request: NewGame = serde_json::from_str(request).map_err(|error| error.to_string())?;
    let Made { saved, notice } = new_game(&request, &Levels::kujira())?;
    Ok(json!({ "saved": text(&saved)?, "notice": notice }).to_string())
}

/// What a list tells of a saved game, as JSON (`Saved` in `messages.d.ts`, without id and time).
#[wasm_bindgen]
#[must_use]
pub fn content(saved: &str) -> String {
    serde_json::to_string(&Content::of(saved.as_bytes(), &Levels::kujira())).unwrap_or_default()
}

/// The game that a saved game is of, by its name in USI.
///
/// # Errors
/// Why it is none.
#[wasm_bindgen]
pub fn variant(saved: &str) -> Result<String, String> {
    let saved = Saved::from_json(saved.as_bytes(), &Levels::kujira())?;
    Ok(saved.game.variant().spec().id.to_owned())
}

fn text(saved: &Saved) -> Result<String, String> {
    String::from_utf8(saved.to_json()?).map_err(|error| error.to_string())
}

/// What is to be done next.
#[derive(Serialize)]
#[serde(rename_all = "camelCase", tag = "do")]
enum Act {
    /// Tell the page.
    Tell { message: Message },
    /// Keep the game, and say what came of it by [`Game::kept`].
    Keep { saved: String },
    /// Start an engine, which is known by this number from now on.
    Start { engine: usize },
    /// Send it a line.
    Send { engine: usize, line: String },
    /// Let it go.
    Quit { engine: usize },
    /// Call [`Game::wake`] at this time; null: not.
    Wake { at: Option<Millis> },
}

/// A game at a table. Times are in milliseconds since some moment.
#[wasm_bindgen]
pub struct Game {
    table: Table,
    /// By their numbers.
    engines: Vec<EngineId>,
}

#[wasm_bindgen]
impl Game {
    /// Opens a saved game.
    ///
    /// # Errors
    /// Why it is none.
    #[wasm_bindgen(constructor)]
    pub fn new(id: &str, saved: &str, now: f64) -> Result<Self, String> {
        let id = GameId::parse(id).ok_or("expected the name of a game")?;
        let saved = Saved::from_json(saved.as_bytes(), &Levels::kujira())?;
        let usual = Config::new(id, Levels::kujira());
        let timeouts = Timeouts { greeting: LOADING, ..usual.timeouts };
        let config = Config { timeouts, resources: USUAL, most: MOST, kept: true, ..usual };
        Ok(Self { table: Table::new(saved, config, time(now)), engines: Vec::new() })
    }

    /// The page looks on from now.
    pub fn join(&mut self, now: f64) {
        self.table.join(PAGE, time(now));
    }

    /// The page asks for something (`Command` in `messages.d.ts`, as JSON).
    ///
    /// # Errors
    /// If it is no command.
    pub fn command(&mut self, command: &str, now: f64) -> Result<(), String> {
        let command = serde_json::from_str(command)
            .map_err(|why| format!("expected a command, found none: {why}"))?;
        self.table.command(PAGE, command, time(now));
        Ok(())
    }

    /// An engine has been started.
    pub fn started(&mut self, engine: usize, now: f64) {
        self.tell(engine, EngineEvent::Started, now);
    }

    /// An engine wrote a line.
    pub fn line(&mut self, engine: usize, line: &str, now: f64) {
        self.tell(engine, EngineEvent::Line(line), now);
    }

    /// An engine has ended, with this complaint or none.
    pub fn ended(&mut self, engine: usize, complaint: &str, now: f64) {
        self.tell(engine, EngineEvent::Ended(complaint), now);
    }

    fn tell(&mut self, engine: usize, event: EngineEvent<'_>, now: f64) {
        if let Some(&engine) = self.engines.get(engine) {
            self.table.engine(engine, event, time(now));
        }
    }

    /// What came of keeping the game: nothing, or why it could not be kept.
    pub fn kept(&mut self, trouble: Option<String>, now: f64) {
        self.table.kept(trouble.map_or(Ok(()), Err), time(now));
    }

    /// It is time.
    pub fn wake(&mut self, now: f64) {
        self.table.wake(time(now));
    }

    /// Nobody looks on any more: what is left to be done is the last.
    pub fn close(&mut self, now: f64) {
        self.table.leave(PAGE, time(now));
        self.table.close(time(now));
    }

    /// Whether the game holds anything that a new one would not.
    #[must_use]
    pub fn worth_keeping(&self) -> bool {
        self.table.worth_keeping()
    }

    /// What is to be done next, as JSON; nothing if that is all for now.
    ///
    /// # Errors
    /// If the game cannot be written as text.
    pub fn next_act(&mut self) -> Result<Option<String>, String> {
        let Some(output) = self.table.next_output() else { return Ok(None) };
        let act = match output {
            Output::ToPage(_, message) | Output::ToPages(_, message) | Output::ToAll(message) => {
                Act::Tell { message }
            }
            Output::Keep => Act::Keep { saved: text(self.table.saved())? },
            Output::Engine(engine, command) => {
                let engine = self.number(engine);
                match command {
                    EngineCommand::Start => Act::Start { engine },
                    EngineCommand::Send(line) => Act::Send { engine, line },
                    EngineCommand::Quit | EngineCommand::Kill => Act::Quit { engine },
                }
            }
            Output::WakeAt(at) => Act::Wake { at },
        };
        serde_json::to_string(&act).map(Some).map_err(|error| error.to_string())
    }

    /// The number of an engine.
    fn number(&mut self, engine: EngineId) -> usize {
        self.engines.iter().position(|&known| known == engine).unwrap_or_else(|| {
            self.engines.push(engine);
            self.engines.len() - 1
        })
    }
}

/// A time as the table counts it.
fn time(milliseconds: f64) -> Millis {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped")]
    let millis = milliseconds.clamp(0.0, 9e15) as Millis;
    millis
}
