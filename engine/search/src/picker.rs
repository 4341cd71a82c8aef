//! The order in which moves are tried: table move, captures that do not lose material, killers, quiet
//! moves by history with checks first, captures that lose material.

use kujira_position::{
    Bitboard, Board, Kind, Move, MoveList, Variant, Wanted, WhaleRule, class_of,
};

use crate::eval::{Worth, captured};
use crate::history::{Contexts, History};
use crate::params::check_bonus;
use crate::score::{MAX_PLY, Value};
use crate::see;

/// Best moves are looked for one by one so many times; then the rest is sorted: most nodes are left
/// after few moves.
const SELECTED: usize = 12;

/// A move and how promising it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scored {
    score: Value,
    m: Move,
}

/// The moves of all nodes on the way from the root, one after the other: lists of thousands of moves
/// would be too much for the stack.
pub(crate) struct Arena<V: Variant> {
    moves: Vec<Scored>,
    scratch: Box<V::MoveList>,
}

impl<V: Variant> Arena<V> {
    pub(crate) fn new() -> Self {
        // The moves of one node are legal moves of one position, so that this never grows.
        let room = V::MoveList::CAPACITY * (MAX_PLY + 2);
        Self { moves: Vec::with_capacity(room), scratch: Box::default() }
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

    #[inline]
    fn append(
        &mut self,
        board: &Board<V>,
        wanted: Wanted,
        mut judge: impl FnMut(Move) -> Option<Value>,
    ) {
        self.scratch.clear();
        board.generate(wanted, &mut self.scratch);
        for &m in self.scratch.iter() {
            if let Some(score) = judge(m) {
                self.moves.push(Scored { score, m });
            }
        }
    }
}

/// What kind of move was picked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// It captures something.
    Capture,
    /// It captures, and loses material by it.
    LosingCapture,
    /// It captures nothing and promotes; so told apart by [`Picker::tactical`] alone.
    Promotion,
    /// It captures nothing and attacks the enemy whale from where it ends.
    Check,
    /// It captures nothing, and is not known to give check.
    Quiet,
}

/// From where each class of pieces attacks the enemy whale; found out for the classes asked about.
struct Aims<'a, V: Variant> {
    board: &'a Board<V>,
    /// One bit a class: whether its squares are known.
    known: u32,
    squares: [Bitboard<V::Bits>; 32],
}

impl<'a, V: Variant> Aims<'a, V> {
    fn new(board: &'a Board<V>) -> Self {
        const { assert!(V::SPEC.classes.len() <= 32, "a bit and a place for each class") };
        Self { board, known: 0, squares: [Bitboard::EMPTY; 32] }
    }

    /// Whether `m` attacks the enemy whale from its end square.
    #[inline(always)]
    fn checks(&mut self, m: Move, worth: &Worth) -> bool {
        let kind = if m.promotes() { worth.promoted(m.kind()) } else { m.kind() };
        let class = class_of::<V>(kind);
        let squares = &mut self.squares[class.index() & 31];
        if self.known >> class.index() & 1 == 0 {
            self.known |= 1 << class.index();
            *squares = self.board.check_squares(class).unwrap_or(Bitboard::EMPTY);
        }
        squares.has(m.to())
    }
}

/// What the picker needs to know.
pub(crate) struct Knowledge<'a, V: Variant> {
    pub(crate) board: &'a Board<V>,
    pub(crate) worth: &'a Worth,
    pub(crate) history: &'a History<V>,
    /// The moves that led here.
    pub(crate) contexts: Contexts,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    MakeCaptures,
    Captures,
    Killers(usize),
    MakeQuiets,
    Quiets,
    LosingCaptures,
    MakeChecks,
    Checks,
    Listed,
    Done,
}

/// Hands out the moves of one node, one by one.
pub(crate) struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    killers: [Option<Move>; 3],
    base: usize,
    /// End of the losing captures, which gather at `base`.
    losing: usize,
    next: usize,
    end: usize,
    selected: usize,
    quiets: bool,
    captures_only: bool,
    promotions: bool,
    checks: bool,
}

impl Picker {
    fn new(stage: Stage, base: usize) -> Self {
        Self {
            stage,
            table_move: None,
            killers: [None; 3],
            base,
            losing: base,
            next: base,
            end: base,
            selected: 0,
            quiets: true,
            captures_only: false,
            promotions: false,
            checks: false,
        }
    }

