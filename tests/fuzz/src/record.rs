//! Records of games: texts in every format, and games that the fuzzer made up.
//!
//! Bytes: game, `t` for a text or anything else for a game, then the text or choices.

use kujira_position::VariantId;
use kujira_record::{Format, pgn, usi, write};
use kujira_tests::records::{Random, check_bytes, check_text, random_game, told};

use crate::choices::Choices;

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    let game = choices.game();
    if choices.byte() != b't' {
        return made_up(game, choices);
    }
    check_bytes(choices.rest());
    if let Ok(text) = std::str::from_utf8(choices.rest()) {
        let _ = check_text(text, game);
    }
}

fn made_up(variant: VariantId, mut choices: Choices<'_>) {
    let names = [choices.take(16), choices.take(16)];
    let names = names.map(|name| String::from_utf8_lossy(name).into_owned());
    let game = random_game(variant, &mut Random(choices));
    let text = write(&game, Format::Pgn, &names, "2026.11.25");
    let (back, more) = pgn::read(&text, variant).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!((told(&back.game), more), (told(&game), 0), "{text}");
    assert_eq!((back.game.start(), back.game.rules()), (game.start(), game.rules()), "{text}");
    let names = back.tags.players().map(str::to_owned);
    assert_eq!(write(&back.game, Format::Pgn, &names, "2026.11.25"), text);
    let text = write(&game, Format::Usi, &names, "");
    let (back, _) = usi::read(&text, variant).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(back.usi(back.end()), game.usi(game.end()), "{text}");
}
