//! A game as it was played, with every branch tried: a tree of moves over a starting position.
//!
//! The rules live in [`kujira_position`]: a node holds a packed move that was legal where it was
//! played, and positions come from replaying the way to a node.

use std::collections::{BTreeMap, BTreeSet};

use kujira_position::{
    Color, Coordinates, Move, MoveError, Position, Rules, SfenError, Variant, VariantId,
    with_variant,
};
use kujira_usi::{Ending, Score};
use serde::{Deserialize, Serialize};

use crate::spoken::{Spoken, spoken};

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
    /// How many moves lead here from the start.
    depth: usize,
    /// The node before.
    pub parent: Option<NodeId>,
    /// The moves played from here, the main line first.
    pub children: Vec<NodeId>,
    /// The move as USI writes it; empty at the start.
    pub usi: String,
    /// Who is to move now.
    pub side: Color,
    /// The number of the next move, from 1.
    pub ply: u32,
    /// How the game ended here, if it did.
    pub ending: Option<Ending>,
    /// What an engine thought of the position, as Black sees it, and how deep it looked, in plies
    /// (0: nobody said).
    pub score: Option<(Score, u32)>,
    /// What was left on the clocks after the move, Black's first, in milliseconds.
    pub left: Option<[u64; 2]>,
    /// What a record says of the move.
    pub notes: Notes,
}

/// A move as people write and say it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Notation {
    /// In Hodges notation, in Japanese and in Western squares.
    pub text: [String; 2],
    /// What is told of it in words, for screen readers.
    pub spoken: Spoken,
}

impl Notation {
    /// In Hodges notation, in these squares.
    #[must_use]
    pub fn text_in(&self, squares: Coordinates) -> &str {
        let [japanese, western] = &self.text;
        match squares {
            Coordinates::Japanese => japanese,
            Coordinates::Western => western,
        }
    }
}

/// What a record says of a move: comments, signs, times.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Notes {
    /// The comment before the first move of a branch; words are separated by single blanks.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub before: String,
    /// The comment behind the move, of the start: before the first move.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Numeric annotation glyphs: 1 is a good move (`!`), 2 a mistake (`?`), 3 to 6 are `!!`, `??`,
    /// `!?` and `?!`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// What the mover's clock showed after the move, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
    /// What the move took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent: Option<u64>,
    /// Depth of the search that found the mating move, in plies (0: unknown). The position after it has no score: the
    /// game is over there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mates: Option<u32>,
}

