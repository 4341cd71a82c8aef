//! Random but possible orders of commands, in USI, UCI and CECP, with every option and verb there is: each search has one
//! answer, each ping one pong, moves are legal, and the session ends when it is told to.
//!
//! `KUJIRA_TORTURE=10000 cargo test --release --locked -p kujira --test torture` is the long form: so many sessions in each
//! protocol, or those of a range (`3000..6000`). A session that fails is told by its number and its lines.

use std::env;
use std::ops::Range;

use kujira::options::{OptionKind, OptionSpec};
use kujira_position::{Position, Variant, VariantId, with_variant};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

mod cecp;
#[path = "../support/mod.rs"]
mod support;
mod usi;

/// Numbers that no option and no limit was made for, and texts that are none.
const ABSURD: &[&str] = &[
    "18446744073709551615",
    "18446744073709551616",
    "4294967296",
    "-1",
    "-9223372036854775809",
    "NaN",
    "inf",
    "1e308",
    "0x10",
    "+5",
    "1.5",
    "",
    "\u{663}",
    "99999999999999999999999999999999999999999999",
];

/// The numbers of the sessions in each protocol: `KUJIRA_TORTURE` is how many, or `FIRST..END`.
fn sessions() -> Range<u64> {
    let Ok(asked) = env::var("KUJIRA_TORTURE") else { return 0..150 };
    let (first, end) = asked.split_once("..").unwrap_or(("0", &asked));
    first.parse().expect("a number")..end.parse().expect("a number")
}

struct Random(Xoshiro256PlusPlus);

impl Random {
    fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn below(&mut self, end: u64) -> u64 {
        self.0.random_range(0..end.max(1))
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    fn of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        choices.choose(&mut self.0).expect("something to choose among")
    }

    fn absurd(&mut self) -> String {
        (*self.of(ABSURD)).to_owned()
    }

    /// A number of milliseconds, mostly small.
    fn time(&mut self) -> String {
        match self.below(8) {
            0 => self.absurd(),
            1 => "0".to_owned(),
            _ => self.below(60).to_string(),
        }
    }

    /// The moves of a random game.
    fn game(&mut self, game: VariantId) -> Vec<String> {
        with_variant!(game, V => self.game_of::<V>())
    }

    fn game_of<V: Variant>(&mut self) -> Vec<String> {
        let (mut position, mut moves) = (Position::<V>::start(), Vec::new());
        for _ in 0..self.below(40) {
            let legal = position.legal_moves();
            if position.outcome().is_some() || legal.is_empty() {
                break;
            }
            let &m = self.of(&legal[..]);
            moves.push(position.usi(m));
            position.make(m);
        }
        moves
    }

    /// A value for an option, most often one that it can have; what would take this machine's memory is left out.
    fn value(&mut self, option: &OptionSpec) -> String {
        // A text would be the name of a file.
        if self.one_in(4) && !matches!(option.kind, OptionKind::File { .. }) {
            return self.absurd();
        }
        match option.kind {
            OptionKind::Check { .. } => (*self.of(&["true", "false"])).to_owned(),
            OptionKind::Spin { min, max, .. } => {
                let most = match option.name {
                    "USI_Hash" | "Hash" | "Threads" => 4,
                    _ => max,
                };
                let value = if self.one_in(2) { min + self.below(20) } else { self.below(most) };
                value.clamp(min, most).to_string()
            }
            OptionKind::Combo { choices, .. } => (*self.of(choices)).to_owned(),
            OptionKind::Button { .. } => String::new(),
            OptionKind::File { .. } => {
                // Files that are none, and no log: it is one for the whole process.
                (*self.of(&["<empty>", "no/such.file", "/", "Cargo.toml", "src"])).to_owned()
            }
            #[cfg(feature = "tuning")]
            OptionKind::Tunable(param) => param.value.to_string(),
        }
    }
}

/// What every line of a session has to be.
fn check_line(line: &str) {
    assert!(line.is_ascii(), "{line:?}");
    assert!(!line.contains("internal:"), "{line}");
}

/// The lines that a session was sent, told where it fails.
struct Sent {
    number: u64,
    lines: Vec<String>,
}

impl Sent {
    fn new(number: u64) -> Self {
        Self { number, lines: Vec::new() }
    }

    /// The words at this place of the lines.
    fn words(&self, place: usize) -> impl Iterator<Item = String> {
        self.lines.iter().filter_map(move |line| line.split(' ').nth(place)).map(str::to_owned)
    }

    /// The names of the options that were set.
    fn options(&self) -> impl Iterator<Item = String> {
        let names = self.lines.iter().filter_map(|line| line.strip_prefix("setoption name "));
        names.map(|rest| rest.split(" value ").next().unwrap_or(rest).to_owned())
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("session {} was sent:\n{}", self.number, self.lines.join("\n"));
        }
    }
}
