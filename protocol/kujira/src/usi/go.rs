//! What `go` and `ponderhit` ask for, as the engine takes it.

use std::time::Duration;

use kujira_position::Color;
use kujira_search::{Limits, Times};
use kujira_usi::Clocks;

use super::fault::CommandError;

/// A search asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Limits that end the search.
    pub limits: Limits,
    /// The moves to choose among, as the client wrote them.
    pub search_moves: Vec<String>,
    /// Whether a mate by checks alone is asked for.
    pub mate: bool,
    /// The longest mate, in moves, that ends a search of UCI.
    pub mate_in: Option<u64>,
    /// Moves that the time on the clocks is for.
    pub moves_to_go: Option<u32>,
    /// The first thing that was wrong with the line. It is reported, and yet the search is answered:
    /// whoever sent a `go` waits for a `bestmove`, after `go mate` for a `checkmate`.
    pub fault: Option<CommandError>,
}

/// The arguments of `go`, in any order.
pub const ARGUMENTS: &str = "[btime MS] [wtime MS] [binc MS] [winc MS] [byoyomi MS] [movetime MS] \
     [depth N] [nodes N] [searchmoves MOVE ...] [ponder] [infinite] | mate [MS|infinite] | \
     perft DEPTH [threads N] [played]";

/// The arguments of `go` in UCI, in any order.
pub const UCI_ARGUMENTS: &str = "[wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [byoyomi MS] \
     [movetime MS] [depth N] [nodes N] [mate N] [searchmoves MOVE ...] [ponder] [infinite] | \
     perft DEPTH [threads N] [played]";

/// Longer times than a hundred years are that: sums of times must not overflow.
fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count.min(100 * 365 * 24 * 3_600_000))
}

/// The times given before, with those of new `clocks` in their place; none if they tell none.
#[must_use]
pub fn over(clocks: &Clocks, given: Option<Times>) -> Option<Times> {
    if *clocks == Clocks::default() {
        return None;
    }
    let Times { left, increment, byoyomi } = given.unwrap_or_default();
    let new = |told: Option<u64>, given| told.map_or(given, milliseconds);
    let ([up, down], [more_up, more_down]) = (clocks.left, clocks.increment);
    Some(Times {
        left: [new(up, left[0]), new(down, left[1])],
        increment: [new(more_up, increment[0]), new(more_down, increment[1])],
        byoyomi: new(clocks.byoyomi, byoyomi),
    })
}

impl From<kujira_usi::Go> for Go {
    fn from(asked: kujira_usi::Go) -> Self {
        let kujira_usi::Go { mate, mate_in, ponder, infinite, search_moves, .. } = asked;
        let capped = |count| u32::try_from(count).unwrap_or(u32::MAX);
        let mut limits = Limits {
            times: over(&asked.clocks, None),
            move_time: asked.movetime.map(milliseconds),
            depth: asked.depth.map(|depth| capped(depth).max(1)),
            nodes: asked.nodes.map(|nodes| nodes.max(1)),
            ponder,
            infinite,
            ..Limits::default()
        };
        if !limited(&limits) && !infinite {
            if asked.fault.is_some() {
                // Its limit was not understood: answer soon rather than never.
                limits.depth = Some(1);
            } else {
                // A mate is looked for until it is found, and the ponder hit may bring times.
                limits.infinite = !ponder && mate_in.is_none();
            }
        }
        let moves_to_go = asked.moves_to_go.map(capped).filter(|&moves| moves > 0);
        Self {
            limits,
            search_moves,
            mate,
            mate_in,
            moves_to_go,
            fault: asked.fault.map(CommandError::from),
        }
    }
}

impl Go {
    /// The limits for `side`, which shares the time on its clock among the moves that it is for: the part that becomes
    /// byoyomi is there for each move.
    ///
    /// With `n` moves to go it is one part in `2n + 1`. That and what stays on the clock are never more than what is
    /// there, and the last move before the next session still leaves half of it.
    #[must_use]
    pub fn limits_of(&self, side: Color) -> Limits {
        let mut limits = self.limits.clone();
        if let (Some(times), Some(moves)) = (&mut limits.times, self.moves_to_go)
            && let Some(left) = times.left.get_mut(side.index())
        {
            let share = *left / moves.saturating_mul(2).saturating_add(1);
            *left -= share;
            times.byoyomi += share;
        }
        limits
    }
}

/// Whether anything but a stop ends a search with these limits.
pub(crate) fn limited(limits: &Limits) -> bool {
    limits.times.is_some()
        || limits.move_time.is_some()
        || limits.depth.is_some()
        || limits.nodes.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_moves_has_a_share() {
        let second = Duration::from_secs(1);
        let share = |left, moves| {
            let times = Times { left: [left, second], ..Times::default() };
            let limits = Limits { times: Some(times), ..Limits::default() };
            let go = Go { limits, moves_to_go: Some(moves), ..Go::default() };
            go.limits_of(Color::Black).times.map(|times| (times.left[0], times.byoyomi))
        };
        assert_eq!(share(3 * second, 1), Some((2 * second, second)));
        let least = second / u32::MAX;
        assert_eq!(share(second, u32::MAX), Some((second - least, least)));
    }
}
