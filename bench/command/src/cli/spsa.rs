//! `spsa`.

use clap::Args;
use kujira_position::{Variant, with_variant};
use kujira_program::status::{Stop, tell};
use kujira_usi::Spin;

use kujira_arena::files::journal_path;
use kujira_arena::spsa::{Gains, Parameter, SpsaSpec, TUNING, TuningHeader, open, run};

use super::matches::PlayArgs;
use super::subject::Subject;

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

/// Runs `spsa`.
pub(super) fn run_spsa(args: &SpsaArgs, groups: &[Vec<String>]) -> Result<(), Stop> {
    let game = args.play.game;
    with_variant!(game, V => tune::<V>(args, groups))
}

fn tune<V: Variant>(args: &SpsaArgs, groups: &[Vec<String>]) -> Result<(), Stop> {
    let play = &args.play;
    let (iterations, pairs) = (args.iterations, args.pairs_per_iteration);
    let rate = args.r_end.unwrap_or(Gains::usual_rate(iterations, pairs));
    if !(rate > 0.0 && rate <= 1.0) {
        return Err(format!("expected --r-end above 0 and up to 1, found {rate}").into());
    }
    let path = journal_path(&play.out);
    let subject = Subject::meet::<V>(play, groups, |outputs| {
        if play.fresh {
            outputs.output("--out", &path, TUNING);
        } else {
            outputs.known("--out", &path);
        }
    })?;
    let parameters = parameters(&args.params, &subject)?;
    let game_rules = play.game_rules();
    let header = TuningHeader {
        game: V::SPEC.id.to_owned(),
        rules: play.rules.switches(),
        engine: subject.header.clone(),
        openings: subject.starts.describe(),
        max_plies: game_rules.max_plies,
        adjudication: game_rules.adjudication,
        parameters,
        gains: Gains { iterations, pairs, rate },
        seed: subject.starts.seed,
    };
    let mut opened = open(&path, &header, play.begin())?;
    let source = subject.source::<V>(std::mem::take(&mut opened.openings))?;
    let spec = SpsaSpec {
        names: header.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
        entrant: subject.entrant,
        pairs,
        game_rules,
        concurrency: usize::from(play.concurrency),
        timeouts: subject.timeouts,
        every: args.every,
    };
    let tuner = run::<V>(&spec, opened, source, &subject.stopped)?;
    tell(&format!("\nafter {} of {iterations} iterations\n\n{}", tuner.iteration(), tuner.table()));
    if tuner.trial().is_some() {
        tell(&format!("\nstopped; the same command takes the run up again ({})\n", path.display()));
        return Err(Stop::Interrupted);
    }
    Ok(())
}

/// The numbers named on the command line, as the engine declares them; they begin where the words of
/// the engine put them.
fn parameters(text: &str, subject: &Subject) -> Result<Vec<Parameter>, String> {
    // How builds for tuning name their numbers; options that GUIs know begin with a capital.
    let tunable = |spin: &Spin| spin.name.starts_with(|c: char| c.is_ascii_lowercase());
    if text == "all" {
        let all: Vec<_> = subject.spins().filter(tunable).collect();
        if all.is_empty() {
            return Err(format!(
                "--params all: expected whole numbers named in lower case among the engine's options \
                 (a build with --features tuning has them), found {}",
                subject.list()
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
        let spin = subject.spin(name).map_err(|error| format!("--params: {error}"))?;
        if parameters.iter().any(|parameter| parameter.name.eq_ignore_ascii_case(name)) {
            return Err(format!("--params: expected every name once, found {name} twice"));
        }
        let parameter = Parameter::new(&spin, step);
        parameters.push(parameter.map_err(|error| format!("--params {error}"))?);
    }
    Ok(parameters)
}
