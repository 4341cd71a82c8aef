//! The order in which moves are tried: table move, captures that do not lose material, killers, quiet
//! moves by history, checks favoured, captures that lose material.

use kujira_position::{
    Bitboard, Board, Kind, Move, MoveList, Threats, Variant, Wanted, WhaleRule, class_of,
};

use crate::eval::{PieceValues, captured};
use crate::history::{Contexts, Danger, History};
use crate::params::check_bonus;
use crate::score::{INFINITE, MAX_PLY, Value};
use crate::see;
use crate::tt::Table;

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
    /// It captures nothing and attacks the enemy whale from where it ends; so told apart in the list of all
    /// quiet moves alone.
    Check,
    /// It captures nothing, and no more is said of it.
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

/// What the picker needs to know.
pub(crate) struct Knowledge<'a, V: Variant> {
    pub(crate) board: &'a Board<V>,
    pub(crate) values: &'a PieceValues,
    pub(crate) history: &'a History<V>,
    /// The moves that led here.
    pub(crate) contexts: Contexts,
    /// Where positions are looked up.
    pub(crate) table: &'a Table,
    /// What is known of the board.
    pub(crate) threats: &'a Threats<V>,
    /// Captures and promotions are left out unasked that, whatever follows, come to no more than this:
    /// centipawns.
    pub(crate) futile: Value,
    /// Where the whale is attacked and may be left so: the squares on which another move than its own may
    /// save it. Those that do not are left out, but for a table move.
    pub(crate) stops: Option<Bitboard<V::Bits>>,
}

