//! The features and options that an engine declares to XBoard.

use kujira_usi::{DeclaredOption, OptionKind};

use crate::notation::offered;

/// Features that are on or off, as `feature` lines have them.
const SWITCHES: &str = "ping=1 setboard=1 playother=1 usermove=1 san=0 time=1 draw=0 sigint=0 sigterm=0 \
     reuse=1 analyze=1 colors=0 name=0 nps=0 debug=1 memory=1 smp=1 highlight=1";

/// The answer of the engine of this name to `protover`, line by line.
#[must_use]
pub fn lines(name: &str, options: impl IntoIterator<Item = DeclaredOption>) -> Vec<String> {
    let games: Vec<&str> = offered().map(|game| game.spec().id).collect();
    let mut lines = vec![
        format!("feature {SWITCHES}"),
        format!("feature variants=\"{}\"", games.join(",")),
        format!("feature myname=\"{name}\""),
    ];
    lines.extend(options.into_iter().map(option_line));
    lines.push("feature done=1".to_owned());
    lines
}

/// An option as CECP has it: `feature option="MultiPV -spin 1 1 256"`.
fn option_line(DeclaredOption { name, kind }: DeclaredOption) -> String {
    let number = Option::unwrap_or_default;
    let text = match kind {
        OptionKind::Check { default } => format!("-check {}", u8::from(default == Some(true))),
        OptionKind::Spin { default, min, max } => {
            format!("-spin {} {} {}", number(default), number(min), number(max))
        }
        OptionKind::Combo { default, choices } => {
            let mark = |choice: &String| if Some(choice) == default.as_ref() { "*" } else { "" };
            let choices = choices.iter().map(|choice| format!("{}{choice}", mark(choice)));
            format!("-combo {}", choices.collect::<Vec<_>>().join(" /// "))
        }
        OptionKind::Button => "-button".to_owned(),
        OptionKind::Filename { default } => format!("-file {}", default.unwrap_or_default()),
        OptionKind::String { default } => format!("-string {}", default.unwrap_or_default()),
        OptionKind::Other { kind, .. } => format!("-{kind}"),
    };
    format!("feature option=\"{name} {text}\"")
}