    /// All legal moves.
    pub(crate) fn all(base: usize, table_move: Option<Move>, killers: [Option<Move>; 3]) -> Self {
        Self { table_move, killers, ..Self::new(Stage::Table, base) }
    }

    /// The captures that do not lose material.
    pub(crate) fn captures(base: usize, table_move: Option<Move>) -> Self {
        Self { table_move, quiets: false, captures_only: true, ..Self::new(Stage::Table, base) }
    }

    /// The captures that do not lose material; if `wide`, promotions and then the other moves that
    /// give check, too, as far as they do not lose any either.
    pub(crate) fn tactical(base: usize, table_move: Option<Move>, wide: bool) -> Self {
        Self { promotions: wide, checks: wide, ..Self::captures(base, table_move) }
    }

    /// Exactly these legal moves in this order.
    pub(crate) fn listed<V: Variant>(
        arena: &mut Arena<V>,
        moves: impl Iterator<Item = Move>,
    ) -> Self {
        let base = arena.base();
        arena.moves.extend(moves.map(|m| Scored { score: 0, m }));
        Self { end: arena.moves.len(), ..Self::new(Stage::Listed, base) }
    }

    /// From now on hands out captures only.
    #[inline(always)]
    pub(crate) fn skip_quiets(&mut self) {
        self.quiets = false;
    }