impl<V: Variant> Knowledge<'_, V> {
    /// The squares that the enemy attacks with more than its whale.
    #[inline(always)]
    fn attacked(&self) -> Bitboard<V::Bits> {
        self.threats.of(self.board, !self.board.side()).all()
    }

    /// Whether `m` may save a whale under attack; lions may capture more than one attacker.
    #[inline(always)]
    fn may_save(&self, m: Move) -> bool {
        self.stops
            .is_none_or(|stops| m.kind() == Kind::WHALE || m.way().is_some() || stops.has(m.to()))
    }

    /// Whether `m`, which captures or promotes, gains too little.
    #[inline(always)]
    fn is_futile(&self, m: Move) -> bool {
        self.futile > -INFINITE && gain(self.board, self.values, m) <= self.futile
    }

    /// Has the memory fetched in which the position after `m` will be looked up: as early as can be, for
    /// it takes as long as judging and making a move.
    #[inline(always)]
    fn prefetch(&self, m: Move) {
        self.table.prefetch(self.board.key_after(m));
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    MakeCaptures,
    Captures,
    Killers,
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
    /// Killers looked at.
    tried: usize,
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
            tried: 0,
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

    /// The captures that do not lose material, and the table move if it captures.
    pub(crate) fn captures(base: usize, table_move: Option<Move>) -> Self {
        Self { table_move, quiets: false, captures_only: true, ..Self::new(Stage::Table, base) }
    }

    /// The captures that do not lose material, and the table move if it captures; if `wide`, promotions and
    /// then the other moves that give check, too, as far as they do not lose any either.
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
        // A function a stage, so that none is slowed down by what the others need.
        loop {
            let found = match self.stage {
                Stage::Table => self.give_table_move(knowledge),
                Stage::MakeCaptures => {
                    self.stage = Stage::Captures;
                    append_captures(arena, knowledge);
                    if self.promotions {
                        append_promotions(arena, knowledge);
                    }
                    self.end = arena.moves.len();
                    None
                }
                Stage::Captures => self.give_capture(arena, knowledge),
                Stage::Killers => self.give_killer(knowledge),
                Stage::MakeQuiets => {
                    self.stage = Stage::Quiets;
                    self.selected = 0;
                    self.next = arena.moves.len();
                    if self.quiets {
                        let [first, second, third] = self.killers;
                        let given = [self.table_move, first, second, third];
                        append_quiets(arena, knowledge, given);
                    }
                    self.end = arena.moves.len();
                    None
                }
                Stage::Quiets => self.give_quiet(arena, knowledge),
                Stage::LosingCaptures => self.give_losing_capture(arena, knowledge),
                Stage::MakeChecks => {
                    self.stage = Stage::Checks;
                    self.selected = 0;
                    self.next = arena.moves.len();
                    append_checks(arena, knowledge);
                    self.end = arena.moves.len();
                    None
                }
                Stage::Checks => self.give_check(arena, knowledge),
                Stage::Listed => self.give_listed(arena, knowledge),
                Stage::Done => return None,
            };
            if found.is_some() {
                return found;
            }
        }
    }

    /// The table move, if it is of use.
    #[inline(never)]
    fn give_table_move<V: Variant>(
        &mut self,
        knowledge: &Knowledge<'_, V>,
    ) -> Option<(Move, Class)> {
        self.stage = Stage::MakeCaptures;
        let board = knowledge.board;
        self.table_move = self.table_move.filter(|&m| board.is_legal(m));
        let m = self.table_move?;
        knowledge.prefetch(m);
        if captured(board, m).is_some() {
            Some((m, Class::Capture))
        } else if self.promotions && m.promotes() {
            Some((m, Class::Promotion))
        } else if !self.captures_only {
            Some((m, Class::Quiet))
        } else {
            None
        }
    }

    /// The next capture that does not lose material.
    #[inline(never)]
    fn give_capture<V: Variant>(
        &mut self,
        arena: &mut Arena<V>,
        knowledge: &Knowledge<'_, V>,
    ) -> Option<(Move, Class)> {
        while let Some(m) = self.select(&mut arena.moves) {
            if Some(m) == self.table_move || knowledge.is_futile(m) {
                continue;
            }
            knowledge.prefetch(m);
            if loses(knowledge, m) {
                if !self.captures_only {
                    // What stood there was handed out already.
                    arena.moves.swap(self.losing, self.next - 1);
                    self.losing += 1;
                }
                continue;
            }
            let promotes = m.promotes() && captured(knowledge.board, m).is_none();
            return Some((m, if promotes { Class::Promotion } else { Class::Capture }));
        }
        self.stage = if !self.captures_only {
            Stage::Killers
        } else if self.checks {
            Stage::MakeChecks
        } else {
            Stage::Done
        };
        None
    }

    /// The next killer that is a quiet move here and was not handed out yet.
    #[inline(never)]
    fn give_killer<V: Variant>(&mut self, knowledge: &Knowledge<'_, V>) -> Option<(Move, Class)> {
        let board = knowledge.board;
        while self.quiets && self.tried < self.killers.len() {
            let (earlier, rest) = self.killers.split_at_mut(self.tried);
            self.tried += 1;
            rest[0] = rest[0].filter(|&m| {
                Some(m) != self.table_move
                    && !earlier.contains(&Some(m))
                    && board.is_legal(m)
                    && captured(board, m).is_none()
                    && knowledge.may_save(m)
            });
            if let Some(m) = rest[0] {
                knowledge.prefetch(m);
                return Some((m, Class::Quiet));
            }
        }
        self.stage = Stage::MakeQuiets;
        None
    }

    /// The next quiet move.
    #[inline(never)]
    fn give_quiet<V: Variant>(
        &mut self,
        arena: &mut Arena<V>,
        knowledge: &Knowledge<'_, V>,
    ) -> Option<(Move, Class)> {
        if self.quiets
            && let Some(m) = self.select(&mut arena.moves)
        {
            knowledge.prefetch(m);
            let check = arena.moves[self.next - 1].score & 1 != 0;
            return Some((m, if check { Class::Check } else { Class::Quiet }));
        }
        self.next = self.base;
        self.end = self.losing;
        self.stage = Stage::LosingCaptures;
        None
    }

    /// The next of the captures put aside.
    #[inline(never)]
    fn give_losing_capture<V: Variant>(
        &mut self,
        arena: &mut Arena<V>,
        knowledge: &Knowledge<'_, V>,
    ) -> Option<(Move, Class)> {
        let m = self.step(&arena.moves)?;
        knowledge.prefetch(m);
        Some((m, Class::LosingCapture))
    }

    /// The next quiet move that checks and does not lose material.
    #[inline(never)]
    fn give_check<V: Variant>(
        &mut self,
        arena: &mut Arena<V>,
        knowledge: &Knowledge<'_, V>,
    ) -> Option<(Move, Class)> {
        while let Some(m) = self.select(&mut arena.moves) {
            knowledge.prefetch(m);
            if !loses(knowledge, m) {
                return Some((m, Class::Quiet));
            }
        }
        self.stage = Stage::Done;
        None
    }

    /// The next move of a list given.
    #[inline(never)]
    fn give_listed<V: Variant>(
        &mut self,
        arena: &mut Arena<V>,
        knowledge: &Knowledge<'_, V>,
    ) -> Option<(Move, Class)> {
        let m = self.step(&arena.moves)?;
        let class = match captured(knowledge.board, m) {
            Some(_) => Class::Capture,
            None => Class::Quiet,
        };
        Some((m, class))
    }

    /// The next move of the list as it stands; when it is over, so are the moves of the node.
    #[inline(always)]
    fn step(&mut self, moves: &[Scored]) -> Option<Move> {
        if self.next == self.end {
            self.stage = Stage::Done;
            return None;
        }
        let m = moves[self.next].m;
        self.next += 1;
        Some(m)
    }

    /// The most promising move not yet handed out.
    #[inline(always)]
    fn select(&mut self, moves: &mut [Scored]) -> Option<Move> {
        let rest = &mut moves[self.next..self.end];
        if self.selected < SELECTED {
            bring_best(rest);
        } else if self.selected == SELECTED {
            rest.sort_unstable_by(|a, b| b.score.cmp(&a.score).then(a.m.cmp(&b.m)));
        }
        self.selected += 1;
        let m = rest.first()?.m;
        self.next += 1;
        Some(m)
    }
}

