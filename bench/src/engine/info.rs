//! What an engine says about its search.

use serde::{Deserialize, Serialize};

use super::config::Protocol;

/// A score from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Plies to mate; negative: the side to move is mated.
    Mate(i32),
}

impl Score {
    /// In centipawns, a mate beyond every evaluation.
    #[must_use]
    pub fn centipawns(self) -> i32 {
        const MATE: i32 = 1_000_000;
        match self {
            Self::Cp(value) => value.clamp(-MATE / 2, MATE / 2),
            Self::Mate(plies) if plies > 0 => MATE - plies.min(MATE / 4),
            Self::Mate(plies) => -MATE - plies.max(-MATE / 4),
        }
    }
}

/// The last thing an engine said about a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Nominal depth in plies.
    pub depth: Option<u32>,
    /// Greatest depth in plies.
    pub selective_depth: Option<u32>,
    /// Score of the first line.
    pub score: Option<Score>,
    /// Nodes searched.
    pub nodes: Option<u64>,
}

impl Info {
    /// Takes over what an `info` line says; what cannot be understood is left out.
    pub(super) fn update(&mut self, line: &str, protocol: Protocol) {
        let mut words = line.split_ascii_whitespace().skip(1);
        let mut fresh = *self;
        while let Some(word) = words.next() {
            match word {
                "depth" => fresh.depth = number(&mut words).or(fresh.depth),
                "seldepth" => fresh.selective_depth = number(&mut words).or(fresh.selective_depth),
                "nodes" => fresh.nodes = number(&mut words).or(fresh.nodes),
                "score" => {
                    let kind = words.next();
                    let text = words.next();
                    let value: Option<i32> = text.and_then(|text| text.parse().ok());
                    fresh.score = match (kind, value) {
                        // A mate in nobody knows how many plies: what was said before holds no more.
                        (Some("mate"), _) if matches!(text, Some("+" | "-")) => None,
                        (Some("cp"), Some(value)) => Some(Score::Cp(value)),
                        (Some("mate"), Some(value)) => Some(Score::Mate(match protocol {
                            Protocol::Usi => value,
                            // Moves, not plies.
                            Protocol::Uci if value > 0 => value.saturating_mul(2) - 1,
                            Protocol::Uci => value.saturating_mul(2),
                        })),
                        _ => fresh.score,
                    };
                }
                // Another line than the best.
                "multipv" if number(&mut words).is_some_and(|rank: u32| rank > 1) => return,
                "pv" | "string" | "refutation" | "currline" => break,
                _ => {}
            }
        }
        *self = fresh;
    }
}

fn number<'a, T: std::str::FromStr>(words: &mut impl Iterator<Item = &'a str>) -> Option<T> {
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(lines: &[&str], protocol: Protocol) -> Info {
        let mut info = Info::default();
        for line in lines {
            info.update(line, protocol);
        }
        info
    }

    #[test]
    fn the_last_word_counts() {
        let info = after(
            &[
                "info depth 3 seldepth 5 score cp 12 nodes 100 pv 2e2d",
                "info depth 4 seldepth 7 multipv 1 score cp -30 lowerbound nodes 900 time 3 pv 1a1b",
                "info depth 4 multipv 2 score cp 99 nodes 950 pv 1a1b",
                "info string depth 77 score cp 5000",
                "info nodes 1000",
            ],
            Protocol::Usi,
        );
        assert_eq!(info.depth, Some(4));
        assert_eq!(info.selective_depth, Some(7));
        assert_eq!(info.score, Some(Score::Cp(-30)));
        assert_eq!(info.nodes, Some(1000));
    }

    #[test]
    fn mate_is_counted_in_plies() {
        for (protocol, text, plies) in [
            (Protocol::Usi, "3", 3),
            (Protocol::Usi, "-4", -4),
            (Protocol::Uci, "2", 3),
            (Protocol::Uci, "-2", -4),
        ] {
            let info = after(&[&format!("info score mate {text}")], protocol);
            assert_eq!(info.score, Some(Score::Mate(plies)));
        }
        assert!(Score::Mate(3).centipawns() > Score::Mate(5).centipawns());
        assert!(Score::Mate(-3).centipawns() < Score::Mate(-5).centipawns());
        assert!(Score::Mate(99).centipawns() > Score::Cp(i32::MAX).centipawns());
    }

    #[test]
    fn a_mate_of_unknown_length_is_no_score_but_ends_the_one_before() {
        for text in ["+", "-"] {
            let lines = ["info depth 2 score cp 40", &format!("info depth 3 score mate {text}")];
            let info = after(&lines, Protocol::Usi);
            assert_eq!((info.depth, info.score), (Some(3), None));
        }
        let lines = ["info depth 2 score cp 40", "info depth 3 score mate x"];
        assert_eq!(after(&lines, Protocol::Usi).score, Some(Score::Cp(40)));
    }

    #[test]
    fn nonsense_changes_nothing() {
        let lines =
            ["info", "info depth", "info depth x score cp", "info score mate +", "info nodes -3"];
        assert_eq!(after(&lines, Protocol::Usi), Info::default());
    }
}
