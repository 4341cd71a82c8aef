//! Finds a position for a step: pieces stand where chance puts them, and the search says whether that will do.

use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;

use kujira_position::{
    Color, DrawReason, Hook, Kind, Move, Outcome, Piece, Position, Setup, Square, SquareText,
    UsiMove, Variant,
};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::plan::{Aim, Lesson, Plan};
use super::search::{after, again, fewest, forbids_mating_drop, replies, right};
use super::step::{Step, Task};

/// Placements that are tried for a step.
const TRIES: usize = 400_000;

/// Good ones among which the most telling is taken.
const CHOICE: usize = 12;

/// Builds a step; `None` if no position was found.
#[must_use]
pub fn build<V: Variant>(lesson: &Lesson, seed: u64) -> Option<Step> {
    let mut composer = Composer::<V> {
        random: Xoshiro256PlusPlus::seed_from_u64(seed),
        squares: V::SPEC.geometry.reading_order().collect(),
        lesson,
        game: PhantomData,
    };
    let (mut best, mut found) = (None, 0);
    for _ in 0..TRIES {
        let Some((step, worth)) = composer.attempt() else { continue };
        if best.as_ref().is_none_or(|&(_, least)| worth > least) {
            best = Some((step, worth));
        }
        found += 1;
        if found == CHOICE || matches!(lesson.plan, Plan::Game | Plan::Repetition) {
            break;
        }
    }
    best.map(|(step, _)| step)
}

struct Composer<'a, V: Variant> {
    random: Xoshiro256PlusPlus,
    squares: Vec<Square>,
    lesson: &'a Lesson,
    game: PhantomData<V>,
}

