//! The machine that plays: what a journal remembers of it, so that games of many machines can be told apart.

use std::fs;
use std::num::NonZero;
use std::thread::available_parallelism;

use kujira_position::VariantId;
use kujira_search::{BenchLimit, Control, engine};
use serde::{Deserialize, Serialize};

/// A machine, as it was when a run began there. By default one of which nothing is known: such are the games of one
/// machine among those of several.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Host {
    /// What it calls itself.
    pub name: String,
    /// Its processor; empty where the system does not tell.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub processor: String,
    /// How many threads it runs at once for this program.
    pub cores: usize,
    /// Programs that wanted to run, on average over a minute, before this one began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
    /// Nodes a second of our own search on one thread: by it machines are compared, whatever engines play.
    pub nps: u64,
}

/// Nodes for each position of the bench, by which speed is measured: some hundredths of a second in all.
const NODES: u64 = 2_000;

/// Table for that measurement, in MiB.
const HASH: usize = 1;

impl Host {
    /// This machine now.
    ///
    /// # Errors
    /// If there is no memory for a small search.
    pub fn here(game: VariantId) -> Result<Self, String> {
        let load = fs::read_to_string("/proc/loadavg").ok();
        let load = load.and_then(|text| text.split(' ').next()?.parse().ok());
        let bench = engine(game).bench(BenchLimit::Nodes(NODES), 1, HASH, &Control::new());
        let bench = bench.map_err(|error| format!("the speed of this machine: {error}"))?;
        Ok(Self {
            name: name(),
            processor: processor(),
            cores: available_parallelism().map_or(1, NonZero::get),
            load,
            nps: (bench.nodes as f64 / bench.time.as_secs_f64().max(1e-9)) as u64,
        })
    }
}

/// What the machine calls itself.
fn name() -> String {
    #[cfg(unix)]
    let name = nix::unistd::gethostname().ok().map(|name| name.to_string_lossy().into_owned());
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").ok();
    name.unwrap_or_default()
}

/// The processor, as Linux tells of it.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(String::new, |(_, model)| model.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_says_what_it_is() {
        let host = Host::here(VariantId::Whale).unwrap();
        assert!(!host.name.is_empty() && host.cores > 0 && host.nps > 0, "{host:?}");
        let text = serde_json::to_string(&host).unwrap();
        assert_eq!(serde_json::from_str::<Host>(&text).unwrap(), host);
    }
}
