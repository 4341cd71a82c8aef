//! How each bot chooses its move.

use std::fmt;

use clap::ValueEnum;
use kujira_position::{Move, Position, Variant};
use kujira_statistics::Stream;

use super::material::{MOST, Material, WHALE, Worth};

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
        let material = Material::of::<V>();
        let mut sight = Sight { position, material: &material, nodes: 0 };
        let (best, _) = sight.best_moves(bot).unwrap();
        let mut texts: Vec<_> = best.iter().map(|&m| UsiMove::<V>::new(m).to_string()).collect();
        texts.sort();
        texts
    }

    const ALL: [Bot; 4] = [Bot::Random, Bot::Hanging, Bot::Captures, Bot::Material];

    #[test]
    fn the_random_bot_likes_every_move() {
        fn check<V: Variant>() {
            let position = Position::<V>::start();
            let mut legal: Vec<_> =
                position.legal_moves().iter().map(|&m| UsiMove::<V>::new(m).to_string()).collect();
            legal.sort();
            assert_eq!(liked::<V>(Bot::Random, V::SPEC.start), legal);
        }
        check::<Whale>();
        check::<Paulowich>();
        check::<Great>();
    }

    #[test]
    fn the_most_valuable_piece_that_hangs_is_taken() {
        // A grey whale and a dolphin, neither of them defended.
        for bot in [Bot::Hanging, Bot::Captures, Bot::Material] {
            assert_eq!(liked::<Whale>(bot, "w5/3g2/6/1d1K2/6/5W b - 1"), ["3d3b"], "{bot}");
            assert_eq!(liked::<Paulowich>(bot, "w6/3g3/7/3K3/7/7/6W b - 1"), ["4d4b"], "{bot}");
        }
        // The white whale defends the grey one, which is worth less than the killer whale.
        for bot in [Bot::Hanging, Bot::Captures] {
            assert_eq!(liked::<Whale>(bot, "2w3/3g2/6/1d1K2/6/5W b - 1"), ["3d5d"], "{bot}");
        }
        // What is worth more than its captor is taken whoever defends it.
        for bot in [Bot::Hanging, Bot::Captures, Bot::Material] {
            assert_eq!(liked::<Whale>(bot, "2w3/3k2/3D2/6/6/5W b - 1"), ["3c3b"], "{bot}");
        }
    }

    #[test]
    fn only_who_looks_at_replies_sees_a_threat() {
        // A dolphin attacks the narwhal, which cannot take it.
        let sfen = "w5/6/3d2/3N2/6/5W b - 1";
        for bot in [Bot::Captures, Bot::Material] {
            assert_eq!(liked::<Whale>(bot, sfen), ["3d2d", "3d3b", "3d3e", "3d4d"], "{bot}");
        }
        assert_eq!(liked::<Whale>(Bot::Hanging, sfen), liked::<Whale>(Bot::Random, sfen));
    }

    #[test]
    fn only_who_looks_three_plies_ahead_sees_a_mate() {
        // Whoever has no move has lost, in check or not.
        let sfen = "5w/3K2/5W/6/6/6 b - 1";
        let mut position = Position::<Whale>::from_sfen(sfen).unwrap();
        let wins = |m: &String| {
            position.make(position.parse_usi(m).unwrap());
            let wins = position.legal_moves().is_empty();
            position.undo();
            wins
        };
        let all = liked::<Whale>(Bot::Random, sfen);
        let (expected, others): (Vec<_>, Vec<_>) = all.iter().cloned().partition(wins);
        assert!(expected.contains(&"3b2b".to_owned()) && !others.is_empty());
        assert_eq!(liked::<Whale>(Bot::Material, sfen), expected);
        // Who does not see it only keeps off the white whale.
        assert!(others.iter().any(|m| liked::<Whale>(Bot::Captures, sfen).contains(m)));
    }

    #[test]
    fn a_white_whale_is_captured_where_that_wins() {
        let sfen = "w,10/11/11/11/11/5,S,5/11/11/11/11/5,W,5 b - 1";
        for bot in [Bot::Hanging, Bot::Captures] {
            assert_eq!(liked::<Great>(bot, sfen), ["6f11a", "6f11a+"], "{bot}");
        }
        // Two plies later, with a promotion before, it is captured whatever the reply: that gains more.
        let position = Position::<Great>::from_sfen(sfen).unwrap();
        let material = Material::of::<Great>();
        let mut sight = Sight { position, material: &material, nodes: 0 };
        assert!(sight.best_moves(Bot::Material).unwrap().1 >= WHALE);
    }

    /// Alpha-beta finds the moves that a full search of three plies finds.
    #[test]
    fn three_plies_are_searched_in_full() {
        fn best_of<V: Variant>(sight: &mut Sight<'_, V>, plies: u32) -> Vec<(Worth, Move)> {
            let moves = sight.by_gain();
            let worths = moves.into_iter().map(|(m, gain)| {
                if plies == 0 || gain >= WHALE {
                    return (gain, m);
                }
                let replies = sight.after(m, |sight| best_of(sight, plies - 1));
                (gain - replies.iter().map(|reply| reply.0).max().unwrap_or(-WHALE), m)
            });
            worths.collect()
        }
        fn check<V: Variant>(plies: usize) {
            let (material, mut chance) = (Material::of::<V>(), Stream::new(36));
            let mut position = Position::<V>::start();
            for _ in 0..plies {
                if position.outcome().is_some() {
                    break;
                }
                let mut sight = Sight { position: position.clone(), material: &material, nodes: 0 };
                let all = best_of(&mut sight, 2);
                let most = all.iter().map(|found| found.0).max();
                let expected: Vec<_> = all
                    .into_iter()
                    .filter(|found| Some(found.0) == most)
                    .map(|found| found.1)
                    .collect();
                let (found, worth) = sight.best_moves(Bot::Material).unwrap();
                assert_eq!((found, Some(worth)), (expected, most), "{}", position.sfen());
                let moves = position.legal_moves();
                position.make(moves[chance.below(moves.len())]);
            }
        }
        check::<Whale>(60);
        check::<Paulowich>(40);
        check::<Great>(3);
    }

    #[test]
    fn equal_moves_are_played_equally_often() {
        let (position, material) = (Position::<Whale>::start(), Material::of::<Whale>());
        let mut chance = Stream::new(7);
        for bot in ALL {
            let (best, _) = Sight { position: position.clone(), material: &material, nodes: 0 }
                .best_moves(bot)
                .unwrap();
            let mut counts = vec![0; best.len()];
            for _ in 0..200 * best.len() {
                let choice = bot.choose(&position, &material, &mut chance).unwrap();
                counts[best.iter().position(|&m| m == choice.m).unwrap()] += 1;
            }
            assert!(counts.iter().all(|count| (140..260).contains(count)), "{bot}: {counts:?}");
        }
    }
}
