//! Depth-first proof-number search for a mate by checks alone.
//!
//! The attacker gives check with every move; the defender may play any legal reply. A position has a proof number, the
//! work left to prove a mate, and a disproof number, the work left to disprove it. The search follows the smallest
//! numbers, and goes back when another move looks better (df-pn: Nagai, *Df-pn algorithm for searching AND/OR trees*,
//! 2002). Of several moves that must all be refuted the hardest counts ([`weak_sum`]). A position met again on its own
//! path is no mate, because a mate needs no return. Such a disproof holds on the path alone ([`Loops`]), as the answer
//! to the graph-history problem in KomoringHeights. Where a move leads back to a position met nearer to the root the
//! limits are widened, so that two parts of the search do not send each other back for ever (threshold control:
//! Kishimoto, *Dealing with infinite loops, underestimation, and overestimation of depth-first proof-number search*,
//! 2010).

use kujira_position::{Color, Move, MoveList, Position, Threats, Variant, Wanted};

use super::moves::{captures, count_groups, group, keep, list_checks, list_replies};
use super::numbers::{ANY, FOREVER, INFINITE, Length, Loops, Value, after_move, weak_sum};
use super::path::Path;
use super::table::{Known, Place, Table};
use super::watch::{Stopped, Watch};

/// The longest path, plies: one that is longer is given up.
pub(super) const LONGEST: u16 = 400;

/// By how much a move may get harder than the next best one before that is looked at: a part of its number.
const SLACK: u32 = 4;

/// What is asked: a position, whose side to move attacks, and what is no mate there.
pub(super) struct Question<'a, V: Variant> {
    pub(super) position: Position<V>,
    /// The moves to choose among; all if empty.
    pub(super) first_moves: &'a [Move],
    /// Positions that have stood three times: for the next time the game is over.
    pub(super) thrice: Vec<u64>,
}

/// A move, and what is known of the position after it.
#[derive(Clone, Copy)]
struct Child<B> {
    m: Move,
    place: Place<B>,
    key: u64,
    /// Which drops it stands among, see [`group`].
    group: Option<usize>,
    known: Known,
    /// Whether it was looked at.
    seen: bool,
}

/// Numbers beyond which a search goes back.
#[derive(Clone, Copy)]
struct Limit {
    proof: u32,
    disproof: u32,
}

/// The state of a position as its moves show it.
struct Survey {
    value: Value,
    mating: Option<Move>,
    /// The move to look at; none where all is settled.
    chosen: Option<usize>,
    /// The number of the chosen move, the least of those by which moves are chosen.
    least: u32,
    /// That of the next best move.
    second: u32,
    /// The greatest of the other numbers.
    most: u32,
    /// How many moves are open.
    open: u32,
    /// Whether one of them leads back to what was met nearer to the root.
    back: bool,
}

/// A search.
pub(super) struct Prover<'a, V: Variant> {
    pub(super) table: &'a mut Table<V::Bits>,
    pub(super) watch: Watch<'a>,
    pub(super) position: Position<V>,
    attacker: Color,
    path: Path,
    children: Vec<Child<V::Bits>>,
    list: V::MoveList,
    /// The position asked about, and the moves there to choose among; all if empty.
    root: u64,
    first_moves: &'a [Move],
    /// Positions that are no mate: those that have stood three times, and the one asked about where not all first
    /// moves are allowed.
    over: Vec<u64>,
    /// Whether any has stood three times: the past of the game can end it.
    past_counts: bool,
    /// Whether a path was too long: that there is no mate is not known then.
    pub(super) cut: bool,
    /// Positions met for the first time in the pass.
    fresh: u64,
}

impl<'a, V: Variant> Prover<'a, V> {
    /// A search for the answer to a question.
    pub(super) fn new(
        table: &'a mut Table<V::Bits>,
        watch: Watch<'a>,
        question: Question<'a, V>,
    ) -> Self {
        let Question { position, first_moves, thrice } = question;
        let root = position.key();
        let past_counts = !thrice.is_empty();
        let chosen = (!first_moves.is_empty()).then_some(root);
        Self {
            table,
            watch,
            attacker: position.side(),
            position,
            path: Path::default(),
            children: Vec::new(),
            list: V::MoveList::default(),
            root,
            first_moves,
            over: thrice.into_iter().chain(chosen).collect(),
            past_counts,
            cut: false,
            fresh: 0,
        }
    }

