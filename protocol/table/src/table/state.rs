//! What there is to show of a game, put together whole or as what has changed.
use kujira_record::{Game, NodeId};
use kujira_usi::Side;

use super::Table;
use crate::message::{Change, Clocks, NodeView, Situation, State};
use crate::players::Player;
use crate::view::view;

fn node_view(game: &Game, id: NodeId) -> Option<NodeView> {
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
}

impl Table {
    /// All there is to show.
    pub(super) fn state(&self) -> State {
        let game = &self.saved.game;
        let spec = game.variant().spec();
        State {
            id: self.config.id.text().to_owned(),
            variant: spec.id,
            handicap: spec.handicaps.iter().find(|h| h.sfen == game.start()).map(|h| h.id),
            rules: game.rules().into(),
            time: self.saved.time,
            nodes: game.reachable().into_iter().filter_map(|id| node_view(game, id)).collect(),
            position: view(game, self.saved.current),
            now: self.situation(),
        }
    }

    /// What has changed since pages were told last; now they know.
    pub(super) fn change(&mut self) -> Change {
        let game = &self.saved.game;
        let (changed, removed) = self.known.update(game);
        let moved = self.known.show(self.saved.current);
        Change {
            nodes: changed.into_iter().filter_map(|id| node_view(game, id)).collect(),
            removed,
            position: moved.then(|| view(game, self.saved.current)),
            now: self.situation(),
        }
    }

    /// Everybody who looks on has been told the whole state.
    pub(super) fn all_know(&mut self) {
        self.known.update(&self.saved.game);
        self.known.show(self.saved.current);
    }

    fn situation(&self) -> Situation {
        let now = self.now;
        let current = self.saved.current;
        let engines_turn = self.saved.playing
            && current == self.saved.tip
            && self.player_at(current) != Player::Human;
        Situation {
            players: self.saved.players,
            clocks: self.clock.as_ref().map(|clock| Clocks {
                left: clock.left(now),
                byoyomi: clock.byoyomi_left(now),
                running: clock.running().map(Side::from),
            }),
            current,
            tip: self.saved.tip,
            playing: self.saved.playing,
            movable: !engines_turn,
            player: self.player.view(),
            analyst: self.analyst.view(),
            analysis: self.analysis,
            sweep: (!self.sweep.is_empty())
                .then(|| [self.sweep_total - self.sweep.len(), self.sweep_total]),
            hint: self.hint.clone(),
            threads: self.resources.threads,
            hash: self.resources.hash,
            unsaved: self.trouble.clone(),
        }
    }
}
