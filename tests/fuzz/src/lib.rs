//! What the fuzz targets do with their bytes: one module a target, each with a function `run`.
//!
//! They are in a library, so that the rules and the search are compiled once for all targets. `tests/fuzz/run` runs
//! them; docs/testing.md tells of them.

pub mod cecp;
pub mod choices;
pub mod moves;
pub mod network;
pub mod notation;
pub mod position;
pub mod record;
pub mod session;
pub mod sfen;
pub mod small;
pub mod table;
pub mod training;
pub mod usi;

/// The table's own room, engines and random games, from its tests, and the messages that the page declares.
#[allow(dead_code, unused_imports)]
#[path = "../../../protocol/table/tests/table/declared.rs"]
mod declared;
#[allow(dead_code, unused_imports)]
#[path = "../../../protocol/table/tests/table/engine.rs"]
mod engine;
#[allow(dead_code, unused_imports)]
#[path = "../../../protocol/table/tests/table/random.rs"]
mod random;
#[allow(dead_code, unused_imports)]
#[path = "../../../protocol/table/tests/table/room.rs"]
mod room;
