//! Earlier names of the engine's tunable numbers: commands and journals of tuning and screening runs keep them.

use kujira_search::Param;

/// Whether `name`, today's or an earlier one, means the option that an engine declares as `declared`.
pub fn means(declared: &str, name: &str) -> bool {
    declared.eq_ignore_ascii_case(name)
        || Param::named(name).is_some_and(|param| param.name == declared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_name_means_the_number_of_today() {
        for (declared, name, expected) in [
            ("exchange_margin_captured", "hunt_exchange_margin", true),
            ("hunt_exchange_margin", "hunt_exchange_margin", true),
            ("exchange_margin_captured", "exchange_margin_captured", true),
            ("Threads", "threads", true),
            ("exchange_margin", "hunt_exchange_margin", false),
            ("hunt_exchange_margin", "exchange_margin_captured", false),
            ("exchange_margin_captured", "exchange_margin", false),
        ] {
            assert_eq!(means(declared, name), expected, "{declared} {name}");
        }
    }
}
