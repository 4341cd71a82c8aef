//! Draws by agreement: people agree with each other, an engine that is offered one judges the game.
use kujira_position::Color;

use super::Table;
use crate::players::Player;

/// How many moves each side has made before an engine agrees on a draw.
const MOVES: u32 = 10;

/// The most that an engine thinks it is better off, in centipawns, if it agrees.
const SCORE: i32 = 20;

impl Table {
    /// Why the engine declines a draw; `None` if it agrees, or if no engine plays.
    ///
    /// # Errors
    /// If there is nobody who could offer one.
    pub(super) fn declined(&self) -> Result<Option<String>, String> {
        let people = self.saved.players.map(|player| player == Player::Human);
        let engine = match people {
            [true, true] => return Ok(None),
            [false, false] => return Err("Engines do not agree on draws.".to_owned()),
            [true, false] => Color::White,
            [false, true] => Color::Black,
        };
        let played =
            self.saved.game.node(self.saved.tip).map_or(0, |node| node.ply.saturating_sub(1));
        Ok(if played < 2 * MOVES {
            Some(format!("The engine declines: it agrees on no draw in the first {MOVES} moves."))
        } else if self.opinion(engine).is_none_or(|score| score > SCORE) {
            Some("The engine declines the draw.".to_owned())
        } else {
            None
        })
    }

    /// What an engine thought last where it was to move, in centipawns as it sees the game.
    fn opinion(&self, engine: Color) -> Option<i32> {
        let path = self.saved.game.path(self.saved.tip);
        if let Some((node, score)) = self.thought
            && self.side_at(node) == engine
            && path.contains(&node)
        {
            return Some(score.centipawns());
        }
        let nodes = path.into_iter().rev().filter_map(|id| self.saved.game.node(id));
        let (score, _) = nodes.filter(|node| node.side == engine).find_map(|node| node.score)?;
        // As Black sees it: turned once more for White.
        Some(score.for_black(engine).centipawns())
    }
}
