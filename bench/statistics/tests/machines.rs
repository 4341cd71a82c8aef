//! Tests whose pairs are played on many machines, simulated: how often they go wrong.
//!
//! Machines are of different speed, some die, and pairs that the first engine wins take half the time of others, so
//! that a test of whatever is there would be of a choice. A hundred tests each among the tests;
//! `KUJIRA_TESTS=10000 cargo test --release --locked -p kujira-statistics --test machines -- --nocapture` simulates so
//! many of closer engines, and prints the figures of docs/machines.md.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use kujira_statistics::in_order::InOrder;
use kujira_statistics::{Model, Pentanomial, Sprt, Stream, Verdict, score_of_elo};
use rayon::prelude::*;

const RISK: f64 = 0.05;

/// Enough for tests that run every day.
const FEW: u64 = 100;

/// How pairs of equal engines end.
const EQUAL: [f64; 5] = [0.08, 0.12, 0.60, 0.12, 0.08];

/// The mean time that a pair takes, by its half points.
const TIMES: [f64; 5] = [2.0, 1.8, 1.6, 1.2, 1.0];

/// A machine that has told nothing for so long is left out.
const SILENT: f64 = 20.0;

/// [`EQUAL`], tilted until it is worth so many Elo.
fn shares_of(elo: f64) -> [f64; 5] {
    let tilted = |tilt: f64| {
        let raw: [f64; 5] = std::array::from_fn(|i| EQUAL[i] * (tilt * i as f64).exp());
        let sum: f64 = raw.iter().sum();
        raw.map(|share| share / sum)
    };
    let mean = |shares: &[f64; 5]| -> f64 {
        shares.iter().enumerate().map(|(i, share)| share * i as f64 / 4.0).sum()
    };
    let (mut low, mut high) = (-2.0, 2.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if mean(&tilted(middle)) < score_of_elo(elo) { low = middle } else { high = middle }
    }
    tilted(low)
}

/// How a simulated test ended: by pairs in order, and by whatever was there.
struct Ended {
    in_order: Verdict,
    as_they_come: Verdict,
    /// Pairs played until it was decided in order, and the time that took.
    pairs: u64,
    time: f64,
}

/// A time in units small enough to be ordered as a whole number.
fn ticks(time: f64) -> u64 {
    (time * 1e6) as u64
}

/// A test on so many machines.
fn simulate(sprt: Sprt, shares: &[f64; 5], machines: u64, seed: u64) -> Ended {
    let mut random = Stream::numbered(seed, machines as u32);
    let mut test = InOrder::new(sprt);
    let (mut all, mut first) = (Pentanomial::default(), None);
    // Speeds differ by a factor of up to eight; one machine in ten will die within the test.
    let speeds: Vec<f64> = (0..machines).map(|_| 8_f64.powf(random.unit())).collect();
    let dies = |random: &mut Stream| machines > 1 && random.below(200) == 0;
    let mut ends = BinaryHeap::new();
    let mut silent_from = vec![f64::INFINITY; machines as usize];
    let begin = |machine: u64, number: u64, now: f64, random: &mut Stream| {
        let mut left = random.unit();
        let points = shares.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        let points = points.unwrap_or(4);
        let time = -TIMES[points] * (1.0 - random.unit()).ln() / speeds[machine as usize];
        Reverse((ticks(now + time), machine, number, points))
    };
    for machine in 0..machines {
        ends.push(begin(machine, machine, 0.0, &mut random));
    }
    let (mut pairs, mut alive) = (0, machines);
    loop {
        let Some(Reverse((ticks, machine, number, points))) = ends.pop() else {
            unreachable!("machines that go on")
        };
        let now = ticks as f64 / 1e6;
        pairs += 1;
        test.add(number, points as u8);
        all.add(points);
        if first.is_none() {
            first = sprt.verdict(sprt.llr(&all));
        }
        if alive > 1 && dies(&mut random) {
            silent_from[machine as usize] = now;
            alive -= 1;
        } else {
            ends.push(begin(machine, number + machines, now, &mut random));
        }
        let absent = |missing: Range<u64>| {
            u64::from(silent_from[(missing.start % machines) as usize] + SILENT < now)
        };
        if let Some(in_order) = test.count(absent)
            && let Some(as_they_come) = first
        {
            return Ended { in_order, as_they_come, pairs, time: now };
        }
    }
}

#[test]
fn tests_on_many_machines_keep_their_risks() {
    let wanted = std::env::var("KUJIRA_TESTS").ok().and_then(|text| text.parse().ok());
    let tests: u64 = wanted.unwrap_or(FEW);
    let elo1 = if wanted.is_some() { 20.0 } else { 30.0 };
    let sprt = Sprt { model: Model::Logistic, elo0: 0.0, elo1, alpha: RISK, beta: RISK };
    // What a risk may come to by chance alone.
    let most = RISK + 4.0 * (RISK * (1.0 - RISK) / tests as f64).sqrt();
    println!("{tests} tests of {sprt} each; wrong in order, wrong as pairs come; pairs, time");
    for machines in [1, 10, 100, 1000] {
        for (truth, wrong) in [(sprt.elo0, Verdict::Passed), (sprt.elo1, Verdict::Failed)] {
            let shares = shares_of(truth);
            let ended: Vec<Ended> = (0..tests)
                .into_par_iter()
                .map(|seed| simulate(sprt, &shares, machines, seed))
                .collect();
            let share = |found: &dyn Fn(&Ended) -> bool| {
                ended.iter().filter(|&ended| found(ended)).count() as f64 / tests as f64
            };
            let in_order = share(&|ended| ended.in_order == wrong);
            let as_they_come = share(&|ended| ended.as_they_come == wrong);
            let mean =
                |value: &dyn Fn(&Ended) -> f64| ended.iter().map(value).sum::<f64>() / tests as f64;
            println!(
                "{machines:>5} machines, truth {truth:>4}: {:.2} %, {:.2} %; {:.0} pairs, {:.1}",
                100.0 * in_order,
                100.0 * as_they_come,
                mean(&|ended| ended.pairs as f64),
                mean(&|ended| ended.time),
            );
            assert!(in_order <= most, "{machines} machines, {truth} Elo: {in_order}");
        }
    }
}
