//! Hodges text: games as people write them down.
//!
//! Lines `Name: value` say what the tags of PGN say; then the moves follow in Hodges notation, a number and its two
//! moves a line. Branches, comments, signs, clocks and scores are those of [PGN](crate::pgn), whose reader reads this,
//! too, in whichever squares.
//!
//! ```text
//! Game: Whale Shogi
//! Black: A
//! White: B
//! Result: 1-0
//! End: resignation
//!
//! 1. D-2d {-1.25/9} D-4c
//! 2. D-3d N-5c 1-0
//! ```

use kujira_position::Coordinates;
use kujira_usi::Switches;

use crate::game::Game;
use crate::head::{Head, is_word};
use crate::pgn::{HEADERS, Writer, moves};

/// Writes a game with its notes and tags, in these squares.
///
/// ```
/// use kujira_position::{Coordinates, VariantId};
/// use kujira_record::{Head, hodges, pgn};
///
/// let game = pgn::read("1. 2e2d 4b4c 2. 3e3d 5a5c 1-0", VariantId::Whale)?.0.game;
/// let head = Head::of(["A", "B"].map(str::to_owned));
/// let text = hodges::write(&game, &head, Coordinates::Western);
/// assert!(text.starts_with("Game: Whale Shogi\nBlack: A\nWhite: B\nResult: 1-0\n"));
/// assert!(text.ends_with("\n\n1. D-e3 D-c4\n2. D-d3 N-b4 1-0\n"));
/// let back = pgn::read(&text, VariantId::Great)?.0;
/// assert_eq!((back.game.usi(4), back.tags.players()), (game.usi(4), ["A", "B"]));
/// # Ok::<(), kujira_record::Error>(())
/// ```
#[must_use]
pub fn write(game: &Game, head: &Head, squares: Coordinates) -> String {
    let spec = game.variant().spec();
    let ending = game.node(game.end()).and_then(|node| node.ending);
    let mut writer = Writer::default();
    let mut line = |name: &str, value: &str| {
        let value: String =
            value.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        if !value.trim().is_empty() {
            writer.line(&format!("{name}: {}", value.trim()));
        }
    };
    line("Game", spec.name);
    let [black, white] = &head.players;
    line("Black", &black.name);
    line("White", &white.name);
    line("BlackLimit", &black.limit);
    line("WhiteLimit", &white.limit);
    if let Some(round) = head.tag("Round") {
        line("Round", &round);
    }
    for (name, value) in &head.tags.0 {
        let header = HEADERS.iter().find(|(_, tag)| tag.eq_ignore_ascii_case(name));
        let header = header.map_or(&name[..], |&(header, _)| header);
        // A header that means another tag cannot say this one.
        let taken = header == name && HEADERS.iter().any(|row| row.0.eq_ignore_ascii_case(name));
        if is_word(name) && !taken && !name.eq_ignore_ascii_case("Round") {
            line(header, value);
        }
    }
    if game.start() != spec.start {
        line("Start", game.start());
    }
    line("Rules", &Switches::from(game.rules()).to_string());
    if let Some(ending) = ending {
        line("Result", ending.result());
        line("End", ending.reason.text());
    }
    writer.end_tags();
    moves(game, Some(squares), &mut writer);
    writer.end(ending.map_or("*", |ending| ending.result()))
}