impl Notes {
    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Why a move could not be added.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// There is no such node.
    #[error("expected a move of this game, found number {0}")]
    NoNode(NodeId),
    /// The game is over there.
    #[error("expected no move after the end of the game ({0})")]
    Over(Ending),
    /// The text is no legal move there.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The tree is full.
    #[error("expected at most {MOST_NODES} moves in a game, found more")]
    Full,
}

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

    /// The end of the main line.
    #[must_use]
    pub fn end(&self) -> NodeId {
        self.line_through(0).last().copied().unwrap_or(0)
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
        // Known moves are found without a look at the board.
        if let Some(known) = self.known(at, |child| child.usi == usi) {
            return Ok(known);
        }
        with_variant!(self.variant, V => {
            Walk::<V>::new(self, at).ok_or(PlayError::NoNode(at))?.play_usi(usi)
        })
    }

    /// Plays the moves of a list, each after the start (0) or after a move earlier in the list (its number
    /// from 1): so a tree is written down. Returns where each stands, the start first.
    ///
    /// # Errors
    /// As for [`Self::play`], and if a move does not come after that which it follows.
    pub fn play_list<'a>(
        &mut self,
        moves: impl IntoIterator<Item = (usize, &'a str)>,
    ) -> Result<Vec<NodeId>, PlayError> {
        with_variant!(self.variant, V => {
            let mut walk = Walk::<V>::new(self, 0).ok_or(PlayError::NoNode(0))?;
            let mut ids = vec![0];
            for (after, usi) in moves {
                walk.go(*ids.get(after).ok_or(PlayError::NoNode(after))?);
                ids.push(walk.play_usi(usi)?);
            }
            Ok(ids)
        })
    }

    /// The first child of a node that satisfies a condition.
    fn known(&self, at: NodeId, is_it: impl Fn(&Node) -> bool) -> Option<NodeId> {
        let children = &self.node(at)?.children;
        children.iter().copied().find(|&id| self.node(id).is_some_and(&is_it))
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

    /// The moves to these nodes as people write and say them, made by one walk through the tree; of the start and of
    /// what was taken out of the tree there is nothing to say.
    #[must_use]
    pub fn notations(&self, nodes: impl IntoIterator<Item = NodeId>) -> BTreeMap<NodeId, Notation> {
        let mut told: BTreeMap<_, _> =
            nodes.into_iter().map(|id| (id, Notation::default())).collect();
        // Only the ways to them are walked.
        let mut ways = BTreeSet::new();
        for &id in told.keys() {
            let parents = std::iter::successors(Some(id), |&id| self.node(id)?.parent);
            for id in parents {
                if !ways.insert(id) {
                    break;
                }
            }
        }
        with_variant!(self.variant, V => {
            let mut position = self.position::<V>(0);
            // Branches one after the other, so that no move is made twice.
            let mut ahead = vec![0];
            while let Some(id) = ahead.pop() {
                let Some(node) = self.node(id) else { continue };
                ahead.extend(node.children.iter().rev().filter(|id| ways.contains(id)));
                let Some(m) = node.m else { continue };
                while position.moves_made() >= node.depth {
                    position.undo();
                }
                let mut notation = told.get_mut(&id);
                if let Some(told) = &mut notation {
                    **told = Notation { text: both(&position, m), spoken: spoken(&position, m) };
                }
                position.make(m);
                if let Some(told) = notation {
                    told.spoken.check = position.checked() && position.outcome().is_none();
                }
            }
        });
        told
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
                texts.push(both(&position, m));
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
    /// The move that led here; none at the start.
    ///
    /// ```
    /// use kujira_position::{Rules, VariantId};
    ///
    /// let game = VariantId::Whale;
    /// let mut played = kujira_record::Game::new(game, game.spec().start, Rules::DEFAULT)?;
    /// let id = played.play(0, "2e2d")?;
    /// assert_eq!(played.node(0).and_then(|node| node.played()), None);
    /// assert_eq!(played.node(id).and_then(|node| node.played()).map(|m| game.usi(m)).as_deref(), Some("2e2d"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn played(&self) -> Option<Move> {
        self.m
    }

    /// A node without a move.
    fn at<V: Variant>(position: &Position<V>) -> Self {
        Self {
            m: None,
            depth: 0,
            parent: None,
            children: Vec::new(),
            usi: String::new(),
            side: position.side(),
            ply: position.ply(),
            ending: None,
            score: None,
            left: None,
            notes: Notes::default(),
        }
    }

    /// How many moves lead here from the start.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// What the engine that moved thought, as it saw the game: mates are counted with its move. That is how
    /// engines comment on their own moves.
    #[must_use]
    pub fn thought(&self) -> Option<(Score, u32)> {
        let Some((score, depth)) = self.score else {
            return self.notes.mates.map(|depth| (Score::Mate(1), depth));
        };
        let score = match score.for_black(!self.side) {
            Score::Mate(plies) => Score::Mate(plies.saturating_add(plies.signum())),
            score => score,
        };
        Some((score, depth))
    }

    /// Notes [`Self::thought`]; `false` if nothing is noted, since a score is there or no move can have this one.
    pub(crate) fn think(&mut self, score: Score, depth: u32) -> bool {
        if self.thought().is_some() {
            return false;
        }
        let score = match score {
            Score::Mate(1) => {
                self.notes.mates = Some(depth);
                return true;
            }
            // Nobody is mated by a move of their own.
            Score::Mate(-1..=0) => return false,
            Score::Mate(plies) => Score::Mate(plies - plies.signum()),
            score => score,
        };
        self.score = Some((score.for_black(!self.side), depth));
        true
    }
}

/// A move as people write it, in Japanese and in Western squares.
fn both<V: Variant>(position: &Position<V>, m: Move) -> [String; 2] {
    [Coordinates::Japanese, Coordinates::Western].map(|squares| position.hodges(m, squares))
}

/// A walk through a game that keeps the position, so that a record of n moves is read by n moves made and not by n
/// replays.
#[derive(Debug)]
pub(crate) struct Walk<'a, V: Variant> {
    game: &'a mut Game,
    position: Position<V>,
    /// The way from the start to where the walk is: never empty.
    line: Vec<NodeId>,
}

impl<'a, V: Variant> Walk<'a, V> {
    /// A walk that begins at a node; `V` is the type of the game's variant. `None`: there is no such
    /// node.
    pub(crate) fn new(game: &'a mut Game, at: NodeId) -> Option<Self> {
        let line = game.path(at);
        let position = game.position(at);
        (!line.is_empty()).then_some(Self { game, position, line })
    }

    /// Where the walk is.
    pub(crate) fn at(&self) -> NodeId {
        self.line.last().copied().unwrap_or(0)
    }

    /// The position there.
    pub(crate) fn position(&self) -> &Position<V> {
        &self.position
    }

    /// The game.
    pub(crate) fn game(&self) -> &Game {
        self.game
    }

    /// The node where the walk is, to be changed.
    pub(crate) fn node_mut(&mut self) -> Option<&mut Node> {
        self.game.node_mut(self.at())
    }

