//! The options of every build, a row an option.

use std::time::Duration;

use kujira_position::{SetupError, VariantId};
use kujira_search::{LEVELS, MAX_DEPTH, MOST_ELO};
use kujira_usi::{RuleSwitch, names};

use crate::book::{BookSettings, INTERNAL};
use crate::engine_state::{DEFAULT_HASH, EngineState};
use crate::errors::SessionError;
use crate::logging;

use super::spec::{OptionKind, OptionSpec};

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
fn set_rule(state: &mut EngineState, switch: RuleSwitch, choice: &str) -> Result<(), SetupError> {
    let switched = switch.choices().last().is_some_and(|&last| last == choice);
    state.change_rules(|rules| switch.switch(rules, switched))
}

/// A limit of the table, where 0 stands for none.
fn limit(value: u64) -> Option<u64> {
    (value > 0).then_some(value)
}

/// The options of every build.
pub const USUAL: &[OptionSpec] = &[
    OptionSpec {
        // Only clients of UCI use the other name: it is no alias in USI.
        name: names::HASH.usi,
        aliases: &[],
        kind: OptionKind::Spin {
            default: DEFAULT_HASH as u64,
            min: 1,
            max: LARGEST_HASH,
            set: |state, value| state.set_hash(size(value)),
        },
        about: "size of the transposition table in MiB; made at `isready` or the first `go` (one with time \
                limits or `ponder` makes none above 64: the old one serves until the next `isready` or another `go`)",
        cecp: Some("memory"),
        uci: Some("Hash"),
    },
    OptionSpec {
        name: names::PONDER.usi,
        aliases: &[],
        kind: OptionKind::Check { default: false, set: EngineState::set_ponder },
        about: "whether the GUI ponders: `bestmove` then names the reply expected",
        cecp: Some("hard"),
        uci: Some("Ponder"),
    },
    OptionSpec {
        name: names::VARIANT.usi,
        aliases: names::VARIANT.others,
        kind: OptionKind::Combo {
            choices: &GAMES,
            set: |state, choice| {
                if let Some(game) = VariantId::named(choice) {
                    state.choose_game(game);
                }
                Ok(())
            },
        },
        about: "the game; another game begins at its starting position, other options stay",
        cecp: Some("variant"),
        uci: None,
    },
    OptionSpec {
        name: names::THREADS.usi,
        aliases: &[],
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: MOST_THREADS,
            set: |state, value| state.set_threads(size(value)),
        },
        about: "number of searching threads",
        cecp: Some("cores"),
        uci: Some(names::THREADS.usi),
    },
    OptionSpec {
        name: names::MULTI_PV.usi,
        aliases: names::MULTI_PV.others,
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 256,
            set: |state, value| state.set_multipv(size(value)),
        },
        about: "number of lines a search reports",
        cecp: None,
        uci: Some(names::MULTI_PV.usi),
    },
    OptionSpec {
        name: "NetworkDelay",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 30,
            min: 0,
            max: 10_000,
            set: |state, value| {
                state.change_search(|search| {
                    search.time.network_delay = Duration::from_millis(value)
                });
            },
        },
        about: "time kept back on every move for the way to the GUI and back, in ms",
        cecp: None,
        uci: Some("Move Overhead"),
    },
    OptionSpec {
        name: "MinimumThinkingTime",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 60_000,
            set: |state, value| {
                state.change_search(|search| search.time.minimum = Duration::from_millis(value));
            },
        },
        about: "the least time to think on a move, in ms, but never more than a move may usually take of its clock",
        cecp: None,
        uci: Some("MinimumThinkingTime"),
    },
    OptionSpec {
        name: "SlowMover",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 100,
            min: 10,
            max: 1000,
            set: |state, value| state.change_search(|search| search.time.percent = count(value)),
        },
        about: "time that a move takes where there is a clock, in percent of the usual",
        cecp: None,
        uci: Some("Slow Mover"),
    },
    OptionSpec {
        name: "RoundUpToFullSecond",
        aliases: &[],
        kind: OptionKind::Check {
            default: false,
            set: |state, value| state.change_search(|search| search.time.full_seconds = value),
        },
        about: "whether the clock counts every second begun as a whole one: it is then thought through",
        cecp: None,
        uci: Some("RoundUpToFullSecond"),
    },
    OptionSpec {
        name: "Level",
        aliases: &[],
        kind: OptionKind::Spin {
            default: LEVELS.len() as u64,
            min: 1,
            max: LEVELS.len() as u64,
            set: |state, value| state.change_search(|search| search.level = size(value)),
        },
        about: "how strong to play, full strength last; analysis (`go infinite`, `go mate`) is not weakened",
        cecp: None,
        uci: Some("Level"),
    },
    OptionSpec {
        name: "USI_LimitStrength",
        aliases: &["UCI_LimitStrength"],
        kind: OptionKind::Check {
            default: false,
            set: |state, value| state.change_search(|search| search.limits_strength = value),
        },
        about: "whether to play no stronger than the next option says; the weaker of that and `Level` holds",
        cecp: None,
        uci: Some("UCI_LimitStrength"),
    },
    OptionSpec {
        name: "USI_Elo",
        aliases: &["UCI_Elo"],
        kind: OptionKind::Spin {
            default: MOST_ELO as u64,
            min: 0,
            max: MOST_ELO as u64,
            set: |state, value| state.change_search(|search| search.elo = count(value)),
        },
        about: "Elo above a player who moves at random, on a scale of each game: the strongest rung of its ladder of \
                at most so many ([levels.md](levels.md))",
        cecp: None,
        uci: Some("UCI_Elo"),
    },
    OptionSpec {
        name: "DepthLimit",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: MAX_DEPTH as u64,
            set: |state, value| {
                state.change_search(|search| search.depth = limit(value).map(count));
            },
        },
        about: "the most plies of any search, analysis among them; 0: no limit",
        cecp: None,
        uci: Some("DepthLimit"),
    },
    OptionSpec {
        name: "NodesLimit",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            // GUIs read such numbers with 32 bits.
            max: 2_147_483_647,
            set: |state, value| state.change_search(|search| search.nodes = limit(value)),
        },
        about: "the most nodes of any search, analysis among them; 0: no limit",
        cecp: None,
        uci: Some("NodesLimit"),
    },
    OptionSpec {
        name: "MaxMovesToDraw",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 100_000,
            set: |state, value| {
                state.change_search(|search| search.longest_game = limit(value).map(count));
            },
        },
        about: "the search takes a game for drawn after this number of moves of both sides; 0: never",
        cecp: None,
        uci: Some("MaxMovesToDraw"),
    },
    OptionSpec {
        name: "ResignValue",
        aliases: &[],
        kind: OptionKind::Spin {
            default: NEVER_RESIGN,
            min: 1,
            max: NEVER_RESIGN,
            set: |state, value| {
                let hopeless = (value < NEVER_RESIGN).then_some(count(value));
                state.change_search(|search| search.resignation = hopeless);
            },
        },
        about: "resigns when so many centipawns behind, or when mated by force; 99999: never",
        cecp: None,
        uci: None,
    },
    OptionSpec {
        name: "PvInterval",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 100_000,
            set: |state, value| {
                state.change_search(|search| search.pv_interval = Duration::from_millis(value));
            },
        },
        about: "the least time between lines of a search, but for the last ones, in ms",
        cecp: None,
        uci: Some("PvInterval"),
    },
    OptionSpec {
        name: "Clear_Hash",
        aliases: &[],
        kind: OptionKind::Button { press: |state| state.engine().clear_hash() },
        about: "empties the transposition table",
        cecp: None,
        uci: Some("Clear Hash"),
    },
    OptionSpec {
        name: RuleSwitch::DolphinRetreat.option(),
        aliases: &[],
        kind: OptionKind::Combo {
            choices: RuleSwitch::DolphinRetreat.choices(),
            set: |state, choice| set_rule(state, RuleSwitch::DolphinRetreat, choice),
        },
        about: "how far a dolphin retreats from the farthest rank: any number of squares, or two",
        cecp: None,
        uci: None,
    },
    OptionSpec {
        name: RuleSwitch::RetreatFileLimit.option(),
        aliases: &[],
        kind: OptionKind::Combo {
            choices: RuleSwitch::RetreatFileLimit.choices(),
            set: |state, choice| set_rule(state, RuleSwitch::RetreatFileLimit, choice),
        },
        about: "whether a dolphin may not retreat onto a file with two dolphins of its own",
        cecp: None,
        uci: None,
    },
    OptionSpec {
        name: RuleSwitch::Impasse.option(),
        aliases: &[],
        kind: OptionKind::Combo {
            choices: RuleSwitch::Impasse.choices(),
            set: |state, choice| set_rule(state, RuleSwitch::Impasse, choice),
        },
        about: "whether an impasse can be claimed and is decided by points",
        cecp: None,
        uci: None,
    },
    OptionSpec {
        name: RuleSwitch::Repetition.option(),
        aliases: &[],
        kind: OptionKind::Combo {
            choices: RuleSwitch::Repetition.choices(),
            set: |state, choice| set_rule(state, RuleSwitch::Repetition, choice),
        },
        about: "whether the fourth occurrence of a position ends the game",
        cecp: None,
        uci: None,
    },
    OptionSpec {
        name: "EvalFile",
        aliases: &[],
        kind: OptionKind::File { default: "", set: EngineState::set_network },
        about: "a file with a network, which judges the game it was made for, now or once that is chosen; beside \
                the executable where the path is relative and such a file is there; empty: what the engine was \
                built with, for all games",
        cecp: None,
        uci: Some("EvalFile"),
    },
    OptionSpec {
        name: "USI_OwnBook",
        aliases: &["OwnBook"],
        kind: OptionKind::Check {
            default: false,
            set: |state, value| state.change_book(|book| book.on = value),
        },
        about: "whether moves are played from a book while it has any ([books.md](books.md))",
        cecp: None,
        uci: Some("OwnBook"),
    },
    OptionSpec {
        name: "BookFile",
        aliases: &[],
        kind: OptionKind::File { default: INTERNAL, set: EngineState::set_book },
        about: "a compact book, found as `EvalFile` is; `<internal>` or empty: what the engine was built with",
        cecp: None,
        uci: Some("BookFile"),
    },
    OptionSpec {
        name: "BookDepth",
        aliases: &[],
        kind: OptionKind::Spin {
            default: BOOK.depth,
            min: 0,
            max: 10_000,
            set: |state, value| state.change_book(|book| book.depth = value),
        },
        about: "the last move, counted over both sides, that is played from the book",
        cecp: None,
        uci: Some("BookDepth"),
    },
    OptionSpec {
        name: "BookMargin",
        aliases: &[],
        kind: OptionKind::Spin {
            default: BOOK.margin,
            min: 0,
            max: 10_000,
            set: |state, value| state.change_book(|book| book.margin = value),
        },
        about: "centipawns that a move of the book may be worse than its best; one of those is played",
        cecp: None,
        uci: Some("BookMargin"),
    },
    OptionSpec {
        name: "BookSeed",
        aliases: &[],
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            // GUIs read such numbers with 32 bits.
            max: 2_147_483_647,
            set: |state, value| state.change_book(|book| book.seed = limit(value)),
        },
        about: "chooses among several moves of the book, the same ones every time; 0: by chance",
        cecp: None,
        uci: Some("BookSeed"),
    },
    OptionSpec {
        name: "DebugLogFile",
        aliases: &[],
        kind: OptionKind::File {
            default: "",
            set: |state, path| {
                logging::to_file(path, state.leave())
                    .map_err(|error| SessionError::LogFile { path: path.to_owned(), error })
            },
        },
        about: "a file to which every line read and written is appended; empty: none",
        cecp: None,
        uci: Some("DebugLogFile"),
    },
];
