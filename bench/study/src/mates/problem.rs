//! What makes a position a problem, and how it is written down.

use kujira_position::{Kind, Move, Outcome, Position, UsiMove, Variant, WinReason};
use kujira_search::MateAnswer;
use kujira_search::mate::Solver;
use kujira_search::{Control, Limits};

/// A sound problem: the mate is proved to be the shortest, and no other first move mates.
#[derive(Clone, Debug)]
pub struct Sound<V: Variant> {
    /// The position.
    pub position: Position<V>,
    /// The moves of the mate, with the longest defence.
    pub line: Vec<Move>,
    /// Nodes of the solver for the mate.
    pub nodes: u64,
}

/// Why a position is no sound problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// It is no position, it is over, or somebody stands in check.
    Impossible,
    /// It is proved that there is no mate.
    NoMate,
    /// Another first move mates, or it is not proved that none does.
    Unsound,
    /// The solver did not come to an end.
    Open,
}

fn ask<V: Variant>(
    solver: &mut Solver<V>,
    position: &Position<V>,
    first: &[Move],
    nodes: u64,
) -> (MateAnswer, u64) {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let report = solver.solve(position, first, &limits, &Control::new(), &mut |_| ());
    (report.answer, report.nodes)
}

/// Whether it is proved, with `nodes` nodes, that no move but `best` mates.
fn is_only_move<V: Variant>(
    solver: &mut Solver<V>,
    position: &Position<V>,
    best: Move,
    nodes: u64,
) -> bool {
    let moves = position.legal_moves();
    let others: Vec<Move> = moves.iter().copied().filter(|&m| m != best).collect();
    others.is_empty() || ask(solver, position, &others, nodes).0 == MateAnswer::NoMate
}

/// Plies of a sound mate up to which each move of the side that mates is proved, with `nodes` nodes each, to be the only
/// one that does; all of them where only the last has others beside it.
pub fn only_moves<V: Variant>(
    solver: &mut Solver<V>,
    position: &Position<V>,
    line: &[Move],
    nodes: u64,
) -> usize {
    let mut position = position.clone();
    for (index, &m) in line.iter().enumerate() {
        let asked = index % 2 == 0 && index > 0 && index + 1 < line.len();
        if asked && !is_only_move(solver, &position, m, nodes) {
            return index - 1;
        }
        position.make(m);
    }
    line.len()
}

/// Judges a position, with `nodes` nodes for each question.
///
/// # Errors
/// Why it is no problem.
pub fn judge<V: Variant>(
    solver: &mut Solver<V>,
    position: &Position<V>,
    nodes: u64,
) -> Result<Sound<V>, Flaw> {
    let attacked = position.whale_attacked(!position.side());
    if position.checked() || attacked || position.outcome().is_some() {
        return Err(Flaw::Impossible);
    }
    let (verdict, taken) = ask(solver, position, &[], nodes);
    let line = match verdict {
        MateAnswer::Mate { line, plies, shortest: true } if line.len() == plies as usize => line,
        MateAnswer::NoMate => return Err(Flaw::NoMate),
        MateAnswer::Mate { .. } | MateAnswer::Unknown => return Err(Flaw::Open),
    };
    match line.first() {
        Some(&best) if is_only_move(solver, position, best, nodes) => {
            Ok(Sound { position: position.clone(), line, nodes: taken })
        }
        _ => Err(Flaw::Unsound),
    }
}

impl<V: Variant> Sound<V> {
    /// Whether every move of the side that mates, but for the last, is the only one that does.
    pub fn is_strict(&self, solver: &mut Solver<V>, nodes: u64) -> bool {
        only_moves(solver, &self.position, &self.line, nodes) == self.line.len()
    }

    /// A line of a file: the problem with its moves.
    #[must_use]
    pub fn text(&self, strict: bool, source: &str) -> String {
        let moves: Vec<String> =
            self.line.iter().map(|&m| UsiMove::<V>::new(m).to_string()).collect();
        let mut text = format!(
            "{} ;M {}; pv {}; nodes {}",
            self.position.sfen(),
            self.line.len(),
            moves.join(" "),
            self.nodes,
        );
        let themes = themes(&self.position, &self.line).join(" ");
        if !themes.is_empty() {
            text.push_str(&format!("; themes {themes}"));
        }
        text.push_str(if strict { "; strict yes" } else { "" });
        text + &format!("; source {source}")
    }
}

