//! The order in which moves are tried: table move, captures that do not lose material, killers, quiet
//! moves by history, checks favoured, captures that lose material.

use kujira_position::{Move, Variant};

use crate::eval::{Evaluator, captured};
use crate::score::{INFINITE, Value};
use crate::scoring::{Arena, Scored, Scorer};
use crate::stack::NodeContext;
use crate::worker::Worker;

/// Number of moves that are selected one by one before the rest is sorted: most nodes end after few moves. It
/// changes the speed alone, never the order.
const SELECTED: usize = 12;

/// What kind of move was picked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// It captures something.
    Capture,
    /// It captures, and loses material by it.
    LosingCapture,
    /// It captures nothing and promotes; [`Picker::tactical`] alone tells such moves apart.
    Promotion,
    /// It captures nothing and attacks the enemy whale from where it ends; the list of all quiet moves alone
    /// tells such moves apart.
    Check,
    /// It captures nothing, and no more is said of it.
    Quiet,
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
    /// Number of killers looked at.
    tried: usize,
    base: usize,
    /// End of the losing captures, which gather at `base`.
    losing: usize,
    next: usize,
    end: usize,
    selected: usize,
    /// Whether quiet moves are handed out.
    quiets: bool,
    /// Whether moves that capture nothing are left out, unless the next two fields ask for them: quiescence and
    /// ProbCut want it so.
    captures_only: bool,
    promotions: bool,
    checks: bool,
    /// Captures and promotions that gain no more than this at once are left out, centipawns.
    bar: Value,
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
            bar: -INFINITE,
        }
    }

    /// A picker of all legal moves.
    pub(crate) fn all(base: usize, table_move: Option<Move>, killers: [Option<Move>; 3]) -> Self {
        Self { table_move, killers, ..Self::new(Stage::Table, base) }
    }

    /// A picker of the captures that do not lose material, and of the table move if it captures.
    pub(crate) fn captures(base: usize, table_move: Option<Move>) -> Self {
        Self { table_move, quiets: false, captures_only: true, ..Self::new(Stage::Table, base) }
    }

    /// A picker of the captures that do not lose material, and of the table move if it captures. If `wide`,
    /// promotions and then the other moves that give check follow, as far as they do not lose material either.
    pub(crate) fn tactical(base: usize, table_move: Option<Move>, wide: bool) -> Self {
        Self { promotions: wide, checks: wide, ..Self::captures(base, table_move) }
    }

    /// A picker of exactly these legal moves, in this order.
    pub(crate) fn listed<V: Variant>(
        arena: &mut Arena<V>,
        moves: impl Iterator<Item = Move>,
    ) -> Self {
        let base = arena.base();
        arena.moves.extend(moves.map(|m| Scored { score: 0, m }));
        Self { end: arena.moves.len(), ..Self::new(Stage::Listed, base) }
    }

    /// Leaves out quiet moves from now on.
    #[inline(always)]
    pub(crate) fn skip_quiets(&mut self) {
        self.quiets = false;
    }

    /// Leaves out, from now on, captures and promotions that gain no more than `bar` centipawns at once:
    /// whatever follows, they do not change the score.
    #[inline(always)]
    pub(crate) fn set_bar(&mut self, bar: Value) {
        self.bar = bar;
    }

    /// Whether `m`, which captures or promotes, gains too little.
    #[inline(always)]
    fn is_futile<V: Variant>(&self, m: Move, scorer: &Scorer<'_, V>) -> bool {
        self.bar > -INFINITE && scorer.gain(m) <= self.bar
    }

    /// The next move.
    pub(crate) fn next<V: Variant>(
        &mut self,
        arena: &mut Arena<V>,
        scorer: &Scorer<'_, V>,
    ) -> Option<(Move, Class)> {
        // A function a stage, so that none is slowed down by what the others need.
        loop {
            let found = match self.stage {
                Stage::Table => self.give_table_move(scorer),
                Stage::MakeCaptures => {
                    self.stage = Stage::Captures;
                    scorer.append_captures(arena);
                    if self.promotions {
                        scorer.append_promotions(arena);
                    }
                    self.end = arena.moves.len();
                    None
                }
                Stage::Captures => self.give_capture(arena, scorer),
                Stage::Killers => self.give_killer(scorer),
                Stage::MakeQuiets => {
                    self.stage = Stage::Quiets;
                    self.selected = 0;
                    self.next = arena.moves.len();
                    if self.quiets {
                        let [first, second, third] = self.killers;
                        let given = [self.table_move, first, second, third];
                        scorer.append_quiets(arena, given);
                    }
                    self.end = arena.moves.len();
                    None
                }
                Stage::Quiets => self.give_quiet(arena, scorer),
                Stage::LosingCaptures => self.give_losing_capture(arena, scorer),
                Stage::MakeChecks => {
                    self.stage = Stage::Checks;
                    self.selected = 0;
                    self.next = arena.moves.len();
                    scorer.append_checks(arena);
                    self.end = arena.moves.len();
                    None
                }
                Stage::Checks => self.give_check(arena, scorer),
                Stage::Listed => self.give_listed(arena, scorer),
                Stage::Done => return None,
            };
            if found.is_some() {
                return found;
            }
        }
    }

    /// The table move, if it is of use.
    #[inline(never)]
    fn give_table_move<V: Variant>(&mut self, scorer: &Scorer<'_, V>) -> Option<(Move, Class)> {
        self.stage = Stage::MakeCaptures;
        let board = scorer.board;
        self.table_move = self.table_move.filter(|&m| board.is_legal(m));
        let m = self.table_move?;
        scorer.prefetch(m);
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
        scorer: &Scorer<'_, V>,
    ) -> Option<(Move, Class)> {
        while let Some(m) = self.select(&mut arena.moves) {
            if Some(m) == self.table_move || self.is_futile(m, scorer) {
                continue;
            }
            scorer.prefetch(m);
            if scorer.loses(m) {
                if !self.captures_only {
                    // What stood there was handed out already.
                    arena.moves.swap(self.losing, self.next - 1);
                    self.losing += 1;
                }
                continue;
            }
            let promotes = m.promotes() && captured(scorer.board, m).is_none();
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
    fn give_killer<V: Variant>(&mut self, scorer: &Scorer<'_, V>) -> Option<(Move, Class)> {
        let board = scorer.board;
        while self.quiets && self.tried < self.killers.len() {
            let (earlier, rest) = self.killers.split_at_mut(self.tried);
            self.tried += 1;
            rest[0] = rest[0].filter(|&m| {
                Some(m) != self.table_move
                    && !earlier.contains(&Some(m))
                    && board.is_legal(m)
                    && captured(board, m).is_none()
                    && scorer.may_save(m)
            });
            if let Some(m) = rest[0] {
                scorer.prefetch(m);
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
        scorer: &Scorer<'_, V>,
    ) -> Option<(Move, Class)> {
        if self.quiets
            && let Some(m) = self.select(&mut arena.moves)
        {
            scorer.prefetch(m);
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
        scorer: &Scorer<'_, V>,
    ) -> Option<(Move, Class)> {
        let m = self.step(&arena.moves)?;
        scorer.prefetch(m);
        Some((m, Class::LosingCapture))
    }

    /// The next quiet move that checks and does not lose material.
    #[inline(never)]
    fn give_check<V: Variant>(
        &mut self,
        arena: &mut Arena<V>,
        scorer: &Scorer<'_, V>,
    ) -> Option<(Move, Class)> {
        while let Some(m) = self.select(&mut arena.moves) {
            scorer.prefetch(m);
            if !scorer.loses(m) {
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
        scorer: &Scorer<'_, V>,
    ) -> Option<(Move, Class)> {
        let m = self.step(&arena.moves)?;
        let class = match captured(scorer.board, m) {
            Some(_) => Class::Capture,
            None => Class::Quiet,
        };
        Some((m, class))
    }

    /// The next move of the list as it stands; at the end of the list the picker is done.
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

/// Brings the best move to the front: the first of equals, so that the order does not depend on anything else.
/// The highest score is looked for first, in a loop that the compiler vectorises.
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

impl<V: Variant, E: Evaluator<V>> Worker<'_, V, E> {
    /// The next move of `picker`, which was made for `node`.
    #[inline(always)]
    pub(crate) fn pick(
        &mut self,
        picker: &mut Picker,
        node: &NodeContext<V>,
    ) -> Option<(Move, Class)> {
        let scorer = Scorer {
            board: self.position.board(),
            values: self.values,
            history: self.history,
            table: self.shared.table,
            node,
        };
        picker.next(self.arena, &scorer)
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Board, Great, Kind, Paulowich, Position, Whale};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::eval::PieceValues;
    use crate::history::History;
    use crate::tt::Table;

    fn scorer<'a, V: Variant>(
        board: &'a Board<V>,
        values: &'a PieceValues,
        history: &'a History<V>,
        table: &'a Table,
        node: &'a NodeContext<V>,
    ) -> Scorer<'a, V> {
        Scorer { board, values, history, table, node }
    }

    /// Random games: whatever table move and killers are given, the picker hands out every legal
    /// move exactly once.
    fn check<V: Variant>() {
        let (values, history) = (PieceValues::built_in::<V>(), History::new());
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
                let node = NodeContext::new(0);
                let scorer = scorer(position.board(), &values, &history, table, &node);
                let mut picked = Vec::new();
                while let Some((m, class)) = picker.next(&mut arena, &scorer) {
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
        let (values, history) = (PieceValues::built_in::<Great>(), History::new());
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
                let node = NodeContext::new(0);
                let scorer = scorer(board, &values, &history, table, &node);
                let tactical = |m: Move| captured(board, m).is_some() || m.promotes();
                let mut expected: Vec<Move> =
                    moves.iter().copied().filter(|&m| tactical(m) && !scorer.loses(m)).collect();
                expected.sort_unstable();
                let mut picker = Picker::tactical(arena.base(), None, true);
                let mut picked = Vec::new();
                while let Some((m, class)) = picker.next(&mut arena, &scorer) {
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
                let mut picker = Picker::tactical(arena.base(), table_move, true);
                picker.set_bar(bar);
                let mut beyond = Vec::new();
                while let Some((m, class)) = picker.next(&mut arena, &scorer) {
                    if class != Class::Quiet {
                        beyond.push(m);
                    }
                }
                arena.release(0);
                beyond.sort_unstable();
                futile += picked.len() - beyond.len();
                picked.retain(|&m| Some(m) == table_move || scorer.gain(m) > bar);
                assert_eq!(beyond, picked);
                position.make(moves[random.random_range(0..moves.len())]);
            }
        }
        assert!(promotions > 20 && futile > 20, "{promotions}, {futile}");
    }

    #[test]
    fn the_best_capture_comes_first_and_the_losing_one_last() {
        let position = Position::<Whale>::from_sfen("w5/2d3/2n3/d5/2K2g/W5 b - 1").unwrap();
        let (values, history) = (PieceValues::built_in::<Whale>(), History::new());
        let (board, table) = (position.board(), &Table::smallest());
        let node = NodeContext::new(0);
        let scorer = scorer(board, &values, &history, table, &node);
        let mut arena = Arena::new();
        let mut picker = Picker::all(0, None, [None; 3]);
        let mut picked = Vec::new();
        while let Some((m, class)) = picker.next(&mut arena, &scorer) {
            picked.push((position.usi(m), class));
        }
        assert_eq!(picked.first().map(|(m, _)| m.as_str()), Some("4e1e"));
        assert_eq!(picked.last(), Some(&("4e4c".to_owned(), Class::LosingCapture)));
        arena.release(0);
        let mut captures = Picker::captures(0, None);
        let mut count = 0;
        while captures.next(&mut arena, &scorer).is_some() {
            count += 1;
        }
        assert_eq!(count, picked.iter().filter(|(_, class)| *class == Class::Capture).count());
    }
}