    /// Searches the position it stands at for a mate within `left` plies, as the root of a path of its own, in a
    /// pass of its own. Returns what is known then, a mate or that there is none.
    pub(super) fn prove(&mut self, left: Length) -> Result<Known, Stopped> {
        self.table.next_pass();
        let before = std::mem::take(&mut self.path);
        self.path.begin(self.position.key());
        // With these limits it goes on until all is settled.
        let result = self.search(left, Limit { proof: INFINITE, disproof: INFINITE });
        self.path = before;
        result
    }

    /// Whether the position it stands at is no mate because of what was before, or was asked.
    pub(super) fn is_over(&self) -> bool {
        let key = self.position.key();
        key != self.root && self.over.contains(&key)
    }

    /// Whether not all moves of the position it stands at are allowed.
    fn chooses(&self) -> bool {
        !self.first_moves.is_empty() && self.position.key() == self.root
    }

    /// Whether the attacker is to move.
    fn attacks(&self) -> bool {
        self.position.side() == self.attacker
    }

    /// Where the position it stands at is kept.
    fn place(&self) -> Place<V::Bits> {
        Place { board: self.position.board_key(), hand: self.position.hand(self.attacker) }
    }

    /// What the table knows of the position it stands at.
    pub(super) fn look_up(&self, left: Length) -> Option<Known> {
        if self.chooses() {
            return None;
        }
        self.table.look_up(self.place(), left, &self.path)
    }

    /// Adds the legal moves of the position it stands at to `moves`.
    pub(super) fn list_legal(&mut self, moves: &mut Vec<Move>) {
        self.list.clear();
        self.position.generate(Wanted::All, &Threats::default(), &mut self.list);
        moves.extend_from_slice(&self.list);
    }

    /// Makes a move and counts it.
    pub(super) fn make(&mut self, m: Move) -> Result<(), Stopped> {
        self.watch.count(|| self.table.permille())?;
        self.position.make(m);
        Ok(())
    }

    fn search(&mut self, left: Length, limit: Limit) -> Result<Known, Stopped> {
        let ply = self.path.ply();
        if ply >= LONGEST {
            self.cut = true;
            let value = Value::looped(Loops { first: 0, last: ply - 1 }, left);
            return Ok(Known { value, mating: None, ply });
        }
        let (first, before) = (self.children.len(), self.watch.nodes());
        self.list_children();
        let result = self.improve(first, left, limit);
        self.children.truncate(first);
        let known = result?;
        if !self.chooses() {
            let amount = u32::try_from(self.watch.nodes() - before).unwrap_or(u32::MAX);
            let place = self.place();
            self.table.note(place, &known, &self.path, amount);
        }
        Ok(known)
    }

    /// Searches the moves from `first` on until the numbers exceed `limit`.
    fn improve(&mut self, first: usize, left: Length, mut limit: Limit) -> Result<Known, Stopped> {
        let (attacks, ply, fresh) = (self.attacks(), self.path.ply(), self.fresh);
        loop {
            let survey = self.survey(first, left)?;
            let value = survey.value.within(left);
            let known = Known { value, mating: survey.mating, ply };
            let Some(chosen) = survey.chosen else { return Ok(known) };
            // Only until something new is met.
            if survey.back && self.fresh == fresh {
                limit.proof = limit.proof.max(value.proof.saturating_add(1));
                limit.disproof = limit.disproof.max(value.disproof.saturating_add(1));
            }
            if value.proof >= limit.proof || value.disproof >= limit.disproof {
                return Ok(known);
            }
            let near = |limit: u32| {
                let next = survey.second.saturating_add(1 + survey.second / SLACK);
                if survey.second >= INFINITE { limit } else { limit.min(next) }
            };
            let far = |limit: u32| {
                if limit >= INFINITE { limit } else { limit.saturating_sub(survey.open - 1) }
            };
            let below = if attacks {
                Limit { proof: near(limit.proof), disproof: far(limit.disproof) }
            } else {
                Limit { proof: far(limit.proof), disproof: near(limit.disproof) }
            };
            let child = self.children[chosen];
            self.fresh += u64::from(child.known.ply == u16::MAX);
            self.make(child.m)?;
            self.path.push(child.key);
            let found = self.search(after_move(left), below);
            self.path.pop();
            self.position.undo();
            self.children[chosen].known = found?;
        }
    }

