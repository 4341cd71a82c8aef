//! What pages are told of a game: the whole state, or what has changed, each with the position that the page looks at.
use std::collections::BTreeMap;

use kujira_position::Color;
use kujira_record::{Game, NodeId, Notation};
use kujira_usi::{Reason, Side};

use super::Table;
use crate::message::{Change, Clocks, Message, NodeView, Shown, Situation, State};
use crate::output::{Output, PageId};
use crate::view::view;

fn node_views(game: &Game, ids: Vec<NodeId>) -> Vec<NodeView> {
    let mut notations = game.notations(ids.iter().copied());
    let view = |id| node_view(game, id, notations.remove(&id).unwrap_or_default());
    ids.into_iter().filter_map(view).collect()
}

fn node_view(game: &Game, id: NodeId, told: Notation) -> Option<NodeView> {
    let node = game.node(id)?;
    Some(NodeView {
        id,
        parent: node.parent,
        children: node.children.clone(),
        usi: node.usi.clone(),
        text: told.text,
        spoken: node.parent.map(|_| told.spoken),
        side: node.side.into(),
        ply: node.ply,
        ending: node.ending,
        result: node.ending.map(|ending| ending.result()),
        score: node.score,
    })
}

impl Table {
    /// Tells each page what it does not know yet. Pages that get the same message get it together.
    pub(super) fn inform(&mut self) {
        let curious = std::mem::take(&mut self.curious);
        for &page in &curious {
            let state = Box::new(self.state(self.node_of(page)));
            self.outputs.push_back(Output::ToPage(page, Message::State(state)));
        }
        let engines_turn = self.engines_turn();
        let changed = !self.seats.is_empty() && std::mem::take(&mut self.changed);
        let mut groups: BTreeMap<(Option<NodeId>, bool), Vec<PageId>> = BTreeMap::new();
        for (&page, seat) in &mut self.seats {
            let (node, movable) = (seat.node, engines_turn != Some(seat.node));
            let told = seat.told.replace((node, movable));
            if !curious.contains(&page) && (changed || told != Some((node, movable))) {
                let moved = told.is_none_or(|(before, _)| before != node).then_some(node);
                groups.entry((moved, movable)).or_default().push(page);
            }
        }
        // A step is told to one page only: new moves wait for a change that all pages are told.
        let all_know = !curious.is_empty() && self.seats.keys().all(|page| curious.contains(page));
        let (nodes, removed) = if changed || all_know { self.news() } else { Default::default() };
        for ((moved, movable), pages) in groups {
            let change = Box::new(Change {
                nodes: nodes.clone(),
                removed: removed.clone(),
                shown: moved.map(|node| self.shown(node)),
                movable,
                now: self.situation(),
            });
            self.outputs.push_back(Output::ToPages(pages, Message::Change(change)));
        }
    }

    /// The moves that are new or changed since pages were told, and those that are gone. From now on they count as
    /// told.
    fn news(&mut self) -> (Vec<NodeView>, Vec<NodeId>) {
        let game = &self.saved.game;
        let (changed, removed) = self.known.update(game);
        (node_views(game, changed), removed)
    }

    fn shown(&self, node: NodeId) -> Shown {
        Shown { current: node, position: view(&self.saved.game, node) }
    }

    /// The whole state for a page that looks at a node.
    fn state(&self, node: NodeId) -> State {
        let game = &self.saved.game;
        let spec = game.variant().spec();
        State {
            id: self.config.id.text().to_owned(),
            variant: spec.id,
            handicap: spec.handicaps.iter().find(|h| h.sfen == game.start()).map(|h| h.id),
            start: game.start().to_owned(),
            rules: game.rules().into(),
            time: self.saved.time,
            nodes: node_views(game, game.reachable()),
            shown: self.shown(node),
            movable: self.engines_turn() != Some(node),
            now: self.situation(),
        }
    }

    fn clocks(&self) -> Option<Clocks> {
        let clock = self.clock.as_ref()?;
        let mut byoyomi = clock.byoyomi_left(self.now);
        if let Some(mine) = self.out_of_time().and_then(|loser| byoyomi.get_mut(loser.index())) {
            *mine = 0;
        }
        Some(Clocks {
            left: clock.left(self.now),
            byoyomi,
            running: clock.running().map(Side::from),
        })
    }

    /// The side that lost on time at the tip.
    fn out_of_time(&self) -> Option<Color> {
        let ending = self.saved.game.node(self.saved.tip)?.ending?;
        let winner = ending.winner.filter(|_| ending.reason == Reason::Time)?;
        Some(!Color::from(winner))
    }

    fn situation(&self) -> Situation {
        Situation {
            players: self.saved.players,
            clocks: self.clocks(),
            tip: self.saved.tip,
            playing: self.saved.playing,
            taken: !self.taken.is_empty(),
            player: self.player.view(),
            analyst: self.analyst.view(),
            analysis: self.analysis,
            sweep: self.sweep.progress(),
            moments: self.sweep.moments().map(<[_]>::to_vec),
            hint: self.hint.clone(),
            coach: self.watch(),
            threads: self.resources.threads,
            hash: self.resources.hash,
            unsaved: self.trouble.clone(),
        }
    }
}
