//! `spsa`.

use clap::Args;
use kujira_position::{Variant, with_variant};

use crate::book::Source;
use crate::engine::Spin;
use crate::entrant::Entrant;
use crate::files::{journal_path, refuse_own};
use crate::game::Terms;
use crate::openings::{RandomOpenings, read_file, spell};
use crate::progress::print;
use crate::spsa::{Gains, Parameter, Plan, TuningHeader, open, run};

use super::matches::{
    PlayArgs, check_length, check_prefix, describe, entrants, filter, stop_on_interrupt,
};

/// Arguments of `spsa`. One engine plays both sides; `--seed` chooses the directions, too; of the
/// files only PREFIX.jsonl is written.
#[derive(Args)]
pub(super) struct SpsaArgs {
    #[command(flatten)]
    play: PlayArgs,
    /// The numbers to tune: names of the engine's options, each with `:STEP` if it is not to be moved
    /// by a twentieth of its range in the end, or `all` that are named in lower case.
    #[arg(long, value_name = "NAME[:STEP],…|all", required = true)]
    params: String,
    /// Iterations.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    iterations: u32,
    /// Pairs of games (one opening, colours swapped) an iteration.
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..=400))]
    pairs_per_iteration: u32,
    /// Learning rate of the last iteration; 60 for all pairs of games, at most 0.1, if left out.
    #[arg(long, value_name = "RATE")]
    r_end: Option<f64>,
    /// Iterations from one shown to the next.
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
}

/// Makes the random openings of a seed others than those that `match`, `sprt` and `openings` make of it.
const OWN_OPENINGS: u64 = 0x6b75_6a69_7261_7370;

/// Runs `spsa`.
pub(super) fn run_spsa(args: &SpsaArgs, groups: &[Vec<String>]) -> Result<(), String> {
    let game = args.play.game;
    with_variant!(game, V => tune::<V>(args, groups))
}

fn tune<V: Variant>(args: &SpsaArgs, groups: &[Vec<String>]) -> Result<(), String> {
    let play = &args.play;
    if groups.len() != 1 {
        return Err(format!("expected --engine once, found it {} times", groups.len()));
    }
    let (iterations, pairs) = (args.iterations, args.pairs_per_iteration);
    let rate = args.r_end.unwrap_or(Gains::usual_rate(iterations, pairs));
    if !(rate > 0.0 && rate <= 1.0) {
        return Err(format!("expected --r-end above 0 and up to 1, found {rate}"));
    }
    check_prefix(&play.out)?;
    let stopped = stop_on_interrupt()?;
    let patience = play.limits.patience();
    let entrant = entrants(play, groups, patience, &stopped)?
        .pop()
        .ok_or_else(|| "expected an engine, found none".to_owned())?;
    let session = entrant
        .start(patience, &stopped)
        .map_err(|error| format!("{}: {error}", entrant.player.name))?;
    let parameters = parameters(&args.params, session.spins(), &entrant);
    session.quit();
    let parameters = parameters?;
    let rules = play.rules.into();
    let fixed = match &play.openings.openings {
        Some(path) => {
            refuse_own(path, &[journal_path(&play.out)])?;
            Some(read_file::<V>(path, rules)?)
        }
        None => None,
    };
    check_length(play, fixed.as_deref())?;
    // What the engine cannot be told must not come out in the middle of a run.
    for opening in fixed.iter().flatten() {
        spell::<V>(opening, entrant.dialect, rules)?;
    }
    let (engine, complaints) = entrant.header(patience);
    for complaint in complaints {
        print(&format!("{complaint}\n"));
    }
    let header = TuningHeader {
        game: V::SPEC.id.to_owned(),
        rules: play.rules,
        engine,
        openings: describe(&play.openings, fixed.as_deref()),
        max_plies: play.ending.max_plies,
        adjudication: play.ending.adjudication(),
        parameters,
        gains: Gains { iterations, pairs, rate },
        seed: play.openings.seed,
    };
    let path = journal_path(&play.out);
    let mut opened = open(&path, &header, play.fresh)?;
    let source = match fixed {
        Some(openings) => Source::Fixed(openings),
        None => {
            let filter = filter(&play.openings, &entrant.config, patience, &stopped)?;
            let ((least, most), made) = (play.openings.plies, std::mem::take(&mut opened.openings));
            // A match that judges what was tuned must not begin from what it was tuned on.
            let seed = header.seed ^ OWN_OPENINGS;
            RandomOpenings::<V>::new(seed, least..=most, rules, filter, made)
                .map(|openings| Source::Random(Box::new(openings)))?
        }
    };
    let plan = Plan {
        names: header.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
        entrant,
        pairs,
        terms: Terms {
            rules,
            max_plies: header.max_plies,
            adjudication: header.adjudication,
            hang: play.limits.hang,
        },
        concurrency: usize::from(play.concurrency),
        patience,
        every: args.every,
    };
    let tuner = run::<V>(&plan, opened, source, &stopped)?;
    print(&format!(
        "\nafter {} of {iterations} iterations\n\n{}",
        tuner.iteration(),
        tuner.table()
    ));
    if tuner.trial().is_some() {
        print(&format!(
            "\nstopped; the same command takes the run up again ({})\n",
            path.display()
        ));
    }
    Ok(())
}

/// The numbers named on the command line, as the engine declares them; they begin where the words of
/// the engine put them.
fn parameters(text: &str, spins: &[Spin], entrant: &Entrant) -> Result<Vec<Parameter>, String> {
    let start = |spin: &Spin| {
        let set = entrant.config.options.iter().rev();
        let set = set.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(&spin.name));
        let default = set.and_then(|(_, value)| value.parse().ok()).unwrap_or(spin.default);
        Spin { default, ..spin.clone() }
    };
    let list = || spins.iter().map(|spin| &spin.name[..]).collect::<Vec<_>>().join(", ");
    // How builds for tuning name their numbers; options that GUIs know begin with a capital.
    let tunable = |spin: &&Spin| spin.name.starts_with(|c: char| c.is_ascii_lowercase());
    if text == "all" {
        let all: Vec<_> = spins.iter().filter(tunable).map(start).collect();
        if all.is_empty() {
            return Err(format!(
                "--params all: expected whole numbers named in lower case among the engine's options \
                 (a build with --features tuning has them), found {}",
                list()
            ));
        }
        return all.iter().map(|spin| Parameter::new(spin, None)).collect();
    }
    let mut parameters: Vec<Parameter> = Vec::new();
    for word in text.split(',').map(str::trim) {
        let (name, step) = match word.split_once(':') {
            None => (word, None),
            Some((name, step)) => {
                let expected = || format!("--params {name}: expected a step, found \"{step}\"");
                (name, Some(step.parse().map_err(|_| expected())?))
            }
        };
        let spin = spins.iter().find(|spin| spin.name == name).ok_or_else(|| {
            format!(
                "--params: expected names of the engine's whole numbers ({}), found \"{name}\"",
                list()
            )
        })?;
        if parameters.iter().any(|parameter| parameter.name == name) {
            return Err(format!("--params: expected every name once, found {name} twice"));
        }
        let parameter = Parameter::new(&start(spin), step);
        parameters.push(parameter.map_err(|error| format!("--params {error}"))?);
    }
    Ok(parameters)
}
