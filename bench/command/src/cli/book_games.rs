//! Games that tell a book how positions go on.

use std::path::PathBuf;

use clap::Args;
use kujira_position::{Rules, Variant};
use kujira_program::status::{Stop, tell};

use kujira_arena::replay::PlayedMatch;
use kujira_arena::together::{leave_out_repeated, left_out, refuse_again};
use kujira_study::opening_book::Results;

use super::sums::SumArgs;

#[derive(Args)]
pub(super) struct GamesArgs {
    /// Journals of matches, PREFIX.jsonl, that tell which moves are made. What time or a failure ended does not count.
    #[arg(long = "games", value_name = "JOURNAL", num_args = 1..)]
    pub(super) journals: Vec<PathBuf>,
    #[command(flatten)]
    sums: SumArgs,
    /// Plies of a game that count.
    #[arg(long, value_name = "N", default_value_t = 20)]
    plies: usize,
    /// Games that must have come to a position, or made a move, for it to count.
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) least: u32,
}

impl GamesArgs {
    /// What became of the games, each of which is replayed first.
    pub(super) fn results<V: Variant>(&self) -> Result<Results<V>, Stop> {
        let mut results = Results::new(self.plies);
        let (mut counted, mut without) = (0u64, 0u64);
        let mut matches: Vec<PlayedMatch> = Vec::new();
        for path in &self.journals {
            let played = PlayedMatch::read(path, self.sums.unchecked)?;
            if played.header.game != V::ID.to_string() {
                let found =
                    format!("expected a match of {}, found one of {}", V::ID, played.header.game);
                return Err(played.named(&found).into());
            }
            if Rules::from(played.header.rules) != Rules::DEFAULT {
                let found = format!("expected the usual rules, found {}", played.header.rules);
                return Err(played.named(&found).into());
            }
            matches.push(played);
        }
        refuse_again(&matches)?;
        let repeated = leave_out_repeated(&mut matches);
        for played in &matches {
            played.replay()?;
            for game in played.records() {
                let counts = results.add(&game?).map_err(|error| played.named(&error))?;
                *if counts { &mut counted } else { &mut without } += 1;
            }
        }
        if !self.journals.is_empty() {
            tell(&format!("{counted} games counted, {without} left out\n{}", left_out(repeated)));
        }
        Ok(results)
    }
}
