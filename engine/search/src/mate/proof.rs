//! The second pass: a mate is believed when every legal reply has been answered.
//!
//! It goes through the whole proof once more, with the list of legal moves for the defender rather than that of the
//! search, and finds out how long the mate really takes. What the table has lost is searched again.

use std::collections::HashMap;
use std::fmt;

use kujira_position::{Move, Variant};

use super::moves::{captures, whale_capture};
use super::numbers::{ANY, Length};
use super::search::{LONGEST, Prover};
use super::table::Known;
use super::watch::Stopped;

/// Why a mate that was proved could not be confirmed by the second pass, which answers every legal reply once more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// The search was told to end.
    Stopped,
    /// Memory ran out.
    NoRoom,
    /// The proof takes more moves to go through than were allowed, or is too long.
    TooLarge,
    /// The proof is wrong, which is an error of the solver; no mate is told.
    Wrong,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stopped => "the mate is proved, but the search ended before every reply was looked at once more",
            Self::NoRoom => "the mate is proved, but memory ran out when every reply was looked at once more",
            Self::TooLarge => "the mate is proved, but its proof is too large to look at every reply once more",
            Self::Wrong => "error: the proof of a mate does not hold, please report this position",
        })
    }
}

impl From<Stopped> for Doubt {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// The capture of the whale that ends a mate, where whales are captured and one of the side to move can be made.
fn last_capture<V: Variant>(prover: &mut Prover<'_, V>) -> Option<Move> {
    let open = captures::<V>() && prover.position.whale_attacked(!prover.position.side());
    if open { whale_capture(&mut prover.position, |_| true) } else { None }
}

/// What is known of a position of the proof: plies to the mate, and the move that leads to it.
#[derive(Clone, Copy)]
struct Note {
    length: Length,
    m: Option<Move>,
}

/// Notes on positions, by key, as many as there is room for.
struct Notes {
    notes: HashMap<u64, Note>,
    most: usize,
}

impl Notes {
    fn get(&self, key: u64) -> Option<Note> {
        self.notes.get(&key).copied()
    }

    /// Keeps a note; returns whether there was one.
    fn keep(&mut self, key: u64, note: Note) -> Result<bool, Doubt> {
        if self.notes.len() >= self.most || self.notes.try_reserve(1).is_err() {
            return Err(Doubt::NoRoom);
        }
        Ok(self.notes.insert(key, note).is_some())
    }
}

/// The second pass over a proof.
pub(super) struct Confirmation {
    notes: Notes,
    /// Lists of moves, one behind the other: on the stack they would be too large for long proofs.
    moves: Vec<Move>,
    /// Whether a shorter way was found to a mate that others had counted on already.
    revised: bool,
}

impl Confirmation {
    /// A pass that takes up to `most` notes, twice where it has to measure once more.
    pub(super) fn new(most: usize) -> Self {
        let notes = Notes { notes: HashMap::new(), most };
        Self { notes, moves: Vec::new(), revised: false }
    }

    /// Confirms that the side to move mates within `left` plies; returns the moves, with a defence as long as that of
    /// the proof can be.
    pub(super) fn confirm<V: Variant>(
        &mut self,
        prover: &mut Prover<'_, V>,
        left: Length,
    ) -> Result<Vec<Move>, Doubt> {
        self.attack(prover, left)?;
        if self.revised {
            let mut measured = Notes { notes: HashMap::new(), most: self.notes.most };
            self.measure(prover, true, &mut measured)?;
            self.notes = measured;
        }
        let mut line = Vec::new();
        while let Some(Note { m: Some(m), .. }) = self.notes.get(prover.position.key()) {
            line.push(m);
            prover.position.make(m);
        }
        if let Some(m) = last_capture(prover) {
            line.push(m);
            prover.position.make(m);
        }
        line.iter().for_each(|_| _ = prover.position.undo());
        Ok(line)
    }

    /// Notes the length of a position, unless a shorter one is known: the long way may lead through the position itself.
    fn keep(&mut self, key: u64, length: Length, m: Option<Move>) -> Result<Length, Doubt> {
        if let Some(known) = self.noted(key, length) {
            self.revised |= known < length;
            return Ok(known);
        }
        self.revised |= self.notes.keep(key, Note { length, m })?;
        Ok(length)
    }

