//! The options, in one table that prints, checks, applies and documents them.

use std::time::Duration;

use kujira_position::{SetupError, VariantId};
use kujira_search::{LEVELS, MAX_DEPTH, MOST_ELO};
#[cfg(feature = "tuning")]
use kujira_search::{PARAMS, Param};
use kujira_usi::{DeclaredOption, RuleSwitch, names, option};

use crate::book::{BookSettings, INTERNAL};
use crate::errors::SessionError;
use crate::host::{DEFAULT_HASH, Host};
use crate::logging;

/// Whether this runs in a page, where there is one thread and little memory.
const IN_PAGE: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

/// The most threads that can be asked for.
pub const MOST_THREADS: u64 = if IN_PAGE { 1 } else { 512 };

/// The largest transposition table that can be asked for, in MiB.
pub const LARGEST_HASH: u64 = if IN_PAGE { 2048 } else { 1 << 20 };

/// The value of `ResignValue` with which no game is given up.
const NEVER_RESIGN: u64 = 99_999;

/// How books are used where no option says otherwise.
const BOOK: BookSettings = BookSettings::DEFAULT;

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Name, one word.
    pub name: &'static str,
    /// Other names by which it can be set.
    pub aliases: &'static [&'static str],
    /// Values, and how one is put into force.
    pub kind: OptionKind,
    /// Effect, in words for users.
    pub about: &'static str,
    /// Command of CECP that does the same, where there is one.
    pub cecp: Option<&'static str>,
}

/// The values of an option and how one is put into force.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The default.
        default: bool,
        /// Puts a value into force.
        set: fn(&mut Host, bool),
    },
    /// A whole number.
    Spin {
        /// The default.
        default: u64,
        /// The least value.
        min: u64,
        /// The greatest value.
        max: u64,
        /// Puts a value into force.
        set: fn(&mut Host, u64),
    },
    /// One of several words, in any case. The first is the default.
    Combo {
        /// The words.
        choices: &'static [&'static str],
        /// Puts one of them into force; the position may stand against it.
        set: fn(&mut Host, &'static str) -> Result<(), SetupError>,
    },
    /// A button: something to press.
    Button {
        /// Presses the button.
        press: fn(&mut Host),
    },
    /// Any text.
    Text {
        /// The default.
        default: &'static str,
        /// Puts a text into force.
        set: fn(&mut Host, &str) -> Result<(), SessionError>,
    },
    /// A tunable number, set for the whole process; to GUIs a spin.
    #[cfg(feature = "tuning")]
    Tunable(&'static Param),
}

/// The ids of the games, the default first.
const GAMES: [&str; VariantId::ALL.len()] = {
    let mut ids = [""; VariantId::ALL.len()];
    let mut index = 0;
    while index < ids.len() {
        #[expect(clippy::indexing_slicing, reason = "evaluated when the crate is compiled")]
        {
            ids[index] = VariantId::ALL[index].spec().id;
        }
        index += 1;
    }
    ids
};

/// A number of the table as the engine takes it.
fn size(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// A number of the table as the engine takes those of 32 bits.
fn count(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Sets a rule switch to one of its choices; the position may stand against it.
fn set_rule(host: &mut Host, switch: RuleSwitch, choice: &str) -> Result<(), SetupError> {
    let switched = switch.choices().last().is_some_and(|&last| last == choice);
    host.change_rules(|rules| switch.switch(rules, switched))
}

/// A limit of the table, where 0 stands for none.
fn limit(value: u64) -> Option<u64> {
    (value > 0).then_some(value)
}

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
            let Param { name, aliases, about, .. } = *param;
            OptionSpec { name, aliases, kind, about, cecp: None }
        };
        index += 1;
    }
    all
};

