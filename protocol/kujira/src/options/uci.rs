//! The options that UCI alone has.

use kujira_position::VariantId;

use super::spec::{OptionKind, OptionSpec};
use super::table::{check, row};

/// The games that clients of UCI can choose.
fn offered() -> impl Iterator<Item = (&'static str, VariantId)> {
    VariantId::ALL.iter().filter_map(|&game| Some((game.spec().fairy?, game)))
}

/// How many games have a name in UCI.
const COUNT: usize = {
    let (mut index, mut count) = (0, 0);
    while index < VariantId::ALL.len() {
        #[expect(clippy::indexing_slicing, reason = "evaluated when the crate is compiled")]
        if VariantId::ALL[index].spec().fairy.is_some() {
            count += 1;
        }
        index += 1;
    }
    count
};

/// The names of the games in UCI, the default first.
#[expect(clippy::indexing_slicing, reason = "evaluated when the crate is compiled")]
const GAMES: [&str; COUNT] = {
    let mut names = [""; COUNT];
    let (mut index, mut count) = (0, 0);
    while index < VariantId::ALL.len() {
        if let Some(name) = VariantId::ALL[index].spec().fairy {
            names[count] = name;
            count += 1;
        }
        index += 1;
    }
    names
};

const fn option(name: &'static str, kind: OptionKind, about: &'static str) -> OptionSpec {
    row(name, Some(name), kind, about)
}

/// The options that UCI alone has.
pub(super) const OWN: &[OptionSpec] = &[
    option(
        "UCI_Variant",
        OptionKind::Combo {
            choices: &GAMES,
            set: |state, choice| {
                if let Some((_, game)) = offered().find(|&(name, _)| name == choice) {
                    state.choose_game(game);
                }
                Ok(())
            },
        },
        "the game; another game begins at its starting position, other options stay",
    ),
    option(
        "UCI_AnalyseMode",
        check(|state, value| state.change(|settings| settings.analysis = value)),
        "whether searches are for somebody who analyses: at full strength and without a book",
    ),
    option(
        "UCI_ShowWDL",
        check(|state, value| state.change(|settings| settings.chances = value)),
        "whether `info` tells chances of a win, a draw and a loss",
    ),
    option("UCI_Chess960", check(|_, _| {}), "nothing: nobody castles"),
    option(
        "VariantPath",
        OptionKind::File { default: "", set: |_, _| Ok(()) },
        "nothing: the rules are built in",
    ),
];
