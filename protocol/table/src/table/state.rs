//! All there is to show of a game, put together.
use kujira_usi::Side;

use super::Table;
use crate::message::{Clocks, NodeView, State};
use crate::players::Player;
use crate::view::view;

impl Table {
    pub(super) fn state(&self) -> State {
        let now = self.now;
        let game = &self.saved.game;
        let spec = game.variant().spec();
        let current = self.saved.current;
        let nodes = game.reachable().into_iter().filter_map(|id| {
            let node = game.node(id)?;
            Some(NodeView {
                id,
                parent: node.parent,
                children: node.children.clone(),
                usi: node.usi.clone(),
                text: node.text.clone(),
                spoken: node.spoken.clone(),
                side: node.side.into(),
                ply: node.ply,
                ending: node.ending.map(|ending| ending.to_string()),
                result: node.ending.map(|ending| ending.result()),
                score: node.score,
            })
        });
        let engines_turn = self.saved.playing
            && current == self.saved.tip
            && self.player_at(current) != Player::Human;
        State {
            id: self.config.id.text().to_owned(),
            variant: game.variant().spec().id,
            handicap: spec.handicaps.iter().find(|h| h.sfen == game.start()).map(|h| h.id),
            rules: game.rules().into(),
            players: self.saved.players,
            time: self.saved.time,
            clocks: self.clock.as_ref().map(|clock| Clocks {
                left: clock.left(now),
                byoyomi: clock.byoyomi_left(now),
                running: clock.running().map(Side::from),
            }),
            current,
            tip: self.saved.tip,
            playing: self.saved.playing,
            movable: !engines_turn,
            nodes: nodes.collect(),
            position: view(game, current),
            player: self.player.view(),
            analyst: self.analyst.view(),
            analysis: self.analysis,
            sweep: (!self.sweep.is_empty())
                .then(|| [self.sweep_total - self.sweep.len(), self.sweep_total]),
            hint: self.hint.clone(),
            threads: self.threads,
            hash: self.hash,
        }
    }
}