/// The options of every build.
pub const USUAL: &[OptionSpec] = &[
    OptionSpec {
        // Engines of UCI alone call it otherwise: nobody says so to one of USI.
        name: names::HASH.usi,
        aliases: &[],
        kind: OptionKind::Spin {
            default: DEFAULT_HASH as u64,
            min: 1,
            max: LARGEST_HASH,
            set: |host, value| host.set_hash(size(value)),
        },
        about: "size of the transposition table in MiB; made at `isready` or the first `go` (one with time \
                limits or `ponder` makes none above 64: the old one serves until the next `isready` or another `go`)",
        cecp: Some("memory"),
    },
    OptionSpec {
        name: names::PONDER.usi,
        aliases: &[],
        kind: OptionKind::Check { default: false, set: Host::set_ponder },
        about: "whether the GUI ponders: `bestmove` then names the reply expected",
        cecp: Some("hard"),
    },
    OptionSpec {
        name: names::VARIANT.usi,
        aliases: names::VARIANT.others,
        kind: OptionKind::Combo {
            choices: &GAMES,
            set: |host, choice| {
                if let Some(game) = VariantId::named(choice) {
                    host.choose_game(game);
                }
                Ok(())
            },
        },
        about: "the game; another game begins at its starting position, other options stay",
        cecp: Some("variant"),
    },
    OptionSpec {
        name: names::THREADS.usi,
        aliases: &[],
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: MOST_THREADS,
            set: |host, value| host.set_threads(size(value)),
        },
        about: "number of searching threads",
        cecp: Some("cores"),
    },
    OptionSpec {
        name: names::MULTI_PV.usi,
        aliases: names::MULTI_PV.others,
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 256,
            set: |host, value| host.set_multipv(size(value)),
        },
        about: "number of lines a search reports",
        cecp: None,
    },
    OptionSpec {
        name: "NetworkDelay",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 30,
            min: 0,
            max: 10_000,
            set: |host, value| {
                host.change_conduct(|conduct| {
                    conduct.pace.network_delay = Duration::from_millis(value)
                });
            },
        },
        about: "time kept back on every move for the way to the GUI and back, in ms",
        cecp: None,
    },
    OptionSpec {
        name: "MinimumThinkingTime",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 60_000,
            set: |host, value| {
                host.change_conduct(|conduct| conduct.pace.minimum = Duration::from_millis(value));
            },
        },
        about: "the least time to think on a move, in ms, but never more than a move may usually take of its clock",
        cecp: None,
    },
    OptionSpec {
        name: "SlowMover",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 100,
            min: 10,
            max: 1000,
            set: |host, value| host.change_conduct(|conduct| conduct.pace.percent = count(value)),
        },
        about: "time that a move takes where there is a clock, in percent of the usual",
        cecp: None,
    },
    OptionSpec {
        name: "RoundUpToFullSecond",
        aliases: &[],
        kind: OptionKind::Check {
            default: false,
            set: |host, value| host.change_conduct(|conduct| conduct.pace.full_seconds = value),
        },
        about: "whether the clock counts every second begun as a whole one: it is then thought through",
        cecp: None,
    },
    OptionSpec {
        name: "Level",
        aliases: &[],
        kind: OptionKind::Spin {
            default: LEVELS.len() as u64,
            min: 1,
            max: LEVELS.len() as u64,
            set: |host, value| host.change_conduct(|conduct| conduct.level = size(value)),
        },
        about: "how strong to play, full strength last; analysis (`go infinite`, `go mate`) is not weakened",
        cecp: None,
    },
    OptionSpec {
        name: "USI_LimitStrength",
        aliases: &["UCI_LimitStrength"],
        kind: OptionKind::Check {
            default: false,
            set: |host, value| host.change_conduct(|conduct| conduct.limits_strength = value),
        },
        about: "whether to play no stronger than `USI_Elo`; the weaker of that and `Level` holds",
        cecp: None,
    },
    OptionSpec {
        name: "USI_Elo",
        aliases: &["UCI_Elo"],
        kind: OptionKind::Spin {
            default: MOST_ELO as u64,
            min: 0,
            max: MOST_ELO as u64,
            set: |host, value| host.change_conduct(|conduct| conduct.elo = count(value)),
        },
        about: "Elo above a player who moves at random, on a scale of each game: the strongest rung of its ladder of \
                at most so many ([levels.md](levels.md))",
        cecp: None,
    },
    OptionSpec {
        name: "DepthLimit",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: MAX_DEPTH as u64,
            set: |host, value| {
                host.change_conduct(|conduct| conduct.depth = limit(value).map(count));
            },
        },
        about: "the most plies of any search, analysis among them; 0: no limit",
        cecp: None,
    },
    OptionSpec {
        name: "NodesLimit",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            // GUIs read such numbers with 32 bits.
            max: 2_147_483_647,
            set: |host, value| host.change_conduct(|conduct| conduct.nodes = limit(value)),
        },
        about: "the most nodes of any search, analysis among them; 0: no limit",
        cecp: None,
    },
    OptionSpec {
        name: "MaxMovesToDraw",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 100_000,
            set: |host, value| {
                host.change_conduct(|conduct| conduct.longest_game = limit(value).map(count));
            },
        },
        about: "the search takes a game for drawn after this number of moves of both sides; 0: never",
        cecp: None,
    },
    OptionSpec {
        name: "ResignValue",
        aliases: &[],
        kind: OptionKind::Spin {
            default: NEVER_RESIGN,
            min: 1,
            max: NEVER_RESIGN,
            set: |host, value| {
                let hopeless = (value < NEVER_RESIGN).then_some(count(value));
                host.change_conduct(|conduct| conduct.resignation = hopeless);
            },
        },
        about: "resigns when so many centipawns behind, or when mated by force; 99999: never",
        cecp: None,
    },
    OptionSpec {
        name: "PvInterval",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 100_000,
            set: |host, value| {
                host.change_conduct(|conduct| conduct.pv_interval = Duration::from_millis(value));
            },
        },
        about: "the least time between lines of a search, but for the last ones, in ms",
        cecp: None,
    },
    OptionSpec {
        name: "Clear_Hash",
        aliases: &[],
        kind: OptionKind::Button { press: |host| host.engine().clear_hash() },
        about: "empties the transposition table",
        cecp: None,
    },
    OptionSpec {
        name: RuleSwitch::DolphinRetreat.option(),
        aliases: &[],
        kind: OptionKind::Combo {
            choices: RuleSwitch::DolphinRetreat.choices(),
            set: |host, choice| set_rule(host, RuleSwitch::DolphinRetreat, choice),
        },
        about: "how far a dolphin retreats from the farthest rank: any number of squares, or two",
        cecp: None,
    },
    OptionSpec {
        name: RuleSwitch::RetreatFileLimit.option(),
        aliases: &[],
        kind: OptionKind::Combo {
            choices: RuleSwitch::RetreatFileLimit.choices(),
            set: |host, choice| set_rule(host, RuleSwitch::RetreatFileLimit, choice),
        },
        about: "whether a dolphin may not retreat onto a file with two dolphins of its own",
        cecp: None,
    },
    OptionSpec {
        name: RuleSwitch::Impasse.option(),
        aliases: &[],
        kind: OptionKind::Combo {
            choices: RuleSwitch::Impasse.choices(),
            set: |host, choice| set_rule(host, RuleSwitch::Impasse, choice),
        },
        about: "whether an impasse can be claimed and is decided by points",
        cecp: None,
    },
    OptionSpec {
        name: RuleSwitch::Repetition.option(),
        aliases: &[],
        kind: OptionKind::Combo {
            choices: RuleSwitch::Repetition.choices(),
            set: |host, choice| set_rule(host, RuleSwitch::Repetition, choice),
        },
        about: "whether the fourth occurrence of a position ends the game",
        cecp: None,
    },
    OptionSpec {
        name: "EvalFile",
        aliases: &[],
        kind: OptionKind::Text { default: "", set: Host::set_network },
        about: "a file with a network, which judges the game it was made for, now or once that is chosen; beside \
                the executable where the path is relative and such a file is there; empty: what the engine was \
                built with, for all games",
        cecp: None,
    },
    OptionSpec {
        name: "USI_OwnBook",
        aliases: &["OwnBook"],
        kind: OptionKind::Check {
            default: false,
            set: |host, value| host.change_book(|book| book.on = value),
        },
        about: "whether moves are played from a book while it has any ([books.md](books.md))",
        cecp: None,
    },
    OptionSpec {
        name: "BookFile",
        aliases: &[],
        kind: OptionKind::Text { default: INTERNAL, set: Host::set_book },
        about: "a compact book, found as `EvalFile` is; `<internal>` or empty: what the engine was built with",
        cecp: None,
    },
    OptionSpec {
        name: "BookDepth",
        aliases: &[],
        kind: OptionKind::Spin {
            default: BOOK.depth,
            min: 0,
            max: 10_000,
            set: |host, value| host.change_book(|book| book.depth = value),
        },
        about: "the last move, counted over both sides, that is played from the book",
        cecp: None,
    },
    OptionSpec {
        name: "BookMargin",
        aliases: &[],
        kind: OptionKind::Spin {
            default: BOOK.margin,
            min: 0,
            max: 10_000,
            set: |host, value| host.change_book(|book| book.margin = value),
        },
        about: "centipawns that a move of the book may be worse than its best; one of those is played",
        cecp: None,
    },
    OptionSpec {
        name: "BookSeed",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            // GUIs read such numbers with 32 bits.
            max: 2_147_483_647,
            set: |host, value| host.change_book(|book| book.seed = limit(value)),
        },
        about: "chooses among several moves of the book, the same ones every time; 0: by chance",
        cecp: None,
    },
    OptionSpec {
        name: "DebugLogFile",
        aliases: &[],
        kind: OptionKind::Text {
            default: "",
            set: |host, path| {
                logging::to_file(path, host.leave())
                    .map_err(|error| SessionError::LogFile { path: path.to_owned(), error })
            },
        },
        about: "a file to which every line read and written is appended; empty: none",
        cecp: None,
    },
];