    /// The next move.
    pub(crate) fn next<V: Variant>(
        &mut self,
        arena: &mut Arena<V>,
        knowledge: &Knowledge<'_, V>,
    ) -> Option<(Move, Class)> {
        let board = knowledge.board;
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeCaptures;
                    self.table_move = self.table_move.filter(|&m| board.is_legal(m));
                    if let Some(m) = self.table_move {
                        if captured(board, m).is_some() {
                            return Some((m, Class::Capture));
                        } else if self.promotions && m.promotes() {
                            return Some((m, Class::Promotion));
                        } else if !self.captures_only {
                            return Some((m, Class::Quiet));
                        }
                    }
                }
                Stage::MakeCaptures => {
                    self.stage = Stage::Captures;
                    let (history, worth) = (knowledge.history, knowledge.worth);
                    let side = board.side();
                    arena.append(board, Wanted::Captures, |m| {
                        let victims: Value = captured(board, m).map_or(0, |capture| {
                            capture
                                .pieces(board)
                                .map(|(at, p)| {
                                    worth.swing(p.kind()) * 8
                                        + history.capture_score(side, m, at, p) / 8
                                })
                                .sum()
                        });
                        let promotion = if m.promotes() { worth.promotion(m.kind()) } else { 0 };
                        Some(victims + promotion * 8 - worth.swing(m.kind()).min(4000))
                    });
                    if self.promotions {
                        arena.append(board, Wanted::Promotions, |m| {
                            let cost = worth.swing(m.kind()).min(4000);
                            Some(worth.promotion(m.kind()) * 8 - cost)
                        });
                    }
                    self.end = arena.moves.len();
                }
                Stage::Captures => {
                    let Some(m) = self.select(&mut arena.moves) else {
                        self.stage = if !self.captures_only {
                            Stage::Killers(0)
                        } else if self.checks {
                            Stage::MakeChecks
                        } else {
                            Stage::Done
                        };
                        continue;
                    };
                    if Some(m) == self.table_move {
                        continue;
                    }
                    if loses(knowledge, m) {
                        if !self.captures_only {
                            // What stood there was handed out already.
                            arena.moves.swap(self.losing, self.next - 1);
                            self.losing += 1;
                        }
                        continue;
                    }
                    let promotes = m.promotes() && captured(board, m).is_none();
                    return Some((m, if promotes { Class::Promotion } else { Class::Capture }));
                }
                Stage::Killers(index) => {
                    if index == self.killers.len() || !self.quiets {
                        self.stage = Stage::MakeQuiets;
                        continue;
                    }
                    self.stage = Stage::Killers(index + 1);
                    let killer = self.killers[index].filter(|&m| {
                        Some(m) != self.table_move
                            && !self.killers[..index].contains(&Some(m))
                            && board.is_legal(m)
                            && captured(board, m).is_none()
                    });
                    self.killers[index] = killer;
                    if let Some(m) = killer {
                        return Some((m, Class::Quiet));
                    }
                }
                Stage::MakeQuiets => {
                    self.selected = 0;
                    self.next = arena.moves.len();
                    self.stage = Stage::Quiets;
                    if self.quiets {
                        let (history, worth) = (knowledge.history, knowledge.worth);
                        let (side, contexts) = (board.side(), knowledge.contexts);
                        let mut aims = Aims::new(board);
                        arena.append(board, Wanted::Quiets, |m| {
                            if Some(m) == self.table_move || self.killers.contains(&Some(m)) {
                                return None;
                            }
                            let promotion =
                                if m.promotes() { worth.promotion(m.kind()) * 8 } else { 0 };
                            let check = aims.checks(m, worth);
                            let bonus = if check { check_bonus() } else { 0 };
                            let score = history.score(side, contexts, m) + promotion + bonus;
                            Some(score << 1 | Value::from(check))
                        });
                    }
                    self.end = arena.moves.len();
                }
                Stage::Quiets => {
                    if self.quiets
                        && let Some(m) = self.select(&mut arena.moves)
                    {
                        let check = arena.moves[self.next - 1].score & 1 != 0;
                        return Some((m, if check { Class::Check } else { Class::Quiet }));
                    }
                    self.next = self.base;
                    self.end = self.losing;
                    self.stage = Stage::LosingCaptures;
                }
                Stage::LosingCaptures => {
                    if self.next == self.end {
                        self.stage = Stage::Done;
                        continue;
                    }
                    self.next += 1;
                    return Some((arena.moves[self.next - 1].m, Class::LosingCapture));
                }
                Stage::MakeChecks => {
                    self.stage = Stage::Checks;
                    self.selected = 0;
                    self.next = arena.moves.len();
                    let (side, contexts) = (board.side(), knowledge.contexts);
                    arena.scratch.clear();
                    board.generate_checks(&mut arena.scratch);
                    for &m in arena.scratch.iter().filter(|m| !m.promotes()) {
                        let score = knowledge.history.score(side, contexts, m);
                        arena.moves.push(Scored { score, m });
                    }
                    self.end = arena.moves.len();
                }
                Stage::Checks => {
                    let Some(m) = self.select(&mut arena.moves) else {
                        self.stage = Stage::Done;
                        continue;
                    };
                    if !loses(knowledge, m) {
                        return Some((m, Class::Quiet));
                    }
                }
                Stage::Listed => {
                    if self.next == self.end {
                        self.stage = Stage::Done;
                        continue;
                    }
                    let m = arena.moves[self.next].m;
                    self.next += 1;
                    let class = match captured(board, m) {
                        Some(_) => Class::Capture,
                        None => Class::Quiet,
                    };
                    return Some((m, class));
                }
                Stage::Done => return None,
            }
        }
    }

    /// The most promising move not yet handed out.
    #[inline]
    fn select(&mut self, moves: &mut [Scored]) -> Option<Move> {
        let rest = &mut moves[self.next..self.end];
        if self.selected < SELECTED {
            // The first of equals, so that the order does not depend on anything else.
            let (mut best, mut highest) = (0, Value::MIN);
            for (i, scored) in rest.iter().enumerate() {
                if scored.score > highest {
                    (best, highest) = (i, scored.score);
                }
            }
            if !rest.is_empty() {
                rest.swap(0, best);
            }
        } else if self.selected == SELECTED {
            rest.sort_unstable_by(|a, b| b.score.cmp(&a.score).then(a.m.cmp(&b.m)));
        }
        self.selected += 1;
        let m = rest.first()?.m;
        self.next += 1;
        Some(m)
    }
}

