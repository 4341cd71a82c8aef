//! How promising moves are: the lists of one node's moves, each with its score.

use kujira_position::{
    Bitboard, Board, Kind, Move, MoveList, Variant, Wanted, WhaleRule, class_of,
};

use crate::eval::{PieceValues, captured};
use crate::history::{History, ThreatIndex};
use crate::params::{attacker_limit, capture_history_divisor, check_bonus, material_weight};
use crate::score::{MAX_PLY, Value};
use crate::see;
use crate::skill::Skill;
use crate::stack::NodeContext;
use crate::tt::Table;

/// A move and how promising it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scored {
    pub(crate) score: Value,
    pub(crate) m: Move,
}

/// The moves of all nodes on the way from the root, one after the other: lists of thousands of moves
/// would be too much for the stack.
pub(crate) struct Arena<V: Variant> {
    pub(crate) moves: Vec<Scored>,
    scratch: Box<V::MoveList>,
    /// What a weak player leaves out of the lists: asked once a list, full strength pays nothing for it.
    pub(crate) skill: Option<Skill>,
}

impl<V: Variant> Arena<V> {
    /// An arena with room for the longest lists there are.
    pub(crate) fn new() -> Self {
        // The moves of one node are legal moves of one position, so that this never grows.
        let room = V::MoveList::CAPACITY * (MAX_PLY + 2);
        Self { moves: Vec::with_capacity(room), scratch: Box::default(), skill: None }
    }

    /// Whether the player sees `m`, legal on `board`.
    #[inline(always)]
    pub(crate) fn sees(&self, board: &Board<V>, m: Move) -> bool {
        self.skill.is_none_or(|skill| skill.sees(board, m))
    }

    /// Leaves out of the moves from `begin` on those that are overlooked on `board`.
    #[inline(always)]
    fn overlook(&mut self, board: &Board<V>, begin: usize) {
        if let Some(skill) = self.skill {
            skill.thin(board, &mut self.moves, begin, |scored| scored.m);
        }
    }

    /// Gives up the moves of a node whose picker was made at `base`.
    #[inline(always)]
    pub(crate) fn release(&mut self, base: usize) {
        self.moves.truncate(base);
    }

    /// Where the moves of the next node begin.
    #[inline(always)]
    pub(crate) fn base(&self) -> usize {
        self.moves.len()
    }
}

/// The squares from which each class of pieces attacks the enemy whale, found when a class is first asked
/// about.
struct CheckSquares<'a, V: Variant> {
    board: &'a Board<V>,
    /// One bit a class: whether its squares are known.
    known: u32,
    squares: [Bitboard<V::Bits>; 32],
}

impl<'a, V: Variant> CheckSquares<'a, V> {
    fn new(board: &'a Board<V>) -> Self {
        const { assert!(V::SPEC.classes.len() <= 32, "a bit and a place for each class") };
        Self { board, known: 0, squares: [Bitboard::EMPTY; 32] }
    }

    /// The squares from which what `m` becomes attacks the enemy whale.
    #[inline(always)]
    fn of(&mut self, m: Move, values: &PieceValues) -> Bitboard<V::Bits> {
        let kind = if m.promotes() { values.promoted(m.kind()) } else { m.kind() };
        let class = class_of::<V>(kind);
        let squares = &mut self.squares[class.index() & 31];
        if self.known >> class.index() & 1 == 0 {
            self.known |= 1 << class.index();
            *squares = self.board.check_squares(class).unwrap_or(Bitboard::EMPTY);
        }
        *squares
    }
}

/// Scores the moves of one node.
pub(crate) struct Scorer<'a, V: Variant> {
    pub(crate) board: &'a Board<V>,
    pub(crate) values: &'a PieceValues,
    pub(crate) history: &'a History<V>,
    /// The table in which positions are looked up.
    pub(crate) table: &'a Table,
    pub(crate) node: &'a NodeContext<V>,
}

