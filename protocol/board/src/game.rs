//! A game as it was played, with every branch tried: a tree of moves over a starting position.
//!
//! The rules live in [`kujira_position`]: a node holds a packed move that was legal where it was
//! played, and positions come from replaying the way to a node.

use std::fmt;

use kujira_position::{
    Color, Coordinates, Move, Position, Rules, SfenError, SquareText, UsiMove, Variant, VariantId,
    with_variant,
};

use crate::side::{Ending, Score};

/// The most moves a game with all its branches holds.
pub const MOST_NODES: usize = 4000;

/// Where a move stands in a [`Game`]. The start of the game is node 0.
pub type NodeId = usize;

/// A game: a start, rules, and the tree of moves.
#[derive(Clone, Debug)]
pub struct Game {
    variant: VariantId,
    start: String,
    rules: Rules,
    nodes: Vec<Node>,
}

/// A move that was played, and what stands on the board after it. Node 0 is the start.
#[derive(Clone, Debug)]
pub struct Node {
    m: Option<Move>,
    /// The node before.
    pub parent: Option<NodeId>,
    /// The moves played from here, the main line first.
    pub children: Vec<NodeId>,
    /// The move as USI writes it; empty at the start.
    pub usi: String,
    /// The move as people write it, in Japanese and in Western squares.
    pub text: [String; 2],
    /// The move in words, for those who hear it.
    pub spoken: String,
    /// Who is to move now.
    pub side: Color,
    /// The number of the next move, from 1.
    pub ply: u32,
    /// How the game ended here, if it did.
    pub ending: Option<Ending>,
    /// What an engine thought of the position, as Black sees it, and how deep it looked, in plies.
    pub score: Option<(Score, u32)>,
    /// What was left on the clocks after the move, Black's first, in milliseconds.
    pub left: Option<[u64; 2]>,
}

/// Why a move could not be added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayError {
    /// There is no such node.
    NoNode(NodeId),
    /// The game is over there.
    Over(Ending),
    /// The text is no legal move there.
    Move(String),
    /// The tree is full.
    Full,
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNode(node) => write!(f, "expected a move of this game, found number {node}"),
            Self::Over(ending) => {
                write!(f, "expected no move after the end of the game ({ending})")
            }
            Self::Move(error) => f.write_str(error),
            Self::Full => write!(f, "expected at most {MOST_NODES} moves in a game"),
        }
    }
}

impl std::error::Error for PlayError {}

impl Game {
    /// A game of `variant` from an SFEN.
    ///
    /// # Errors
    /// If the SFEN is no position of the game under these rules: then with every reason.
    pub fn new(variant: VariantId, sfen: &str, rules: Rules) -> Result<Self, SfenError> {
        with_variant!(variant, V => {
            let position = Position::<V>::from_sfen_under(sfen, rules)?;
            let mut root = Node::at::<V>(&position);
            root.ending = position.outcome().map(Into::into);
            Ok(Self { variant, start: position.sfen(), rules, nodes: vec![root] })
        })
    }

    /// Which game it is.
    #[must_use]
    pub fn variant(&self) -> VariantId {
        self.variant
    }

    /// The SFEN of the start.
    #[must_use]
    pub fn start(&self) -> &str {
        &self.start
    }

