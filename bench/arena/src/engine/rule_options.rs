//! Which options tell an engine the rules of a match.

use kujira_position::Rules;
use kujira_usi::DeclaredOption;
use kujira_usi::rules::options;

/// What an engine is told about the rules, as names and values of options.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RuleOptions {
    /// Rules that are not as the engine has them by itself, and that it can be told.
    pub told: Vec<(String, String)>,
    /// Rules that it should be told but has no option for.
    pub untold: Vec<(&'static str, &'static str)>,
}

impl RuleOptions {
    /// What to tell an engine that declares these options and is `given` those by its user, who may
    /// know better: they are left alone.
    pub(super) fn new(
        rules: Rules,
        declared: &[DeclaredOption],
        given: &[(String, String)],
    ) -> Self {
        let mut found = Self::default();
        for ((name, value), (_, usual)) in options(rules).into_iter().zip(options(Rules::DEFAULT)) {
            if given.iter().any(|(own, _)| own.eq_ignore_ascii_case(name)) {
                continue;
            }
            match declared.iter().find(|option| option.is_named(name)) {
                Some(option) if option.default_value().as_deref() == Some(value) => {}
                Some(option) if option.offers(value) => {
                    found.told.push((option.name.clone(), value.to_owned()));
                }
                // What is not declared is taken to be as usual.
                None if value == usual => {}
                _ => found.untold.push((name, value)),
            }
        }
        found
    }

    /// A complaint about each rule that an engine of this name cannot be told.
    #[must_use]
    pub fn complaints(&self, engine: &str) -> Vec<String> {
        let complaint = |(name, value): &(&str, &str)| {
            format!(
                "{engine}: expected an option {name} that can be {value}, found none: the engine is not \
                 told this rule"
            )
        };
        self.untold.iter().map(complaint).collect()
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::Retreat;
    use kujira_usi::{Line, Protocol};

    use super::*;

    const OURS: [&str; 4] = [
        "option name Rule_DolphinRetreat type combo default slide var slide var two",
        "option name Rule_RetreatFileLimit type combo default off var off var on",
        "option name Rule_Impasse type combo default off var off var points",
        "option name Rule_Repetition type combo default fourfold var fourfold var off",
    ];

    const ALL: Rules =
        Rules { retreat: Retreat::Two, retreat_file_limit: true, impasse: true, repetition: false };

    fn found(rules: Rules, lines: &[&str], given: &[(&str, &str)]) -> RuleOptions {
        let declared: Vec<_> = lines
            .iter()
            .filter_map(|line| match Line::parse(line, Protocol::Usi) {
                Line::Option(option) => Some(option),
                _ => None,
            })
            .collect();
        let given: Vec<_> =
            given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        RuleOptions::new(rules, &declared, &given)
    }

    fn told(found: &RuleOptions) -> String {
        let told = found.told.iter().map(|(name, value)| format!("{name}={value}"));
        told.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn rules_other_than_the_engines_own_are_told() {
        assert_eq!(found(Rules::DEFAULT, &OURS, &[]), RuleOptions::default());
        let all = found(ALL, &OURS, &[]);
        assert_eq!(
            told(&all),
            "Rule_DolphinRetreat=two Rule_RetreatFileLimit=on Rule_Impasse=points Rule_Repetition=off"
        );
        assert_eq!(all.untold, []);
        let one = found(Rules { impasse: true, ..Rules::DEFAULT }, &OURS, &[]);
        assert_eq!((&told(&one)[..], one.untold.len()), ("Rule_Impasse=points", 0));
        // One whose own rules differ is told even what is usual, in its spelling of the name.
        let other = ["option name rule_repetition type combo default off var off var fourfold"];
        let usual = found(Rules::DEFAULT, &other, &[]);
        assert_eq!((&told(&usual)[..], usual.untold.len()), ("rule_repetition=fourfold", 0));
    }

    #[test]
    fn what_the_user_says_goes_first() {
        let given = [("rule_dolphinretreat", "slide"), ("Rule_Impasse", "off")];
        let rest = found(ALL, &OURS, &given);
        assert_eq!(told(&rest), "Rule_RetreatFileLimit=on Rule_Repetition=off");
        assert_eq!(rest.untold, []);
    }

    #[test]
    fn rules_that_cannot_be_told_are_complained_about() {
        let deaf = found(Rules { impasse: true, ..Rules::DEFAULT }, &OURS[..2], &[]);
        assert_eq!((&told(&deaf)[..], &deaf.untold[..]), ("", &[("Rule_Impasse", "points")][..]));
        assert_eq!(
            deaf.complaints("One"),
            [
                "One: expected an option Rule_Impasse that can be points, found none: the engine is not \
             told this rule"
            ]
        );
        assert_eq!(found(ALL, &[], &[]).untold.len(), 4);
        assert_eq!(found(Rules::DEFAULT, &[], &[]), RuleOptions::default());
        // Declared, but without the choice.
        let less = ["option name Rule_Repetition type combo default threefold var threefold"];
        let fourfold = [("Rule_Repetition", "fourfold")];
        assert_eq!(found(Rules::DEFAULT, &less, &[]).untold, fourfold);
    }
}
