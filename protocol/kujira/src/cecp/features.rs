//! The features and options that the engine declares to XBoard.

use crate::NAME;
use crate::options::{OPTIONS, OptionKind, OptionSpec};

use super::notation::offered;

/// Features that are on or off, as `feature` lines have them.
const SWITCHES: &str = "ping=1 setboard=1 playother=1 usermove=1 san=0 time=1 draw=0 sigint=0 sigterm=0 \
     reuse=1 analyze=1 colors=0 name=0 nps=0 debug=1 memory=1 smp=1 highlight=1";

/// The answer to `protover`, line by line.
#[must_use]
pub fn lines() -> Vec<String> {
    let games: Vec<&str> = offered().map(|game| game.spec().id).collect();
    let mut lines = vec![
        format!("feature {SWITCHES}"),
        format!("feature variants=\"{}\"", games.join(",")),
        format!("feature myname=\"{NAME}\""),
    ];
    lines.extend(options().map(option_line));
    lines.push("feature done=1".to_owned());
    lines
}

/// The options that no command sets.
pub(super) fn options() -> impl Iterator<Item = &'static OptionSpec> {
    OPTIONS.iter().filter(|option| option.cecp.is_none())
}

/// An option as CECP has it: `feature option="MultiPV -spin 1 1 256"`.
fn option_line(option: &OptionSpec) -> String {
    let (name, default) = (option.name, option.kind.default_text());
    let text = match &option.kind {
        OptionKind::Check { default, .. } => format!("{name} -check {}", u8::from(*default)),
        OptionKind::Spin { min, max, .. } => format!("{name} -spin {default} {min} {max}"),
        OptionKind::Combo { choices, .. } => format!("{name} -combo *{}", choices.join(" /// ")),
        OptionKind::Button { .. } => format!("{name} -button"),
        OptionKind::File { default, .. } => format!("{name} -file {default}"),
        #[cfg(feature = "tuning")]
        OptionKind::Tunable(param) => format!("{name} -spin {default} {} {}", param.min, param.max),
    };
    format!("feature option=\"{text}\"")
}

/// A value of CECP's as the table of options reads it: a check is 1 or 0.
#[must_use]
pub fn value_of<'a>(option: &OptionSpec, value: Option<&'a str>) -> Option<&'a str> {
    match (&option.kind, value) {
        (OptionKind::Check { .. }, Some("1")) => Some("true"),
        (OptionKind::Check { .. }, Some("0")) => Some("false"),
        _ => value,
    }
}
