//! The options, in one table that prints, checks, applies and documents them.

mod spec;
mod table;
mod uci;

#[cfg(feature = "tuning")]
use kujira_search::{PARAMS, Param};
use kujira_usi::Protocol;

use crate::engine_state::EngineState;
use crate::errors::SessionError;

pub use spec::{OptionKind, OptionSpec};
pub use table::{LARGEST_HASH, MOST_THREADS, USUAL};

/// Every option, in the order in which `usi` lists them.
#[cfg(not(feature = "tuning"))]
pub const OPTIONS: &[OptionSpec] = USUAL;

/// Every option, in the order in which `usi` lists them: the usual ones and the tunable numbers.
#[cfg(feature = "tuning")]
#[expect(clippy::indexing_slicing, reason = "evaluated when the crate is compiled")]
pub const OPTIONS: &[OptionSpec] = &{
    let mut all = [USUAL[0]; USUAL.len() + PARAMS.len()];
    let mut index = 0;
    while index < all.len() {
        all[index] = if index < USUAL.len() {
            USUAL[index]
        } else {
            let param = &PARAMS[index - USUAL.len()];
            let kind = OptionKind::Tunable(param);
            let Param { name, about, .. } = *param;
            OptionSpec { name, aliases: &[], kind, about, cecp: None, uci: Some(name) }
        };
        index += 1;
    }
    all
};

/// The options of a protocol, under its names.
pub fn offered(protocol: Protocol) -> impl Iterator<Item = OptionSpec> {
    let named_alike = move |option: &OptionSpec| {
        let name = match protocol {
            Protocol::Usi => return Some(*option),
            Protocol::Uci => option.uci?,
        };
        Some(OptionSpec { name, aliases: &[], ..*option })
    };
    let own: &[OptionSpec] = match protocol {
        Protocol::Usi => &[],
        Protocol::Uci => uci::OWN,
    };
    own.iter().copied().chain(OPTIONS.iter().filter_map(named_alike))
}

/// The option of this name or alias, in any case.
#[must_use]
pub fn find(name: &str) -> Option<&'static OptionSpec> {
    OPTIONS.iter().find(|option| option.is_named(name))
}

/// The names of the usual options, and a word on tunable numbers where there are any: too many to name in an error.
fn names_told(protocol: Protocol) -> String {
    let tunable = OPTIONS.len() - USUAL.len();
    let mut names: Vec<&str> = offered(protocol).map(|option| option.name).collect();
    names.truncate(names.len() - tunable);
    let mut names = names.join(", ");
    if tunable > 0 {
        names.push_str(&format!(", or a tunable number that {} lists", protocol.hello()));
    }
    names
}

/// Sets an option, under its name in USI.
///
/// # Errors
/// If there is no such option, or it cannot have this value.
pub fn set(state: &mut EngineState, name: &str, value: Option<&str>) -> Result<(), SessionError> {
    set_in(Protocol::Usi, state, name, value)
}

/// Sets an option, under its name in a protocol.
///
/// # Errors
/// As [`set`].
pub fn set_in(
    protocol: Protocol,
    state: &mut EngineState,
    name: &str,
    value: Option<&str>,
) -> Result<(), SessionError> {
    match offered(protocol).find(|option| option.is_named(name)) {
        Some(option) => option.apply(state, value),
        None => {
            let names = names_told(protocol);
            Err(SessionError::UnknownOption { found: name.to_owned(), names })
        }
    }
}
