//! A position of a book for people.

use kujira_position::{Move, Variant};
use kujira_usi::Score;

use super::graph::Graph;
use super::values::{Values, score_of};

/// A line longer than this is cut.
const LONGEST: usize = 24;

/// What a book knows of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The move.
    pub m: Move,
    /// What the book says, if it holds the position after it, from a search with at least half the nodes of the longest
    /// one of the position before.
    pub book: Option<Score>,
    /// What the search of the position before it says.
    pub search: Score,
    /// Positions of the book from there on.
    pub positions: usize,
    /// The line expected.
    pub line: Vec<Move>,
}

impl<V: Variant> Graph<V> {
    /// The best line from a position: as far as the book goes, then what a search expects.
    #[must_use]
    pub fn best_line(&self, values: &Values, from: usize) -> Vec<Move> {
        let mut line = Vec::new();
        self.follow(values, from, &mut line);
        line
    }

    fn follow(&self, values: &Values, from: usize, line: &mut Vec<Move>) {
        let mut index = from;
        while line.len() < LONGEST
            && let Some(number) = values.choice(self, index)
        {
            let choice = &self.nodes()[index].choices[number];
            let Some(next) = values.next(index, number) else {
                line.extend(choice.pv.iter().take(LONGEST - line.len()));
                return;
            };
            line.push(choice.m);
            index = next;
        }
    }

    /// How many plies what is known of a move looks ahead: those of the best line of the book, then the depth of the
    /// search that it ends with.
    #[must_use]
    pub(super) fn depth(&self, values: &Values, from: usize, choice: usize) -> u32 {
        let (mut index, mut choice) = (from, choice);
        for plies in 0..LONGEST as u32 {
            let Some(next) = values.next(index, choice) else {
                return plies + self.nodes()[index].choices[choice].depth;
            };
            match values.choice(self, next) {
                Some(best) => (index, choice) = (next, best),
                None => return plies,
            }
        }
        // A line that is cut, such as play that comes back to where it was.
        LONGEST as u32
    }

    /// The moves that the book knows of at a position, best first.
    #[must_use]
    pub fn told(&self, values: &Values, at: usize) -> Vec<Told> {
        let choices = self.nodes()[at].choices.iter().enumerate();
        let mut told: Vec<(i32, Told)> = choices
            .map(|(number, choice)| {
                let value = values.after(self, at, number);
                let next = values.next(at, number);
                let mut line = choice.pv.clone();
                if let Some(next) = next {
                    line.truncate(1);
                    self.follow(values, next, &mut line);
                }
                let told = Told {
                    m: choice.m,
                    book: next.map(|_| score_of(value)),
                    search: choice.score,
                    positions: self.at(choice.after).map_or(0, |next| self.count(next)),
                    line,
                };
                (value, told)
            })
            .collect();
        told.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
        told.into_iter().map(|(_, told)| told).collect()
    }
}
