//! A new game, made as a page asks for it.
use kujira_position::VariantId;
use kujira_record as record;
use kujira_record::Game;

use crate::message::NewGame;
use crate::players::Levels;
use crate::saved::Saved;

/// A game that a page asked for.
#[derive(Debug)]
pub struct Made {
    /// The game.
    pub saved: Saved,
    /// What the page is to be told of it, for people.
    pub notice: Option<String>,
}

/// Makes a game as a page asks for it; `levels` are those that engines play at.
///
/// # Errors
/// What is wrong with the request.
pub fn new_game(request: &NewGame, levels: &Levels) -> Result<Made, String> {
    let variant = VariantId::named(&request.variant).ok_or_else(|| {
        format!("expected a game among {}, found {:?}", VariantId::choices(), request.variant)
    })?;
    let spec = variant.spec();
    levels.check(variant, &request.players)?;
    if request.time.is_some_and(|time| !time.valid()) {
        return Err("expected at least a second and at most a day on the clocks".to_owned());
    }
    let imported = request.text.is_some();
    let mut notice = None;
    let game = match (&request.text, &request.handicap, &request.sfen) {
        (Some(text), ..) => {
            let read = record::read(text, variant).map_err(|error| error.to_string())?;
            notice = (read.more > 0)
                .then(|| format!("The text has {} games: this is the first.", read.more + 1));
            read.game
        }
        (None, Some(id), _) => {
            let handicap = spec.handicaps.iter().find(|handicap| handicap.id == id);
            let handicap =
                handicap.ok_or_else(|| format!("{} has no handicap {id:?}", spec.name))?;
            Game::new(variant, handicap.sfen, request.rules.into()).map_err(|e| e.to_string())?
        }
        (None, None, sfen) => {
            let sfen = sfen.as_deref().unwrap_or(spec.start);
            Game::new(variant, sfen, request.rules.into()).map_err(|error| error.to_string())?
        }
    };
    let end = game.end();
    let over = game.node(end).is_some_and(|node| node.ending.is_some());
    let saved = Saved {
        players: request.players,
        time: request.time,
        current: end,
        tip: end,
        playing: request.playing && !imported && !over,
        left: request.time.map(|time| [time.main; 2]),
        game,
    };
    Ok(Made { saved, notice })
}
