//! A network that follows a search: its hidden units are brought up to date move by move, and only
//! where a position is evaluated.

use std::sync::Arc;

use arrayvec::ArrayVec;
use kujira_position::{Board, Color, Kind, Move, Piece, Variant};

use super::inputs::{Inputs, View};
use super::kernels::Block;
use super::layers::{Layers, Place};
use crate::eval::{Evaluator, Linear, captured, threats};
use crate::score::{MAX_PLY, Value};

/// What a move changed: pairs of what has gone and what has come instead. A move exchanges a square for
/// another, a drop a place in hand for a square, a capture a square for a place in hand.
type Changes = ArrayVec<(Place, Place), 4>;

/// What is known of one position of the line.
#[derive(Clone, Default)]
struct Step {
    /// What the move that led here changed; not complete where `anew` is set for both colors.
    changes: Changes,
    /// By color: whether its units cannot be had from those before the move, because it sees the board
    /// the other way round now.
    anew: [bool; 2],
    /// By color: whether its units are up to date.
    ready: [bool; 2],
}

/// Judges positions with a network.
pub struct Network<V: Variant> {
    layers: Arc<Layers<V>>,
    /// One for each position of the line, and room for more.
    steps: Vec<Step>,
    /// The hidden units: `[step][color][block]`, flat.
    units: Vec<Block>,
    /// The step of the position arrived at.
    at: usize,
    /// The linear part, if there is one.
    linear: Option<Linear<V>>,
}

impl<V: Variant> Network<V> {
    /// An evaluation by these weights; it begins with [`Evaluator::reset`].
    #[must_use]
    pub fn new(layers: Arc<Layers<V>>) -> Self {
        let steps = MAX_PLY + 4;
        let units = vec![Block::ZERO; steps * 2 * layers.blocks];
        let linear = layers.linear.clone().map(Linear::new);
        let mut network =
            Self { layers, steps: vec![Step::default(); steps], units, at: 0, linear };
        network.steps[0].anew = [true; 2];
        network
    }

    /// Goes on to the next step, about which nothing is known yet.
    #[inline(always)]
    fn next(&mut self) {
        self.at += 1;
        if self.at == self.steps.len() {
            self.grow();
        }
        let step = &mut self.steps[self.at];
        step.changes.clear();
        step.anew = [false; 2];
        step.ready = [false; 2];
    }

    /// Makes room for one more step: longer lines than a search has.
    #[cold]
    fn grow(&mut self) {
        self.steps.push(Step::default());
        self.units.resize(self.steps.len() * 2 * self.layers.blocks, Block::ZERO);
    }

    /// Brings the units of `color` up to date.
    #[inline(always)]
    fn update(&mut self, board: &Board<V>, color: Color) {
        let mut first = self.at;
        while !self.steps[first].ready[color.index()] {
            if self.steps[first].anew[color.index()] {
                return self.refresh(board, color);
            }
            // The first step is ready or anew.
            first -= 1;
        }
        let view = View::of(board, color);
        for step in first + 1..=self.at {
            self.follow(view, step);
        }
    }

    /// Computes the units of a step from those of the one before.
    #[inline(always)]
    fn follow(&mut self, view: View, step: usize) {
        let (layers, color) = (&*self.layers, view.us().index());
        let blocks = layers.blocks;
        let (before, after) = self.units.split_at_mut(step * 2 * blocks);
        let from = &before[((step - 1) * 2 + color) * blocks..][..blocks];
        let to = &mut after[color * blocks..][..blocks];
        let rows = |(gone, come): (Place, Place)| (layers.row(view, gone), layers.row(view, come));
        let kernel = layers.kernel;
        match self.steps[step].changes[..] {
            [] => to.copy_from_slice(from),
            [change] => {
                let (gone, come) = rows(change);
                kernel.exchange(to, from, gone, come);
            }
            [first, second, ref others @ ..] => {
                let ((gone, come), (gone_too, come_too)) = (rows(first), rows(second));
                kernel.exchange_two(to, from, [gone, come, gone_too, come_too]);
                for &change in others {
                    let (gone, come) = rows(change);
                    kernel.exchange_in_place(to, gone, come);
                }
            }
        }
        self.steps[step].ready[color] = true;
    }

    /// Computes the units of `color` from nothing.
    #[cold]
    fn refresh(&mut self, board: &Board<V>, color: Color) {
        let blocks = self.layers.blocks;
        let units = &mut self.units[(self.at * 2 + color.index()) * blocks..][..blocks];
        self.layers.units_anew(board, color, units);
        self.steps[self.at].ready[color.index()] = true;
    }
}

impl<V: Variant> Evaluator<V> for Network<V> {
    fn reset(&mut self, board: &Board<V>) {
        if let Some(linear) = &mut self.linear {
            linear.reset(board);
        }
        self.at = 0;
        self.steps[0] = Step { anew: [true; 2], ..Step::default() };
    }