    /// Lists the moves of the position it stands at.
    fn list_children(&mut self) {
        let attacks = self.attacks();
        if attacks {
            list_checks(&mut self.position, &mut self.list);
        } else {
            list_replies(&self.position, self.past_counts, &mut self.list);
        }
        if self.chooses() {
            keep(&mut self.list, |m| self.first_moves.contains(&m));
        }
        let held = self.position.hand(self.attacker);
        for &m in self.list.iter() {
            let seen = self.position.foresee(m);
            let hand = if attacks { seen.hand } else { held };
            self.children.push(Child {
                m,
                place: Place { board: seen.board_key, hand },
                key: seen.key(),
                group: if attacks { None } else { group(m) },
                known: Known { value: Value::open(1, 1, 0), mating: None, ply: u16::MAX },
                seen: false,
            });
        }
    }

    /// The state of the position it stands at by its moves, those from `first` on.
    fn survey(&mut self, first: usize, left: Length) -> Result<Survey, Stopped> {
        if self.attacks() {
            self.survey_checks(first, left)
        } else {
            self.survey_replies(first, left)
        }
    }

    /// One check that mates is enough.
    fn survey_checks(&mut self, first: usize, left: Length) -> Result<Survey, Stopped> {
        let (ply, rest) = (self.path.ply(), after_move(left));
        let mut survey = Survey::default();
        let (mut fewest, mut loops) = (FOREVER, Loops::NONE);
        for index in first..self.children.len() {
            let value = self.look(index, left)?;
            if value.is_mate(rest) {
                let mating = Some(self.children[index].m);
                let value = Value::mate(value.proved.saturating_add(1));
                return Ok(Survey { value, mating, ..Survey::default() });
            }
            fewest = fewest.min(value.fewest);
            if value.is_refuted(rest) {
                if value.fewest <= rest {
                    loops = loops.and(value.loops);
                }
            } else {
                let met = self.children[index].known.ply;
                survey.open(index, value.proof, value.disproof, met <= ply);
            }
        }
        let fewest = fewest.saturating_add(1);
        survey.value = if survey.chosen.is_some() {
            Value::open(survey.least, weak_sum(survey.most, survey.open), fewest)
        } else {
            refuted(left, fewest, loops.seen_from(ply))
        };
        Ok(survey)
    }

    /// One reply that saves the whale is enough.
    fn survey_replies(&mut self, first: usize, left: Length) -> Result<Survey, Stopped> {
        let (ply, rest) = (self.path.ply(), after_move(left));
        let mut survey = Survey::default();
        let (mut proved, mut fewest, mut groups) = (0, 0, 0_u128);
        let mut looped: Option<Value> = None;
        for index in first..self.children.len() {
            let group = self.children[index].group;
            if group.is_some_and(|group| groups >> group & 1 != 0) {
                continue;
            }
            if looped.is_some() && !self.children[index].seen {
                continue;
            }
            let value = self.look(index, left)?;
            if value.is_mate(rest) {
                proved = proved.max(value.proved);
                continue;
            }
            fewest = fewest.max(value.fewest);
            if value.is_refuted(rest) {
                let loops = if value.fewest <= rest { value.loops } else { Loops::NONE };
                let value = refuted(left, fewest.saturating_add(1), loops.seen_from(ply));
                if value.loops.any() {
                    // Another that was looked at may refute on all paths.
                    looped = looped.or(Some(value));
                    continue;
                }
                return Ok(Survey { value, ..Survey::default() });
            }
            groups |= group.map_or(0, |group| 1 << group);
            let met = self.children[index].known.ply;
            survey.open(index, value.disproof, value.proof, met <= ply);
        }
        if let Some(value) = looped {
            return Ok(Survey { value, ..Survey::default() });
        }
        survey.value = if survey.chosen.is_some() {
            let proof = weak_sum(survey.most, survey.open);
            Value::open(proof, survey.least, fewest.saturating_add(1))
        } else {
            Value::mate(proved.saturating_add(1))
        };
        Ok(survey)
    }

