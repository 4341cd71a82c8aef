//! The options that GUIs set by themselves, under the names that engines have for them.

/// An option under the names that engines declare it by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionName {
    /// Name in USI, and of our own engine.
    pub usi: &'static str,
    /// Names that other engines have for the option.
    pub others: &'static [&'static str],
}

/// The game.
pub const VARIANT: OptionName = OptionName { usi: "USI_Variant", others: &["UCI_Variant"] };

/// The size of the transposition table in MiB.
pub const HASH: OptionName = OptionName { usi: "USI_Hash", others: &["Hash"] };

/// Whether the GUI ponders.
pub const PONDER: OptionName = OptionName { usi: "USI_Ponder", others: &["Ponder"] };

/// The number of lines that a search reports.
pub const MULTI_PV: OptionName = OptionName { usi: "MultiPV", others: &["USI_MultiPV"] };

/// Whether the engine plays no stronger than [`ELO`] says.
pub const LIMIT_STRENGTH: OptionName = OptionName { usi: "USI_LimitStrength", others: &[] };

/// How strong the engine plays, in Elo of a scale of its own.
pub const ELO: OptionName = OptionName { usi: "USI_Elo", others: &[] };

/// The number of searching threads.
pub const THREADS: OptionName = OptionName { usi: "Threads", others: &[] };

impl OptionName {
    /// Whether `name` is one of the option's names, in any case.
    ///
    /// ```
    /// assert!(kujira_usi::names::VARIANT.is("uci_variant"));
    /// ```
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.usi.eq_ignore_ascii_case(name)
            || self.others.iter().any(|other| other.eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_several_names_in_any_case() {
        for (option, name, expected) in [
            (VARIANT, "USI_Variant", true),
            (VARIANT, "uci_variant", true),
            (VARIANT, "Variant", false),
            (HASH, "hash", true),
            (HASH, "USI_Ponder", false),
            (MULTI_PV, "USI_MULTIPV", true),
            (PONDER, "ponder", true),
            (THREADS, "threads", true),
            (THREADS, "", false),
        ] {
            assert_eq!(option.is(name), expected, "{option:?} {name:?}");
        }
    }
}
