//! A game as USI text: its main line behind the words of a `position` command.

use kujira_position::VariantId;

use crate::game::Game;
use crate::rules::Switches;

const VARIANT: &str = "# USI_Variant ";
const RULES: &str = "# Rules ";

/// Writes the main line, under comments that name the game and rules that are not as usual.
pub(super) fn write(game: &Game) -> String {
    let spec = game.variant().spec();
    let mut text = format!("# {}\n{VARIANT}{}\n", spec.name, spec.id);
    let rules = Switches::from(game.rules()).to_string();
    if !rules.is_empty() {
        text += &format!("{RULES}{rules}\n");
    }
    let end = game.line_through(0).last().copied().unwrap_or(0);
    text + &game.usi(end) + "\n"
}

/// Reads a game. Lines that begin with `#` are comments; the words `position` and `startpos` may be
/// missing where an SFEN follows.
pub(super) fn read(text: &str, hint: VariantId) -> Result<Game, String> {
    let (mut named, mut rules) = (None, Switches::default());
    let mut words = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(id) = line.strip_prefix(VARIANT) {
            named = Some(super::variant(id.trim())?);
        } else if let Some(text) = line.strip_prefix(RULES) {
            rules = super::rules(text)?;
        } else if !line.starts_with('#') {
            words.extend(line.split_ascii_whitespace());
        }
    }
    let mut words = words.into_iter().peekable();
    words.next_if_eq(&"position");
    let mut game = match words.next() {
        Some("startpos") => {
            let variant = named.unwrap_or(hint);
            super::start(Some(variant), hint, variant.spec().start, rules)?
        }
        first => {
            let mut sfen = Vec::new();
            match first {
                Some("sfen") => {}
                // A bare SFEN, as the page copies it.
                Some(board) if board.contains('/') => sfen.push(board),
                other => {
                    let found = other.map_or("nothing".to_owned(), |word| format!("{word:?}"));
                    return Err(format!("expected startpos or sfen, found {found}"));
                }
            }
            while let Some(word) = words.next_if(|word| *word != "moves") {
                sfen.push(word);
            }
            if sfen.is_empty() {
                return Err("expected an SFEN, found nothing".to_owned());
            }
            super::start(named, hint, &sfen.join(" "), rules)?
        }
    };
    match words.next() {
        None | Some("moves") => {}
        Some(word) => return Err(format!("expected moves, found {word:?}")),
    }
    let mut node = 0;
    for (index, usi) in words.enumerate() {
        node = game.play(node, usi).map_err(|error| format!("move {}: {error}", index + 1))?;
    }
    Ok(game)
}