impl<V: Variant> Composer<'_, V> {
    fn rank(square: Square) -> i8 {
        V::SPEC.geometry.rank_from(square, Color::Black)
    }

    fn apart(a: Square, b: Square) -> usize {
        let geometry = V::SPEC.geometry;
        let files = geometry.x(a).abs_diff(geometry.x(b));
        files.max(geometry.y(a).abs_diff(geometry.y(b))).into()
    }

    /// A free square within some ranks, seen by Black.
    fn free(&mut self, setup: &Setup<V>, ranks: std::ops::Range<i8>) -> Option<Square> {
        self.free_near(setup, ranks, None)
    }

    /// A free square within some ranks, and so far from another at most.
    fn free_near(
        &mut self,
        setup: &Setup<V>,
        ranks: std::ops::Range<i8>,
        near: Option<(Square, usize)>,
    ) -> Option<Square> {
        let fits = |square: &Square| {
            setup.get(*square).is_none()
                && ranks.contains(&Self::rank(*square))
                && near.is_none_or(|(centre, most)| Self::apart(centre, *square) <= most)
        };
        let free: Vec<Square> = self.squares.iter().copied().filter(fits).collect();
        free.choose(&mut self.random).copied()
    }

    fn kind(token: &str) -> Option<Kind> {
        V::SPEC.find_kind(token)
    }

    /// Pieces where chance puts them; Black is to move.
    fn scatter(&mut self) -> Option<Setup<V>> {
        let mut setup = Setup::<V>::empty();
        let ranks = V::SPEC.geometry.height();
        let near = usize::from(!matches!(self.lesson.plan, Plan::Find(_)));
        let (mine, theirs) = match self.lesson.plan {
            Plan::Find(Aim::Parry) => (0..2, ranks - 1..ranks),
            Plan::Battle { .. } => (0..1, ranks - 1..ranks),
            _ => (0..1, ranks - 2 + near as i8..ranks),
        };
        let own = self.free(&setup, mine)?;
        setup.set(own, Some(Piece::new(Color::Black, Kind::WHALE)));
        let other = self.free(&setup, theirs)?;
        setup.set(other, Some(Piece::new(Color::White, Kind::WHALE)));
        let zone = i8::try_from(V::SPEC.promotion_zone).ok()?;
        // Where nothing is to promote nothing stands where it could.
        let field = match self.lesson.plan {
            Plan::Reach { .. } | Plan::Capture { .. } | Plan::Turncoat => 0..ranks - zone,
            Plan::Promote { .. } => ranks - zone - 2..ranks - zone,
            Plan::Battle { .. } => 0..ranks / 2 - 1,
            _ => 0..ranks,
        };
        // What has to do with a whale stands near it.
        let near = match self.lesson.plan {
            Plan::Find(Aim::Mate | Aim::MateWithoutDrop | Aim::Whale) => Some((other, 3)),
            Plan::Find(Aim::Parry) => Some((own, 4)),
            _ => None,
        };
        let mut first = None;
        for token in self.lesson.own {
            let kind = Self::kind(token)?;
            let square = self.free_near(&setup, field.clone(), near)?;
            first.get_or_insert(square);
            // One that has gone all the way has another move there, which comes after its step.
            if matches!(self.lesson.plan, Plan::Reach { .. })
                && V::SPEC.is_pawn(kind)
                && Self::rank(square) == ranks - 1
            {
                return None;
            }
            setup.set(square, Some(Piece::new(Color::Black, kind)));
        }
        let field = match self.lesson.plan {
            Plan::Battle { .. } => ranks / 2 + 1..ranks,
            Plan::Find(Aim::Igui | Aim::Safe | Aim::Parry | Aim::Pass) => 0..ranks - zone,
            _ => field,
        };
        let enemies = match self.lesson.plan {
            Plan::Capture { .. } => &[],
            _ => self.lesson.enemies,
        };
        let near = match self.lesson.plan {
            Plan::Find(Aim::Igui) => Some((first?, 2)),
            _ => near,
        };
        for token in enemies {
            let kind = Self::kind(token)?;
            let square = self.free_near(&setup, field.clone(), near)?;
            setup.set(square, Some(Piece::new(Color::White, kind)));
        }
        for token in self.lesson.hand {
            let kind = Self::kind(token)?;
            let held = setup.in_hand(Color::Black, kind);
            setup.set_in_hand(Color::Black, kind, held + 1);
        }
        Some(setup)
    }

    /// A step, and how telling it is.
    fn attempt(&mut self) -> Option<(Step, usize)> {
        match self.lesson.plan {
            Plan::Reach { marks, moves } => self.reach(marks, moves, false),
            Plan::Promote { marks, moves } => self.reach(marks, moves, true),
            Plan::Capture { moves } => self.capture(moves),
            Plan::Turncoat => self.turncoat(),
            Plan::Find(aim) => self.find(aim),
            Plan::Repetition => self.repetition(),
            Plan::Battle { moves } => self.battle(moves),
            Plan::Game => {
                let position = Position::<V>::from_sfen(V::SPEC.start).ok()?;
                Some((self.step(&position, Task::Game, 1), 1))
            }
        }
    }

    fn step(&self, position: &Position<V>, task: Task, moves: usize) -> Step {
        let Lesson { id, group, text, kinds, .. } = *self.lesson;
        let owned = |text: &&str| (*text).to_owned();
        Step {
            id: id.to_owned(),
            group: group.to_owned(),
            text: text.to_owned(),
            kinds: kinds.iter().map(owned).collect(),
            sfen: position.sfen(),
            task,
            marks: Vec::new(),
            moves,
            line: Vec::new(),
            right: Vec::new(),
            replies: BTreeMap::new(),
        }
    }

    /// A step with marked squares.
    fn marked(&self, position: &Position<V>, task: Task, marks: &[Square], line: &[Move]) -> Step {
        let name = |&square: &Square| SquareText(V::SPEC.geometry, square).to_string();
        Step {
            marks: marks.iter().map(name).collect(),
            line: line.iter().map(|&m| UsiMove::<V>::new(m).to_string()).collect(),
            ..self.step(position, task, line.len())
        }
    }

    /// How many ways to move a line shows: directions, near and far told apart, of each piece.
    fn ways(line: &[Move]) -> usize {
        let geometry = V::SPEC.geometry;
        let way = |m: &Move| {
            let dx = geometry.x(m.to()) - geometry.x(m.from());
            let dy = geometry.y(m.to()) - geometry.y(m.from());
            (m.kind(), dx.signum(), dy.signum(), dx.abs().max(dy.abs()).min(3))
        };
        line.iter().filter(|m| !m.is_drop()).map(way).collect::<BTreeSet<_>>().len()
    }

    /// The white whales stay out of it: Black's can't do what another piece is to do.
    fn whale_is_far(position: &Position<V>, marks: &[Square], moves: usize) -> bool {
        let Some(own) = position.whale(Color::Black).first() else { return false };
        marks.iter().all(|&mark| Self::apart(own, mark) > moves.min(2))
    }

    fn reach(
        &mut self,
        count: usize,
        (least, most): (usize, usize),
        promotes: bool,
    ) -> Option<(Step, usize)> {
        let setup = self.scatter()?;
        let position = setup.validate().ok().filter(|position| !position.checked())?;
        let ranks = V::SPEC.geometry.height();
        let zone = i8::try_from(V::SPEC.promotion_zone).ok()?;
        let field = if promotes { 0..ranks } else { 0..ranks - zone };
        let of_whale = self.lesson.own.is_empty();
        let length = self.random.random_range(least..=most);
        let walk = self.walk(&position, length, of_whale, promotes)?;
        let marks = self.chosen(&walk, count, field)?;
        if marks.iter().any(|&mark| setup.get(mark).is_some())
            || !of_whale && !Self::whale_is_far(&position, &marks, most)
        {
            return None;
        }
        let line = fewest(&position, &marks, false, most, promotes)?;
        if line.len() < least || promotes != line.iter().any(|m| m.promotes()) {
            return None;
        }
        if promotes && fewest(&position, &marks, false, line.len(), false).is_some() {
            return None;
        }
        let movers: BTreeSet<_> = line.iter().map(|m| m.from()).collect();
        let moved = self
            .lesson
            .own
            .iter()
            .filter(|token| line.iter().any(|m| V::SPEC.kind(m.kind()).token == **token));
        let all = moved.count() == self.lesson.own.len();
        let whale = line.iter().any(|m| m.kind() == Kind::WHALE);
        if !all || whale != of_whale {
            return None;
        }
        let worth = 10 * Self::ways(&line) + movers.len();
        Some((self.marked(&position, Task::Reach, &marks, &line), worth))
    }

    /// The squares where moves of the learner alone end, by chance.
    fn walk(
        &mut self,
        start: &Position<V>,
        length: usize,
        of_whale: bool,
        promotes: bool,
    ) -> Option<Vec<Square>> {
        let (mut position, mut walk) = (start.clone(), Vec::new());
        for _ in 0..length {
            let fits = |m: &Move| {
                (m.kind() == Kind::WHALE) == of_whale && !m.is_drop() && (promotes || !m.promotes())
            };
            let moves: Vec<Move> = position.legal_moves().iter().copied().filter(fits).collect();
            let m = *moves.choose(&mut self.random)?;
            walk.push(m.to());
            position = again(&after(&position, m))?;
        }
        Some(walk)
    }

    /// So many different squares of a walk, its end among them, all within some ranks; in reading order.
    fn chosen(
        &mut self,
        walk: &[Square],
        count: usize,
        field: std::ops::Range<i8>,
    ) -> Option<Vec<Square>> {
        let (&end, before) = walk.split_last()?;
        let mut before = before.to_vec();
        before.shuffle(&mut self.random);
        let mut marks = vec![end];
        for square in before {
            if marks.len() < count && !marks.contains(&square) {
                marks.push(square);
            }
        }
        marks.sort_by_key(|mark| self.squares.iter().position(|square| square == mark));
        (marks.len() == count && marks.iter().all(|&mark| field.contains(&Self::rank(mark))))
            .then_some(marks)
    }

    fn capture(&mut self, (least, most): (usize, usize)) -> Option<(Step, usize)> {
        let mut setup = self.scatter()?;
        let bare = setup.validate().ok().filter(|position| !position.checked())?;
        let enemies = self.lesson.enemies;
        let places = if most > 1 {
            let length = self.random.random_range(least..=most);
            let walk = self.walk(&bare, length, false, false)?;
            self.chosen(&walk, enemies.len(), 0..V::SPEC.geometry.height())?
        } else {
            // A lion captures them on its way.
            let own = bare.pieces(Color::Black).into_iter().find(|&square| {
                bare.piece_on(square).is_some_and(|piece| piece.kind() != Kind::WHALE)
            })?;
            let class = V::SPEC.class(V::SPEC.class_of(bare.piece_on(own)?.kind()));
            let Hook::Lion { lines, .. } = class.hook else { return None };
            let &(dx, dy) = lines.choose(&mut self.random)?;
            let geometry = V::SPEC.geometry;
            let ahead = std::iter::successors(Some(own), |&square| {
                geometry.step(square, Color::Black, dx, dy)
            });
            let line: Vec<Square> = ahead.skip(1).take(enemies.len()).collect();
            if line.len() < enemies.len() {
                return None;
            }
            line
        };
        for (&token, square) in enemies.iter().zip(places) {
            if setup.get(square).is_some() {
                return None;
            }
            setup.set(square, Some(Piece::new(Color::White, Self::kind(token)?)));
        }
        let position = setup.validate().ok().filter(|position| !position.checked())?;
        let marks = Self::enemies(&position);
        if !Self::whale_is_far(&position, &marks, most) {
            return None;
        }
        let line = fewest(&position, &marks, true, most, false)?;
        let own = line.iter().all(|m| !m.is_drop() && m.kind() != Kind::WHALE);
        (own && line.len() >= least)
            .then(|| (self.marked(&position, Task::Capture, &marks, &line), Self::ways(&line)))
    }

    fn enemies(position: &Position<V>) -> Vec<Square> {
        let pieces = V::SPEC.geometry.reading_order().filter(|&square| {
            position
                .piece_on(square)
                .is_some_and(|piece| piece.color() == Color::White && piece.kind() != Kind::WHALE)
        });
        pieces.collect()
    }

    fn turncoat(&mut self) -> Option<(Step, usize)> {
        let setup = self.scatter()?;
        let position = setup.validate().ok().filter(|position| !position.checked())?;
        let mut marks = Self::enemies(&position);
        marks.push(self.free(&setup, 0..V::SPEC.geometry.height())?);
        let line = fewest(&position, &marks, false, 2, false)?;
        // Nothing but the drop gets there: not in two moves more.
        let [taken, drop] = line[..] else { return None };
        let far =
            Self::apart(taken.to(), drop.to()) > 2 && Self::whale_is_far(&position, &marks, 2);
        (far && drop.is_drop() && position.is_capture(taken)).then(|| {
            (self.marked(&position, Task::Reach, &marks, &line), Self::apart(taken.to(), drop.to()))
        })
    }

    fn find(&mut self, aim: Aim) -> Option<(Step, usize)> {
        let position = self.scatter()?.validate().ok()?;
        if position.checked() != (aim == Aim::Parry) {
            return None;
        }
        let moves = position.legal_moves().iter().count();
        let found = right(&position, aim);
        if found.is_empty() || found.len() == moves && aim != Aim::Parry {
            return None;
        }
        // Whoever could win at once has something better to do.
        if !matches!(aim, Aim::Mate | Aim::MateWithoutDrop | Aim::Whale)
            && (!right(&position, Aim::Mate).is_empty() || !right(&position, Aim::Whale).is_empty())
        {
            return None;
        }
        let shown = replies(&position, aim);
        // A move with a promotion and without is one.
        let several = found.iter().any(|m| m.from() != found[0].from() || m.to() != found[0].to());
        let of_whale = found.iter().any(|m| !m.is_drop() && m.kind() == Kind::WHALE);
        let worth = match aim {
            Aim::Safe if of_whale || several || shown.is_empty() => return None,
            Aim::Safe => shown.len(),
            Aim::Igui if found.len() > 1 || shown.is_empty() => return None,
            Aim::Igui => {
                // The captured piece is guarded: whoever steps there is captured.
                let target = position.captured(found[0]).next()?.0;
                let guarded = position.legal_moves().iter().copied().any(|m| {
                    let taken =
                        m.to() == target && shown.contains_key(&UsiMove::<V>::new(m).to_string());
                    taken && m.from() == found[0].from()
                });
                let safe = right(&position, Aim::Safe);
                if !guarded || safe != found {
                    return None;
                }
                shown.len()
            }
            Aim::Parry => {
                // More ways than one: to go, to capture, to come between.
                let captures = found.iter().any(|&m| position.is_capture(m));
                let goes = found.iter().any(|m| m.kind() == Kind::WHALE);
                let others = found.iter().any(|m| m.kind() != Kind::WHALE);
                usize::from(captures) + usize::from(goes) + usize::from(others)
            }
            Aim::Check if of_whale || found.len() > 3 => return None,
            Aim::Check => found.iter().map(|m| m.kind()).collect::<BTreeSet<_>>().len(),
            Aim::Mate | Aim::MateWithoutDrop if several => return None,
            Aim::MateWithoutDrop if !forbids_mating_drop(&position) => return None,
            Aim::Mate | Aim::MateWithoutDrop => shown.len() + 1,
            Aim::PawnDrop => {
                // Most files are full.
                let files: BTreeSet<_> = found.iter().map(|m| V::SPEC.geometry.x(m.to())).collect();
                if files.len() > 4 {
                    return None;
                }
                10 - files.len()
            }
            Aim::Whale if of_whale || several => return None,
            Aim::Whale | Aim::Pass => 1,
        };
        let usi = |&m: &Move| UsiMove::<V>::new(m).to_string();
        let step = Step {
            line: found.iter().take(1).map(usi).collect(),
            right: found.iter().map(usi).collect(),
            replies: shown,
            ..self.step(&position, Task::Find, 1)
        };
        Some((step, worth))
    }

    /// Both whales go to and fro.
    fn repetition(&mut self) -> Option<(Step, usize)> {
        let start = self.scatter()?.validate().ok()?;
        let there = |position: &Position<V>, random: &mut Xoshiro256PlusPlus| {
            let mut moves: Vec<Move> = position.legal_moves().iter().copied().collect();
            moves.shuffle(random);
            moves.into_iter().find(|m| m.kind() == Kind::WHALE)
        };
        let one = there(&start, &mut self.random)?;
        let two = there(&after(&start, one), &mut self.random)?;
        let back = |m: Move| Move::board(m.kind(), m.to(), m.from(), false);
        let cycle = [one, two, back(one), back(two)];
        let (mut position, mut line) = (start.clone(), Vec::new());
        for &m in cycle.iter().cycle() {
            if !position.is_legal(m) || line.len() > 16 {
                return None;
            }
            line.push(m);
            position.make(m);
            match position.outcome() {
                Some(Outcome::Draw(DrawReason::Repetition)) => break,
                Some(_) => return None,
                None => {}
            }
        }
        let usi = |&m: &Move| UsiMove::<V>::new(m).to_string();
        let line: Vec<String> = line.iter().map(usi).collect();
        Some((Step { line, ..self.step(&start, Task::Watch, 1) }, 1))
    }

    /// Nothing hangs on either side at the beginning.
    fn battle(&mut self, moves: usize) -> Option<(Step, usize)> {
        let position = self.scatter()?.validate().ok().filter(|position| !position.checked())?;
        let quiet = |position: &Position<V>| {
            position.legal_moves().iter().all(|&m| position.captured(m).next().is_none())
        };
        let other = again(&position)?;
        (quiet(&position) && quiet(&other)).then(|| {
            let apart = self.random.random_range(0..100);
            (self.step(&position, Task::Battle, moves), apart)
        })
    }
}
