//! The second pass: a mate is believed when every legal reply has been answered.
//!
//! It goes through the whole proof once more, with the list of legal moves for the defender rather than that of the
//! search, and finds out how long the mate really takes. What the table has lost is searched again.

use std::collections::HashMap;

use kujira_position::{Move, Variant};

use super::moves::{captures, whale_capture};
use super::numbers::Length;
use super::search::{Prover, Stopped};

/// Bytes that a position takes in the memory of the second pass, about.
const NOTE: usize = 48;

/// Why a mate was not confirmed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Doubt {
    /// The time was up.
    Stopped,
    /// There is no room for the proof.
    Memory,
    /// It is wrong.
    Wrong,
}

impl From<Stopped> for Doubt {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// What is known of a position of the proof: plies to the mate, and the move that leads to it.
#[derive(Clone, Copy)]
struct Note {
    length: Length,
    m: Option<Move>,
}

/// The second pass over a proof.
pub(super) struct Confirmation {
    notes: HashMap<u64, Note>,
    most: usize,
    /// Whether a shorter way was found to a mate that others had counted on already.
    revised: bool,
}

impl Confirmation {
    /// A pass that takes up to about `mebibytes` MiB.
    pub(super) fn new(mebibytes: usize) -> Self {
        Self { notes: HashMap::new(), most: mebibytes.max(1) * (1 << 20) / NOTE, revised: false }
    }

    /// Confirms that the side to move mates within `left` plies; returns the moves, with the longest defence.
    pub(super) fn confirm<V: Variant>(
        &mut self,
        prover: &mut Prover<'_, V>,
        left: Length,
    ) -> Result<Vec<Move>, Doubt> {
        self.notes.clear();
        self.revised = false;
        self.attack(prover, left)?;
        if self.revised {
            self.measure(prover)?;
        }
        let mut line = Vec::new();
        while let Some(Note { m: Some(m), .. }) = self.notes.get(&prover.position.key()) {
            line.push(*m);
            prover.position.make(*m);
        }
        line.iter().for_each(|_| prover.position.undo());
        Ok(line)
    }

    fn keep(&mut self, key: u64, length: Length, m: Option<Move>) -> Result<Length, Doubt> {
        if self.notes.len() >= self.most {
            return Err(Doubt::Memory);
        }
        self.revised |= self.notes.insert(key, Note { length, m }).is_some();
        Ok(length)
    }

    /// Finds out once more how long everything takes, by the moves that have been found.
    fn measure<V: Variant>(&mut self, prover: &mut Prover<'_, V>) -> Result<(), Doubt> {
        let mut measured = HashMap::with_capacity(self.notes.len());
        self.remeasure(prover, true, &mut measured)?;
        self.notes = measured;
        Ok(())
    }

    fn remeasure<V: Variant>(
        &self,
        prover: &mut Prover<'_, V>,
        attacks: bool,
        measured: &mut HashMap<u64, Note>,
    ) -> Result<Length, Doubt> {
        let key = prover.position.key();
        if let Some(note) = measured.get(&key) {
            return Ok(note.length);
        }
        let note = *self.notes.get(&key).ok_or(Doubt::Wrong)?;
        let moves: Vec<Move> = match (attacks, note.m) {
            // The whale is taken.
            (true, _) if note.length == 1 && captures::<V>() => Vec::new(),
            (true, m) => m.into_iter().collect(),
            (false, _) => prover.position.legal_moves().to_vec(),
        };
        let taken = attacks && moves.is_empty();
        let mut longest = Note { length: Length::from(taken), m: note.m.filter(|_| taken) };
        for m in moves {
            prover.make(m)?;
            let below = self.remeasure(prover, !attacks, measured);
            prover.position.undo();
            let length = below? + 1;
            if length > longest.length {
                longest = Note { length, m: Some(m) };
            }
        }
        measured.insert(key, longest);
        Ok(longest.length)
    }

    /// The side to move has a check that mates within `left` plies.
    fn attack<V: Variant>(
        &mut self,
        prover: &mut Prover<'_, V>,
        left: Length,
    ) -> Result<Length, Doubt> {
        let key = prover.position.key();
        if let Some(note) = self.notes.get(&key)
            && note.length <= left
        {
            return Ok(note.length);
        }
        if captures::<V>()
            && prover.position.whale_attacked(!prover.position.side())
            && let Some(m) = whale_capture(&mut prover.position)
        {
            return self.keep(key, 1, Some(m));
        }
        let mut known = prover.look_up().filter(|known| known.value.is_mate(left));
        if known.is_none_or(|known| known.mating.is_none()) {
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
        if let Some(note) = self.notes.get(&key)
            && note.length <= left
        {
            return Ok(note.length);
        }
        let over = prover.shared.over.contains(&key);
        let whale = captures::<V>() && prover.position.whale_attacked(!prover.position.side());
        if !prover.position.checked() || over || whale {
            return Err(Doubt::Wrong);
        }
        let (mut longest, mut reply) = (0, None);
        for &m in prover.position.legal_moves().iter() {
            if left < 2 {
                return Err(Doubt::Wrong);
            }
            prover.make(m)?;
            let below = self.attack(prover, left - 1);
            prover.position.undo();
            let length = below? + 1;
            if length > longest {
                (longest, reply) = (length, Some(m));
            }
        }
        self.keep(key, longest, reply)
    }
}
