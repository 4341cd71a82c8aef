//! Draws the piece diagrams of a document anew from the data of the games.
//!
//! `cargo run --locked -p kujira-tests --example diagrams` prints every piece of every game;
//! with the path of a document behind `--` it rewrites the diagrams in it. A diagram in a document
//! is the code block behind a line such as `<!-- diagrams: whale W K H -->`: the id of a game and
//! tokens.

use std::fmt::Write as _;
use std::process::ExitCode;

use kujira_position::{VariantId, diagram, diagrams};
use kujira_program::status::{Stop, exit, say};
use kujira_program::whole;

/// What a line starts with that announces diagrams.
const MARKER: &str = "<!-- diagrams: ";
const FENCE: &str = "```";

/// The document with its diagrams drawn anew.
///
/// # Errors
/// What is wrong with which line.
pub fn redraw(document: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut lines = document.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        text += line;
        text.push('\n');
        let Some(order) = line.strip_prefix(MARKER) else { continue };
        let wrong = |what: &str| format!("line {}: expected {what}, found {line}", index + 1);
        let order = order.strip_suffix(" -->").ok_or_else(|| wrong("--> at the end"))?;
        let (game, tokens) = order.split_once(' ').ok_or_else(|| wrong("a game and tokens"))?;
        let game = VariantId::named(game).ok_or_else(|| wrong("the id of a game"))?;
        let kinds = tokens
            .split(' ')
            .map(|token| game.spec().find_kind(token))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| wrong("tokens of the game"))?;
        let mut fences = 0;
        while fences < 2 {
            let (_, skipped) = lines.next().ok_or_else(|| wrong("a code block behind the line"))?;
            fences += usize::from(skipped.starts_with(FENCE));
        }
        text += &format!("{FENCE}text\n{}{FENCE}\n", diagrams(game.spec(), &kinds));
    }
    Ok(text)
}

#[allow(dead_code, reason = "a test takes this file in for what is above")]
fn main() -> ExitCode {
    let done = match std::env::args_os().nth(1) {
        None => say(&all()),
        Some(path) => rewrite(std::path::Path::new(&path)).map_err(Stop::Failed),
    };
    exit("diagrams", done)
}

/// Every piece of every game.
fn all() -> String {
    let mut text = String::new();
    for spec in VariantId::ALL.iter().map(|game| game.spec()) {
        text += &format!("{}\n\n", spec.name);
        for kind in spec.all_kinds() {
            let (token, name) = (spec.kind(kind).token, spec.name_of(kind));
            let _ = writeln!(text, "{token} {name}\n{}", diagram(spec, kind));
        }
    }
    text
}

fn rewrite(path: &std::path::Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let document = std::fs::read_to_string(path).map_err(failed)?;
    let fresh = redraw(&document).map_err(|error| format!("{}: {error}", path.display()))?;
    whole::write(path, fresh.as_bytes()).map_err(failed)
}
