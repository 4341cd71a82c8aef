//! Whether moves that decline a promotion are right to: both moves are searched.

use std::sync::atomic::{AtomicBool, Ordering};

use kujira_arena::replay::{PlayedMatch, number};
use kujira_position::{Move, Position, Variant};
use kujira_search::{Control, Limits, Score, Searcher, Silent};

use super::Replayed;
use super::estimate::{Mean, Sample};
use super::games::twin;

/// Centipawns by which one of two moves is clearly better.
const CLEAR: i32 = 50;

/// Wins count as so many centipawns.
const WIN: i32 = 10_000;

/// What was found about moves that could promote.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Promotions {
    /// Positions in which a move could promote or decline, both searched.
    pub searched: usize,
    /// Share of them in which declining scores clearly better.
    pub declining_better: Option<Mean>,
    /// Share in which promoting does.
    pub promoting_better: Option<Mean>,
    /// The same shares among the moves that were played and declined.
    pub declined: Option<[Mean; 2]>,
    /// How many of those there were.
    pub declined_count: usize,
}

/// Looks at up to `count` positions of a match, spread over its games, in which the move played could promote or
/// decline, each of the two moves with `nodes` nodes; `None` once it is `stopped`.
///
/// # Errors
/// If a game is not legal.
pub fn promotions<V: Variant>(
    searcher: &mut Searcher<V>,
    played: &PlayedMatch,
    count: usize,
    nodes: u64,
    stopped: &AtomicBool,
) -> Result<Option<Promotions>, String> {
    let mut found: Vec<(u64, Position<V>, Move, Move)> = Vec::new();
    for record in played.records() {
        let record = record?;
        let Replayed { opened, moves, .. } = Replayed::<V>::of(&record, played.header.rules.into())
            .map_err(|error| played.named(&format!("game {}: {error}", number(record.id))))?;
        let mut position = opened;
        for m in moves {
            if let Some(other) = twin(&position.legal_moves(), m) {
                found.push((u64::from(record.id.round), position.clone(), m, other));
            }
            position.make(m);
        }
    }
    let apart = found.len().div_ceil(count.max(1)).max(1);
    let [mut declining, mut promoting, mut right, mut wrong] = [(); 4].map(|()| Sample::default());
    let mut all = Promotions::default();
    for (cluster, position, m, other) in found.into_iter().step_by(apart) {
        if stopped.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let scores = [m, other].map(|m| score(searcher, &position, m, nodes));
        let [Some(own), Some(twin)] = scores else { continue };
        let (with, without) = if m.promotes() { (own, twin) } else { (twin, own) };
        let [better, worse] = [without - with >= CLEAR, with - without >= CLEAR]
            .map(|is| 100.0 * f64::from(u8::from(is)));
        all.searched += 1;
        declining.add(cluster, better);
        promoting.add(cluster, worse);
        if !m.promotes() {
            all.declined_count += 1;
            right.add(cluster, better);
            wrong.add(cluster, worse);
        }
    }
    all.declining_better = declining.mean();
    all.promoting_better = promoting.mean();
    all.declined = right.mean().zip(wrong.mean()).map(|(right, wrong)| [right, wrong]);
    Ok(Some(all))
}

/// The score of a move for who plays it, centipawns.
fn score<V: Variant>(
    searcher: &mut Searcher<V>,
    position: &Position<V>,
    m: Move,
    nodes: u64,
) -> Option<i32> {
    let mut after = position.clone();
    after.make(m);
    if after.outcome().is_some() {
        return Some(WIN);
    }
    searcher.new_game();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    // As if the game began there.
    let after = after.setup().validate().ok()?;
    let found = searcher.search(&after, &limits, &Control::new(), &Silent).ok()?;
    found.best()?;
    match found.score()? {
        Score::Centipawns(value) => Some(-value),
        Score::Mate(plies) => Some(if plies > 0 { -WIN } else { WIN }),
    }
}
