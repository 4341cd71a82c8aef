//! Which game a record is of, and where it begins.

use kujira_position::{Rules, SfenError, VariantId};

use crate::error::{Error, Fault};
use crate::game::Game;

/// The games that a record may be of: the one it names, or else all, the hint first.
fn candidates(
    named: Option<VariantId>,
    hint: Option<VariantId>,
) -> impl Iterator<Item = VariantId> {
    let first = named.or(hint);
    let others = VariantId::ALL.iter().copied();
    first
        .into_iter()
        .chain(others.filter(move |&variant| named.is_none() && Some(variant) != first))
}

/// Starts a game from an SFEN of the game named, or of the one it fits, the hint first.
pub(crate) fn start(
    named: Option<VariantId>,
    hint: Option<VariantId>,
    sfen: &str,
    rules: Rules,
) -> Result<Game, Fault> {
    let mut refused = None;
    for variant in candidates(named, hint) {
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

/// Plays through a record that does not name its start: as the game named, or first as that of the hint, then as the
/// others.
///
/// # Errors
/// If none fits: the error of the game that got farthest, of the hint before others.
pub(crate) fn told_by_moves<T>(
    named: Option<VariantId>,
    hint: Option<VariantId>,
    mut play: impl FnMut(VariantId) -> Result<T, Error>,
) -> Result<T, Error> {
    let far = |error: &Error| (error.place.line, error.place.column);
    let mut farthest: Option<Error> = None;
    for variant in candidates(named, hint) {
        match play(variant) {
            Ok(read) => return Ok(read),
            Err(error) => {
                if farthest.as_ref().is_none_or(|farthest| far(farthest) < far(&error)) {
                    farthest = Some(error);
                }
            }
        }
    }
    Err(farthest.unwrap_or_else(|| Fault::expected("a game", "").into()))
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
