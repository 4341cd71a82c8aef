//! A review that goes on, position by position.
use std::collections::{BTreeMap, VecDeque};

use kujira_record::NodeId;
use kujira_record::review::Look;

use crate::message::Moment;

/// A review that goes on, and what came of the last.
#[derive(Default)]
pub(super) struct Sweep {
    waiting: VecDeque<NodeId>,
    total: usize,
    pub(super) looks: BTreeMap<NodeId, Look>,
    pub(super) moments: Option<Vec<Moment>>,
}

impl Sweep {
    /// A review of the positions at these nodes.
    pub(super) fn of(waiting: Vec<NodeId>) -> Self {
        Self { total: waiting.len(), waiting: waiting.into(), ..Self::default() }
    }

    /// The node that is to be looked at.
    pub(super) fn next(&self) -> Option<NodeId> {
        self.waiting.front().copied()
    }

    /// Goes on with the next node.
    pub(super) fn skip(&mut self) {
        self.waiting.pop_front();
    }

    /// How far it is: positions done, and all of them; none where it does not go on.
    pub(super) fn progress(&self) -> Option<[usize; 2]> {
        (!self.waiting.is_empty()).then(|| [self.total - self.waiting.len(), self.total])
    }

    /// The moments that decided the game; none before the end of a review.
    pub(super) fn moments(&self) -> Option<&[Moment]> {
        self.moments.as_deref()
    }
}