    /// What is known of the position after a move, for a search of `left` plies before it.
    fn look(&mut self, index: usize, left: Length) -> Result<Value, Stopped> {
        let child = self.children[index];
        if !child.seen {
            let known = self.first_look(&child, left)?;
            (self.children[index].known, self.children[index].seen) = (known, true);
        }
        Ok(self.children[index].known.value.within(after_move(left)))
    }

    fn first_look(&mut self, child: &Child<V::Bits>, left: Length) -> Result<Known, Stopped> {
        let told = |value| Known { value, mating: None, ply: u16::MAX };
        if self.over.contains(&child.key) {
            return Ok(told(Value::NONE));
        }
        let rest = after_move(left);
        // In a shortest mate every move comes nearer to the mate: a return is never needed.
        if let Some(ply) = self.path.find(child.key) {
            return Ok(told(Value::looped(Loops::to(ply), rest)));
        }
        // Whatever holds on the path to the child holds on that to its parent alone.
        if let Some(known) = self.table.look_up(child.place, rest, &self.path) {
            return Ok(known);
        }
        self.make(child.m)?;
        let (value, mating) = self.glimpse();
        self.fresh += 1;
        let known = Known { value, mating, ply: self.path.ply().saturating_add(1) };
        self.table.note(child.place, &known, &self.path, 0);
        self.position.undo();
        Ok(known)
    }

    /// What can be told of the position it stands at without a search, and a move that mates at once.
    fn glimpse(&mut self) -> (Value, Option<Move>) {
        let side = self.position.side();
        if side == self.attacker {
            if captures::<V>() {
                if self.position.whale_attacked(!side) {
                    return (Value::mate(1), None);
                }
            } else if let Some(m) = self.position.mate_in_one(&Threats::default()) {
                return (Value::mate(1), Some(m));
            }
            list_checks(&mut self.position, &mut self.list);
            let checks = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
            return (if checks == 0 { Value::NONE } else { Value::open(1, checks, 3) }, None);
        }
        if captures::<V>() && self.position.whale_attacked(self.attacker) {
            return (Value::NONE, None);
        }
        if captures::<V>() && self.position.count_moves() == 0 {
            // The game is over, without a capture.
            return (Value::NONE, None);
        }
        list_replies(&self.position, self.past_counts, &mut self.list);
        if !self.list.is_empty() {
            return (Value::open(count_groups(&self.list), 1, 2), None);
        }
        // Where whales are captured there are other moves, and then the capture.
        (Value::mate(if captures::<V>() { 2 } else { 0 }), None)
    }
}

/// A disproof of `left` plies. On all paths a mate takes at least `fewest`; that there is none beyond that rests on
/// `loops`.
fn refuted(left: Length, fewest: Length, loops: Loops) -> Value {
    match left {
        _ if loops.any() => Value { fewest, ..Value::looped(loops, left) },
        ANY => Value::NONE,
        _ => Value { fewest: fewest.max(left + 1), ..Value::NONE },
    }
}

impl Default for Survey {
    fn default() -> Self {
        Self {
            value: Value::NONE,
            mating: None,
            chosen: None,
            least: INFINITE,
            second: INFINITE,
            most: 0,
            open: 0,
            back: false,
        }
    }
}

impl Survey {
    /// Takes in an open move, with its `near` number, of which the least counts, and the `far` one; `back`: it leads
    /// to what was met nearer to the root.
    fn open(&mut self, index: usize, near: u32, far: u32, back: bool) {
        self.open += 1;
        self.back |= back;
        self.most = self.most.max(far);
        if near < self.least {
            self.second = self.least;
            (self.least, self.chosen) = (near, Some(index));
        } else {
            self.second = self.second.min(near);
        }
    }
}
