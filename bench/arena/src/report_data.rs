//! The account of a match as data, for other programs: `report --json`.

use std::collections::BTreeMap;

use kujira_statistics::{Estimate, Sprt, Verdict};
use serde::Serialize;

use crate::report::Report;
use crate::standings::{Pairing, Standings, Usage};

/// What [`Report`] prints, as data.
#[derive(Serialize, Debug)]
pub struct ReportData<'a> {
    games: u64,
    plies: u64,
    pairings: Vec<PairingData<'a>>,
    test: Option<TestData<'a>>,
    /// How many games ended so.
    ends: BTreeMap<&'static str, u64>,
    /// Games lost on time while the machine stood still or was overloaded.
    strained: u64,
    /// Games lost by failures, by the machine, where a journal tells of it.
    failed_on: &'a BTreeMap<String, u64>,
    engines: Vec<EngineData<'a>>,
    /// Whether the match says nothing about strength.
    void: bool,
    /// Whether a test that passed may have done so because engines failed.
    withheld: bool,
}

/// Two engines; all is as the first sees it.
#[derive(Serialize, Debug)]
struct PairingData<'a> {
    engines: [&'a str; 2],
    /// Losses, draws, wins.
    results: [u64; 3],
    black: [u64; 3],
    white: [u64; 3],
    /// Finished pairs of games by points: 0, ½, 1, 1½, 2.
    pairs: [u64; 5],
    /// None before a pair is finished.
    estimate: Option<Estimate>,
}

#[derive(Serialize, Debug)]
struct TestData<'a> {
    #[serde(flatten)]
    sprt: &'a Sprt,
    llr: f64,
    bounds: [f64; 2],
    verdict: &'static str,
    /// How many pairs were counted in their order; none where the test counts all.
    counted: Option<u64>,
}

#[derive(Serialize, Debug)]
struct EngineData<'a> {
    name: &'a str,
    moves: u64,
    seconds: f64,
    depth: Option<f64>,
    nodes_per_move: Option<f64>,
    nodes_per_second: Option<f64>,
    /// Games lost by anything but the rules, resignation or agreement.
    failures: u64,
    /// Of these by a move or a claim that our rules refuse.
    disputes: u64,
}

impl<'a> Report<'a> {
    /// The account as data.
    #[must_use]
    pub fn data(&self) -> ReportData<'a> {
        let all: &'a Standings = self.standings;
        let pairings = all.pairings.iter().map(|(&engines, pairing)| {
            let Pairing { pairs, by_color: [black, white], .. } = pairing;
            PairingData {
                engines: engines.map(|engine| all.names[engine].as_str()),
                results: pairing.games(),
                black: *black,
                white: *white,
                pairs: *pairs.by_score(),
                estimate: Estimate::of(pairs),
            }
        });
        let engines = all.names.iter().zip(&all.usage).map(|(name, usage)| {
            let &Usage { moves, us, failures, disputes, .. } = usage;
            EngineData {
                name,
                moves,
                seconds: us as f64 / 1e6,
                depth: usage.depth(),
                nodes_per_move: usage.nodes_per_move(),
                nodes_per_second: usage.nps(),
                failures,
                disputes,
            }
        });
        ReportData {
            games: all.games,
            plies: all.plies,
            pairings: pairings.collect(),
            test: self.sprt.map(|sprt| self.test(sprt)),
            ends: all.reasons.iter().map(|(reason, &count)| (reason.name(), count)).collect(),
            strained: all.strained,
            failed_on: &all.failed_on,
            engines: engines.collect(),
            void: all.is_void(),
            withheld: self.withholds(),
        }
    }

    fn test(&self, sprt: &'a Sprt) -> TestData<'a> {
        let llr = self.llr(sprt);
        let verdict = match sprt.verdict(llr) {
            _ if self.standings.is_void() => "void",
            _ if self.withholds() => "withheld",
            Some(Verdict::Passed) => "passed",
            Some(Verdict::Failed) => "failed",
            None => "undecided",
        };
        let counted = self.in_order.map(|test| test.pairs().total());
        TestData { sprt, llr, bounds: sprt.bounds().into(), verdict, counted }
    }
}
