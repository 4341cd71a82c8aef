//! Which game a record is of, and where it begins.

use kujira_position::{Rules, SfenError, VariantId};

use crate::error::{Error, Fault};
use crate::game::Game;

/// Plays a record as the game that it names, or as the one that it fits, that of the hint first.
///
/// # Errors
/// If it fits none: the first error, but for a later one that says `more` than the one before.
pub(crate) fn fitting<T, E>(
    named: Option<VariantId>,
    hint: Option<VariantId>,
    mut play: impl FnMut(VariantId) -> Result<T, E>,
    more: impl Fn(&E, &E) -> bool,
) -> Result<T, E> {
    let first = named.or(hint).unwrap_or_default();
    let mut played = play(first);
    let others = VariantId::ALL.iter().filter(|&&other| named.is_none() && other != first);
    for &other in others {
        let Err(before) = &played else { break };
        match play(other) {
            Err(error) if !more(&error, before) => {}
            better => played = better,
        }
    }
    played
}

/// Starts a game from an SFEN of the game named, or of the one it fits, that of the hint first.
pub(crate) fn start(
    named: Option<VariantId>,
    hint: Option<VariantId>,
    sfen: &str,
    rules: Rules,
) -> Result<Game, SfenError> {
    // An impossible position of a game says more than that another has other ranks.
    let more = |error: &SfenError, _: &_| matches!(error, SfenError::Impossible(_));
    fitting(named, hint, |variant| Game::new(variant, sfen, rules), more)
}

/// Plays through a record that does not name its start: its moves tell which game it is of.
///
/// # Errors
/// If it fits none: the error of the game that got farthest, of the hint before others.
pub(crate) fn told_by_moves<T>(
    named: Option<VariantId>,
    hint: Option<VariantId>,
    play: impl FnMut(VariantId) -> Result<T, Error>,
) -> Result<T, Error> {
    let far = |error: &Error| (error.place.line, error.place.column);
    fitting(named, hint, play, |error, before| far(before) < far(error))
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
