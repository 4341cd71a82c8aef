//! What there is to play, for the page.

use kujira_position::VariantId;
use serde::Serialize;

use crate::config::Resources;
use crate::pieces::{GameView, game_view};
use crate::players::Levels;

/// What there is to play.
#[derive(Serialize, Debug)]
pub struct SpecView {
    games: Vec<GameView>,
    /// The most that an engine may be told to use.
    most: Resources,
    version: &'static str,
}

/// All games, with the levels and the resources of engines.
#[must_use]
pub fn spec_view(levels: &Levels, most: Resources) -> SpecView {
    SpecView {
        games: VariantId::ALL.iter().map(|&variant| game_view(variant, levels)).collect(),
        most,
        version: env!("CARGO_PKG_VERSION"),
    }
}