    #[inline]
    fn make(&mut self, board: &Board<V>, m: Move) {
        if let Some(linear) = &mut self.linear {
            linear.make(board, m);
        }
        self.next();
        let Self { layers, steps, at, .. } = self;
        let step = &mut steps[*at];
        let (us, kind, to) = (board.side(), m.kind(), m.to());
        let mover = Piece::new(us, kind);
        if m.is_drop() {
            let before = board.hand(us).count(kind) - 1;
            step.changes.push((Place::held(mover, before), Place::on(mover, to)));
            return;
        }
        let from = m.from();
        if from != to {
            let arriving = if m.promotes() { layers.promoted[kind.index()] } else { kind };
            let arrived = Place::on(Piece::new(us, arriving), to);
            step.changes.push((Place::on(mover, from), arrived));
            if kind == Kind::WHALE {
                step.anew[us.index()] = View::with::<V>(us, from) != View::with::<V>(us, to);
            }
        }
        let Some(capture) = captured(board, m) else { return };
        for (square, piece) in capture.pieces(board) {
            if piece.kind() == Kind::WHALE {
                // It goes nowhere, and its owner sees the board with other eyes.
                step.anew = [true; 2];
                return;
            }
            let kind = layers.captured[piece.kind().index()];
            let held = |before| Place::held(Piece::new(us, kind), before);
            let mut before = board.hand(us).count(kind);
            while step.changes.iter().any(|&(_, come)| come == held(before)) {
                before += 1;
            }
            step.changes.push((Place::on(piece, square), held(before)));
        }
    }

    #[inline]
    fn pass(&mut self) {
        if let Some(linear) = &mut self.linear {
            linear.pass();
        }
        self.next();
    }

    #[inline]
    fn undo(&mut self) {
        if let Some(linear) = &mut self.linear {
            linear.undo();
        }
        self.at -= 1;
    }

    #[inline]
    fn evaluate(&mut self, board: &Board<V>) -> Value {
        self.update(board, Color::Black);
        self.update(board, Color::White);
        let blocks = self.layers.blocks;
        let units = &self.units[self.at * 2 * blocks..][..2 * blocks];
        let (black, white) = units.split_at(blocks);
        let controlled = threats::controlled(board);
        let under_attack = Inputs::<V>::under_attack(board, controlled);
        let linear = self.linear.as_ref().map_or(0, |linear| linear.total(board, controlled));
        match board.side() {
            Color::Black => self.layers.score(board, [black, white], under_attack, linear),
            Color::White => self.layers.score(board, [white, black], under_attack, -linear),
        }
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Position, Whale};

    use super::*;
    use crate::eval::mirror::mirrored;
    use crate::eval::net::Net;
    use crate::eval::net::kernels::Kernel;
    use crate::eval::net::random::{self, Random};
    use crate::score::EVAL_LIMIT;

    /// Whether a white whale stands on the middle file: then a mirror changes what is seen.
    fn whale_in_the_middle<V: Variant>(board: &Board<V>) -> bool {
        let geometry = V::SPEC.geometry;
        Color::BOTH
            .into_iter()
            .filter_map(|color| board.whale(color).first())
            .any(|whale| 2 * geometry.x(whale) == geometry.files as i8 - 1)
    }

    /// What happened in random games.
    #[derive(Default, Debug)]
    struct Seen {
        positions: usize,
        mirrored: usize,
        captured_whales: usize,
        several_captures: usize,
        views_changed: usize,
        moderate: usize,
    }

