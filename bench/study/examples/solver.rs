//! Asks the mate solver about positions of random games and tries everything, for as long as wanted: a line for
//! every thousand positions, and an end at the first contradiction.
//!
//! `cargo run --release --locked -p kujira-study --example solver -- whale 20000 [SEED [PLIES]]`

#[path = "../tests/trial/mod.rs"]
mod trial;

use kujira_position::{Variant, VariantId, with_variant};
use kujira_program::status::tell;
use kujira_search::mate::Solver;
use kujira_study::mates::exhaustive::Exhaustive;
use trial::{Question, RandomPositions, Tally, compare};

fn run<V: Variant>(positions: u64, seed: u64, plies: Option<usize>) -> Result<(), String> {
    let captures = V::SPEC.captures_whales();
    let plies = plies.unwrap_or(if captures { 3 } else { 5 });
    let question =
        Question { plies, nodes: if captures { 100_000 } else { 500_000 }, effort: 3_000_000 };
    let (mut tally, mut exhaustive) = (Tally::default(), Exhaustive::default());
    let mut solvers = [Solver::<V>::new(64), Solver::new(1), Solver::new(64).without_dominance()];
    for (index, position) in (0_usize..).zip(RandomPositions::<V>::new(seed)) {
        let solver = &mut solvers[index % 3];
        compare(solver, &mut exhaustive, &position, question, &mut tally)?;
        let done = tally.positions();
        if done % 1000 == 0 || done >= positions {
            let Tally { mates, longer, none, open, nodes } = tally;
            tell(&format!(
                "{} {done} positions, {plies} plies: {mates} mates, {longer} longer, {none} none, \
                 {open} open, {nodes} nodes\n",
                V::ID
            ));
        }
        if done >= positions {
            break;
        }
    }
    Ok(())
}

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| words.get(index).map(|word| word.parse::<u64>()).transpose();
    let wrong = |_| "expected GAME POSITIONS [SEED [PLIES]]".to_owned();
    let game = words.first().and_then(|word| VariantId::named(word));
    let game = game.ok_or_else(|| format!("expected one of {}", VariantId::choices()))?;
    let positions = number(1).map_err(wrong)?.unwrap_or(20_000);
    let seed = number(2).map_err(wrong)?.unwrap_or(1);
    let plies = number(3).map_err(wrong)?.map(|plies| plies as usize);
    with_variant!(game, V => run::<V>(positions, seed, plies))
}