impl OptionSpec {
    /// The option as `usi` lists it.
    #[must_use]
    pub fn declared(&self) -> DeclaredOption {
        use kujira_usi::OptionKind as Kind;
        let number = |value: u64| Some(i64::try_from(value).unwrap_or(i64::MAX));
        let kind = match &self.kind {
            OptionKind::Check { default, .. } => Kind::Check { default: Some(*default) },
            &OptionKind::Spin { default, min, max, .. } => {
                Kind::Spin { default: number(default), min: number(min), max: number(max) }
            }
            OptionKind::Combo { choices, .. } => Kind::Combo {
                default: choices.first().map(|&first| first.to_owned()),
                choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
            },
            OptionKind::Button { .. } => Kind::Button,
            OptionKind::Text { default, .. } => {
                Kind::String { default: Some((*default).to_owned()) }
            }
            #[cfg(feature = "tuning")]
            &OptionKind::Tunable(&Param { value, min, max, .. }) => {
                let [default, min, max] = [value, min, max].map(|value| Some(value.into()));
                Kind::Spin { default, min, max }
            }
        };
        DeclaredOption { name: self.name.to_owned(), kind }
    }
}

impl OptionKind {
    /// The default for people.
    #[must_use]
    pub fn default_text(&self) -> String {
        match self {
            Self::Check { default, .. } => default.to_string(),
            Self::Spin { default, .. } => default.to_string(),
            Self::Combo { choices, .. } => choices.first().copied().unwrap_or("").to_owned(),
            Self::Button { .. } => String::new(),
            Self::Text { default: "", .. } => option::EMPTY.to_owned(),
            Self::Text { default, .. } => (*default).to_owned(),
            #[cfg(feature = "tuning")]
            Self::Tunable(param) => param.value.to_string(),
        }
    }