    /// The length noted of a position, if that is one of at most `left` plies.
    fn noted(&self, key: u64, left: Length) -> Option<Length> {
        self.notes.get(key).map(|note| note.length).filter(|&length| length <= left)
    }

    /// The side to move has a check that mates within `left` plies.
    fn attack<V: Variant>(
        &mut self,
        prover: &mut Prover<'_, V>,
        left: Length,
    ) -> Result<Length, Doubt> {
        let key = prover.position.key();
        if let Some(length) = self.noted(key, left) {
            return Ok(length);
        }
        if prover.is_over() {
            return Err(Doubt::Wrong);
        }
        // No note of it: most replies leave the whale to be captured.
        if last_capture(prover).is_some() {
            return Ok(1);
        }
        let mut known = prover.look_up(left).filter(|known| known.value.is_mate(left));
        if known.is_none_or(|known| known.mating.is_none()) {
            if left >= LONGEST && left != ANY {
                return Err(Doubt::TooLarge);
            }
            known = Some(prover.prove(left)?);
        }
        let known = known.filter(|known| known.value.is_mate(left)).ok_or(Doubt::Wrong)?;
        let m = known.mating.ok_or(Doubt::Wrong)?;
        if !prover.position.is_legal(m) || known.value.proved == 0 {
            return Err(Doubt::Wrong);
        }
        prover.make(m)?;
        let below = self.defend(prover, known.value.proved - 1);
        prover.position.undo();
        self.keep(key, below? + 1, Some(m))
    }

    /// The side to move is in check and mated within `left` plies whatever it plays.
    fn defend<V: Variant>(
        &mut self,
        prover: &mut Prover<'_, V>,
        left: Length,
    ) -> Result<Length, Doubt> {
        let key = prover.position.key();
        if let Some(length) = self.noted(key, left) {
            return Ok(length);
        }
        let whale = captures::<V>() && prover.position.whale_attacked(!prover.position.side());
        if !prover.position.checked() || prover.is_over() || whale {
            return Err(Doubt::Wrong);
        }
        let first = self.moves.len();
        prover.list_legal(&mut self.moves);
        let result = self.answer_all(prover, left, first);
        self.moves.truncate(first);
        let (length, reply) = result?;
        self.keep(key, length, reply)
    }

    /// Every reply, those of the list from `first` on, is answered; returns the length of the longest, and which it is.
    fn answer_all<V: Variant>(
        &mut self,
        prover: &mut Prover<'_, V>,
        left: Length,
        first: usize,
    ) -> Result<(Length, Option<Move>), Doubt> {
        let (mut longest, mut reply) = (0, None);
        let none = first == self.moves.len();
        if none && captures::<V>() || !none && left < 2 {
            return Err(Doubt::Wrong);
        }
        for index in first..self.moves.len() {
            let m = self.moves[index];
            prover.make(m)?;
            let below = self.attack(prover, left - 1);
            prover.position.undo();
            let length = below? + 1;
            if length > longest {
                (longest, reply) = (length, Some(m));
            }
        }
        Ok((longest, reply))
    }

