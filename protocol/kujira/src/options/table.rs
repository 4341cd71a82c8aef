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

/// An option that has no alias, and no command of CECP.
pub(super) const fn row(
    name: &'static str,
    uci: Option<&'static str>,
    kind: OptionKind,
    about: &'static str,
) -> OptionSpec {
    OptionSpec { name, aliases: &[], kind, about, cecp: None, uci }
}

/// An option that is off by default.
pub(super) const fn check(set: fn(&mut EngineState, bool)) -> OptionKind {
    OptionKind::Check { default: false, set }
}

/// A number: default, least, greatest, and how one is put into force.
const fn spin(default: u64, min: u64, max: u64, set: fn(&mut EngineState, u64)) -> OptionKind {
    OptionKind::Spin { default, min, max, set }
}

/// A rule switch.
const fn rule(
    switch: RuleSwitch,
    set: fn(&mut EngineState, &'static str) -> Result<(), SetupError>,
) -> OptionKind {
    OptionKind::Combo { choices: switch.choices(), set }
}

/// The options of every build.
pub const USUAL: &[OptionSpec] = &[
    // Only clients of UCI use the other name: it is no alias in USI.
    OptionSpec {
        cecp: Some("memory"),
        ..row(
            names::HASH.usi,
            Some("Hash"),
            spin(DEFAULT_HASH as u64, 1, LARGEST_HASH, |state, value| state.set_hash(size(value))),
            "size of the transposition table in MiB; made at `isready` or the first `go` (one with time \
                limits or `ponder` makes none above 64: the old one serves until the next `isready` or another `go`)",
        )
    },
    OptionSpec {
        cecp: Some("hard"),
        ..row(
            names::PONDER.usi,
            Some("Ponder"),
            check(|state, value| state.change(|settings| settings.ponder = value)),
            "whether the GUI ponders: `bestmove` then names the reply expected",
        )
    },
    OptionSpec {
        aliases: names::VARIANT.others,
        cecp: Some("variant"),
        ..row(
            names::VARIANT.usi,
            None,
            OptionKind::Combo {
                choices: &GAMES,
                set: |state, choice| {
                    if let Some(game) = VariantId::named(choice) {
                        state.choose_game(game);
                    }
                    Ok(())
                },
            },
            "the game; another game begins at its starting position, other options stay",
        )
    },
    OptionSpec {
        cecp: Some("cores"),
        ..row(
            names::THREADS.usi,
            Some(names::THREADS.usi),
            spin(1, 1, MOST_THREADS, |state, value| state.set_threads(size(value))),
            "number of searching threads",
        )
    },
    OptionSpec {
        aliases: names::MULTI_PV.others,
        ..row(
            names::MULTI_PV.usi,
            Some(names::MULTI_PV.usi),
            spin(1, 1, 256, |state, value| state.set_multipv(size(value))),
            "number of lines a search reports",
        )
    },
    row(
        "NetworkDelay",
        Some("Move Overhead"),
        spin(30, 0, 10_000, |state, value| {
            state.change_search(|search| search.time.network_delay = Duration::from_millis(value));
        }),
        "time kept back on every move for the way to the GUI and back, in ms",
    ),
    row(
        "MinimumThinkingTime",
        Some("MinimumThinkingTime"),
        spin(0, 0, 60_000, |state, value| {
            state.change_search(|search| search.time.minimum = Duration::from_millis(value));
        }),
        "the least time to think on a move, in ms, but never more than a move may usually take of its clock",
    ),
    row(
        "SlowMover",
        Some("Slow Mover"),
        spin(100, 10, 1000, |state, value| {
            state.change_search(|search| search.time.percent = count(value))
        }),
        "time that a move takes where there is a clock, in percent of the usual",
    ),
    row(
        "RoundUpToFullSecond",
        Some("RoundUpToFullSecond"),
        check(|state, value| state.change_search(|search| search.time.full_seconds = value)),
        "whether the clock counts every second begun as a whole one: it is then thought through",
    ),
    row(
        "Level",
        Some("Level"),
        spin(LEVELS.len() as u64, 1, LEVELS.len() as u64, |state, value| {
            state.change_search(|search| search.level = size(value))
        }),
        "how strong to play, full strength last; analysis (`go infinite`, `go mate`) is not weakened",
    ),
    OptionSpec {
        aliases: &["UCI_LimitStrength"],
        ..row(
            "USI_LimitStrength",
            Some("UCI_LimitStrength"),
            check(|state, value| state.change_search(|search| search.limits_strength = value)),
            "whether to play no stronger than the next option says; the weaker of that and `Level` holds",
        )
    },
    OptionSpec {
        aliases: &["UCI_Elo"],
        ..row(
            "USI_Elo",
            Some("UCI_Elo"),
            spin(MOST_ELO as u64, 0, MOST_ELO as u64, |state, value| {
                state.change_search(|search| search.elo = count(value))
            }),
            "Elo above a player who moves at random, on a scale of each game: the strongest rung of its ladder of \
                at most so many ([levels.md](levels.md))",
        )
    },
    row(
        "DepthLimit",
        Some("DepthLimit"),
        spin(0, 0, MAX_DEPTH as u64, |state, value| {
            state.change_search(|search| search.depth = limit(value).map(count));
        }),
        "the most plies of any search, analysis among them; 0: no limit",
    ),
    row(
        "NodesLimit",
        Some("NodesLimit"),
        // GUIs read such numbers with 32 bits.
        spin(0, 0, 2_147_483_647, |state, value| {
            state.change_search(|search| search.nodes = limit(value))
        }),
        "the most nodes of any search, analysis among them; 0: no limit",
    ),
    row(
        "MaxMovesToDraw",
        Some("MaxMovesToDraw"),
        spin(0, 0, 100_000, |state, value| {
            state.change_search(|search| search.longest_game = limit(value).map(count));
        }),
        "the search takes a game for drawn after this number of moves of both sides; 0: never",
    ),
    row(
        "ResignValue",
        None,
        spin(NEVER_RESIGN, 1, NEVER_RESIGN, |state, value| {
            let hopeless = (value < NEVER_RESIGN).then_some(count(value));
            state.change_search(|search| search.resignation = hopeless);
        }),
        "resigns when so many centipawns behind, or when mated by force; 99999: never",
    ),
    row(
        "PvInterval",
        Some("PvInterval"),
        spin(0, 0, 100_000, |state, value| {
            state.change_search(|search| search.pv_interval = Duration::from_millis(value));
        }),
        "the least time between lines of a search, but for the last ones, in ms",
    ),
    row(
        "Clear_Hash",
        Some("Clear Hash"),
        OptionKind::Button { press: |state| state.engine().clear_hash() },
        "empties the transposition table",
    ),
    row(
        RuleSwitch::DolphinRetreat.option(),
        None,
        rule(RuleSwitch::DolphinRetreat, |state, choice| {
            set_rule(state, RuleSwitch::DolphinRetreat, choice)
        }),
        "how far a dolphin retreats from the farthest rank: any number of squares, or two",
    ),
    row(
        RuleSwitch::RetreatFileLimit.option(),
        None,
        rule(RuleSwitch::RetreatFileLimit, |state, choice| {
            set_rule(state, RuleSwitch::RetreatFileLimit, choice)
        }),
        "whether a dolphin may not retreat onto a file with two dolphins of its own",
    ),
    row(
        RuleSwitch::Impasse.option(),
        None,
        rule(RuleSwitch::Impasse, |state, choice| set_rule(state, RuleSwitch::Impasse, choice)),
        "whether an impasse can be claimed and is decided by points",
    ),
    row(
        RuleSwitch::Repetition.option(),
        None,
        rule(RuleSwitch::Repetition, |state, choice| {
            set_rule(state, RuleSwitch::Repetition, choice)
        }),
        "whether the fourth occurrence of a position ends the game",
    ),
    row(
        "EvalFile",
        Some("EvalFile"),
        OptionKind::File { default: "", set: EngineState::set_network },
        "a file with a network, which judges the game it was made for, now or once that is chosen; beside \
                the executable where the path is relative and such a file is there; empty: what the engine was \
                built with, for all games",
    ),
    OptionSpec {
        aliases: &["OwnBook"],
        ..row(
            "USI_OwnBook",
            Some("OwnBook"),
            check(|state, value| state.change(|settings| settings.book.on = value)),
            "whether moves are played from a book while it has any ([books.md](books.md))",
        )
    },
    row(
        "BookFile",
        Some("BookFile"),
        OptionKind::File { default: INTERNAL, set: EngineState::set_book },
        "a compact book, found as `EvalFile` is; `<internal>` or empty: what the engine was built with",
    ),
    row(
        "BookDepth",
        Some("BookDepth"),
        spin(BOOK.depth, 0, 10_000, |state, value| {
            state.change(|settings| settings.book.depth = value)
        }),
        "the last move, counted over both sides, that is played from the book",
    ),
    row(
        "BookMargin",
        Some("BookMargin"),
        spin(BOOK.margin, 0, 10_000, |state, value| {
            state.change(|settings| settings.book.margin = value)
        }),
        "centipawns that a move of the book may be worse than its best; one of those is played",
    ),
    row(
        "BookSeed",
        Some("BookSeed"),
        // GUIs read such numbers with 32 bits.
        spin(0, 0, 2_147_483_647, |state, value| {
            state.change(|settings| settings.book.seed = limit(value))
        }),
        "chooses among several moves of the book, the same ones every time; 0: by chance",
    ),
    row(
        "DebugLogFile",
        Some("DebugLogFile"),
        OptionKind::File {
            default: "",
            set: |state, path| {
                logging::to_file(path, state.leave())
                    .map_err(|error| SessionError::LogFile { path: path.to_owned(), error })
            },
        },
        "a file to which every line read and written is appended; empty: none",
    ),
];