    /// Goes to a node of the game; back along the line and along another one where that is needed.
    pub(crate) fn go(&mut self, to: NodeId) {
        let mut ahead = Vec::new();
        let mut next = to;
        while let Some(node) = self.game.node(next) {
            if self.line.get(node.depth) == Some(&next) {
                break;
            }
            ahead.push(next);
            let Some(parent) = node.parent else { break };
            next = parent;
        }
        let Some(depth) = self.game.node(next).map(|node| node.depth) else { return };
        while self.line.len() > depth + 1 {
            self.line.pop();
            self.position.undo();
        }
        for id in ahead.into_iter().rev() {
            if let Some(m) = self.game.node(id).and_then(|node| node.m) {
                self.position.make(m);
                self.line.push(id);
            }
        }
    }

    /// Whether the game goes on here.
    fn may_play(&self) -> Result<(), PlayError> {
        let ending = self.game.node(self.at()).and_then(|node| node.ending);
        match ending.filter(|ending| ending.by_rule()) {
            Some(ending) => Err(PlayError::Over(ending)),
            None => Ok(()),
        }
    }

    /// Plays a move given as USI text, or finds it where it was played already, and goes there.
    pub(crate) fn play_usi(&mut self, usi: &str) -> Result<NodeId, PlayError> {
        if let Some(known) = self.game.known(self.at(), |child| child.usi == usi) {
            self.go(known);
            return Ok(known);
        }
        self.may_play()?;
        let m = self.position.parse_usi(usi)?;
        self.play(m)
    }

    /// Plays a legal move, or finds it where it was played already, and goes there.
    pub(crate) fn play(&mut self, m: Move) -> Result<NodeId, PlayError> {
        let at = self.at();
        if let Some(known) = self.game.known(at, |child| child.m == Some(m)) {
            self.go(known);
            return Ok(known);
        }
        self.may_play()?;
        // The start is a node, too.
        if self.game.nodes.len() > MOST_NODES {
            return Err(PlayError::Full);
        }
        let usi = self.position.usi(m);
        self.position.make(m);
        let node = Node {
            m: Some(m),
            depth: self.line.len(),
            parent: Some(at),
            usi,
            ending: self.position.outcome().map(Into::into),
            ..Node::at::<V>(&self.position)
        };
        let id = self.game.nodes.len();
        self.game.nodes.push(node);
        self.line.push(id);
        if let Some(parent) = self.game.node_mut(at) {
            parent.children.push(id);
        }
        Ok(id)
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::Whale;
    use kujira_usi::{Reason, Side};

    use super::*;

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
        assert_eq!(game.notations([b])[&b].text, ["D-3c", "D-d4"]);
        game.remove(a);
        assert_eq!(game.reachable(), [0, c]);
        assert_eq!(game.position::<Whale>(c).sfen(), "bnpwgh/dddddd/6/1D4/D1DDDD/HGWPNB w - 2");
    }

    #[test]
    fn a_tree_is_played_from_its_list() {
        let mut one = game(VariantId::Whale);
        let list = [(0, "2e2d"), (1, "3b3c"), (0, "5e5d"), (2, "2d2c"), (3, "5b5c"), (0, "2e2d")];
        let ids = one.play_list(list).unwrap();
        assert_eq!(ids, [0, 1, 2, 3, 4, 5, 1]);
        let mut other = game(VariantId::Whale);
        for (after, usi) in list {
            other.play(ids[after], usi).unwrap();
        }
        for id in 0..=5 {
            assert_eq!(one.usi(id), other.usi(id));
            assert_eq!(one.notations([id]), other.notations([id]));
            let (one, other) = (one.node(id).unwrap(), other.node(id).unwrap());
            assert_eq!((one.parent, &one.children), (other.parent, &other.children));
        }
        assert_eq!(one.play_list([(1, "3b3c")]), Err(PlayError::NoNode(1)));
        assert!(matches!(one.play_list([(0, "2e2d"), (1, "2d2c")]), Err(PlayError::Move(_))));
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
            taken.notations([node])[&node].spoken,
            Spoken { kind: "F", taken: vec!["W"], promotes: false, check: false }
        );
        assert!(matches!(taken.play(node, "6k6j"), Err(PlayError::Over(_))));
    }

    #[test]
    fn what_lion_moves_do_is_told() {
        let start = "5,w,5/11/11/4,p,6/4,f,6/4,+BR,6/11/11/11/11/5,W,5 b - 1";
        let mut game = Game::new(VariantId::Great, start, Rules::DEFAULT).unwrap();
        let both = game.play(0, "7f7e7d7c").unwrap();
        let takes = |taken: &[&'static str]| Spoken {
            kind: "+BR",
            taken: taken.to_vec(),
            ..Spoken::default()
        };
        assert_eq!(game.notations([both])[&both].spoken, takes(&["F", "P"]));
        let igui = game.play(0, "7f7e7f").unwrap();
        assert_eq!(game.notations([igui])[&igui].spoken, takes(&["F"]));
    }
}
