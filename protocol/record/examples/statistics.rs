//! Counts the games of a file (USI, JSON Lines, PGN, Hodges text): results, reasons and lengths.
//!
//! `cargo run --locked -p kujira-record --example statistics -- games.pgn`

use std::collections::BTreeMap;
use std::path::Path;

use kujira_position::VariantId;
use kujira_record::FileFormat;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("expected the name of a file of games")?;
    let format = FileFormat::of(Path::new(&path));
    let format = format.ok_or("expected a name that ends with .usi, .jsonl, .pgn or .txt")?;
    let bytes = std::fs::read(&path)?;
    let (mut games, mut plies) = (0_usize, 0_usize);
    let mut endings: BTreeMap<String, usize> = BTreeMap::new();
    for record in format.read_all(&bytes, VariantId::default()) {
        let record = record?;
        games += 1;
        plies += record.game.path(record.game.end()).len() - 1;
        let ending = record.game.node(record.game.end()).and_then(|node| node.ending);
        let ending = ending.map_or_else(|| "no end".to_owned(), |ending| ending.to_string());
        *endings.entry(ending).or_default() += 1;
    }
    println!("{games} games, {:.1} plies a game", plies as f64 / games.max(1) as f64);
    for (ending, count) in endings {
        println!("{count:>6} {ending}");
    }
    Ok(())
}
