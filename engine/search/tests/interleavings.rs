//! A model of an entry of the transposition table: the code of `src/slot.rs`, compiled with atomics that try the
//! orders in which threads can run and see each other's writes, also those that this processor never shows. Whatever
//! was torn fits no key.

#![allow(dead_code, reason = "the file holds what the table needs")]

#[path = "../src/slot.rs"]
mod slot;

/// Takes the place of the standard library's.
mod atomics {
    pub use loom::sync::atomic::{AtomicU64, Ordering};
}

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use loom::sync::Arc;
use slot::{EVAL, Slot, Words, seal};

/// A position and what is noted about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Note {
    key: u64,
    data: u64,
    eval: u16,
}

/// How it is told that two words belong together and to a key.
#[derive(Clone, Copy)]
struct Rule {
    seal: fn(u64, u64) -> u64,
    is_of: fn(Words, u64) -> bool,
}

/// That of the table.
const TABLE: Rule = Rule { seal, is_of: Words::is_of };

impl Note {
    fn words(self, rule: Rule) -> Words {
        let check = (rule.seal)(self.key, self.data) | u64::from(self.eval) << EVAL;
        Words { check, data: self.data }
    }
}

/// Two positions; two more notes of the first: one that differs above the seal alone (age, evaluation), one in
/// everything.
const FIRST: Note = Note { key: 0x9e37_79b9_7f4a_7c15, data: 0x0542_0064_0000_1234, eval: 17 };
const LATER: Note = Note { data: FIRST.data ^ 1 << 59, eval: 18, ..FIRST };
const DEEPER: Note = Note { data: 0x0a06_ffce_0000_0777, eval: 0xffce, ..FIRST };
const OTHER: Note = Note { key: 0x3c6e_f372_fe94_f82a, data: 0x0602_0100_0000_4321, eval: 99 };

/// What happened over all orders: looks that found a note, and looks at words of two writes.
#[derive(Default)]
struct Seen {
    whole: AtomicUsize,
    torn: AtomicUsize,
}

/// As many threads as there are lists in `notes` write them to a slot while this one looks at it.
fn model(notes: &'static [&'static [Note]], rule: Rule) -> (usize, usize) {
    let seen = std::sync::Arc::new(Seen::default());
    let count = seen.clone();
    let mut orders = loom::model::Builder::new();
    // A thread gives way three times at most where it need not: 3 s instead of 20 s. Without the bound nothing
    // else was found.
    orders.preemption_bound = Some(3);
    orders.check(move || {
        let slot = Arc::new(Slot::default());
        let begin = |notes: &'static [Note]| {
            let slot = slot.clone();
            loom::thread::spawn(move || {
                for note in notes {
                    slot.store(note.words(rule));
                }
            })
        };
        let threads: Vec<_> = notes.iter().copied().map(begin).collect();
        look(&slot, notes, rule, &count);
        for thread in threads {
            thread.join().unwrap();
        }
        // Two writes at once may leave words of both for good.
        look(&slot, notes, rule, &count);
    });
    (seen.whole.load(Relaxed), seen.torn.load(Relaxed))
}

/// Looks once: what is believed was written so.
fn look(slot: &Slot, notes: &[&[Note]], rule: Rule, seen: &Seen) {
    let words = slot.load();
    let mut all = notes.iter().copied().flatten();
    let is_whole = |note: &Note| (note.words(rule).check, note.data) == (words.check, words.data);
    let empty = (words.check, words.data) == (0, 0);
    let whole = all.clone().any(is_whole);
    seen.whole.fetch_add(usize::from(whole), Relaxed);
    seen.torn.fetch_add(usize::from(!whole && !empty), Relaxed);
    let believed = all.any(|note| (rule.is_of)(words, note.key));
    assert!(whole || empty || !believed, "believed, and torn: {:x} {:x}", words.check, words.data);
    assert!(!whole || believed, "whole, and not believed: {:x} {:x}", words.check, words.data);
}

fn never_torn(notes: &'static [&'static [Note]]) {
    let (whole, torn) = model(notes, TABLE);
    assert!(whole > 5 && torn > 5, "{whole} whole, {torn} torn");
}

#[test]
fn notes_of_two_positions_never_mix() {
    never_torn(&[&[FIRST], &[OTHER]]);
}

#[test]
fn notes_of_one_position_never_mix() {
    never_torn(&[&[FIRST], &[DEEPER]]);
    never_torn(&[&[FIRST], &[LATER]]);
}

#[test]
fn notes_written_one_over_the_other_never_mix() {
    never_torn(&[&[FIRST, OTHER, DEEPER]]);
}

/// A rule that is not enough.
fn broken(
    seal: fn(u64, u64) -> u64,
    is_of: fn(Words, u64) -> bool,
    notes: &'static [&'static [Note]],
) {
    model(notes, Rule { seal, is_of });
}

const LOW: u64 = (1 << EVAL) - 1;

/// The model finds what it looks for: where the seal knows the key alone, a torn note is believed.
#[test]
#[should_panic(expected = "believed, and torn")]
fn a_seal_without_the_data_is_caught() {
    broken(|key, _| key & LOW, |words, key| (words.check ^ key) & LOW == 0, &[&[FIRST], &[DEEPER]]);
}

/// And so it is where the upper bits of the data (depth, bound, age) are not folded in.
#[test]
#[should_panic(expected = "believed, and torn")]
fn a_seal_without_the_fold_is_caught() {
    let is_of = |words: Words, key| (words.check ^ words.data ^ key) & LOW == 0;
    broken(|key, data| (key ^ data) & LOW, is_of, &[&[FIRST], &[LATER]]);
}
