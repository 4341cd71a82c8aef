//! `report`.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use kujira_shell::status::{Stop, say};

use crate::replay::{Account, PlayedMatch, refuse_again, refuse_void};
use crate::report::Report;
use crate::standings::Standings;
use crate::statistics::Sprt;

use super::risks::RiskArgs;

/// Arguments of `report`.
#[derive(Args)]
#[command(mut_group("RiskArgs", |risks| risks.requires("elo0")))]
pub(super) struct ReportArgs {
    /// The journals of matches, PREFIX.jsonl: after the account of each, one of all together.
    #[arg(value_name = "FILE", required = true)]
    journals: Vec<PathBuf>,
    /// The Elo difference that counts as no gain, to test all games between two engines together.
    #[arg(long, requires = "elo1", allow_negative_numbers = true)]
    elo0: Option<f64>,
    /// The Elo difference that counts as a gain.
    #[arg(long, requires = "elo0", allow_negative_numbers = true)]
    elo1: Option<f64>,
    #[command(flatten)]
    risks: RiskArgs,
    /// Let a test pass even if more than 2 % of the games were lost by failures: time, a crash.
    #[arg(long)]
    allow_failures: bool,
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
    let matches: Vec<PlayedMatch> =
        args.journals.iter().map(|path| PlayedMatch::read(path)).collect::<Result<_, _>>()?;
    if matches.len() > 1 || test.is_some() {
        check_together(&matches)?;
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
    let mut all = Standings::new(matches[0].names());
    for account in &accounts {
        all.add_all(&account.standings);
    }
    let report = args.report(&all, test.as_ref());
    let repeated = repeated(&matches, &accounts);
    say(&format!("all {} together\n\n{report}{repeated}", matches.len()))?;
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
        for &key in &account.beginnings {
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
