//! Words for what a board has, and back.

use kujira_position::{
    Color, Coordinates, DrawReason, Kind, Outcome, Retreat, Spec, Square, SquareText, VariantId,
    WinReason,
};

use crate::Refused;

/// The game with this id.
///
/// # Errors
/// If there is none.
pub fn game_named(id: &str) -> Result<VariantId, Refused> {
    VariantId::named(id).ok_or_else(|| Refused::no_name(&VariantId::choices(), id))
}

/// `black` or `white`.
#[must_use]
pub const fn color(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// The side with this name.
///
/// # Errors
/// If there is none.
pub fn color_named(name: &str) -> Result<Color, Refused> {
    let found = Color::BOTH.into_iter().find(|&side| color(side) == name);
    found.ok_or_else(|| Refused::none_of("black, white", name))
}

/// The squares with this name, `western` or `japanese`.
///
/// # Errors
/// If there are none.
pub fn squares_named(name: &str) -> Result<Coordinates, Refused> {
    match name {
        "western" => Ok(Coordinates::Western),
        "japanese" => Ok(Coordinates::Japanese),
        _ => Err(Refused::none_of("western, japanese", name)),
    }
}

/// What a dolphin's retreat is limited to.
#[must_use]
pub const fn retreat(retreat: Retreat) -> &'static str {
    match retreat {
        Retreat::Slide => "slide",
        Retreat::Two => "two",
    }
}

/// The limit of retreats with this name.
///
/// # Errors
/// If there is none.
pub fn retreat_named(name: &str) -> Result<Retreat, Refused> {
    match name {
        "slide" => Ok(Retreat::Slide),
        "two" => Ok(Retreat::Two),
        _ => Err(Refused::none_of("slide, two", name)),
    }
}

/// The USI name of a square.
#[must_use]
pub fn square(game: VariantId, square: Square) -> String {
    SquareText(game.spec().geometry, square).to_string()
}

/// The square with this USI name.
///
/// # Errors
/// If the board has none.
pub fn square_named(game: VariantId, name: &str) -> Result<Square, Refused> {
    let geometry = game.spec().geometry;
    match SquareText::parse_prefix(geometry, name) {
        Some((square, "")) => Ok(square),
        _ => {
            let last = geometry.reading_order().last().map(|last| square(game, last));
            let first = geometry.reading_order().next().map(|first| square(game, first));
            let (first, last) = (first.unwrap_or_default(), last.unwrap_or_default());
            Err(Refused::Wrong(format!("expected a square from {first} to {last}, found {name:?}")))
        }
    }
}

/// The tokens of kinds, for messages.
#[must_use]
pub fn tokens(spec: &Spec, among: usize) -> String {
    spec.kinds.iter().take(among).map(|kind| kind.token).collect::<Vec<_>>().join(", ")
}

/// The kind with this token.
///
/// # Errors
/// If the game has none.
pub fn kind_named(game: VariantId, token: &str) -> Result<Kind, Refused> {
    let spec = game.spec();
    let found = spec.find_kind(token);
    found.ok_or_else(|| Refused::no_name(&tokens(spec, spec.kinds.len()), token))
}

/// The start with these odds.
///
/// # Errors
/// If the game has no such odds.
pub fn handicap(game: VariantId, id: &str) -> Result<&'static str, Refused> {
    let all = game.spec().handicaps;
    let found = all.iter().find(|handicap| handicap.id == id).map(|handicap| handicap.sfen);
    let choices = || all.iter().map(|handicap| handicap.id).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| match all {
        [] => Refused::no_name("no handicaps: the game has none", id),
        _ => Refused::no_name(&choices(), id),
    })
}

/// How a game ended: the winner, none in a draw, and why.
#[must_use]
pub const fn outcome(outcome: Outcome) -> (Option<&'static str>, &'static str) {
    match outcome {
        Outcome::Win { winner, reason } => {
            let reason = match reason {
                WinReason::Checkmate => "checkmate",
                WinReason::NoMoves => "no-moves",
                WinReason::WhaleCaptured => "whale-captured",
                WinReason::PerpetualCheck => "perpetual-check",
                WinReason::Impasse => "impasse",
            };
            (Some(color(winner)), reason)
        }
        Outcome::Draw(DrawReason::Repetition) => (None, "repetition"),
        Outcome::Draw(DrawReason::Impasse) => (None, "impasse"),
    }
}