    /// The rules in force.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The move with this number, if the game has it.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id)
    }

    /// The move with this number, to be changed.
    pub fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id)
    }

    /// The way from the start to a node, both included.
    #[must_use]
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut next = (node < self.nodes.len()).then_some(node);
        while let Some(id) = next {
            path.push(id);
            next = self.node(id).and_then(|node| node.parent);
        }
        path.reverse();
        path
    }

    /// The line through `node`: the way to it, and on along first moves to the end.
    #[must_use]
    pub fn line_through(&self, node: NodeId) -> Vec<NodeId> {
        let mut line = self.path(node);
        while let Some(&next) =
            line.last().and_then(|&id| self.node(id)).and_then(|node| node.children.first())
        {
            line.push(next);
        }
        line
    }

    /// Whether `node` is `ancestor` or was played after it.
    #[must_use]
    pub fn descends(&self, node: NodeId, ancestor: NodeId) -> bool {
        self.path(node).contains(&ancestor)
    }

    /// Every node that can be reached from the start, parents before children.
    #[must_use]
    pub fn reachable(&self) -> Vec<NodeId> {
        let mut found = vec![0];
        let mut next = 0;
        while let Some(node) = found.get(next).and_then(|&id| self.node(id)) {
            found.extend(&node.children);
            next += 1;
        }
        found
    }

    /// The position at a node, with all that led to it. `V` must be the type of [`Self::variant`]:
    /// the starting position is returned otherwise.
    #[must_use]
    pub fn position<V: Variant>(&self, node: NodeId) -> Position<V> {
        let mut position =
            Position::<V>::from_sfen_under(&self.start, self.rules).unwrap_or_default();
        for id in self.path(node) {
            if let Some(m) = self.node(id).and_then(|node| node.m)
                && position.is_legal(m)
            {
                position.make(m);
            }
        }
        position
    }

    /// The way to a node as USI writes it, `sfen … moves …`.
    #[must_use]
    pub fn usi(&self, node: NodeId) -> String {
        let mut text = if self.start == self.variant.spec().start {
            "startpos".to_owned()
        } else {
            format!("sfen {}", self.start)
        };
        for (index, id) in self.path(node).into_iter().skip(1).enumerate() {
            text.push_str(if index == 0 { " moves " } else { " " });
            text.push_str(self.node(id).map_or("", |node| &node.usi));
        }
        text
    }

    /// Plays a move at a node, or finds it where it was played already. Returns its number.
    ///
    /// # Errors
    /// If there is no such node, the game is over there, the move is not legal, or the game is full.
    pub fn play(&mut self, at: NodeId, usi: &str) -> Result<NodeId, PlayError> {
        let parent = self.node(at).ok_or(PlayError::NoNode(at))?;
        let known = |&id: &NodeId| self.node(id).is_some_and(|child| child.usi == usi);
        if let Some(child) = parent.children.iter().copied().find(known) {
            return Ok(child);
        }
        if let Some(ending) = parent.ending.filter(|ending| ending.by_rule()) {
            return Err(PlayError::Over(ending));
        }
        // The start is a node, too.
        if self.nodes.len() > MOST_NODES {
            return Err(PlayError::Full);
        }
        let node = with_variant!(self.variant, V => {
            let mut position = self.position::<V>(at);
            let m = position.parse_usi(usi).map_err(|error| PlayError::Move(error.to_string()))?;
            let text = [Coordinates::Japanese, Coordinates::Western].map(|c| position.hodges(m, c));
            let spoken = spoken(&position, m);
            position.make(m);
            let ending = position.outcome().map(Into::into);
            let check = if ending.is_none() && position.checked() { ", check" } else { "" };
            Node {
                m: Some(m),
                parent: Some(at),
                usi: usi.to_owned(),
                text,
                spoken: spoken + check,
                ending,
                ..Node::at::<V>(&position)
            }
        });
        let id = self.nodes.len();
        self.nodes.push(node);
        if let Some(parent) = self.node_mut(at) {
            parent.children.push(id);
        }
        Ok(id)
    }

    /// Takes a move and everything played after it out of the tree. Numbers of other moves stay.
    pub fn remove(&mut self, node: NodeId) {
        if let Some(parent) = self.node(node).and_then(|node| node.parent)
            && let Some(parent) = self.node_mut(parent)
        {
            parent.children.retain(|&child| child != node);
        }
    }

    /// Makes the way to `node` the main line.
    pub fn promote(&mut self, node: NodeId) {
        for pair in self.path(node).windows(2) {
            if let &[parent, child] = pair
                && let Some(parent) = self.node_mut(parent)
                && let Some(place) = parent.children.iter().position(|&id| id == child)
                && let Some(way) = parent.children.get_mut(..=place)
            {
                way.rotate_right(1);
            }
        }
    }

    /// How the game would end if the side to move at a node claimed impasse; `None` if it may not.
    #[must_use]
    pub fn impasse(&self, node: NodeId) -> Option<Ending> {
        with_variant!(self.variant, V => self.position::<V>(node).impasse().map(Into::into))
    }

    /// A line of play from a node, given as USI moves, as people write it: each move in Japanese
    /// and in Western squares. Ends before the first move that is not legal.
    #[must_use]
    pub fn line_text(&self, node: NodeId, moves: &[String]) -> Vec<[String; 2]> {
        with_variant!(self.variant, V => {
            let mut position = self.position::<V>(node);
            let mut texts = Vec::new();
            for usi in moves {
                let Ok(m) = position.parse_usi(usi) else { break };
                texts.push(
                    [Coordinates::Japanese, Coordinates::Western].map(|c| position.hodges(m, c)),
                );
                position.make(m);
                if position.outcome().is_some() {
                    break;
                }
            }
            texts
        })
    }
}

impl Node {
    /// A node without a move.
    fn at<V: Variant>(position: &Position<V>) -> Self {
        Self {
            m: None,
            parent: None,
            children: Vec::new(),
            usi: String::new(),
            text: Default::default(),
            spoken: String::new(),
            side: position.side(),
            ply: position.ply(),
            ending: None,
            score: None,
            left: None,
        }
    }
}

/// The squares that the USI text of a move names, in order: start, captures on the way, end. A drop
/// has its end only.
pub(crate) fn squares_of<V: Variant>(m: Move) -> Vec<kujira_position::Square> {
    let usi = UsiMove::<V>::new(m).to_string();
    let mut rest = usi.rsplit('*').next().unwrap_or_default();
    let mut squares = Vec::new();
    while let Some((square, tail)) = SquareText::parse_prefix(V::SPEC.geometry, rest) {
        squares.push(square);
        rest = tail;
    }
    squares
}

