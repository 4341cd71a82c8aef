//! What can be brought back.
use kujira_record::NodeId;
use kujira_usi::Ending;

use crate::clock::Millis;

/// The state before a take-back, with the moves that it removed from the tree.
pub(super) struct Taken {
    /// Where the game stood.
    pub(super) tip: NodeId,
    /// What was played where it has stood since, and how it had ended there.
    pub(super) children: Vec<NodeId>,
    pub(super) ending: Option<Ending>,
    /// Whether the game was on, which it is no more.
    pub(super) stopped: bool,
    pub(super) left: Option<[Millis; 2]>,
}
