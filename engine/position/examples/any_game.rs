//! Reads a position of a game that is chosen at run time, and tells what can be played.
//!
//! `cargo run --locked -p kujira-position --example any_game -- "great startpos moves 6h6g"`

use kujira_position::{AnyPosition, Coordinates};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "paulowich startpos".to_owned());
    let position: AnyPosition = text.parse()?;
    println!("{}\n{position}", position.spec().name);
    if let Some(outcome) = position.outcome() {
        println!("{outcome}");
    }
    for m in position.legal_moves() {
        let captures = if position.is_capture(m) { ", captures" } else { "" };
        let checks = if position.gives_check(m) { ", check" } else { "" };
        let western = position.hodges(m, Coordinates::Western);
        println!("{} ({western}){captures}{checks}", position.usi(m));
    }
    Ok(())
}
