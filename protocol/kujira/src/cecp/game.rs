//! The game in play: how it came about, and what can be played now.

use kujira_position::{AnyPosition, Color, Outcome, PositionError, VariantId, WinReason};

use crate::errors::SessionError;
use crate::host::Host;

use super::notation;

/// A position, as far as a GUI may ask about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct View {
    /// The position as SFEN.
    pub(crate) sfen: String,
    /// The legal moves as USI texts; none if the game is over.
    pub(crate) moves: Vec<String>,
    /// How the game ended, if it did.
    pub(crate) outcome: Option<Outcome>,
}

impl View {
    /// What may be asked of a position.
    pub(crate) fn of(position: &AnyPosition) -> Self {
        let outcome = position.outcome();
        let mut moves = match outcome {
            None => position.usi_line(&position.legal_moves()),
            Some(_) => Vec::new(),
        };
        moves.sort_unstable();
        Self { sfen: position.sfen(), moves, outcome }
    }

    /// The side to move.
    pub(crate) fn side(&self) -> Color {
        match self.sfen.split(' ').nth(1) {
            Some("w") => Color::White,
            _ => Color::Black,
        }
    }
}

/// A game: its start, its moves, and the position they led to.
#[derive(Debug)]
pub(crate) struct Game {
    /// SFEN of the position begun from; `None` is the starting position.
    start: Option<String>,
    /// Moves since the start, as USI texts.
    moves: Vec<String>,
    /// The positions before each move there was, as SFEN: those since `start` and, after a change of rules, others
    /// before it.
    earlier: Vec<String>,
    view: View,
}

impl Game {
    /// A game of what the engine plays, from the start. The engine stands there afterwards.
    pub(crate) fn new(host: &mut Host) -> Self {
        // No rule forbids the start.
        let _ = host.set_position(None, "");
        Self::at(None, host)
    }

    /// A game that begins where the engine stands.
    fn at(start: Option<String>, host: &mut Host) -> Self {
        let (moves, earlier) = (Vec::new(), Vec::new());
        Self { start, moves, earlier, view: View::of(host.position()) }
    }

    /// The position that the moves led to.
    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    /// How many moves `side` has made.
    pub(crate) fn made_by(&self, side: Color) -> u32 {
        let all = self.earlier.len();
        let also_last = side != self.view.side();
        u32::try_from((all + usize::from(also_last)) / 2).unwrap_or(u32::MAX)
    }

    /// Puts the engine before the position, and `reply` if there is one.
    pub(crate) fn show(&self, host: &mut Host, reply: Option<&str>) -> Result<(), SessionError> {
        let moves: Vec<&str> = self.moves.iter().map(String::as_str).chain(reply).collect();
        host.set_position(self.start.as_deref(), &moves.join(" "))
    }

    /// Puts the engine before the position after a change of rules. If the moves of the game are not
    /// legal under the new ones, it goes on from the position, without a past but for moves to take back.
    pub(crate) fn refresh(&mut self, host: &mut Host) {
        if self.show(host, None).is_err() {
            self.start = Some(self.view.sfen.clone());
            self.moves.clear();
            if self.show(host, None).is_err() {
                return *self = Self::new(host);
            }
        }
        self.view = View::of(host.position());
    }

    /// Takes over a position.
    pub(crate) fn set(&mut self, host: &mut Host, sfen: String) -> Result<(), PositionError> {
        match host.set_position(Some(&sfen), "") {
            Ok(()) => {
                *self = Self::at(Some(sfen), host);
                Ok(())
            }
            Err(SessionError::Position { error, .. }) => Err(error),
            // Nothing else can be wrong with a position.
            Err(_) => Ok(()),
        }
    }

    /// Plays one of the legal moves, given as USI text.
    pub(crate) fn play(&mut self, host: &mut Host, m: &str) {
        self.note(m);
        self.refresh(host);
    }

    /// Plays a legal move that leads to a position known already.
    pub(crate) fn play_to(&mut self, m: &str, view: View) {
        self.note(m);
        self.view = view;
    }

    /// Adds a move to those played.
    fn note(&mut self, m: &str) {
        self.earlier.push(self.view.sfen.clone());
        self.moves.push(m.to_owned());
    }

    /// Takes moves back; `false`, and nothing changes, if there are not so many, or if the rules, changed
    /// meanwhile, do not allow the position before them.
    pub(crate) fn take_back(&mut self, host: &mut Host, plies: usize) -> bool {
        let Some(left) = self.earlier.len().checked_sub(plies) else { return false };
        if let Some(moves) = self.moves.len().checked_sub(plies) {
            self.moves.truncate(moves);
        } else if let Some(before) = self.earlier.get(left)
            && host.set_position(Some(before), "").is_ok()
        {
            self.start = Some(before.clone());
            self.moves.clear();
        } else {
            return false;
        }
        self.earlier.truncate(left);
        self.refresh(host);
        true
    }
}

/// XBoard's name for a side: White begins.
fn name(side: Color) -> &'static str {
    match side {
        Color::Black => "White",
        Color::White => "Black",
    }
}

/// The line that tells XBoard how the game ended.
pub(crate) fn result_line(outcome: Outcome) -> String {
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
pub(crate) fn resignation(side: Color) -> String {
    let result = if side == Color::Black { "0-1" } else { "1-0" };
    format!("{result} {{{} resigns}}", name(side))
}

/// The game XBoard calls so, if it is one that it can play.
pub(crate) fn named(name: &str) -> Option<VariantId> {
    notation::offered().find(|game| game.spec().id == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kujira_position::DrawReason;

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
            assert_eq!(result_line(outcome), line);
        }
        assert_eq!(resignation(Color::Black), "0-1 {White resigns}");
        assert_eq!(resignation(Color::White), "1-0 {Black resigns}");
    }
}
