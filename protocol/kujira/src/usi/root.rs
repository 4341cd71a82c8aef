//! The position in play for clients, with the spelling of moves in their protocol.

use kujira_position::{Color, Position, Variant, VariantId, with_variant};
use kujira_record::review;
use kujira_search::Engine;
use kujira_usi::fairy::{self, Dialect, rules};
use kujira_usi::{Protocol, Score};

/// The position that a search begins at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Root {
    game: VariantId,
    sfen: String,
}

impl Root {
    /// The position that an engine stands at.
    pub(super) fn of(engine: &dyn Engine) -> Self {
        Self { game: engine.game(), sfen: engine.sfen() }
    }

    /// The side to move.
    pub(super) fn side(&self) -> Color {
        match self.sfen.split(' ').nth(1) {
            Some("w") => Color::White,
            _ => Color::Black,
        }
    }

    /// The side to move as clients call it: to those of UCI, whoever moves first is White.
    pub(super) fn side_told(&self, protocol: Protocol) -> &'static str {
        match (protocol, self.side()) {
            (Protocol::Usi, Color::Black) | (Protocol::Uci, Color::White) => "black",
            (Protocol::Usi, Color::White) | (Protocol::Uci, Color::Black) => "white",
        }
    }

    /// The position as clients read it.
    pub(super) fn fen(&self) -> String {
        fairy::fen::of_sfen(self.game.spec(), &self.sfen, fairy::Style::Fairy)
    }

    /// A line of moves from here as clients read it.
    pub(super) fn spell(&self, moves: &[String]) -> Vec<String> {
        fairy::spell(self.game, &self.sfen, moves.iter().map(String::as_str))
    }

    /// A move from here as clients read it. A text that is no legal move stays as it is.
    pub(super) fn spell_one(&self, m: &str) -> String {
        let spelt = fairy::spell(self.game, &self.sfen, [m]).pop();
        spelt.unwrap_or_else(|| m.to_owned())
    }

    /// A legal move that a client wrote, as USI text. A text that is none stays as it is.
    pub(super) fn usi(&self, text: &str) -> String {
        fn read<V: Variant>(sfen: &str, text: &str) -> Option<String> {
            let position = Position::<V>::from_sfen(sfen).ok()?;
            let m = Dialect::FairyUci.read_leniently(&position, text).ok()?;
            Some(position.usi(m))
        }
        let read = with_variant!(self.game, V => read::<V>(&self.sfen, text));
        read.unwrap_or_else(|| text.to_owned())
    }

    /// The moves that mate, and by Fairy-Stockfish's rules lose, as USI texts.
    pub(super) fn losing_mates(&self) -> Vec<String> {
        fn find<V: Variant>(sfen: &str) -> Vec<String> {
            let Ok(position) = Position::<V>::from_sfen(sfen) else { return Vec::new() };
            let moves = position.legal_moves();
            let mates = moves.iter().filter(|&&m| rules::is_mating_retreat(&position, m));
            mates.map(|&m| position.usi(m)).collect()
        }
        with_variant!(self.game, V => find::<V>(&self.sfen))
    }

    /// A move that is legal to Fairy-Stockfish alone, as clients read it: for where our rules have none. One that mates
    /// loses there, and is the last that is taken.
    pub(super) fn last_resort(&self) -> Option<String> {
        fn find<V: Variant>(sfen: &str) -> Option<String> {
            let position = Position::<V>::from_sfen(sfen).ok()?;
            let mates =
                |&m: &_| rules::dropped(&position, m).is_some_and(|after| rules::is_mated(&after));
            let m = rules::extra_drops(&position).into_iter().min_by_key(mates)?;
            Some(Dialect::FairyUci.text(&position, m))
        }
        with_variant!(self.game, V => find::<V>(&self.sfen))
    }

    /// Chances of a win, a draw and a loss, in thousandths: those of games of the engine with itself that had such a
    /// score, where a draw counts as half a win and half a loss.
    pub(super) fn chances(&self, score: Score) -> [u32; 3] {
        let expected = 1000.0 * review::expected(self.game, score);
        let win = (0..1000_u32).find(|&n| f64::from(n) + 0.5 > expected).unwrap_or(1000);
        [win, 0, 1000 - win]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(sfen: &str) -> Root {
        Root { game: VariantId::Whale, sfen: sfen.to_owned() }
    }

    #[test]
    fn chances_are_whole_and_fit() {
        for &game in VariantId::ALL {
            let root = Root { game, sfen: String::new() };
            for (score, chances) in [
                (Score::Cp(0), [500, 0, 500]),
                (Score::Cp(1_000_000), [1000, 0, 0]),
                (Score::Cp(-1_000_000), [0, 0, 1000]),
                (Score::Mate(3), [1000, 0, 0]),
                (Score::Mate(0), [0, 0, 1000]),
            ] {
                assert_eq!(root.chances(score), chances, "{game} {score}");
            }
            let [better, _, worse] = root.chances(Score::Cp(100));
            assert!(better > 500 && better + worse == 1000, "{game} {better}");
        }
    }

    #[test]
    fn moves_and_positions_are_spelt() {
        let root = root("wD4/6/1K4/6/6/5W b - 1");
        assert_eq!(
            (root.fen().as_str(), root.side()),
            ("w+D4/6/1K4/6/6/5W[-] w 0 1", Color::Black)
        );
        assert_eq!(root.losing_mates(), ["5a6b"]);
        assert_eq!(
            (root.spell_one("5a6b"), root.spell_one("x")),
            ("b6a5-".to_owned(), "x".to_owned())
        );
        assert_eq!(root.last_resort(), None);
        assert_eq!((root.usi("b6a5"), root.usi("5a6b")), ("5a6b".to_owned(), "5a6b".to_owned()));
    }
}
