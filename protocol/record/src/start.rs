//! Which game a record is of, and where it begins.

use kujira_position::{Rules, SfenError, VariantId};

use crate::error::{Error, Fault};
use crate::game::Game;

/// Starts a game from an SFEN of the game named, or of the one it fits, the hint first.
pub(crate) fn start(
    named: Option<VariantId>,
    hint: VariantId,
    sfen: &str,
    rules: Rules,
) -> Result<Game, Fault> {
    if let Some(variant) = named {
        return Ok(Game::new(variant, sfen, rules)?);
    }
    let others = VariantId::ALL.iter().copied().filter(|&variant| variant != hint);
    let mut refused = None;
    for variant in std::iter::once(hint).chain(others) {
        match Game::new(variant, sfen, rules) {
            Ok(game) => return Ok(game),
            Err(error) => {
                // An impossible position of a game says more than that another has other ranks.
                if refused.is_none() || matches!(error, SfenError::Impossible(_)) {
                    refused = Some(error);
                }
            }
        }
    }
    Err(refused.map_or_else(|| Fault::expected("an SFEN", sfen), Fault::from))
}

/// Plays through a record that names neither its game nor its start: first as the game of the hint, then as the others.
///
/// # Errors If none fits: the error of the game that got farthest, of the hint before others.
pub(crate) fn told_by_moves<T>(
    hint: VariantId,
    mut play: impl FnMut(VariantId) -> Result<T, Error>,
) -> Result<T, Error> {
    let others = VariantId::ALL.iter().copied().filter(|&variant| variant != hint);
    let far = |error: &Error| (error.place.line, error.place.column);
    let mut farthest: Option<Error> = None;
    for variant in std::iter::once(hint).chain(others) {
        match play(variant) {
            Ok(read) => return Ok(read),
            Err(error) => {
                if farthest.as_ref().is_none_or(|farthest| far(farthest) < far(&error)) {
                    farthest = Some(error);
                }
            }
        }
    }
    Err(farthest.unwrap_or_else(|| Fault::expected("a game", "").nowhere()))
}

/// The game with this id or name, in whatever case.
pub(crate) fn variant_named(text: &str) -> Result<VariantId, Fault> {
    let text = text.trim();
    let is_it = |variant: &&VariantId| {
        let spec = variant.spec();
        text.eq_ignore_ascii_case(spec.id) || text.eq_ignore_ascii_case(spec.name)
    };
    let found = VariantId::ALL.iter().find(is_it).copied();
    found.ok_or_else(|| Fault::expected(format!("a game among {}", VariantId::choices()), text))
}