/// Whether a move loses material. A whale that must be saved never moves to where it can be taken.
#[inline]
fn loses<V: Variant>(knowledge: &Knowledge<'_, V>, m: Move) -> bool {
    let saved = matches!(V::SPEC.whale, WhaleRule::Check) && m.kind() == Kind::WHALE;
    !saved && !see::gains(knowledge.board, knowledge.worth, m, 0)
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Position, Whale};

    use super::*;
    use crate::history::{CONTINUATIONS, Context};

    const NONE: Contexts = [Context::NONE; CONTINUATIONS.len()];

    /// Random games: whatever table move and killers are given, the picker hands out every legal
    /// move exactly once.
    fn check<V: Variant>() {
        let (worth, history) = (Worth::new::<V>(), History::new());
        let mut arena = Arena::<V>::new();
        let mut random = 7_u64;
        let mut earlier: Vec<Move> = Vec::new();
        for _ in 0..10 {
            let mut position = Position::<V>::start();
            for _ in 0..80 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mut number = |below: usize| {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (random >> 33) as usize % below
                };
                let m = moves[number(moves.len())];
                earlier.push(m);
                let mut any = || Some(earlier[number(earlier.len())]);
                let table_move = any();
                let mut picker = Picker::all(arena.base(), table_move, [any(), Some(m), any()]);
                let knowledge = Knowledge {
                    board: position.board(),
                    worth: &worth,
                    history: &history,
                    contexts: NONE,
                };
                let mut picked = Vec::new();
                while let Some((m, class)) = picker.next(&mut arena, &knowledge) {
                    let capture = captured(position.board(), m).is_some();
                    assert_eq!(!matches!(class, Class::Quiet | Class::Check), capture);
                    picked.push(m);
                }
                arena.release(0);
                let mut expected = moves.to_vec();
                expected.sort_unstable();
                picked.sort_unstable();
                assert_eq!(picked, expected);
                position.make(m);
            }
        }
    }

    #[test]
    fn every_move_comes_once() {
        check::<Whale>();
        check::<Paulowich>();
        check::<Great>();
    }

    /// What quiescence tries first: each capture and each promotion that loses nothing, once.
    #[test]
    fn promotions_are_tactical() {
        let mut random = 5_u64;
        let (worth, history) = (Worth::new::<Great>(), History::new());
        let mut arena = Arena::<Great>::new();
        let mut promotions = 0;
        for _ in 0..12 {
            let mut position = Position::<Great>::start();
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let board = position.board();
                let knowledge =
                    Knowledge { board, worth: &worth, history: &history, contexts: NONE };
                let tactical = |m: Move| captured(board, m).is_some() || m.promotes();
                let mut expected: Vec<Move> = moves
                    .iter()
                    .copied()
                    .filter(|&m| tactical(m) && !loses(&knowledge, m))
                    .collect();
                expected.sort_unstable();
                let mut picker = Picker::tactical(arena.base(), None, true);
                let mut picked = Vec::new();
                while let Some((m, class)) = picker.next(&mut arena, &knowledge) {
                    if class == Class::Quiet {
                        // A check.
                        assert!(!tactical(m));
                        continue;
                    }
                    let promotion = captured(board, m).is_none();
                    assert_eq!(class == Class::Promotion, promotion);
                    promotions += usize::from(promotion);
                    picked.push(m);
                }
                arena.release(0);
                picked.sort_unstable();
                assert_eq!(picked, expected);
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position.make(moves[(random >> 33) as usize % moves.len()]);
            }
        }
        assert!(promotions > 20, "{promotions}");
    }

    #[test]
    fn the_best_capture_comes_first_and_the_losing_one_last() {
        let position = Position::<Whale>::from_sfen("w5/2d3/2n3/d5/2K2g/W5 b - 1").unwrap();
        let (worth, history) = (Worth::new::<Whale>(), History::new());
        let knowledge =
            Knowledge { board: position.board(), worth: &worth, history: &history, contexts: NONE };
        let mut arena = Arena::new();
        let mut picker = Picker::all(0, None, [None; 3]);
        let mut picked = Vec::new();
        while let Some((m, class)) = picker.next(&mut arena, &knowledge) {
            picked.push((position.usi(m), class));
        }
        assert_eq!(picked.first().map(|(m, _)| m.as_str()), Some("4e1e"));
        assert_eq!(picked.last(), Some(&("4e4c".to_owned(), Class::LosingCapture)));
        arena.release(0);
        let mut captures = Picker::captures(0, None);
        let mut count = 0;
        while captures.next(&mut arena, &knowledge).is_some() {
            count += 1;
        }
        assert_eq!(count, picked.iter().filter(|(_, class)| *class == Class::Capture).count());
    }
}