impl<V: Variant> Scorer<'_, V> {
    /// The squares that the enemy attacks with more than its whale.
    #[inline(always)]
    fn attacked(&self) -> Bitboard<V::Bits> {
        self.node.threats.of(self.board, !self.board.side()).all()
    }

    /// The squares on which another move than the whale's own may save it, where whales are captured and that of
    /// the side to move is attacked.
    #[inline(always)]
    fn stops(&self) -> Option<Bitboard<V::Bits>> {
        if V::SPEC.captures_whales() { self.node.stops.get() } else { None }
    }

    /// Whether `m` may save a whale under attack; lions may capture more than one attacker.
    #[inline(always)]
    pub(crate) fn may_save(&self, m: Move) -> bool {
        self.stops()
            .is_none_or(|stops| m.kind() == Kind::WHALE || m.way().is_some() || stops.has(m.to()))
    }

    /// What `m` gains at once, centipawns.
    #[inline(always)]
    pub(crate) fn gain(&self, m: Move) -> Value {
        gain(self.board, self.values, m)
    }

    /// Whether a move loses material. A whale that must be saved never moves to where it can be taken.
    #[inline]
    pub(crate) fn loses(&self, m: Move) -> bool {
        let saved = matches!(V::SPEC.whale, WhaleRule::Check) && m.kind() == Kind::WHALE;
        !saved && !see::gains(self.board, &self.node.threats, self.values, m, 0)
    }

    /// Fetches the part of the table in which the position after `m` will be looked up, as early as possible:
    /// that takes as long as judging and making a move.
    #[inline(always)]
    pub(crate) fn prefetch(&self, m: Move) {
        self.table.prefetch(self.board.key_after(m));
    }

    // The lists are made in functions of their own: as parts of `Picker::next` they would keep it from
    // being fast where it only hands out the next move.

    /// Appends the captures: most valuable victim, capture history, least valuable attacker.
    #[inline(never)]
    pub(crate) fn append_captures(&self, arena: &mut Arena<V>) {
        let Self { board, values, history, node, .. } = *self;
        let begin = arena.base();
        let Arena { moves, scratch, .. } = arena;
        scratch.clear();
        board.generate(Wanted::Captures, &node.threats, scratch);
        let side = board.side();
        moves.extend(scratch.iter().filter(|&&m| self.may_save(m)).map(|&m| {
            let victims: Value = captured(board, m).map_or(0, |capture| {
                capture
                    .pieces(board)
                    .map(|(at, piece)| {
                        values.see_value(piece.kind()) * material_weight()
                            + history.capture_score(side, m, at, piece) / capture_history_divisor()
                    })
                    .sum()
            });
            let promotion = if m.promotes() { values.promotion_gain(m.kind()) } else { 0 };
            let attacker = values.see_value(m.kind()).min(attacker_limit());
            Scored { score: victims + promotion * material_weight() - attacker, m }
        }));
        arena.overlook(board, begin);
    }

    /// Appends the moves that promote and capture nothing.
    #[inline(never)]
    pub(crate) fn append_promotions(&self, arena: &mut Arena<V>) {
        let values = self.values;
        let begin = arena.base();
        let Arena { moves, scratch, .. } = arena;
        scratch.clear();
        self.board.generate(Wanted::Promotions, &self.node.threats, scratch);
        moves.extend(scratch.iter().map(|&m| {
            let cost = values.see_value(m.kind()).min(attacker_limit());
            Scored { score: values.promotion_gain(m.kind()) * material_weight() - cost, m }
        }));
        arena.overlook(self.board, begin);
    }

    /// Appends the moves that capture nothing, do not promote and give check.
    #[inline(never)]
    pub(crate) fn append_checks(&self, arena: &mut Arena<V>) {
        let Self { board, history, node, .. } = *self;
        let contexts = node.contexts.get();
        let begin = arena.base();
        let Arena { moves, scratch, .. } = arena;
        scratch.clear();
        board.generate_checks(&node.threats, scratch);
        for &m in scratch.iter().filter(|m| !m.promotes()) {
            let threat = ThreatIndex::of(m, self.attacked());
            let score = history.score(board.side(), contexts, m, threat);
            moves.push(Scored { score, m });
        }
        arena.overlook(board, begin);
    }

    /// Appends the quiet moves but those `given` out before, each with its score and, in the lowest bit,
    /// whether it checks. Moves that differ only in where they end follow each other in the list, so that most
    /// of their scores is looked up once for all of them.
    #[inline(never)]
    pub(crate) fn append_quiets(&self, arena: &mut Arena<V>, given: [Option<Move>; 4]) {
        let Self { board, values, history, node, .. } = *self;
        let contexts = node.contexts.get();
        let mut check_squares = CheckSquares::new(board);
        let attacked = self.attacked();
        let begin = arena.base();
        let Arena { moves, scratch, .. } = arena;
        scratch.clear();
        match self.stops() {
            Some(stops) => board.generate_saving(stops, &node.threats, scratch),
            None => board.generate(Wanted::Quiets, &node.threats, scratch),
        }
        let mut rest = &scratch[..];
        while let Some(&first) = rest.first() {
            let alike = rest.iter().take_while(|m| m.differs_in_end_alone(first)).count();
            let (group, others) = rest.split_at(alike);
            rest = others;
            let row = history.row(board.side(), contexts, first, attacked);
            let checks = check_squares.of(first, values);
            let promotion = if first.promotes() {
                values.promotion_gain(first.kind()) * material_weight()
            } else {
                0
            };
            let mut left_out = Bitboard::<V::Bits>::EMPTY;
            for m in given.into_iter().flatten() {
                if m.differs_in_end_alone(first) {
                    left_out |= Bitboard::of(m.to());
                }
            }
            let scored = |&m: &Move| {
                let check = checks.has(m.to());
                let bonus = if check { check_bonus() } else { 0 };
                let score = row.score(m.to(), attacked.has(m.to())) + promotion + bonus;
                Scored { score: score << 1 | Value::from(check), m }
            };
            if left_out.is_empty() {
                moves.extend(group.iter().map(scored));
            } else {
                moves.extend(group.iter().filter(|m| !left_out.has(m.to())).map(scored));
            }
        }
        arena.overlook(board, begin);
    }
}

/// What `m` gains at once, centipawns: a capture swings material twice, off the board and into the hand.
#[inline(always)]
pub(crate) fn gain<V: Variant>(board: &Board<V>, values: &PieceValues, m: Move) -> Value {
    let captures: Value = captured(board, m).map_or(0, |capture| {
        capture.pieces(board).map(|(_, piece)| values.see_value(piece.kind())).sum()
    });
    captures + if m.promotes() { values.promotion_gain(m.kind()) } else { 0 }
}