/// Brings the best move to the front: the first of equals, so that the order does not depend on anything
/// else. The highest score alone is looked for first, which is done with vectors.
#[inline(never)]
fn bring_best(moves: &mut [Scored]) {
    let mut highest = Value::MIN;
    for scored in &*moves {
        highest = highest.max(scored.score);
    }
    if let Some(best) = moves.iter().position(|scored| scored.score == highest) {
        moves.swap(0, best);
    }
}

// The lists are made in functions of their own: as parts of `Picker::next` they would keep it from being
// fast where it only hands out the next move.

/// Appends the captures.
#[inline(never)]
fn append_captures<V: Variant>(arena: &mut Arena<V>, knowledge: &Knowledge<'_, V>) {
    let Knowledge { board, values, history, threats, .. } = *knowledge;
    let Arena { moves, scratch } = arena;
    scratch.clear();
    board.generate(Wanted::Captures, threats, scratch);
    let side = board.side();
    moves.extend(scratch.iter().filter(|&&m| knowledge.may_save(m)).map(|&m| {
        let victims: Value = captured(board, m).map_or(0, |capture| {
            capture
                .pieces(board)
                .map(|(at, piece)| {
                    values.see_value(piece.kind()) * 8
                        + history.capture_score(side, m, at, piece) / 8
                })
                .sum()
        });
        let promotion = if m.promotes() { values.promotion_gain(m.kind()) } else { 0 };
        Scored { score: victims + promotion * 8 - values.see_value(m.kind()).min(4000), m }
    }));
}

/// Appends the moves that promote and capture nothing.
#[inline(never)]
fn append_promotions<V: Variant>(arena: &mut Arena<V>, knowledge: &Knowledge<'_, V>) {
    let values = knowledge.values;
    let Arena { moves, scratch } = arena;
    scratch.clear();
    knowledge.board.generate(Wanted::Promotions, knowledge.threats, scratch);
    moves.extend(scratch.iter().map(|&m| {
        let cost = values.see_value(m.kind()).min(4000);
        Scored { score: values.promotion_gain(m.kind()) * 8 - cost, m }
    }));
}

/// Appends the moves that capture nothing, do not promote and give check.
#[inline(never)]
fn append_checks<V: Variant>(arena: &mut Arena<V>, knowledge: &Knowledge<'_, V>) {
    let Knowledge { board, history, contexts, threats, .. } = *knowledge;
    let Arena { moves, scratch } = arena;
    scratch.clear();
    board.generate_checks(threats, scratch);
    for &m in scratch.iter().filter(|m| !m.promotes()) {
        let danger = Danger::of(m, knowledge.attacked());
        let score = history.score(board.side(), contexts, m, danger);
        moves.push(Scored { score, m });
    }
}

