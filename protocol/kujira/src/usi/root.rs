//! The position in play for clients, with the spelling of moves in their protocol.

use kujira_position::{AnyPosition, Color, Move, Position, Variant, with_position};
use kujira_record::review;
use kujira_usi::fairy::{self, Dialect, rules};
use kujira_usi::{Protocol, Score};

/// The position that a search begins at, in the words of a protocol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Root {
    pub(super) position: AnyPosition,
    pub(super) protocol: Protocol,
}

impl Root {
    /// The side to move as clients call it: to those of UCI, whoever moves first is White.
    pub(super) fn side_told(&self) -> &'static str {
        match (self.protocol, self.position.side()) {
            (Protocol::Usi, Color::Black) | (Protocol::Uci, Color::White) => "black",
            (Protocol::Usi, Color::White) | (Protocol::Uci, Color::Black) => "white",
        }
    }

    /// The position as clients of UCI read it.
    pub(super) fn fen(&self) -> String {
        let sfen = self.position.sfen();
        fairy::fen::of_sfen(self.position.spec(), &sfen, fairy::Style::Fairy)
    }

    /// A line of legal moves from here as clients read it.
    pub(super) fn spell(&self, moves: &[Move]) -> Vec<String> {
        match self.protocol {
            Protocol::Usi => self.position.usi_line(moves),
            Protocol::Uci => fairy::spell(&self.position, moves),
        }
    }

    /// A legal move from here as clients read it.
    pub(super) fn spell_one(&self, m: Move) -> String {
        self.spell(&[m]).concat()
    }

    /// The legal moves among those that a client wrote, each once, and the first text that is none.
    pub(super) fn read_all<'a>(&self, texts: &'a [String]) -> (Vec<Move>, Option<&'a String>) {
        let (mut chosen, mut wrong) = (Vec::new(), None);
        let dialect = match self.protocol {
            Protocol::Usi => Dialect::Usi,
            Protocol::Uci => Dialect::FairyUci,
        };
        with_position!(&self.position, position => {
            let legal = position.legal_moves();
            for text in texts {
                match dialect.find(position, &legal, text) {
                    Some(m) if chosen.contains(&m) => {}
                    Some(m) => chosen.push(m),
                    None => _ = wrong.get_or_insert(text),
                }
            }
        });
        (chosen, wrong)
    }

    /// The moves that mate, and by Fairy-Stockfish's rules lose.
    pub(super) fn losing_mates(&self) -> Vec<Move> {
        let mut moves = self.position.legal_moves();
        with_position!(&self.position, position => {
            moves.retain(|&m| rules::is_mating_retreat(position, m));
        });
        moves
    }

    /// A move that is legal to Fairy-Stockfish alone, as clients read it: for where our rules have none. One that mates
    /// loses there, and is the last that is taken.
    pub(super) fn last_resort(&self) -> Option<String> {
        fn find<V: Variant>(position: &Position<V>) -> Option<String> {
            let mates =
                |&m: &_| rules::dropped(position, m).is_some_and(|after| rules::is_mated(&after));
            let m = rules::extra_drops(position).into_iter().min_by_key(mates)?;
            Some(Dialect::FairyUci.text(position, m))
        }
        with_position!(&self.position, position => find(position))
    }

    /// Chances of a win, a draw and a loss, in thousandths: those of games of the engine with itself that had such a
    /// score, where a draw counts as half a win and half a loss.
    pub(super) fn chances(&self, score: Score) -> [u32; 3] {
        let expected = 1000.0 * review::expected(self.position.game(), score);
        let win = (0..1000_u32).find(|&n| f64::from(n) + 0.5 > expected).unwrap_or(1000);
        [win, 0, 1000 - win]
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::VariantId;

    use super::*;

    fn root(sfen: &str) -> Root {
        let position = AnyPosition::from_sfen(VariantId::Whale, sfen).unwrap();
        Root { position, protocol: Protocol::Uci }
    }

    #[test]
    fn chances_are_whole_and_fit() {
        for &game in VariantId::ALL {
            let root = Root { position: AnyPosition::start(game), protocol: Protocol::Uci };
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
            (root.fen().as_str(), root.position.side()),
            ("w+D4/6/1K4/6/6/5W[-] w 0 1", Color::Black)
        );
        let m = root.position.parse_usi("5a6b").unwrap();
        assert_eq!((root.losing_mates(), root.spell_one(m)), (vec![m], "b6a5-".to_owned()));
        assert_eq!(root.last_resort(), None);
        let texts = ["b6a5", "5a6b", "b6a5-", ""].map(str::to_owned);
        assert_eq!(root.read_all(&texts), (vec![m], Some(&texts[1])));
    }
}
