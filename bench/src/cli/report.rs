//! `report`.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use clap::Args;
use kujira_position::{Position, Rules, Variant, VariantId, with_variant};

use crate::openings::Opening;
use crate::record::{GameRecord, Reason, read_journal};
use crate::report::Report;
use crate::schedule::{EngineHeader, MatchHeader};
use crate::standings::Standings;
use crate::statistics::Sprt;

use super::risks::RiskArgs;
use super::{Stop, say};

/// Arguments of `report`.
#[derive(Args)]
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
}

/// Runs `report`.
pub(super) fn run(args: &ReportArgs) -> Result<(), Stop> {
    let test = match (args.elo0, args.elo1) {
        (Some(elo0), Some(elo1)) => Some(args.risks.test(elo0, elo1)?),
        _ => None,
    };
    let journals: Vec<Journal> =
        args.journals.iter().map(|path| Journal::read(path)).collect::<Result<_, _>>()?;
    if journals.len() > 1 || test.is_some() {
        check_together(&journals)?;
    }
    let accounts: Vec<Account> =
        journals.iter().map(Journal::replay).collect::<Result<_, String>>()?;
    // The test that was asked for takes the place of the one that the match was, if it was one.
    if let ([journal], [account]) = (&journals[..], &accounts[..]) {
        say(&journal.text(account, test.as_ref().or(journal.header.sprt.as_ref())))?;
        return if test.is_some() { say(&repeated(&journals, &accounts)) } else { Ok(()) };
    }
    for (journal, account) in journals.iter().zip(&accounts) {
        let text = journal.text(account, journal.header.sprt.as_ref());
        say(&format!("{}\n{text}\n", journal.path.display()))?;
    }
    if let Some(journal) =
        journals.iter().zip(&accounts).find_map(|(j, a)| a.standings.is_void().then_some(j))
    {
        let what = "expected matches that are not void, to count them together, found a void one";
        return Err(journal.named(&what).into());
    }
    let mut all = Standings::new(journals[0].names());
    for account in &accounts {
        all.add_all(&account.standings);
    }
    let report = Report { standings: &all, sprt: test.as_ref(), allow_failures: false };
    let repeated = repeated(&journals, &accounts);
    say(&format!("all {} together\n\n{report}{repeated}", journals.len()))
}

/// A journal as it was read.
struct Journal<'a> {
    path: &'a Path,
    bytes: Vec<u8>,
    header: MatchHeader,
    game: VariantId,
    games: Vec<GameRecord>,
}

/// What the games of a journal come to under our rules.
struct Account {
    standings: Standings,
    /// The position that the games of each finished pair of the first two engines began from, as its
    /// key.
    beginnings: Vec<u64>,
}

fn named(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

impl<'a> Journal<'a> {
    fn read(path: &'a Path) -> Result<Self, String> {
        let named = |error: &dyn std::fmt::Display| named(path, error);
        let bytes = std::fs::read(path).map_err(|error| named(&error))?;
        let (header, games, _) = read_journal(&bytes).map_err(|error| named(&error))?;
        let header =
            header.ok_or_else(|| named(&"expected a match in the first line, found none"))?;
        let game = VariantId::named(&header.game)
            .ok_or_else(|| named(&format!("expected one of {}", VariantId::choices())))?;
        Ok(Self { path, bytes, header, game, games })
    }

    fn named(&self, error: &dyn std::fmt::Display) -> String {
        named(self.path, error)
    }

    fn names(&self) -> Vec<String> {
        self.header.engines.iter().map(|engine| engine.player.name.clone()).collect()
    }

    fn replay(&self) -> Result<Account, String> {
        let game = self.game;
        let mut pairs: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for record in &self.games {
            let key = with_variant!(game, V => replay::<V>(record, self.header.rules.into()))
                .map_err(|error| {
                    let (round, leg) = (record.id.round + 1, record.id.leg + 1);
                    self.named(&format!("game {round}.{leg}: {error}"))
                })?;
            if record.id.engines == [0, 1] {
                pairs.entry(record.id.round).or_default().push(key);
            }
        }
        let finished = pairs.into_values().filter(|games| games.len() == 2);
        Ok(Account {
            standings: Standings::of(self.names(), &self.games),
            beginnings: finished.map(|games| games[0]).collect(),
        })
    }

    /// The account as text.
    fn text(&self, account: &Account, sprt: Option<&Sprt>) -> String {
        let header = &self.header;
        let mut text = format!("{} {}\n", header.game, header.rules);
        for EngineHeader { player, command, .. } in &header.engines {
            text.push_str(&format!("  {}: {}, {}\n", player.name, player.limit, command.join(" ")));
        }
        text.push_str(&format!("openings: {}\n\n", header.openings));
        let report = Report { standings: &account.standings, sprt, allow_failures: false };
        text + &report.to_string()
    }
}

/// Refuses journals whose games mean nothing if they are counted together, or would count twice.
fn check_together(journals: &[Journal]) -> Result<(), String> {
    for (index, journal) in journals.iter().enumerate() {
        let names = journal.names();
        if names.len() != 2 {
            let found = names.len();
            let what = format!("expected a match between two engines, found {found}");
            return Err(journal.named(&what));
        }
        for earlier in &journals[..index] {
            // A copy of a journal, or what it was before it grew, is the same match too.
            let (ours, theirs) = (&journal.bytes, &earlier.bytes);
            if ours.starts_with(theirs) || theirs.starts_with(ours) {
                let earlier = earlier.path.display();
                let what =
                    format!("expected every journal once, found the match of {earlier} again");
                return Err(journal.named(&what));
            }
        }
        let first = journals[0].names();
        if names != first {
            return Err(journal.named(&format!(
                "expected {} against {} as in {}, found {} against {}",
                first[0],
                first[1],
                journals[0].path.display(),
                names[0],
                names[1]
            )));
        }
    }
    Ok(())
}

/// A word about pairs of the same game that began where an earlier one did, if there are any.
fn repeated(journals: &[Journal], accounts: &[Account]) -> String {
    let mut known = HashSet::new();
    let (mut pairs, mut again) = (0, 0);
    for (journal, account) in journals.iter().zip(accounts) {
        for &key in &account.beginnings {
            pairs += 1;
            again += u64::from(!known.insert((&journal.header.game[..], key)));
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

/// Plays a game again: every move must be legal, and an end by the rules must be one. Returns the key of
/// the position after its opening.
fn replay<V: Variant>(game: &GameRecord, rules: Rules) -> Result<u64, String> {
    let opening: Opening = game.opening.parse()?;
    let mut position: Position<V> = opening.position(rules)?;
    let key = position.key();
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
        Some(outcome) if crate::record::Ending::from(outcome) == game.ending => Ok(key),
        None if !ruled => Ok(key),
        found => {
            let found = found.map_or_else(|| "no end".to_owned(), |outcome| outcome.to_string());
            Err(format!("expected the end to be {}, found {found}", game.ending.reason))
        }
    }
}
