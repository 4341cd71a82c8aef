//! `collect`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::Args;
use kujira_data::error::DataError;
use kujira_data::file::{Header, Reader, Writer, differences};
use kujira_data::record::GameRecord;
use kujira_program::outputs::Outputs;
use kujira_program::shard::{Shard, Share};
use kujira_program::status::{Stop, tell, warn};

use crate::settings::SHARE;

use super::named;

/// Arguments of `collect`.
#[derive(Args)]
pub(super) struct CollectArgs {
    /// The files of shards, NAME.K-of-N.ktd.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The same as the shards were begun with: `datagen` without --shard goes on there. Games that it holds already stay,
    /// and the others are added in the order of their openings.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// A file of a shard.
struct Source<'a> {
    path: &'a Path,
    header: Header,
    share: Option<Share>,
}

impl<'a> Source<'a> {
    /// Reads what a file is of.
    fn read(path: &'a Path) -> Result<Self, String> {
        let reader = Reader::open(path).map_err(named::<DataError>(path))?;
        let Header { game, settings } = reader.header().clone();
        let share = settings.lines().find_map(|line| line.strip_prefix(SHARE));
        let share = share.map(str::parse).transpose();
        let share: Option<Share> =
            share.map_err(|error: String| format!("{}: {error}", path.display()))?;
        let common = settings.lines().filter(|line| !line.starts_with(SHARE));
        let settings: String = common.map(|line| format!("{line}\n")).collect();
        Ok(Self { path, header: Header { game, settings }, share })
    }

    /// Reads the games, which are added to those of others.
    fn add(&self, games: &mut BTreeMap<u32, GameRecord>) -> Result<(), String> {
        let path = self.path;
        let named = named::<DataError>(path);
        let mut reader = Reader::open(path).map_err(&named)?;
        for record in reader.by_ref() {
            let record = record.map_err(&named)?;
            let number = record.number;
            if games.insert(number, record).is_some() {
                return Err(format!(
                    "{}: expected every opening once, found the game of opening {number} again",
                    path.display()
                ));
            }
        }
        if reader.torn() > 0 {
            warn(&format!(
                "{}: a last block cut short ({} bytes) is left out\n",
                path.display(),
                reader.torn()
            ));
        }
        Ok(())
    }

    /// Refuses a file that does not go together with another.
    fn check(&self, other: &Self) -> Result<(), String> {
        let (path, there) = (self.path.display(), other.path.display());
        let (ours, theirs) = (&self.header, &other.header);
        if ours.game != theirs.game {
            return Err(format!(
                "{path}: expected games of {} as in {there}, found {}",
                theirs.game, ours.game
            ));
        }
        let differences = differences(&theirs.settings, &ours.settings);
        if !differences.is_empty() {
            let differences = differences.join("; ");
            return Err(format!("{path}: expected the settings of {there}: {differences}"));
        }
        if self.share.zip(other.share).is_none_or(|(one, other)| one.overlaps(other)) {
            let share = |share: Option<Share>| {
                share.map_or_else(|| "all openings".to_owned(), |share| format!("share {share}"))
            };
            return Err(format!(
                "{path}: expected openings that no other file has, found {} beside {} of {there}",
                share(self.share),
                share(other.share)
            ));
        }
        Ok(())
    }
}

/// Runs `collect`.
pub(super) fn run(args: &CollectArgs) -> Result<(), Stop> {
    let mut outputs = Outputs::new(false);
    outputs.inputs("a file of a shard", &args.files).known("--out", &args.out).check()?;
    let (mut games, mut shards) = (BTreeMap::new(), Vec::<Source>::new());
    // A run that was killed at once leaves nothing in its file.
    let is_empty =
        |path: &&PathBuf| path.metadata().is_ok_and(|file| file.is_file() && file.len() == 0);
    let (empty, files): (Vec<_>, Vec<_>) = args.files.iter().partition(is_empty);
    for path in files {
        let shard = Source::read(path)?;
        for other in &shards {
            shard.check(other)?;
        }
        shards.push(shard);
    }
    for shard in &shards {
        shard.add(&mut games)?;
    }
    let first = shards.first();
    let header = &first.ok_or_else(|| "expected files with games, found none".to_owned())?.header;
    let named = named::<DataError>(&args.out);
    let (mut writer, earlier) = Writer::open(&args.out, header).map_err(&named)?;
    let known: &BTreeSet<u32> = &earlier.numbers;
    let mut added = 0_u64;
    for (_, game) in games.iter().filter(|(number, _)| !known.contains(number)) {
        writer.add(game).map_err(&named)?;
        added += 1;
    }
    writer.flush().map_err(&named)?;
    let shards = shards.iter().filter_map(|shard| match shard.share {
        Some(Share::Shard(shard)) => Some(shard),
        _ => None,
    });
    for path in empty {
        tell(&format!("nothing yet in {}\n", path.display()));
    }
    if let Some(missing) = Shard::missing(&shards.collect::<Vec<_>>()) {
        tell(&format!("no file of {missing}\n"));
    }
    tell(&format!(
        "{} games in {}, {added} of them new\n",
        earlier.games + added,
        args.out.display()
    ));
    Ok(())
}
