//! `report`.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use kujira_program::status::{Stop, say};

use kujira_arena::replay::{Account, PlayedMatch};
use kujira_arena::report::Report;
use kujira_arena::standings::Standings;
use kujira_arena::together::{
    leave_out_repeated, left_out, refuse_again, refuse_mixed, refuse_void,
};
use kujira_statistics::Sprt;

use super::risks::RiskArgs;
use super::sums::SumArgs;
use super::watch::WatchArgs;

/// Arguments of `report`.
#[derive(Args)]
#[command(mut_group("RiskArgs", |risks| risks.requires("elo0")))]
pub(super) struct ReportArgs {
    /// The journals of matches, PREFIX.jsonl: after the account of each, one of all together.
    #[arg(value_name = "FILE", required_unless_present = "watch")]
    journals: Vec<PathBuf>,
    /// The Elo difference that counts as no gain, to test all games between two engines together.
    #[arg(long, requires = "elo1", allow_negative_numbers = true)]
    elo0: Option<f64>,
    /// The Elo difference that counts as a gain.
    #[arg(long, requires = "elo0", allow_negative_numbers = true)]
    elo1: Option<f64>,
    #[command(flatten)]
    risks: RiskArgs,
    #[command(flatten)]
    sums: SumArgs,
    /// Count journals together although engines of one name had other limits, options or builds in them.
    #[arg(long)]
    mixed: bool,
    /// Let a test pass even if more than 2 % of the games were lost by failures: time, a crash.
    #[arg(long)]
    allow_failures: bool,
    #[command(flatten)]
    watch: WatchArgs,
}

impl ReportArgs {
    fn report<'a>(&self, standings: &'a Standings, sprt: Option<&'a Sprt>) -> Report<'a> {
        Report { standings, sprt, allow_failures: self.allow_failures }
    }
}

/// Runs `report`.
pub(super) fn run(args: &ReportArgs) -> Result<(), Stop> {
    let test = match (args.elo0, args.elo1) {
        (Some(elo0), Some(elo1)) => Some(args.risks.test(elo0, elo1)?),
        _ => None,
    };
    if let (Some(folder), Some(test)) = (&args.watch.watch, test) {
        return args.watch.run(folder, test, args.allow_failures);
    }
    let mut matches = args.sums.read(&args.journals)?;
    if matches.len() > 1 || test.is_some() {
        check_together(&matches)?;
        if !args.mixed {
            refuse_mixed(&matches)?;
        }
    }
    let accounts: Vec<Account> =
        matches.iter().map(PlayedMatch::replay).collect::<Result<_, String>>()?;
    // The test that was asked for takes the place of the one that the match was, if it was one.
    if let ([played], [account]) = (&matches[..], &accounts[..]) {
        let report = args.report(&account.standings, test.as_ref().or(played.header.sprt.as_ref()));
        say(&format!("{}\n{report}", played.heading()))?;
        if test.is_some() {
            say(&repeated(&matches, &accounts))?;
            report.stands()?;
        }
        return Ok(());
    }
    for (played, account) in matches.iter().zip(&accounts) {
        let report = args.report(&account.standings, played.header.sprt.as_ref());
        say(&format!("{}\n{}\n{report}\n", played.path.display(), played.heading()))?;
    }
    refuse_void(&matches, &accounts)?;
    let games = leave_out_repeated(&mut matches);
    let mut all = Standings::new(matches[0].names());
    for played in &matches {
        all.add_all(&Standings::of(played.names(), &played.games));
    }
    let report = args.report(&all, test.as_ref());
    let repeated = repeated(&matches, &accounts);
    let without = left_out(games);
    let without = if games > 0 { format!("\n{without}") } else { without };
    say(&format!("all {} together\n\n{report}{without}{repeated}", matches.len()))?;
    Ok(report.stands()?)
}

/// Refuses matches whose games mean nothing if they are counted together, or would count twice.
fn check_together(matches: &[PlayedMatch]) -> Result<(), String> {
    refuse_again(matches)?;
    for played in matches {
        let names = played.names();
        if names.len() != 2 {
            let found = names.len();
            let what = format!("expected a match between two engines, found {found}");
            return Err(played.named(&what));
        }
        let first = matches[0].names();
        if names != first {
            return Err(played.named(&format!(
                "expected {} against {} as in {}, found {} against {}",
                first[0],
                first[1],
                matches[0].path.display(),
                names[0],
                names[1]
            )));
        }
    }
    Ok(())
}

/// A word about pairs of the same game that began where an earlier one did, if there are any.
fn repeated(matches: &[PlayedMatch], accounts: &[Account]) -> String {
    let mut known = HashSet::new();
    let (mut pairs, mut again) = (0, 0);
    for (played, account) in matches.iter().zip(accounts) {
        let left: HashSet<u32> = played.games.iter().map(|game| game.id.round).collect();
        for (_, &key) in account.beginnings.iter().filter(|(round, _)| left.contains(round)) {
            pairs += 1;
            again += u64::from(!known.insert((&played.header.game[..], key)));
        }
    }
    if again == 0 {
        return String::new();
    }
    format!(
        "\n{again} of {pairs} pairs begin from an opening that an earlier pair of the same game began \
         from: they are counted, but are no evidence of their own about engines that always play the \
         same\n"
    )
}