/// A move in words: `Black: humpback 6f to 5e, captures dolphin`.
fn spoken<V: Variant>(position: &Position<V>, m: Move) -> String {
    let spec = V::SPEC;
    let name = |square| SquareText(spec.geometry, square).to_string();
    let piece = spec.name_of(m.kind());
    let side = position.side();
    if m.is_drop() {
        return format!("{side}: {piece} dropped on {}", name(m.to()));
    }
    let squares = squares_of::<V>(m);
    let passed = squares.get(1..squares.len().saturating_sub(1)).unwrap_or_default();
    let captured: Vec<_> = passed
        .iter()
        .chain((m.to() != m.from()).then_some(&m.to()))
        .filter_map(|&on| position.piece_on(on).filter(|found| found.color() != side))
        .map(|found| spec.name_of(found.kind()))
        .collect();
    let mut text = format!("{side}: {piece} {}", name(m.from()));
    if m.from() != m.to() {
        text += &format!(" to {}", name(m.to()));
    } else if captured.is_empty() {
        text += " passes";
    } else {
        text += " stays";
    }
    if !captured.is_empty() {
        text += &format!(", captures {}", captured.join(" and "));
    }
    if m.promotes() {
        text += ", promotes";
    }
    text
}

#[cfg(test)]
mod tests {
    use kujira_position::Whale;

    use super::*;
    use crate::side::{Reason, Side};

    fn game(variant: VariantId) -> Game {
        Game::new(variant, variant.spec().start, Rules::DEFAULT).unwrap()
    }

    #[test]
    fn branches_grow_are_promoted_and_cut() {
        let mut game = game(VariantId::Whale);
        let a = game.play(0, "2e2d").unwrap();
        let b = game.play(a, "3b3c").unwrap();
        let c = game.play(0, "5e5d").unwrap();
        assert_eq!(game.play(0, "2e2d"), Ok(a), "known moves are found again");
        assert_eq!(game.line_through(0), [0, a, b]);
        game.promote(c);
        assert_eq!(game.line_through(0), [0, c]);
        assert_eq!(game.path(b), [0, a, b]);
        assert!(game.descends(b, a) && !game.descends(b, c));
        assert_eq!(game.usi(b), "startpos moves 2e2d 3b3c");
        assert_eq!(game.node(b).unwrap().text, ["D-3c", "D-d4"]);
        game.remove(a);
        assert_eq!(game.reachable(), [0, c]);
        assert_eq!(game.position::<Whale>(c).sfen(), "bnpwgh/dddddd/6/1D4/D1DDDD/HGWPNB w - 2");
    }

    #[test]
    fn wrong_moves_are_refused_with_the_reason() {
        let mut game = game(VariantId::Whale);
        let error = game.play(0, "2e2c").unwrap_err().to_string();
        assert!(error.contains("expected a legal move, found 2e2c"), "{error}");
        assert_eq!(game.play(7, "2e2d"), Err(PlayError::NoNode(7)));
    }

    #[test]
    fn a_captured_whale_ends_the_game_and_is_told() {
        let start = "5,w,5/5,F,5/11/11/11/11/11/11/11/11/5,W,5 b - 1";
        let game = Game::new(VariantId::Great, start, Rules::DEFAULT).unwrap();
        let line = game.line_text(0, &["6b5a".to_owned(), "6a6b".to_owned(), "zz".to_owned()]);
        assert_eq!(line, [["F-5a=", "F-g11="], ["W-6b", "W-f10"]], "up to what is no move");
        let start = "5,w,5/6,F,4/11/11/11/11/11/11/11/11/5,W,5 b - 1";
        let mut taken = Game::new(VariantId::Great, start, Rules::DEFAULT).unwrap();
        let node = taken.play(0, "5b6a").unwrap();
        let ending = Ending { winner: Some(Side::Black), reason: Reason::WhaleCaptured };
        assert_eq!(taken.node(node).unwrap().ending, Some(ending));
        assert_eq!(
            taken.node(node).unwrap().spoken,
            "Black: fin whale 5b to 6a, captures white whale"
        );
        assert!(matches!(taken.play(node, "6k6j"), Err(PlayError::Over(_))));
    }

    #[test]
    fn lion_moves_are_told_in_words() {
        let start = "5,w,5/11/11/4,p,6/4,f,6/4,+BR,6/11/11/11/11/5,W,5 b - 1";
        let mut game = Game::new(VariantId::Great, start, Rules::DEFAULT).unwrap();
        let both = game.play(0, "7f7e7d7c").unwrap();
        assert_eq!(
            game.node(both).unwrap().spoken,
            "Black: false killer whale 7f to 7c, captures fin whale and pilot whale"
        );
        let igui = game.play(0, "7f7e7f").unwrap();
        assert_eq!(
            game.node(igui).unwrap().spoken,
            "Black: false killer whale 7f stays, captures fin whale"
        );
    }
}
