//! Counts the games of a file (USI, JSON Lines, PGN, Hodges text): results, reasons and lengths.
//!
//! `cargo run --locked -p kujira-record --example statistics -- games.pgn`

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use kujira_record::{FileFormat, games};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("expected the name of a file of games")?;
    let format = FileFormat::of(Path::new(&path));
    let format = format.ok_or("expected a name that ends with .usi, .jsonl, .pgn or .txt")?;
    let file = BufReader::new(File::open(&path)?);
    let (mut count, mut plies) = (0_usize, 0_usize);
    let mut endings: BTreeMap<String, usize> = BTreeMap::new();
    for record in games(file, format, None) {
        let record = record?;
        count += 1;
        plies += record.game.path(record.game.end()).len() - 1;
        let ending = record.game.node(record.game.end()).and_then(|node| node.ending);
        let ending = ending.map_or_else(|| "no end".to_owned(), |ending| ending.to_string());
        *endings.entry(ending).or_default() += 1;
    }
    println!("{count} games, {:.1} plies a game", plies as f64 / count.max(1) as f64);
    for (ending, count) in endings {
        println!("{count:>6} {ending}");
    }
    Ok(())
}