/// A line of a file: a position without a mate.
#[must_use]
pub fn near_miss<V: Variant>(position: &Position<V>, source: &str) -> String {
    format!("{} ;nomate; source {source}", position.sfen())
}

/// Whether the side to move can give check at all.
#[must_use]
pub fn has_check<V: Variant>(position: &Position<V>) -> bool {
    let mut position = position.clone();
    position.legal_moves().iter().any(|&m| {
        position.make(m);
        let check = position.checked();
        position.undo();
        check
    })
}

/// Whether the moves are legal, every one of the side to move a check, and the last one wins.
#[must_use]
pub fn is_mate<V: Variant>(position: &Position<V>, line: &[Move]) -> bool {
    let (mut position, attacker) = (position.clone(), position.side());
    for (index, &m) in line.iter().enumerate() {
        if position.outcome().is_some() || !position.is_legal(m) {
            return false;
        }
        position.make(m);
        let taken = position.whale(position.side()).is_empty();
        if index % 2 == 0 && !taken && !position.checked() {
            return false;
        }
    }
    matches!(
        position.outcome(),
        Some(Outcome::Win { winner, reason: WinReason::Checkmate | WinReason::WhaleCaptured })
            if winner == attacker
    )
}

/// What a mate is like, as far as it can be seen from its moves.
#[must_use]
pub fn themes<V: Variant>(position: &Position<V>, line: &[Move]) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut add = |theme, is: bool| {
        if is && !found.contains(&theme) {
            found.push(theme);
        }
    };
    let mut position = position.clone();
    for (index, &m) in line.iter().enumerate() {
        let captures = position.captured(m).next().is_some();
        if index % 2 == 0 {
            add("drop", m.is_drop());
            add("promotion", m.promotes());
            add("igui", m.way().is_some() && m.from() == m.to());
            add("lion", m.way().is_some() && m.from() != m.to());
            add("porpoise", position.captured(m).any(|(_, piece)| changes::<V>(piece.kind())));
            add("whale", m.kind() == Kind::WHALE && !captures);
            // What is taken next, without having taken.
            let taken = line.get(index + 1).is_some_and(|reply| reply.to() == m.to());
            add("sacrifice", taken && !captures);
        } else {
            add("interposition", m.is_drop());
        }
        position.make(m);
    }
    found
}

/// Whether a kind comes to its captor's hand as another one, as the porpoise does: not a promoted one as what it was.
fn changes<V: Variant>(kind: Kind) -> bool {
    let spec = V::SPEC.kind(kind);
    let promoted =
        V::SPEC.all_kinds().any(|other| V::SPEC.kind(other).promotes_to == Some(spec.token));
    kind != Kind::WHALE && spec.in_hand != spec.token && !promoted
}

#[cfg(test)]
mod tests {
    use kujira_position::Whale;

    use super::*;

    fn judged(sfen: &str) -> Result<Sound<Whale>, Flaw> {
        let position = Position::from_sfen(sfen).unwrap();
        judge(&mut Solver::new(16), &position, 100_000)
    }

    #[test]
    fn problems_are_sound() {
        assert_eq!(judged("w5/6/6/6/6/5W b - 1").unwrap_err(), Flaw::NoMate);
        assert_eq!(judged("w5/6/1W4/6/6/6 b K 1").unwrap_err(), Flaw::Unsound);
        let sound = judged("2w3/6/2D3/6/6/3W2 b K 1").unwrap();
        let text =
            "2w3/6/2D3/6/6/3W2 b K 1 ;M 1; pv K*4b; nodes 1; themes drop; strict yes; source x";
        let nodes = format!("nodes {}", sound.nodes);
        assert_eq!(sound.text(true, "x"), text.replace("nodes 1", &nodes));
    }
}
