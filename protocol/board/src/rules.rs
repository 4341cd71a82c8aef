//! The rule switches.

pub use kujira_usi::Switches;
