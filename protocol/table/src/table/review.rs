//! The review of a game: every position of a line looked at with the same effort, and the moments that decided it.
use std::collections::BTreeMap;

use kujira_record::NodeId;
use kujira_record::review::{Judgement, Look, Review};

use super::Table;
use crate::clock::Millis;
use crate::message::{Better, Moment};
use crate::slot::Done;

/// Nodes that the engine searches a position, with which every score of a review can be compared with the others.
pub(super) const NODES: u64 = 50_000;

/// How long that may take before the engine is told to stop.
pub(super) const PATIENCE: Millis = 5_000;

/// How many moments are told.
const MOMENTS: usize = 3;

impl Table {
    /// A position has been looked at.
    pub(super) fn take_look(&mut self, done: &Done) {
        let node = done.job.node;
        if self.sweep.next() != Some(node) {
            return;
        }
        self.sweep.skip();
        let side = self.side_at(node);
        if let Some((info, score)) = done.lines.first().and_then(|info| Some((info, info.score()?)))
        {
            let (depth, line) = (info.depth.unwrap_or(0), info.pv.clone());
            self.sweep.looks.insert(node, Look { score: score.for_black(side), depth, line });
        }
    }

    /// Tells the moments once every position has been looked at.
    pub(super) fn settle_review(&mut self) {
        if self.sweep.next().is_some() || self.sweep.looks.is_empty() {
            return;
        }
        let looks = std::mem::take(&mut self.sweep.looks);
        self.sweep.moments = Some(self.moments(&looks));
        self.changed = true;
    }

    /// The moves that lost most, in the order in which they were made.
    fn moments(&self, looks: &BTreeMap<NodeId, Look>) -> Vec<Moment> {
        let game = &self.saved.game;
        let line = game.line_through(0);
        let seen: Vec<_> = line.iter().map(|id| looks.get(id).cloned()).collect();
        let percent = |points: f64| (points * 100.0).round() as u32;
        let worths = Review::of(game, &seen).moves;
        let mut found: Vec<_> = line
            .windows(2)
            .zip(&seen)
            .zip(worths)
            .filter_map(|((pair, look), worth)| {
                let (&[before, node], Some(worth)) = (pair, worth) else { return None };
                let judgement = Judgement::of(worth.loss)?;
                let best = look.as_ref().and_then(|look| look.line.first());
                let better = best.and_then(|usi| {
                    let text = game.line_text(before, std::slice::from_ref(usi));
                    Some(Better { usi: usi.clone(), text: text.into_iter().next()? })
                });
                let moment = Moment {
                    node,
                    judgement: judgement.name(),
                    before: percent(worth.before),
                    after: percent(worth.after),
                    better,
                };
                Some((worth.loss, moment))
            })
            .collect();
        found.sort_by(|one, other| other.0.total_cmp(&one.0));
        found.truncate(MOMENTS);
        let mut moments: Vec<_> = found.into_iter().map(|(_, moment)| moment).collect();
        let place = |node| line.iter().position(|&id| id == node);
        moments.sort_by_key(|moment| place(moment.node));
        moments
    }
}
