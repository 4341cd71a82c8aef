//! `problems`.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::{Args, ValueEnum};
use kujira_position::{Position, Setup, Variant, VariantId, with_variant};
use kujira_program::shard::{Shard, Share};
use kujira_program::status::{Stop, tell, warn};
use kujira_study::mates::compose::Composer;
use kujira_study::mates::harvest::Harvester;
use kujira_study::mates::problem::near_miss;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::lines::GrowingLines;
use super::matches::stop_on_interrupt;
use super::signature::SignatureArgs;

/// Arguments of `problems`. It goes on with a file that it made before.
#[derive(Args)]
pub(super) struct ProblemsArgs {
    /// Which kind of whale shogi: whale, paulowich, great.
    game: VariantId,
    /// Where they come from.
    source: Source,
    /// The file that grows, a line a problem.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Lines that the file is to have in the end, or the files of all shards together.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    count: usize,
    /// Chooses what is tried.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Make one share of N, number K from 0 to N-1, with a seed of its own. The name of the file gets .K-of-N.
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    signature: SignatureArgs,
    /// Nodes of the solver for each question.
    #[arg(long, value_name = "N", default_value_t = 300_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Nodes a move of a game played for its positions.
    #[arg(long, value_name = "N", default_value_t = 2_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    play_nodes: u64,
}

/// Where problems come from.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Source {
    /// Mates put together by chance and made longer by small changes, and positions like them without a mate.
    Composed,
    /// Mates near the ends of games that the engine plays with itself, and positions just before them without a mate.
    Selfplay,
    /// Positions of such games with a single good move.
    OnlyMoves,
}

impl Source {
    fn name(self) -> &'static str {
        match self {
            Self::Composed => "composed",
            Self::Selfplay => "selfplay",
            Self::OnlyMoves => "only-moves",
        }
    }
}

/// A file of problems, and what it holds.
struct Collection {
    file: GrowingLines,
    lines: Vec<String>,
}

impl Collection {
    /// Opens the file of earlier runs, or makes one.
    fn open(path: &Path, head: &str) -> Result<Self, String> {
        let (file, text) = GrowingLines::open(path, head)?;
        Ok(Self { file, lines: text.lines().skip(1).map(str::to_owned).collect() })
    }

    /// Adds lines, all of them or none, unless the first position is there already.
    fn add(&mut self, lines: &[String]) -> Result<(), String> {
        let position = |line: &String| line.split(" ;").next().map(str::to_owned);
        let known =
            |line: &String| self.lines.iter().any(|other| position(other) == position(line));
        if lines.first().is_none_or(known) {
            return Ok(());
        }
        self.file.append(lines)?;
        self.lines.extend_from_slice(lines);
        Ok(())
    }
}

/// Runs `problems`.
pub(super) fn run(args: &ProblemsArgs) -> Result<(), Stop> {
    with_variant!(args.game, V => collect::<V>(args))
}

fn collect<V: Variant>(args: &ProblemsArgs) -> Result<(), Stop> {
    let stopped = stop_on_interrupt()?;
    args.signature.check(V::ID)?;
    let mut head = format!("# problems {} {} seed {}", args.game, args.source.name(), args.seed);
    let (mut out, mut first, mut count) = (args.out.clone(), args.seed, args.count);
    if let Some(shard) = args.shard {
        let share = Share::Shard(shard);
        (out, first) = (share.file(&out), shard.seed(args.seed));
        count = usize::try_from(share.count(count as u64)).unwrap_or(count);
        head.push_str(&format!(" shard {shard}"));
    }
    let mut collection = Collection::open(&out, &head)?;
    // What is tried next depends on how much there is, so that a run that goes on does not try the same again.
    let seed = first.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ collection.lines.len() as u64;
    let mut told = collection.lines.len() / 100;
    let mut next = source::<V>(args, seed);
    while collection.lines.len() < count {
        if stopped.load(Ordering::Relaxed) {
            warn("kujira-bench: stopped; the same command goes on\n");
            return Err(Stop::Interrupted);
        }
        let lines = next(&collection.lines);
        collection.add(&lines)?;
        if collection.lines.len() / 100 > told {
            told = collection.lines.len() / 100;
            tell(&format!("{}: {} lines\n", out.display(), collection.lines.len()));
        }
    }
    Ok(())
}

/// Small changes that are tried for each composed problem.
const CHANGES: usize = 16;

