//! How each bot chooses its move.

use std::fmt;

use clap::ValueEnum;
use kujira_position::{Move, Position, Variant};

use super::material::{MOST, Material, WHALE, Worth};
use crate::openings::Stream;

/// A reference bot, the weakest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Bot {
    /// Plays any legal move, each as likely as the others.
    Random,
    /// Takes the most valuable piece that hangs: one that is not defended, or is worth more than what takes it.
    Hanging,
    /// Looks two plies ahead at captures only: what a move takes, less the most that a reply takes.
    Captures,
    /// Looks three plies ahead at material: every move, every reply, and what every third move gains.
    Material,
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random => "random",
            Self::Hanging => "hanging",
            Self::Captures => "captures",
            Self::Material => "material",
        })
    }
}

/// A move chosen, and what the bot sees in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move.
    pub m: Move,
    /// Centipawns that it expects to gain.
    pub gain: Worth,
    /// Positions looked at.
    pub nodes: u64,
}

impl Bot {
    /// How many plies it looks ahead.
    #[must_use]
    pub const fn depth(self) -> u32 {
        match self {
            Self::Random | Self::Hanging => 1,
            Self::Captures => 2,
            Self::Material => 3,
        }
    }

    /// The move it plays; `None` where there is none.
    #[must_use]
    pub fn choose<V: Variant>(
        self,
        position: &Position<V>,
        material: &Material,
        chance: &mut Stream,
    ) -> Option<Choice> {
        let mut sight = Sight { position: position.clone(), material, nodes: 0 };
        let (best, gain) = sight.best_moves(self)?;
        let m = *best.get(chance.below(best.len()))?;
        Some(Choice { m, gain, nodes: sight.nodes })
    }
}

/// A position that a bot thinks about.
struct Sight<'a, V: Variant> {
    position: Position<V>,
    material: &'a Material,
    nodes: u64,
}

impl<V: Variant> Sight<'_, V> {
    /// All moves that the bot likes best, and what it expects of them; nothing if there are none.
    fn best_moves(&mut self, bot: Bot) -> Option<(Vec<Move>, Worth)> {
        let mut best = (Vec::new(), -MOST);
        for (m, gain) in self.by_gain() {
            let taken = self.material.taken(self.position.board(), m);
            let worth = match bot {
                Bot::Random => 0,
                Bot::Hanging if self.hangs(m, taken) => taken,
                Bot::Hanging => 0,
                // The game is over.
                Bot::Captures | Bot::Material if taken >= WHALE => taken,
                Bot::Captures => taken - self.after(m, Self::most_taken),
                // As good a move is wanted as well as a better one.
                Bot::Material => {
                    let beta = gain - (best.1 - 1);
                    gain - self.after(m, |sight| sight.search(1, -MOST, beta))
                }
            };
            if worth > best.1 {
                best = (Vec::new(), worth);
            }
            if worth == best.1 {
                best.0.push(m);
            }
        }
        (!best.0.is_empty()).then_some(best)
    }

    /// The legal moves and what they gain at once, the greatest gain first.
    fn by_gain(&mut self) -> Vec<(Move, Worth)> {
        let board = self.position.board();
        let moves = self.position.legal_moves();
        let mut moves: Vec<_> = moves.iter().map(|&m| (m, self.material.gain(board, m))).collect();
        moves.sort_by_key(|&(_, gain)| -gain);
        self.nodes += moves.len() as u64;
        moves
    }

    /// What is seen once `m` is made.
    fn after<T>(&mut self, m: Move, see: impl FnOnce(&mut Self) -> T) -> T {
        self.position.make(m);
        let seen = see(self);
        self.position.undo();
        seen
    }

    /// Whether what `m` takes hangs.
    fn hangs(&mut self, m: Move, taken: Worth) -> bool {
        let undefended = |sight: &mut Self| {
            let board = sight.position.board();
            let (side, occupied) = (board.side(), board.occupied());
            (board.attackers(m.to(), side, occupied) & board.pieces(side)).is_empty()
        };
        taken > 0
            && (taken >= WHALE
                || taken > self.material.risked(m.kind())
                || self.after(m, undefended))
    }

    /// The most that a move takes.
    fn most_taken(&mut self) -> Worth {
        let (board, material) = (self.position.board(), self.material);
        let moves = self.position.legal_moves();
        self.nodes += moves.len() as u64;
        moves.iter().map(|&m| material.taken(board, m)).max().unwrap_or(0)
    }

    /// What the side to move gains at best by a move and so many more `plies`: alpha-beta, fail-soft. A side without
    /// moves has lost.
    fn search(&mut self, plies: u32, mut alpha: Worth, beta: Worth) -> Worth {
        let moves = self.by_gain();
        let Some(&(_, most)) = moves.first() else { return -WHALE };
        if plies == 0 || most >= WHALE {
            return most;
        }
        let mut best = -MOST;
        for (m, gain) in moves {
            let (from, to) = (gain - beta, gain - alpha);
            let worth = gain - self.after(m, |sight| sight.search(plies - 1, from, to));
            best = best.max(worth);
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, UsiMove, Whale};

    use super::*;

    fn liked<V: Variant>(bot: Bot, sfen: &str) -> Vec<String> {
        let position = Position::<V>::from_sfen(sfen).unwrap();
        let (material, mut texts) = (Material::of::<V>(), Vec::new());
        let mut sight = Sight { position, material: &material, nodes: 0 };
        let (best, _) = sight.best_moves(bot).unwrap();
        texts.extend(best.iter().map(|&m| UsiMove::<V>::new(m).to_string()));
        texts.sort();
        texts
    }
}
