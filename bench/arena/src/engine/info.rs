//! What an engine said last about its search.

use kujira_usi::{Info, Score};

/// The last thing an engine said about a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LastInfo {
    /// Nominal depth in plies.
    pub depth: Option<u32>,
    /// Greatest depth in plies.
    pub seldepth: Option<u32>,
    /// Score of the first line.
    pub score: Option<Score>,
    /// Nodes searched.
    pub nodes: Option<u64>,
}

impl LastInfo {
    /// Takes over what a line says of the search or of its best line.
    pub(super) fn update(&mut self, info: &Info) {
        if info.rank() > 1 {
            return;
        }
        self.depth = info.depth.or(self.depth);
        self.seldepth = info.seldepth.or(self.seldepth);
        self.nodes = info.nodes.or(self.nodes);
        if info.score.is_some() {
            // A mate in nobody knows how many plies: what was said before holds no more.
            self.score = info.score();
        }
    }
}

#[cfg(test)]
mod tests {
    use kujira_usi::{Line, Protocol};

    use super::*;

    fn after(lines: &[&str]) -> LastInfo {
        let mut last = LastInfo::default();
        for line in lines {
            if let Line::Info(info) = Line::parse(line, Protocol::Usi) {
                last.update(&info);
            }
        }
        last
    }

    #[test]
    fn the_last_word_counts() {
        let last = after(&[
            "info depth 3 seldepth 5 score cp 12 nodes 100 pv 2e2d",
            "info depth 4 seldepth 7 multipv 1 score cp -30 lowerbound nodes 900 time 3 pv 1a1b",
            "info depth 4 multipv 2 score cp 99 nodes 950 pv 1a1b",
            "info string depth 77 score cp 5000",
            "info nodes 1000",
        ]);
        assert_eq!(last.depth, Some(4));
        assert_eq!(last.seldepth, Some(7));
        assert_eq!(last.score, Some(Score::Cp(-30)));
        assert_eq!(last.nodes, Some(1000));
    }

    #[test]
    fn a_mate_of_unknown_length_is_no_score_but_ends_the_one_before() {
        for text in ["+", "-"] {
            let lines = ["info depth 2 score cp 40", &format!("info depth 3 score mate {text}")];
            let last = after(&lines);
            assert_eq!((last.depth, last.score), (Some(3), None));
        }
        let lines = ["info depth 2 score cp 40", "info depth 3 score mate x"];
        assert_eq!(after(&lines).score, Some(Score::Cp(40)));
    }

    #[test]
    fn nonsense_changes_nothing() {
        let lines =
            ["info", "info depth", "info depth x score cp", "info score mate +", "info nodes -3"];
        assert_eq!(after(&lines), LastInfo::default());
    }
}