/// The position of a line that is a mate, and its plies.
fn mate<V: Variant>(line: &str) -> Option<(Setup<V>, usize)> {
    let (sfen, rest) = line.split_once(" ;M ")?;
    let plies = rest.split(';').next()?.parse().ok()?;
    Some((Position::<V>::from_sfen(sfen).ok()?.setup(), plies))
}

/// Makes lines for a file, one problem at a time; it may look at those there are.
type Next = Box<dyn FnMut(&[String]) -> Vec<String>>;

fn source<V: Variant>(args: &ProblemsArgs, seed: u64) -> Next {
    let name = args.source.name();
    match args.source {
        Source::Composed => {
            let mut composer = Composer::<V>::new(seed, args.nodes);
            let mut random = Xoshiro256PlusPlus::seed_from_u64(!seed);
            Box::new(move |there| {
                // Now and then from nothing, else from the longer of two that are there.
                let two = [there.choose(&mut random), there.choose(&mut random)];
                let mates = two.into_iter().flatten().filter_map(|line| mate::<V>(line));
                let parent = mates.max_by_key(|(_, plies)| *plies);
                let parent = parent.filter(|_| random.random_range(0..2) > 0);
                let (setup, plies) = parent.unzip();
                let composed = composer.compose(setup.as_ref(), CHANGES);
                let Some((sound, miss)) = composed else { return Vec::new() };
                // Its children are like it: only longer ones are worth a line.
                if plies.is_some_and(|plies| sound.line.len() <= plies) {
                    return Vec::new();
                }
                let strict = composer.is_strict(&sound);
                let miss = miss.map(|position| near_miss(&position, name));
                std::iter::once(sound.text(strict, name)).chain(miss).collect()
            })
        }
        Source::Selfplay => {
            let mut harvester = Harvester::<V>::new(seed, args.nodes, args.play_nodes);
            let mut waiting = Vec::new();
            Box::new(move |_| {
                if waiting.is_empty()
                    && let Some(moves) = harvester.play()
                {
                    waiting = harvester.mates(&moves);
                }
                let Some((sound, miss)) = waiting.pop() else { return Vec::new() };
                let strict = harvester.is_strict(&sound);
                let miss = miss.map(|position| near_miss(&position, name));
                std::iter::once(sound.text(strict, name)).chain(miss).collect()
            })
        }
        Source::OnlyMoves => {
            let mut harvester = Harvester::<V>::new(seed, args.nodes, args.play_nodes);
            let (mut moves, mut left) = (Vec::new(), 0);
            Box::new(move |_| {
                if left == 0 {
                    // Several positions a game, for a game costs more than a look.
                    (moves, left) = (harvester.play().unwrap_or_default(), 12);
                }
                left -= 1;
                let found = harvester.only_move(&moves);
                left = if found.is_some() { 0 } else { left };
                found.into_iter().map(|found| found.text(name)).collect()
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const HEAD: &str = "# problems whale composed seed 1";

    #[test]
    fn a_file_goes_on_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("problems.txt");
        for (there, lines) in [
            (String::new(), 0),
            // Half of the first line that a run writes, or of a later one.
            (HEAD.to_owned(), 0),
            (format!("{HEAD}\na ;M 3; source x\nb ;M"), 1),
        ] {
            fs::write(&path, &there).unwrap();
            let mut collection = Collection::open(&path, HEAD).unwrap();
            assert_eq!(collection.lines.len(), lines, "{there:?}");
            // The same position once alone.
            for line in ["c ;M 5; source x", "c ;M 7; source x"] {
                collection.add(&[line.to_owned(), "d ;nomate".to_owned()]).unwrap();
            }
            assert!(Collection::open(&path, HEAD).is_err(), "another run has it");
            drop(collection);
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.starts_with(&format!("{HEAD}\n")), "{text}");
            assert!(text.ends_with("\nc ;M 5; source x\nd ;nomate\n"), "{text}");
            assert_eq!(text.lines().count(), lines + 3, "{text}");
        }
    }

    #[test]
    fn a_file_of_others_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("problems.txt");
        for there in ["mine\nand mine", "# problems great composed seed 1\n", "\n"] {
            fs::write(&path, there).unwrap();
            let error = Collection::open(&path, HEAD).err().unwrap();
            assert!(error.ends_with(&format!("begins with `{HEAD}`, found another")), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), there);
        }
    }
}
