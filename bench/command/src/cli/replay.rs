//! `replay`.

use std::path::PathBuf;

use clap::Args;
use kujira_position::{Coordinates, with_variant};
use kujira_program::status::{Stop, say};
use kujira_record::{Game, NodeId, Record};
use kujira_usi::Switches;

use super::records::{RecordArgs, Squares, numbers, players};

/// Arguments of `replay`.
#[derive(Args)]
pub(super) struct ReplayArgs {
    /// A file of games.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    records: RecordArgs,
    /// The game, by its number in the file.
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    /// The positions to show, by the moves made before them: 12, or 0-12.
    #[arg(long, value_name = "N", value_parser = |text: &str| numbers(text, 0))]
    plies: Option<(usize, usize)>,
    /// What squares are called.
    #[arg(long, value_enum, default_value = "japanese")]
    squares: Squares,
}

/// Runs `replay`.
pub(super) fn run(args: &ReplayArgs) -> Result<(), Stop> {
    let mut record = None;
    let all = args.records.each(std::slice::from_ref(&args.file), None, |number, found| {
        record = record.take().or((number == args.game).then_some(found));
        Ok(())
    })?;
    let record = &record.ok_or_else(|| match args.game {
        left_out @ 1.. if left_out <= all => {
            format!("expected --game of a game that is not left out, found {left_out}")
        }
        other => format!("expected --game from 1 to {all}, found {other}"),
    })?;
    let line = record.game.line_through(0);
    let most = line.len() - 1;
    let (first, last) = args.plies.unwrap_or((0, most));
    let shown = line
        .get(first..=last)
        .ok_or_else(|| format!("expected --plies up to {most}, found {}", first.max(last)))?;
    say(&heading(record, args.game, all))?;
    for &id in shown {
        say(&position(&record.game, id, args.squares.into()))?;
    }
    match record.game.node(record.game.end()).and_then(|node| node.ending) {
        Some(ending) if last == most => say(&format!("\n{ending}\n")),
        _ => Ok(()),
    }
}

/// Who played which game.
fn heading(record: &Record, number: usize, all: usize) -> String {
    let name = record.game.variant().spec().name;
    let mut text = format!("game {number} of {all}: {}, {name}", players(record));
    let rules = Switches::from(record.game.rules()).to_string();
    if !rules.is_empty() {
        text += &format!(", {rules}");
    }
    text + "\n"
}

/// The move to a node, what is said of it, and the board after it.
fn position(game: &Game, id: NodeId, squares: Coordinates) -> String {
    let Some(node) = game.node(id) else { return String::new() };
    let told = game.notations([id]).remove(&id).unwrap_or_default();
    let written = told.text_in(squares);
    let mut text = match node.depth() {
        0 => "\nstart".to_owned(),
        ply => format!("\nmove {ply}: {}: {written} ({})", !node.side, node.usi),
    };
    if let Some((score, depth)) = node.thought() {
        // As the side that moved saw it, with its move: as in PGN.
        text += &format!(", {score}");
        if depth > 0 {
            text += &format!(" at depth {depth}");
        }
    }
    if let Some(spent) = node.notes.spent {
        text += &format!(", {}.{:03} s", spent / 1000, spent % 1000);
    }
    for said in [&node.notes.before, &node.notes.comment] {
        if !said.is_empty() {
            text += &format!("\n{said}");
        }
    }
    let board = with_variant!(game.variant(), V => game.position::<V>(id).to_string());
    text + "\n\n" + &board + "\n"
}
