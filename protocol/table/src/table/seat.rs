//! A page's place at the table.
use kujira_record::NodeId;

/// A page's place at the table.
pub(super) struct Seat {
    /// The node it looks at.
    pub(super) node: NodeId,
    /// The node that it knows it looks at, and whether it knows that it may move there.
    pub(super) told: Option<(NodeId, bool)>,
    /// Whether somebody has the page before their eyes.
    pub(super) seen: bool,
}