    /// Random games: the value kept up to date, evaluated at once or several moves later, is that of the
    /// definition; turned and mirrored positions have the same; taking back leads back.
    fn check<V: Variant>(net: &Net, games: usize) -> Seen {
        net.check::<V>().unwrap();
        let layers = Arc::new(Layers::new(net));
        let portable = Arc::new(Layers::with_kernel(net, Kernel::Portable));
        let (mut network, mut lazy) = (Network::<V>::new(layers.clone()), Network::new(layers));
        let mut fresh = Network::<V>::new(portable);
        let (mut random, mut seen) = (Random(1), Seen::default());
        for _ in 0..games {
            let mut position = Position::<V>::start();
            network.reset(position.board());
            lazy.reset(position.board());
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() || position.board().whale(position.side()).is_empty() {
                    break;
                }
                // Captures on the way and captures of whales are rare where moves are drawn evenly.
                let draw = (0..4).map(|_| moves[random.below(moves.len())]);
                let m = draw.max_by_key(|m| m.way().is_some()).unwrap();
                let captures = captured(position.board(), m)
                    .map_or(0, |capture| capture.pieces(position.board()).count());
                seen.several_captures += usize::from(captures > 1);
                let before = network.evaluate(position.board());
                for evaluator in [&mut network, &mut lazy] {
                    evaluator.make(position.board(), m);
                }
                position.make(m);
                let board = position.board();
                seen.positions += 1;
                seen.captured_whales += usize::from(board.whale(position.side()).is_empty());
                seen.views_changed += usize::from(network.steps[network.at].anew != [false; 2]);
                let value = network.evaluate(board);
                seen.moderate += usize::from(value.abs() < EVAL_LIMIT);
                assert_eq!(value, net.score(board), "{m:?} {position:?}");
                if random.below(5) == 0 {
                    assert_eq!(lazy.evaluate(board), value, "{m:?} {position:?}");
                }
                if !board.whale(position.side()).is_empty() {
                    let turned = position.turned();
                    fresh.reset(turned.board());
                    assert_eq!(fresh.evaluate(turned.board()), value, "{turned:?}");
                    if !whale_in_the_middle(board) {
                        seen.mirrored += 1;
                        let mirrored = mirrored(&position);
                        fresh.reset(mirrored.board());
                        assert_eq!(fresh.evaluate(mirrored.board()), value, "{mirrored:?}");
                    }
                }
                if random.below(4) == 0 {
                    network.undo();
                    position.undo();
                    assert_eq!(network.evaluate(position.board()), before);
                    network.make(position.board(), m);
                    position.make(m);
                    assert_eq!(network.evaluate(position.board()), value);
                }
            }
        }
        seen
    }

    #[test]
    fn values_kept_are_those_of_the_definition() {
        let seen = check::<Whale>(&random::net::<Whale>(64, 4, true, 5), 60);
        assert!(seen.mirrored > 1_000 && seen.views_changed > 50, "{seen:?}");
        assert!(seen.moderate > seen.positions / 2, "{seen:?}");
        let seen = check::<Paulowich>(&random::net::<Paulowich>(48, 1, false, 6), 40);
        assert!(seen.mirrored > 500 && seen.views_changed > 50, "{seen:?}");
        let seen = check::<Great>(&random::net::<Great>(32, 2, true, 7), 200);
        assert!(seen.captured_whales > 5 && seen.several_captures > 20, "{seen:?}");
        assert!(seen.mirrored > 1_000 && seen.views_changed > 50, "{seen:?}");
    }

    #[test]
    fn every_width_of_the_hidden_layer_works() {
        for hidden in (Net::HIDDEN_STEP..=Net::MOST_HIDDEN).step_by(Net::HIDDEN_STEP) {
            check::<Whale>(&random::net::<Whale>(hidden, 3, false, hidden as u64), 1);
        }
    }

    #[test]
    fn a_pass_changes_whose_turn_it_is_and_nothing_else() {
        let net = random::net::<Whale>(32, 1, true, 3);
        let mut network = Network::<Whale>::new(Arc::new(Layers::new(&net)));
        let mut position = Position::<Whale>::start();
        network.reset(position.board());
        let m = position.parse_usi("2e2d").unwrap();
        network.make(position.board(), m);
        position.make(m);
        let before = network.evaluate(position.board());
        network.pass();
        position.pass();
        assert_eq!(network.evaluate(position.board()), net.score(position.board()));
        network.undo();
        position.undo();
        assert_eq!(network.evaluate(position.board()), before);
    }

    #[test]
    fn lines_longer_than_those_of_a_search_have_room() {
        let net = random::net::<Whale>(16, 1, false, 3);
        let mut network = Network::<Whale>::new(Arc::new(Layers::new(&net)));
        let mut position = Position::<Whale>::from_sfen("3w2/6/6/6/6/2W3 b - 1").unwrap();
        network.reset(position.board());
        for text in ["4f5f", "3a2a", "5f4f", "2a3a"].into_iter().cycle().take(2 * MAX_PLY) {
            let m = position.parse_usi(text).unwrap();
            network.make(position.board(), m);
            position.make(m);
        }
        assert_eq!(network.evaluate(position.board()), net.score(position.board()));
    }

    /// A network that counts dolphins or calves in hand, 100 centipawns each, and nothing else.
    #[test]
    fn scores_are_in_centipawns() {
        let mut net = Net::zero::<Whale>(16, 1, 100, false);
        let dolphin = Whale::SPEC.kind_named("D");
        // The unit goes up by 1 for the first dolphin we hold.
        net.weights[Inputs::<Whale>::hand(false, dolphin) * 16] = 255;
        net.outputs[0] = 64;
        net.outputs[16] = -64;
        let mut network = Network::<Whale>::new(Arc::new(Layers::new(&net)));
        for (sfen, score) in [
            ("3w2/6/6/6/6/2W3 b D 1", 100),
            ("3w2/6/6/6/6/2W3 w D 1", -100),
            ("3w2/6/6/6/6/2W3 w Dd 1", 0),
        ] {
            let position = Position::<Whale>::from_sfen(sfen).unwrap();
            network.reset(position.board());
            assert_eq!(network.evaluate(position.board()), score, "{sfen}");
        }
    }
}
