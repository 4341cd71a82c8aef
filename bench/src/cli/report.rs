//! `report`.

use std::path::PathBuf;

use clap::Args;
use kujira_position::{Position, Rules, Variant, VariantId, with_variant};

use crate::openings::Opening;
use crate::record::{GameRecord, Reason, read_journal};
use crate::report::Report;
use crate::schedule::EngineHeader;
use crate::standings::Standings;

use super::{Stop, say};

/// Arguments of `report`.
#[derive(Args)]
pub(super) struct ReportArgs {
    /// The journal of a match, PREFIX.jsonl.
    #[arg(value_name = "FILE")]
    journal: PathBuf,
}

/// Runs `report`.
pub(super) fn run(args: &ReportArgs) -> Result<(), Stop> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", args.journal.display());
    let text = std::fs::read(&args.journal).map_err(|error| named(&error))?;
    let (header, games, _) = read_journal(&text).map_err(|error| named(&error))?;
    let header = header.ok_or_else(|| named(&"expected a match in the first line, found none"))?;
    let game = VariantId::named(&header.game)
        .ok_or_else(|| named(&format!("expected one of {}", VariantId::choices())))?;
    let names = header.engines.iter().map(|engine| engine.player.name.clone()).collect();
    let mut standings = Standings::new(names);
    for record in &games {
        with_variant!(game, V => replay::<V>(record, header.rules.into())).map_err(|error| {
            named(&format!("game {}.{}: {error}", record.id.round + 1, record.id.leg + 1))
        })?;
        standings.add(record);
    }
    let mut text = format!("{} {}\n", header.game, header.rules);
    for EngineHeader { player, command, .. } in &header.engines {
        text.push_str(&format!("  {}: {}, {}\n", player.name, player.limit, command.join(" ")));
    }
    text.push_str(&format!("openings: {}\n\n", header.openings));
    let sprt = header.sprt.as_ref();
    text.push_str(&Report { standings: &standings, sprt, allow_failures: false }.to_string());
    say(&text)
}

/// Plays a game again: every move must be legal, and an end by the rules must be one.
fn replay<V: Variant>(game: &GameRecord, rules: Rules) -> Result<(), String> {
    let opening: Opening = game.opening.parse()?;
    let mut position: Position<V> = opening.position(rules)?;
    for (index, m) in game.moves.iter().enumerate() {
        if let Some(outcome) = position.outcome() {
            return Err(format!("expected no move after the end ({outcome}), found {}", m.usi));
        }
        let m =
            position.parse_usi(&m.usi).map_err(|error| format!("move {}: {error}", index + 1))?;
        position.make(m);
    }
    let ruled = matches!(
        game.ending.reason,
        Reason::Checkmate
            | Reason::NoMoves
            | Reason::WhaleCaptured
            | Reason::Repetition
            | Reason::PerpetualCheck
            | Reason::Impasse
    );
    let outcome = match game.ending.reason {
        Reason::Impasse => position.impasse(),
        _ => position.outcome(),
    };
    match outcome {
        Some(outcome) if crate::record::Ending::from(outcome) == game.ending => Ok(()),
        None if !ruled => Ok(()),
        found => {
            let found = found.map_or_else(|| "no end".to_owned(), |outcome| outcome.to_string());
            Err(format!("expected the end to be {}, found {found}", game.ending.reason))
        }
    }
}