    /// Finds out once more how long everything takes, by the moves that have been found.
    fn measure<V: Variant>(
        &mut self,
        prover: &mut Prover<'_, V>,
        attacks: bool,
        measured: &mut Notes,
    ) -> Result<Length, Doubt> {
        if attacks && last_capture(prover).is_some() {
            return Ok(1);
        }
        let key = prover.position.key();
        if let Some(note) = measured.get(key) {
            return Ok(note.length);
        }
        let note = self.notes.get(key).ok_or(Doubt::Wrong)?;
        let first = self.moves.len();
        if attacks {
            self.moves.extend(note.m);
        } else {
            prover.list_legal(&mut self.moves);
        }
        let mut longest = Note { length: 0, m: None };
        for index in first..self.moves.len() {
            let m = self.moves[index];
            prover.make(m)?;
            let below = self.measure(prover, !attacks, measured);
            prover.position.undo();
            let length = below? + 1;
            if length > longest.length {
                longest = Note { length, m: Some(m) };
            }
        }
        self.moves.truncate(first);
        measured.keep(key, longest)?;
        Ok(longest.length)
    }
}

/// The moves of a mate that was proved, `known` of the position it stands at, by what the table holds and without a
/// second pass; `None` if the table has lost them. The defender replies with what takes longest of all that is known;
/// where nothing is, a reply is answered anew.
pub(super) fn proved_line<V: Variant>(
    prover: &mut Prover<'_, V>,
    known: &Known,
) -> Option<Vec<Move>> {
    let mut line = Vec::new();
    let whole = follow(prover, known, &mut line);
    line.iter().for_each(|_| _ = prover.position.undo());
    whole.map(|()| line)
}

fn follow<V: Variant>(
    prover: &mut Prover<'_, V>,
    known: &Known,
    line: &mut Vec<Move>,
) -> Option<()> {
    let (mut left, mut mating) = (known.value.proved, known.mating);
    let mut replies = Vec::new();
    loop {
        let m = mating.filter(|&m| prover.position.is_legal(m))?;
        prover.position.make(m);
        line.push(m);
        if prover.position.outcome().is_some() {
            return Some(());
        }
        replies.clear();
        prover.list_legal(&mut replies);
        let mut longest = None;
        for &reply in &replies {
            prover.position.make(reply);
            let found = mate_from(prover, left.saturating_sub(2));
            prover.position.undo();
            if let Some((length, m)) = found
                && longest.is_none_or(|(_, most, _)| length > most)
            {
                longest = Some((reply, length, m));
            }
        }
        let (reply, length, m) = match longest {
            Some(found) => found,
            None => proved_anew(prover, *replies.first()?, left)?,
        };
        prover.position.make(reply);
        line.push(reply);
        (left, mating) = (length, Some(m));
    }
}

/// The mate after a reply to a check that mates within `left` plies: the reply, the plies that are left then, and the
/// first move.
fn proved_anew<V: Variant>(
    prover: &mut Prover<'_, V>,
    reply: Move,
    left: Length,
) -> Option<(Move, Length, Move)> {
    prover.position.make(reply);
    let found = prover.prove(left.saturating_sub(2).min(LONGEST - 3));
    prover.position.undo();
    let known = found.ok()?;
    Some((reply, known.value.proved, known.mating?))
}

/// A mate within `left` plies that is known of the position it stands at: its length, and its first move.
fn mate_from<V: Variant>(prover: &mut Prover<'_, V>, left: Length) -> Option<(Length, Move)> {
    if let Some(m) = last_capture(prover) {
        return Some((1, m));
    }
    let known = prover.look_up(left).filter(|known| known.value.is_mate(left))?;
    Some((known.value.proved, known.mating?))
}

/// The moves of the shortest mate from the position it stands at, which takes `length` plies, with a defence that no
/// attacker can make shorter.
pub(super) fn best_line<V: Variant>(
    prover: &mut Prover<'_, V>,
    length: Length,
) -> Result<Vec<Move>, Doubt> {
    let mut line = Vec::new();
    let result = extend(prover, length, &mut line);
    line.iter().for_each(|_| _ = prover.position.undo());
    result.map(|()| line)
}

/// Whether the side to move mates within `left` plies.
fn is_mate<V: Variant>(prover: &mut Prover<'_, V>, left: Length) -> Result<bool, Stopped> {
    if captures::<V>() && prover.position.whale_attacked(!prover.position.side()) {
        return Ok(true);
    }
    let found = prover.prove(left);
    if found.is_err() {
        prover.position.undo();
    }
    Ok(found?.value.is_mate(left))
}

/// Goes along the moves of a mate of exactly `left` plies.
fn extend<V: Variant>(
    prover: &mut Prover<'_, V>,
    mut left: Length,
    line: &mut Vec<Move>,
) -> Result<(), Doubt> {
    loop {
        let mating = match last_capture(prover) {
            Some(m) if left == 1 => Some(m),
            _ => prover.prove(left)?.mating,
        };
        let m = mating.filter(|&m| prover.position.is_legal(m)).ok_or(Doubt::Wrong)?;
        prover.make(m)?;
        line.push(m);
        if left == 1 {
            return Ok(());
        }
        let mut replies = Vec::new();
        prover.list_legal(&mut replies);
        let mut longest = None;
        for reply in replies {
            prover.make(reply)?;
            // Whoever is mated sooner than that has better replies.
            let sooner = left > 3 && is_mate(prover, left - 4)?;
            if !sooner {
                longest = Some(reply);
                line.push(reply);
                break;
            }
            prover.position.undo();
        }
        longest.ok_or(Doubt::Wrong)?;
        left -= 2;
    }
}
