//! The rule switches on the command line.

use clap::Args;
use clap::builder::PossibleValuesParser;
use kujira_position::Rules;
use kujira_usi::{RuleSwitch, Switches};

/// The rule switches of a match.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Rules")]
pub(super) struct RuleArgs {
    /// How far a dolphin on the farthest rank slides back.
    #[arg(long, default_value = "slide", value_parser = choices(RuleSwitch::DolphinRetreat))]
    retreat: String,
    /// A dolphin may not retreat onto a file with two others.
    #[arg(long)]
    retreat_file_limit: bool,
    /// The impasse rule may be claimed (`bestmove win`).
    #[arg(long)]
    impasse: bool,
    /// Whether the fourth occurrence of a position ends the game.
    #[arg(long, default_value = "fourfold", value_parser = choices(RuleSwitch::Repetition))]
    repetition: String,
}

fn choices(switch: RuleSwitch) -> PossibleValuesParser {
    PossibleValuesParser::new(switch.choices())
}

impl RuleArgs {
    /// The rules asked for.
    pub(super) fn rules(&self) -> Rules {
        let mut rules = Rules {
            retreat_file_limit: self.retreat_file_limit,
            impasse: self.impasse,
            ..Rules::DEFAULT
        };
        for (switch, value) in [
            (RuleSwitch::DolphinRetreat, &self.retreat),
            (RuleSwitch::Repetition, &self.repetition),
        ] {
            let known = switch.set(&mut rules, value);
            debug_assert!(known.is_ok(), "{known:?}");
        }
        rules
    }

    /// The same as files name them.
    pub(super) fn switches(&self) -> Switches {
        self.rules().into()
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        rules: RuleArgs,
    }

    fn read(words: &[&str]) -> Result<String, clap::Error> {
        let line = Line::try_parse_from(["match"].iter().chain(words))?;
        Ok(line.rules.switches().to_string())
    }

    #[test]
    fn every_switch_can_be_set() {
        for (words, expected) in [
            (&[] as &[&str], ""),
            (&["--retreat=two"], "retreat two"),
            (&["--retreat", "slide", "--impasse"], "impasse"),
            (&["--retreat-file-limit"], "retreat file limit"),
            (&["--repetition=off"], "repetition off"),
            (&["--repetition=fourfold"], ""),
            (
                &["--repetition=off", "--impasse", "--retreat-file-limit", "--retreat=two"],
                "retreat two, retreat file limit, impasse, repetition off",
            ),
        ] {
            assert_eq!(read(words).unwrap(), expected, "{words:?}");
        }
        for words in [["--retreat=three"], ["--repetition=on"], ["--castling"]] {
            assert!(read(&words).is_err(), "{words:?}");
        }
    }
}
