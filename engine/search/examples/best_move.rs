//! Searches a position with 10,000 nodes and prints score and line in Western notation.
//!
//! `cargo run --release --locked -p kujira-search --example best_move -- "whale startpos moves 2e2d"`

use kujira_position::{AnyPosition, Coordinates, Move};
use kujira_search::{Control, Limits, Silent, engine};

/// A line of moves from a position, in Western notation.
fn western(position: &AnyPosition, line: &[Move]) -> Result<String, Box<dyn std::error::Error>> {
    let (mut position, mut texts) = (position.clone(), Vec::new());
    for &m in line {
        texts.push(position.hodges(m, Coordinates::Western));
        position.play(m)?;
    }
    Ok(texts.join(" "))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "whale startpos".to_owned());
    let position: AnyPosition = text.parse()?;
    let mut engine = engine(position.game());
    let limits = Limits { nodes: Some(10_000), ..Limits::default() };
    let found = engine.search(&position, &limits, &Control::new(), &Silent)?;
    println!("{position}\n");
    for line in &found.lines {
        println!("{}, depth {}: {}", line.score, line.depth, western(&position, &line.pv)?);
    }
    println!("{} nodes in {:?}", found.nodes, found.time);
    Ok(())
}
