//! The bench: a fixed search over fixed positions, as one line a game.

use kujira_search::{BenchError, BenchLimit, Control, Engine};

use crate::output::per_second;

/// Size of the table, in MiB, if none is said.
const HASH: usize = 16;

/// How to search the bench positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bench {
    /// Plies; the depth of the signature if not said.
    pub depth: Option<u32>,
    /// Threads; 1 if not said.
    pub threads: Option<usize>,
    /// Size of the transposition table in MiB; 16 if not said.
    pub hash: Option<usize>,
}

/// Runs the bench of an engine's game.
///
/// The node count of a plain `bench` is the signature: it is the same on every machine and changes
/// only with the search.
///
/// # Errors
/// As [`Engine::bench`].
pub fn line(engine: &dyn Engine, bench: &Bench, control: &Control) -> Result<String, BenchError> {
    let threads = bench.threads.unwrap_or(1);
    let limit = bench.depth.map_or(BenchLimit::Signature, BenchLimit::Depth);
    let report = engine.bench(limit, threads, bench.hash.unwrap_or(HASH), control)?;
    let mut line = format!(
        "bench {} nodes {} time {} nps {}",
        engine.game(),
        report.nodes,
        report.time.as_millis(),
        per_second(report.nodes, report.time)
    );
    if *bench == Bench::default() {
        line.push_str(&format!(" signature {}", report.nodes));
    }
    Ok(line)
}
