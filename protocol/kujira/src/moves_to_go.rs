//! Time that is for a number of moves, where a search knows only a clock and byoyomi.

use std::time::Duration;

/// The part of the time left for so many moves that becomes byoyomi, which is there for each move.
///
/// With `n` moves to go it is one part in `2n + 1`. That and what stays on the clock are never more than what is
/// there, and the last move before the next session still leaves half of it.
pub(crate) fn share(left: Duration, moves: u32) -> Duration {
    left / moves.saturating_mul(2).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_moves_has_a_share() {
        let second = Duration::from_secs(1);
        assert_eq!((share(second, 0), share(3 * second, 1)), (second, second));
        assert_eq!(share(second, u32::MAX), second / u32::MAX);
    }
}
