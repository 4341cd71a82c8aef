//! What a game is like, from games that were played: who wins, how, after how many plies, among how many moves.
//!
//! - [`games`]: results, lengths, ends, branching of the games of a match;
//! - [`values`]: what pieces are worth, by a fit to the results;
//! - [`odds`]: what pieces given as odds are worth, by the results;
//! - [`promotions`]: whether moves that decline a promotion are right to;
//! - [`estimate`]: means with error bars;
//! - [`mod@plot`]: figures by level of play as pictures.

pub mod estimate;
pub mod games;
pub mod odds;
pub mod plot;
pub mod promotions;
pub mod values;

use kujira_position::{Position, Rules, Variant};
use kujira_record::list::Opening;
use kujira_record::played::GameRecord;

/// A game played again: the position it began from, the one after its opening, and its moves from there.
#[derive(Clone, Debug)]
pub struct Replayed<V: Variant> {
    /// Where the opening begins: whoever moves there moves first.
    pub start: Position<V>,
    /// The position after the opening.
    pub opened: Position<V>,
    /// The moves of the engines.
    pub moves: Vec<kujira_position::Move>,
}

impl<V: Variant> Replayed<V> {
    /// Plays a recorded game again.
    ///
    /// # Errors
    /// If the opening or a move is not legal: which.
    pub fn of(game: &GameRecord, rules: Rules) -> Result<Self, String> {
        let opening: Opening = game.opening.parse()?;
        let first = Opening { moves: Vec::new(), ..opening.clone() };
        let start = first.position(rules).map_err(|error| error.to_string())?;
        let opened: Position<V> = opening.playable(rules).map_err(|error| error.to_string())?;
        let mut position = opened.clone();
        let mut moves = Vec::with_capacity(game.moves.len());
        for (index, m) in game.moves.iter().enumerate() {
            let m = position.parse_usi(&m.usi);
            let m = m.map_err(|error| format!("move {}: {error}", index + 1))?;
            position.make(m);
            moves.push(m);
        }
        Ok(Self { start, opened, moves })
    }
}
