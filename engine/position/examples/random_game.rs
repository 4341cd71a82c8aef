//! Plays a game of Whale Shogi by chance and prints it with diagrams.
//!
//! `cargo run --locked -p kujira-position --example random_game`

use kujira_position::{Coordinates, Position, Whale};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut position = Position::<Whale>::start();
    println!("{position}\n");
    while position.outcome().is_none() {
        let moves = position.legal_moves();
        let &m = moves.choose(&mut random).ok_or("expected a legal move, found none")?;
        println!("{}. {}", position.ply(), position.hodges(m, Coordinates::Western));
        position.play(m)?;
        if position.ply() % 20 == 1 {
            println!("\n{position}\n");
        }
    }
    println!("\n{position}");
    println!("{}", position.outcome().ok_or("expected the end of the game")?);
    Ok(())
}