    /// The values it can have, for people.
    #[must_use]
    pub fn values(&self) -> String {
        match self {
            Self::Check { .. } => "true or false".to_owned(),
            Self::Spin { min, max, .. } => format!("a number from {min} to {max}"),
            Self::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
            Self::Button { .. } => "no value".to_owned(),
            Self::Text { .. } => "a text".to_owned(),
            #[cfg(feature = "tuning")]
            Self::Tunable(param) => format!("a number from {} to {}", param.min, param.max),
        }
    }
}

impl OptionSpec {
    /// Checks a value and puts it into force.
    ///
    /// # Errors
    /// What was expected and what was found; then the old value stays.
    pub fn apply(&self, host: &mut Host, value: Option<&str>) -> Result<(), SessionError> {
        let text = match value.unwrap_or("") {
            option::EMPTY => "",
            text => text,
        };
        let refused = || SessionError::OptionValue {
            name: self.name,
            expected: self.kind.values(),
            found: text.to_owned(),
        };
        match &self.kind {
            OptionKind::Check { set, .. } => {
                let value = text.to_ascii_lowercase().parse().map_err(|_| refused())?;
                set(host, value);
            }
            OptionKind::Spin { min, max, set, .. } => {
                let digits = text.bytes().all(|b| b.is_ascii_digit());
                let value = text.parse().ok().filter(|v| digits && (min..=max).contains(&v));
                set(host, value.ok_or_else(refused)?);
            }
            OptionKind::Combo { choices, set } => {
                let choice = choices.iter().find(|choice| choice.eq_ignore_ascii_case(text));
                set(host, choice.ok_or_else(refused)?)
                    .map_err(|error| SessionError::Rules { name: self.name, error })?;
            }
            OptionKind::Button { press } => {
                if !text.is_empty() {
                    return Err(refused());
                }
                press(host);
            }
            OptionKind::Text { set, .. } => {
                // An option without any value is more likely a slip than the empty text.
                set(host, value.map(|_| text).ok_or_else(refused)?)?;
            }
            #[cfg(feature = "tuning")]
            OptionKind::Tunable(param) => {
                let value = text.parse().ok().filter(|_| !text.starts_with('+'));
                kujira_search::set_param(param.name, value.ok_or_else(refused)?)
                    .map_err(|_| refused())?;
            }
        }
        Ok(())
    }
}

/// The option of this name or alias, in any case.
#[must_use]
pub fn find(name: &str) -> Option<&'static OptionSpec> {
    OPTIONS.iter().find(|option| {
        std::iter::once(&option.name).chain(option.aliases).any(|n| n.eq_ignore_ascii_case(name))
    })
}

/// The names of the usual options, and a word on tunable numbers where there are any: too many to name in an error.
fn names_told() -> String {
    let mut names = USUAL.iter().map(|option| option.name).collect::<Vec<_>>().join(", ");
    if OPTIONS.len() > USUAL.len() {
        names.push_str(", or a tunable number that usi lists");
    }
    names
}

/// Sets an option.
///
/// # Errors
/// If there is no such option, or it cannot have this value.
pub fn set(host: &mut Host, name: &str, value: Option<&str>) -> Result<(), SessionError> {
    match find(name) {
        Some(option) => option.apply(host, value),
        None => Err(SessionError::UnknownOption { found: name.to_owned(), names: names_told() }),
    }
}
