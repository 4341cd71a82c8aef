//! Finished games and the journal of a match.

mod json;

pub use json::{Journal, Line, read_journal};
pub(crate) use kujira_record::journal::may_be_cut_off;
pub use kujira_record::played::{GameId, GameRecord, MoveRecord, Player};