/// Appends the quiet moves but those `given` out before, each with its score and, in the lowest bit, whether
/// it checks. The list has moves that differ in where they end alone one after the other: most of what
/// is to be known of them is looked up once for all of them.
#[inline(never)]
fn append_quiets<V: Variant>(
    arena: &mut Arena<V>,
    knowledge: &Knowledge<'_, V>,
    given: [Option<Move>; 4],
) {
    let Knowledge { board, values, history, contexts, threats, stops, .. } = *knowledge;
    let mut aims = Aims::new(board);
    let attacked = knowledge.attacked();
    let Arena { moves, scratch } = arena;
    scratch.clear();
    match stops {
        Some(stops) => board.generate_saving(stops, threats, scratch),
        None => board.generate(Wanted::Quiets, threats, scratch),
    }
    let mut rest = &scratch[..];
    while let Some(&first) = rest.first() {
        let alike = rest.iter().take_while(|m| m.differs_in_end_alone(first)).count();
        let (group, others) = rest.split_at(alike);
        rest = others;
        let row = history.row(board.side(), contexts, first, attacked);
        let checks = aims.of(first, values);
        let promotion = if first.promotes() { values.promotion_gain(first.kind()) * 8 } else { 0 };
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
}

/// What `m` gains at once, centipawns: a capture swings material twice, off the board and into the hand.
#[inline(always)]
pub(crate) fn gain<V: Variant>(board: &Board<V>, values: &PieceValues, m: Move) -> Value {
    let captures: Value = captured(board, m).map_or(0, |capture| {
        capture.pieces(board).map(|(_, piece)| values.see_value(piece.kind())).sum()
    });
    captures + if m.promotes() { values.promotion_gain(m.kind()) } else { 0 }
}

/// Whether a move loses material. A whale that must be saved never moves to where it can be taken.
#[inline]
fn loses<V: Variant>(knowledge: &Knowledge<'_, V>, m: Move) -> bool {
    let saved = matches!(V::SPEC.whale, WhaleRule::Check) && m.kind() == Kind::WHALE;
    !saved && !see::gains(knowledge.board, knowledge.threats, knowledge.values, m, 0)
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Position, Whale};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::history::{CONTINUATIONS, Context};

    const NONE: Contexts = [Context::NONE; CONTINUATIONS.len()];

    /// What a picker knows where nothing led to the position and nothing is left out.
    fn knowledge<'a, V: Variant>(
        board: &'a Board<V>,
        values: &'a PieceValues,
        history: &'a History<V>,
        table: &'a Table,
        threats: &'a Threats<V>,
    ) -> Knowledge<'a, V> {
        let (contexts, futile, stops) = (NONE, -INFINITE, None);
        Knowledge { board, values, history, contexts, table, threats, futile, stops }
    }

    /// Random games: whatever table move and killers are given, the picker hands out every legal
    /// move exactly once.
    fn check<V: Variant>() {
        let (values, history) = (PieceValues::new::<V>(), History::new());
        let mut arena = Arena::<V>::new();
        let table = &Table::smallest();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut earlier: Vec<Move> = Vec::new();
        for _ in 0..10 {
            let mut position = Position::<V>::start();
            for _ in 0..80 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mut number = |below: usize| random.random_range(0..below);
                let m = moves[number(moves.len())];
                earlier.push(m);
                let mut any = || Some(earlier[number(earlier.len())]);
                let table_move = any();
                let mut picker = Picker::all(arena.base(), table_move, [any(), Some(m), any()]);
                let threats = Threats::default();
                let knowledge = knowledge(position.board(), &values, &history, table, &threats);
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
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let (values, history) = (PieceValues::new::<Great>(), History::new());
        let mut arena = Arena::<Great>::new();
        let table = &Table::smallest();
        let (mut promotions, mut futile) = (0, 0);
        for _ in 0..12 {
            let mut position = Position::<Great>::start();
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let board = position.board();
                let (values, history, threats) = (&values, &history, &Threats::default());
                let knowledge = knowledge(board, values, history, table, threats);
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
                // With a bar those that gain no more are missing, but not the table move.
                let bar = values.see_value(Kind::from_index(1));
                let table_move = picked.first().copied();
                let knowledge = Knowledge { futile: bar, ..knowledge };
                let mut picker = Picker::tactical(arena.base(), table_move, true);
                let mut beyond = Vec::new();
                while let Some((m, class)) = picker.next(&mut arena, &knowledge) {
                    if class != Class::Quiet {
                        beyond.push(m);
                    }
                }
                arena.release(0);
                beyond.sort_unstable();
                futile += picked.len() - beyond.len();
                picked.retain(|&m| Some(m) == table_move || gain(board, values, m) > bar);
                assert_eq!(beyond, picked);
                position.make(moves[random.random_range(0..moves.len())]);
            }
        }
        assert!(promotions > 20 && futile > 20, "{promotions}, {futile}");
    }

    #[test]
    fn the_best_capture_comes_first_and_the_losing_one_last() {
        let position = Position::<Whale>::from_sfen("w5/2d3/2n3/d5/2K2g/W5 b - 1").unwrap();
        let (values, history) = (PieceValues::new::<Whale>(), History::new());
        let (board, table) = (position.board(), &Table::smallest());
        let (values, history, threats) = (&values, &history, &Threats::default());
        let knowledge = knowledge(board, values, history, table, threats);
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
