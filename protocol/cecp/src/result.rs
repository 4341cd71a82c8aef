//! How a game ended, as XBoard is told of it.

use kujira_position::{Color, Outcome, WinReason};

/// XBoard's name for a side: White begins.
fn name(side: Color) -> &'static str {
    match side {
        Color::Black => "White",
        Color::White => "Black",
    }
}

/// The line that tells XBoard how the game ended.
#[must_use]
pub fn line(outcome: Outcome) -> String {
    let Outcome::Win { winner, reason } = outcome else {
        let Outcome::Draw(reason) = outcome else { return String::new() };
        return format!("1/2-1/2 {{{reason}}}");
    };
    let (won, lost) = (name(winner), name(!winner));
    let why = match reason {
        WinReason::Checkmate => format!("{lost}'s whale is mated"),
        WinReason::NoMoves => format!("{lost} has no legal move"),
        WinReason::WhaleCaptured => format!("{lost}'s whale is captured"),
        WinReason::PerpetualCheck => format!("{lost} gave perpetual check"),
        WinReason::Impasse => format!("{won} wins the impasse by points"),
    };
    let result = if winner == Color::Black { "1-0" } else { "0-1" };
    format!("{result} {{{why}}}")
}

/// The line by which `side` gives up.
#[must_use]
pub fn resignation(side: Color) -> String {
    let result = if side == Color::Black { "0-1" } else { "1-0" };
    format!("{result} {{{} resigns}}", name(side))
}

#[cfg(test)]
mod tests {
    use kujira_position::DrawReason;

    use super::*;

    #[test]
    fn results_are_told_from_the_side_of_xboards_colours() {
        let win = |winner, reason| Outcome::Win { winner, reason };
        for (outcome, line) in [
            (win(Color::White, WinReason::Checkmate), "0-1 {White's whale is mated}"),
            (win(Color::Black, WinReason::Checkmate), "1-0 {Black's whale is mated}"),
            (win(Color::Black, WinReason::NoMoves), "1-0 {Black has no legal move}"),
            (win(Color::White, WinReason::PerpetualCheck), "0-1 {White gave perpetual check}"),
            (win(Color::White, WinReason::Impasse), "0-1 {Black wins the impasse by points}"),
            (Outcome::Draw(DrawReason::Repetition), "1/2-1/2 {fourfold repetition}"),
            (Outcome::Draw(DrawReason::Impasse), "1/2-1/2 {impasse}"),
        ] {
            assert_eq!(super::line(outcome), line);
        }
        assert_eq!(resignation(Color::Black), "0-1 {White resigns}");
        assert_eq!(resignation(Color::White), "1-0 {Black resigns}");
    }
}
