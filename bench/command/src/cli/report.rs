//! `report`.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use kujira_program::status::{Stop, say};

use kujira_arena::header::MatchHeader;
use kujira_arena::replay::{Account, PlayedMatch};
use kujira_arena::report::{Report, in_order};
use kujira_arena::report_data::ReportData;
use kujira_arena::standings::Standings;
use kujira_arena::together::{
    leave_out_repeated, left_out, refuse_again, refuse_mixed, refuse_void,
};
use kujira_statistics::Sprt;
use kujira_statistics::in_order::InOrder;
use serde::Serialize;

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
    /// Count journals together although engines of one name had other limits, options or builds in them, or shards have
    /// pairs in common.
    #[arg(long)]
    mixed: bool,
    /// Print one object of JSON instead of text.
    #[arg(long)]
    json: bool,
    /// Let a test pass even if more than 2 % of the games were lost by failures: time, a crash.
    #[arg(long)]
    allow_failures: bool,
    #[command(flatten)]
    watch: WatchArgs,
}

impl ReportArgs {
    fn report<'a>(
        &self,
        standings: &'a Standings,
        sprt: Option<&'a Sprt>,
        in_order: Option<&'a InOrder>,
    ) -> Report<'a> {
        Report { standings, sprt, in_order, allow_failures: self.allow_failures }
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
    let accounts: Vec<&Account> =
        matches.iter().map(PlayedMatch::replay).collect::<Result<_, String>>()?;
    if args.json {
        return print_json(args, matches, test.as_ref());
    }
    // The test that was asked for takes the place of the one that the match was, if it was one.
    if let ([played], [account]) = (&matches[..], &accounts[..]) {
        let ordered = test.and_then(|test| in_order(&matches, test));
        let sprt = test.as_ref().or(played.header.sprt.as_ref());
        let report = args.report(&account.standings, sprt, ordered.as_ref());
        say(&format!("{}\n{report}", played.heading()))?;
        if test.is_some() {
            say(&Repeated::of(&matches)?.text())?;
            report.stands()?;
        }
        return Ok(());
    }
    for (played, account) in matches.iter().zip(&accounts) {
        let report = args.report(&account.standings, played.header.sprt.as_ref(), None);
        say(&format!("{}\n{}\n{report}\n", played.path.display(), played.heading()))?;
    }
    refuse_void(&matches)?;
    let games = leave_out_repeated(&mut matches);
    let all = together(&matches)?;
    let ordered = test.and_then(|test| in_order(&matches, test));
    let report = args.report(&all, test.as_ref(), ordered.as_ref());
    let repeated = Repeated::of(&matches)?.text();
    let without = left_out(games);
    let without = if games > 0 { format!("\n{without}") } else { without };
    say(&format!("all {} together\n\n{report}{without}{repeated}", matches.len()))?;
    Ok(report.stands()?)
}

/// The results of matches between the same two engines.
fn together(matches: &[PlayedMatch]) -> Result<Standings, String> {
    let mut all = Standings::new(matches[0].names());
    for played in matches {
        all.add_all(&played.standings()?);
    }
    Ok(all)
}

/// What is printed for other programs.
#[derive(Serialize)]
struct Json<'a> {
    journals: Vec<JournalJson<'a>>,
    /// All games together, of several journals or where a test is asked for.
    together: Option<TogetherJson<'a>>,
}

#[derive(Serialize)]
struct JournalJson<'a> {
    journal: String,
    #[serde(rename = "match")]
    header: &'a MatchHeader,
    account: ReportData<'a>,
}

#[derive(Serialize)]
struct TogetherJson<'a> {
    account: ReportData<'a>,
    /// Games that another journal has move for move.
    left_out: usize,
    openings: Repeated,
}

/// Prints the accounts as data; the exit status is as of the text.
fn print_json(
    args: &ReportArgs,
    mut matches: Vec<PlayedMatch>,
    test: Option<&Sprt>,
) -> Result<(), Stop> {
    let several = matches.len() > 1;
    if several {
        refuse_void(&matches)?;
    }
    let left_out = if several { leave_out_repeated(&mut matches) } else { 0 };
    let all = if several || test.is_some() { Some(together(&matches)?) } else { None };
    let journals = matches.iter().map(|played| {
        let standings = &played.replay()?.standings;
        let account = args.report(standings, played.header.sprt.as_ref(), None).data();
        let journal = played.path.display().to_string();
        Ok(JournalJson { journal, header: &played.header, account })
    });
    let journals = journals.collect::<Result<_, String>>()?;
    let ordered = test.and_then(|&test| in_order(&matches, test));
    let report = all.as_ref().map(|all| args.report(all, test, ordered.as_ref()));
    let openings = Repeated::of(&matches)?;
    let together =
        report.as_ref().map(|report| TogetherJson { account: report.data(), left_out, openings });
    let json = serde_json::to_string_pretty(&Json { journals, together });
    say(&(json.map_err(|error| error.to_string())? + "\n"))?;
    Ok(report.map_or(Ok(()), |report| report.stands())?)
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

/// Pairs of the same game that began where an earlier one did.
#[derive(Clone, Copy, Serialize)]
struct Repeated {
    pairs: usize,
    /// How many of these began where an earlier one did.
    again: usize,
}

impl Repeated {
    fn of(matches: &[PlayedMatch]) -> Result<Self, String> {
        let mut known = HashSet::new();
        let mut found = Self { pairs: 0, again: 0 };
        for played in matches {
            let account = played.replay()?;
            let left: HashSet<u32> = played.games.iter().map(|game| game.id.round).collect();
            for (_, &key) in account.beginnings.iter().filter(|(round, _)| left.contains(round)) {
                found.pairs += 1;
                found.again += usize::from(!known.insert((&played.header.game[..], key)));
            }
        }
        Ok(found)
    }

    /// A word about them, if there are any.
    fn text(self) -> String {
        let Self { pairs, again } = self;
        if again == 0 {
            return String::new();
        }
        format!(
            "\n{again} of {pairs} pairs begin from an opening that an earlier pair of the same game began \
             from: they are counted, but are no evidence of their own about engines that always play the \
             same\n"
        )
    }
}
