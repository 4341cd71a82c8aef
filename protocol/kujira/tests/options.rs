//! The option table: what it prints, accepts, refuses, and that the documentation names it all.

use std::time::Duration;

use kujira::engine_state::{EngineState, Settings};
use kujira::errors::SessionError;
use kujira::options::{self, OPTIONS, OptionKind, OptionSpec, USUAL};
use kujira::usi::command::verbs;
use kujira_position::{Retreat, VariantId};
use kujira_search::{MOST_ELO, SearchOptions, TimeOptions};
use kujira_usi::Protocol;

mod support;

fn state() -> (EngineState, support::fake::Calls) {
    let (factory, calls) = support::fake::factory();
    (EngineState::new(VariantId::default(), Box::new(factory)), calls)
}

fn set(state: &mut EngineState, name: &str, value: &str) -> Result<(), String> {
    options::set(state, name, Some(value)).map_err(|error| error.to_string())
}

#[test]
fn names_are_single_words_and_unique() {
    let mut names: Vec<String> = OPTIONS
        .iter()
        .flat_map(|option| std::iter::once(&option.name).chain(option.aliases))
        .map(|name| name.to_ascii_lowercase())
        .collect();
    assert!(names.iter().all(|name| !name.is_empty() && !name.contains(char::is_whitespace)));
    let all = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn options_as_usi_lists_them() {
    let lines: Vec<String> =
        USUAL.iter().map(|option| option.declared(Protocol::Usi).to_string()).collect();
    assert_eq!(
        lines,
        [
            "option name USI_Hash type spin default 64 min 1 max 1048576",
            "option name USI_Ponder type check default false",
            "option name USI_Variant type combo default whale var whale var paulowich var great",
            "option name Threads type spin default 1 min 1 max 512",
            "option name MultiPV type spin default 1 min 1 max 256",
            "option name NetworkDelay type spin default 30 min 0 max 10000",
            "option name MinimumThinkingTime type spin default 0 min 0 max 60000",
            "option name SlowMover type spin default 100 min 10 max 1000",
            "option name RoundUpToFullSecond type check default false",
            "option name Level type spin default 10 min 1 max 10",
            "option name USI_LimitStrength type check default false",
            &format!("option name USI_Elo type spin default {MOST_ELO} min 0 max {MOST_ELO}"),
            "option name DepthLimit type spin default 0 min 0 max 100",
            "option name NodesLimit type spin default 0 min 0 max 2147483647",
            "option name MaxMovesToDraw type spin default 0 min 0 max 100000",
            "option name ResignValue type spin default 99999 min 1 max 99999",
            "option name PvInterval type spin default 0 min 0 max 100000",
            "option name Clear_Hash type button",
            "option name Rule_DolphinRetreat type combo default slide var slide var two",
            "option name Rule_RetreatFileLimit type combo default off var off var on",
            "option name Rule_Impasse type combo default off var off var points",
            "option name Rule_Repetition type combo default fourfold var fourfold var off",
            "option name EvalFile type filename default <empty>",
            "option name USI_OwnBook type check default false",
            "option name BookFile type filename default <internal>",
            "option name BookDepth type spin default 60 min 0 max 10000",
            "option name BookMargin type spin default 10 min 0 max 10000",
            "option name BookSeed type spin default 0 min 0 max 2147483647",
            "option name DebugLogFile type filename default <empty>",
        ]
    );
}

#[test]
fn every_default_is_what_is_in_force_at_the_start() {
    let (mut state, _) = state();
    let before: Settings = *state.settings();
    for option in OPTIONS {
        let value = match option.kind {
            OptionKind::Button { .. } => continue,
            _ => option.kind.default_text(),
        };
        set(&mut state, option.name, &value).unwrap();
        assert_eq!(*state.settings(), before, "{}", option.name);
        assert_eq!(state.engine().game(), VariantId::default(), "{}", option.name);
    }
}

/// Checks that a number takes both bounds and nothing that is not between them.
fn bounds(state: &mut EngineState, name: &str, min: i128, max: i128) {
    assert_eq!(set(state, name, &min.to_string()), Ok(()));
    assert_eq!(set(state, name, &max.to_string()), Ok(()));
    let before = *state.settings();
    let (above, below) = ((max + 1).to_string(), (min - 1).to_string());
    for value in [&above, &below, "", "x", "1.5", "+1", "1 2", "18446744073709551616"] {
        let error = set(state, name, value).unwrap_err();
        let range = format!("expected a number from {min} to {max}, found ");
        assert!(error.contains(&range), "{error}");
        assert!(error.starts_with(&format!("setoption {name}:")), "{error}");
        assert!(error.ends_with("the old value stays"), "{error}");
        assert_eq!(*state.settings(), before);
    }
}

#[test]
fn bounds_are_accepted_and_what_lies_beyond_is_refused() {
    for option in OPTIONS {
        let (mut state, _) = state();
        match &option.kind {
            OptionKind::Spin { min, max, .. } => {
                bounds(&mut state, option.name, (*min).into(), (*max).into());
            }
            #[cfg(feature = "tuning")]
            OptionKind::Tunable(param) => {
                bounds(&mut state, option.name, param.min.into(), param.max.into());
            }
            OptionKind::Combo { choices, .. } => {
                for choice in *choices {
                    assert_eq!(set(&mut state, option.name, &choice.to_ascii_uppercase()), Ok(()));
                }
                for value in ["", "x", "whale great"] {
                    let error = set(&mut state, option.name, value).unwrap_err();
                    let expected = format!("expected one of {}", choices.join(", "));
                    assert!(error.contains(&expected), "{error}");
                }
            }
            OptionKind::Check { .. } => {
                assert_eq!(set(&mut state, option.name, "true"), Ok(()));
                assert_eq!(set(&mut state, option.name, "False"), Ok(()));
                for value in ["", "1", "yes"] {
                    let error = set(&mut state, option.name, value).unwrap_err();
                    assert!(error.contains("expected true or false"), "{error}");
                }
            }
            OptionKind::Button { .. } => {
                assert!(options::set(&mut state, option.name, None).is_ok());
                let error = set(&mut state, option.name, "true").unwrap_err();
                assert!(error.contains("expected no value, found \"true\""), "{error}");
            }
            OptionKind::File { .. } => {
                assert_eq!(set(&mut state, option.name, "<empty>"), Ok(()));
                let error = options::set(&mut state, option.name, None).unwrap_err().to_string();
                assert!(error.contains("expected the path of a file, found nothing"), "{error}");
            }
        }
    }
}

#[test]
fn names_and_aliases_in_any_case() {
    let (mut state, _) = state();
    assert_eq!(set(&mut state, "usi_multipv", "3"), Ok(()));
    assert_eq!(state.settings().multipv, 3);
    assert_eq!(set(&mut state, "MULTIPV", "4"), Ok(()));
    assert_eq!(state.settings().multipv, 4);
    assert_eq!(set(&mut state, "UCI_Variant", "Great"), Ok(()));
    assert_eq!(state.engine().game(), VariantId::Great);
    let error = options::set(&mut state, "Skill Level", Some("3")).unwrap_err();
    assert!(matches!(error, SessionError::UnknownOption { .. }));
    let text = error.to_string();
    assert!(text.starts_with("setoption: expected one of USI_Hash, USI_Ponder,"), "{text}");
    assert!(text.ends_with("found \"Skill Level\""), "{text}");
}

#[test]
fn rule_switches_reach_the_position() {
    let (mut state, _) = state();
    for (name, value) in [
        ("Rule_DolphinRetreat", "two"),
        ("Rule_RetreatFileLimit", "on"),
        ("Rule_Impasse", "points"),
        ("Rule_Repetition", "off"),
    ] {
        assert_eq!(set(&mut state, name, value), Ok(()));
    }
    let rules = state.settings().rules;
    assert_eq!(rules.retreat, Retreat::Two);
    assert!(rules.retreat_file_limit && rules.impasse && !rules.repetition);
    assert_eq!(state.position().rules(), rules);
    // Another game begins under them.
    state.choose_game(VariantId::Paulowich);
    assert_eq!(state.position().rules(), rules);
}

#[test]
fn the_engine_is_told_how_to_play() {
    let (mut state, calls) = state();
    for (name, value) in [
        ("NetworkDelay", "11"),
        ("MinimumThinkingTime", "12"),
        ("SlowMover", "130"),
        ("RoundUpToFullSecond", "true"),
        ("Level", "4"),
        ("USI_LimitStrength", "true"),
        ("USI_Elo", "500"),
        ("DepthLimit", "15"),
        ("NodesLimit", "1600"),
        ("MaxMovesToDraw", "170"),
        ("ResignValue", "1800"),
        ("PvInterval", "19"),
    ] {
        assert_eq!(set(&mut state, name, value), Ok(()));
    }
    let ms = Duration::from_millis;
    let time =
        TimeOptions { network_delay: ms(11), minimum: ms(12), percent: 130, full_seconds: true };
    let search = SearchOptions {
        time,
        level: 4,
        limits_strength: true,
        elo: 500,
        depth: Some(15),
        nodes: Some(1600),
        longest_game: Some(170),
        resignation: Some(1800),
        pv_interval: ms(19),
    };
    assert_eq!(state.settings().search, search);
    assert_eq!(calls.lock().unwrap().last(), Some(&format!("{search:?}")));
    for (name, value) in [
        ("DepthLimit", "0"),
        ("NodesLimit", "0"),
        ("MaxMovesToDraw", "0"),
        ("ResignValue", "99999"),
    ] {
        assert_eq!(set(&mut state, name, value), Ok(()));
    }
    let free = SearchOptions { depth: None, nodes: None, longest_game: None, ..search };
    assert_eq!(state.settings().search, SearchOptions { resignation: None, ..free });
}

#[test]
fn a_change_of_game_keeps_the_settings_and_makes_the_table_only_when_needed() {
    let (mut state, calls) = state();
    assert_eq!(set(&mut state, "USI_Hash", "128"), Ok(()));
    assert_eq!(set(&mut state, "Threads", "2"), Ok(()));
    assert_eq!(set(&mut state, "MinimumThinkingTime", "70"), Ok(()));
    calls.lock().unwrap().clear();
    assert_eq!(set(&mut state, "USI_Variant", "great"), Ok(()));
    let made = calls.lock().unwrap().clone();
    let search = format!("{:?}", state.settings().search);
    for call in ["made for great", "threads 2", &search, "multipv 1"] {
        assert!(made.iter().any(|c| c == call), "{call} in {made:?}");
    }
    assert!(!made.iter().any(|call| call.starts_with("hash")), "{made:?}");
    state.prepare().unwrap();
    assert!(calls.lock().unwrap().iter().any(|call| call == "hash 128"));
    // The same game again is no change.
    calls.lock().unwrap().clear();
    assert_eq!(set(&mut state, "USI_Variant", "GREAT"), Ok(()));
    state.prepare().unwrap();
    assert_eq!(*calls.lock().unwrap(), Vec::<String>::new());
}

#[test]
fn options_as_uci_lists_them() {
    // A build for tuning has more.
    let lines =
        options::offered(Protocol::Uci).map(|option| option.declared(Protocol::Uci).to_string());
    let lines: Vec<String> = lines.take(25).collect();
    assert_eq!(
        lines,
        [
            "option name UCI_Variant type combo default whaleshogi var whaleshogi var paulowichwhale",
            "option name UCI_AnalyseMode type check default false",
            "option name UCI_ShowWDL type check default false",
            "option name UCI_Chess960 type check default false",
            "option name VariantPath type string default <empty>",
            "option name Hash type spin default 64 min 1 max 1048576",
            "option name Ponder type check default false",
            "option name Threads type spin default 1 min 1 max 512",
            "option name MultiPV type spin default 1 min 1 max 256",
            "option name Move Overhead type spin default 30 min 0 max 10000",
            "option name MinimumThinkingTime type spin default 0 min 0 max 60000",
            "option name Slow Mover type spin default 100 min 10 max 1000",
            "option name RoundUpToFullSecond type check default false",
            "option name Level type spin default 10 min 1 max 10",
            "option name UCI_LimitStrength type check default false",
            &format!("option name UCI_Elo type spin default {MOST_ELO} min 0 max {MOST_ELO}"),
            "option name DepthLimit type spin default 0 min 0 max 100",
            "option name NodesLimit type spin default 0 min 0 max 2147483647",
            "option name MaxMovesToDraw type spin default 0 min 0 max 100000",
            "option name PvInterval type spin default 0 min 0 max 100000",
            "option name Clear Hash type button",
            "option name EvalFile type string default <empty>",
            "option name OwnBook type check default false",
            "option name BookFile type string default <internal>",
            "option name BookDepth type spin default 60 min 0 max 10000",
        ]
    );
}

/// In UCI a name of USI is none, and what went wrong is told in its own words.
#[test]
fn options_are_set_by_their_names_in_uci() {
    let (mut state, _) = state();
    let mut set = |name: &str, value: &str| {
        let done = options::set_in(Protocol::Uci, &mut state, name, Some(value));
        let settings = *state.settings();
        let game = state.engine().game();
        (done.map_err(|error| error.told(Protocol::Uci).to_string()), settings, game)
    };
    assert_eq!(set("UCI_Variant", "PaulowichWhale").2, VariantId::Paulowich);
    assert_eq!(set("hash", "5").1.hash, 5);
    let time = set("move overhead", "7").1.search.time;
    assert_eq!(time.network_delay, Duration::from_millis(7));
    assert!(set("UCI_AnalyseMode", "true").1.analysis);
    assert!(set("UCI_ShowWDL", "true").1.chances);
    for (name, value) in [("UCI_Chess960", "true"), ("VariantPath", "no/such/file.ini")] {
        assert_eq!(set(name, value).0, Ok(()));
    }
    for (name, value, error) in [
        (
            "UCI_Variant",
            "chess",
            "setoption UCI_Variant: expected one of whaleshogi, paulowichwhale, found \"chess\"; \
             the old value stays",
        ),
        (
            "Hash",
            "0",
            "setoption Hash: expected a number from 1 to 1048576, found \"0\"; the old value stays",
        ),
        ("USI_Hash", "1", "setoption: expected one of UCI_Variant, UCI_AnalyseMode, "),
        ("Rule_Impasse", "points", "setoption: expected one of UCI_Variant, "),
    ] {
        let (done, _, game) = set(name, value);
        assert!(done.as_ref().is_err_and(|told| told.starts_with(error)), "{done:?}");
        assert_eq!(game, VariantId::Paulowich);
    }
}

/// Checks that a document names every option, value and command as the tables have them.
fn assert_complete(file: &str, text: &str, options: &[OptionSpec], protocol: Protocol) {
    for option in options {
        let default = match option.kind.default_text() {
            default if default.is_empty() => String::new(),
            default => format!("`{default}`"),
        };
        let aliases: Vec<String> = option.aliases.iter().map(|a| format!(" (`{a}`)")).collect();
        let row = format!(
            "| `{}`{} | {} | {default} | {} | {} |\n",
            option.name,
            aliases.concat(),
            option.declared(protocol).kind.name(),
            option.kind.values(),
            option.about
        );
        assert!(text.contains(&row), "{file} lacks the row:\n{row}");
    }
    for verb in verbs(protocol) {
        let usage = format!("{} {}", verb.word, verb.arguments);
        let row = format!("| `{}` | {} |\n", usage.trim_end().replace('|', "\\|"), verb.about);
        assert!(text.contains(&row), "{file} lacks the row:\n{row}");
    }
}

#[test]
fn the_documentation_is_complete() {
    let usi = include_str!("../../../docs/protocol.md");
    assert_complete("docs/protocol.md", usi, USUAL, Protocol::Usi);
    let uci = include_str!("../../../docs/uci.md");
    let tunable = OPTIONS.len() - USUAL.len();
    let mut options: Vec<OptionSpec> = options::offered(Protocol::Uci).collect();
    options.truncate(options.len() - tunable);
    assert_complete("docs/uci.md", uci, &options, Protocol::Uci);
}
