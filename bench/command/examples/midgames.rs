//! Writes the midgame sets in `bench/positions`: 200 positions a game from seeded playouts, plies 20
//! to 80, spread evenly over the range of move counts they have.
//!
//! `cargo run --release --locked -p kujira-bench --example midgames` writes the same files every time.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use kujira_position::{Great, Paulowich, Position, Threats, Variant, Wanted, Whale};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const SET: usize = 200;
const GAMES: usize = 600;

/// A set of positions and what its playouts are like.
struct Set {
    name: &'static str,
    seed: u64,
    /// How often a capture is preferred, in percent.
    captures: u32,
    /// How many kinds the side to move must have in hand.
    kinds_in_hand: usize,
}

/// All positions of the playouts that fit the set: move count and SFEN.
fn candidates<V: Variant>(set: &Set) -> Vec<(usize, String)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(set.seed);
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for _ in 0..GAMES {
        let mut position = Position::<V>::start();
        for ply in 1..=80 {
            let moves = position.legal_moves();
            let mut captures = V::MoveList::default();
            position.generate(Wanted::Captures, &Threats::default(), &mut captures);
            let capture = random.random_range(0..100) < set.captures;
            let choice = if capture && !captures.is_empty() {
                captures.choose(&mut random)
            } else {
                moves.choose(&mut random)
            };
            let Some(&m) = choice else { break };
            position.make(m);
            let count = position.count_moves();
            let rich = position.hand(position.side()).kinds() >= set.kinds_in_hand;
            if ply >= 20 && count > 0 && rich && seen.insert(position.key()) {
                found.push((count, position.sfen()));
            }
        }
    }
    found.sort();
    found
}

/// Picks evenly from the candidates in order of their move counts.
fn write<V: Variant>(set: &Set, folder: &Path) -> io::Result<()> {
    let found = candidates::<V>(set);
    let mut text = String::new();
    for i in 0..SET {
        let (_, sfen) = &found[i * (found.len() - 1) / (SET - 1)];
        writeln!(text, "{sfen}").map_err(io::Error::other)?;
    }
    let path = folder.join(set.name);
    kujira_program::whole::write(&path, text.as_bytes())?;
    let (least, most) = (found[0].0, found[found.len() - 1].0);
    kujira_program::status::tell(&format!(
        "{}: {} candidates, {least} to {most} moves\n",
        set.name,
        found.len()
    ));
    Ok(())
}

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../positions");
    let set = |name, seed, captures, kinds_in_hand| Set { name, seed, captures, kinds_in_hand };
    write::<Whale>(&set("whale.sfen", 1, 0, 0), &folder)?;
    write::<Paulowich>(&set("paulowich.sfen", 2, 0, 0), &folder)?;
    write::<Great>(&set("great.sfen", 3, 30, 0), &folder)?;
    write::<Great>(&set("great-rich.sfen", 4, 60, 8), &folder)
}
