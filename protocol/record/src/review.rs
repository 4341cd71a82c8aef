//! What the moves of a game were worth, by the scores that a search gives the positions.
//!
//! A score stands for an expected result, in points of a game: 1 is a win, ½ a draw. A move loses what the expected
//! result of the side that made it falls by; one that the search would have made itself loses nothing. The steps from
//! inaccuracy to blunder, and the accuracy, are those of Lichess (lila, `Advice.scala` and `AccuracyPercent.scala`),
//! where the accuracies of a side are weighted, too: here they are averaged.

use kujira_position::{Color, VariantId};
use kujira_usi::{Ending, Score};

use crate::game::{Game, NodeId, PlayError};

/// Centipawns that multiply the odds of a win by e, as games of the engine with itself have it (`docs/strength.md`). The
/// page has the same numbers.
#[must_use]
pub fn scale(game: VariantId) -> f64 {
    match game {
        VariantId::Whale => 293.0,
        VariantId::Paulowich => 346.0,
        VariantId::Great => 736.0,
    }
}

/// The result that a score makes its side expect, in points of a game.
///
/// ```
/// use kujira_position::VariantId::Whale;
/// use kujira_record::review::expected;
/// use kujira_usi::Score;
///
/// assert_eq!((expected(Whale, Score::Cp(0)), expected(Whale, Score::Mate(-3))), (0.5, 0.0));
/// assert!((expected(Whale, Score::Cp(300)) - 0.736).abs() < 1e-3);
/// ```
#[must_use]
pub fn expected(game: VariantId, score: Score) -> f64 {
    match score {
        Score::Cp(value) => 1.0 / (1.0 + (-f64::from(value) / scale(game)).exp()),
        Score::Mate(plies) => f64::from(u8::from(plies > 0)),
    }
}

/// What is said of a move that loses much.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Judgement {
    /// Loses a little.
    Inaccuracy,
    /// Loses much.
    Mistake,
    /// Loses very much.
    Blunder,
}

/// Every judgement: the loss from which on it holds, in points of a game; its sign in PGN; its name.
const JUDGEMENTS: [(Judgement, f64, u8, &str); 3] = [
    (Judgement::Inaccuracy, 0.05, 6, "inaccuracy"),
    (Judgement::Mistake, 0.10, 2, "mistake"),
    (Judgement::Blunder, 0.15, 4, "blunder"),
];

impl Judgement {
    /// Every judgement, the mildest first.
    pub const ALL: [Self; JUDGEMENTS.len()] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// What is said of a move that loses so much, in points of a game.
    #[must_use]
    pub fn of(loss: f64) -> Option<Self> {
        JUDGEMENTS.iter().rev().find(|row| loss >= row.1).map(|row| row.0)
    }

    fn row(self) -> (u8, &'static str) {
        let row = JUDGEMENTS.iter().find(|row| row.0 == self);
        row.map_or((0, ""), |&(_, _, sign, name)| (sign, name))
    }

    /// Its numeric annotation glyph: `?!`, `?`, `??`.
    #[must_use]
    pub fn nag(self) -> u8 {
        self.row().0
    }

    /// Its name, in small letters.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().1
    }
}

/// How accurate a move is that loses so much, in points of a game: from 0 to 100.
#[must_use]
pub fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-4.354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

/// What a search found at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Look {
    /// The score as Black sees it.
    pub score: Score,
    /// How deep it looked, in plies.
    pub depth: u32,
    /// The line that it expects, as USI texts.
    pub line: Vec<String>,
}

/// What a move was worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Worth {
    /// Who made it.
    pub side: Color,
    /// The result that its side could expect before it, in points of a game.
    pub before: f64,
    /// The same after it.
    pub after: f64,
    /// What it lost, in points of a game.
    pub loss: f64,
}

/// What the moves of a game's main line were worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// A move each; `None` where a position before or after it was not looked at.
    pub moves: Vec<Option<Worth>>,
}

impl Review {
    /// The review of a game whose positions along the main line, the start first, were looked at so. No look is
    /// needed where the game is over by the rules.
    #[must_use]
    pub fn of(game: &Game, looks: &[Option<Look>]) -> Self {
        let line = game.line_through(0);
        let look = |index: usize| looks.get(index).and_then(Option::as_ref);
        let for_black = |index: usize| {
            let node = line.get(index).and_then(|&id| game.node(id))?;
            match node.ending.filter(|ending| ending.by_rule()) {
                Some(ending) => Some(points(ending)),
                None => look(index).map(|look| expected(game.variant(), look.score)),
            }
        };
        let worth = |index: usize| {
            let node = line.get(index).and_then(|&id| game.node(id))?;
            let side = !node.side;
            let seen = |points: f64| if side == Color::Black { points } else { 1.0 - points };
            let (before, after) = (seen(for_black(index - 1)?), seen(for_black(index)?));
            let best = look(index - 1).and_then(|look| look.line.first());
            let loss = if best == Some(&node.usi) { 0.0 } else { (before - after).max(0.0) };
            Some(Worth { side, before, after, loss })
        };
        Self { moves: (1..line.len()).map(worth).collect() }
    }

    fn of_side(&self, side: Color) -> impl Iterator<Item = &Worth> {
        self.moves.iter().flatten().filter(move |worth| worth.side == side)
    }

    /// How accurate the moves of a side are on average, from 0 to 100; `None` if it made none.
    #[must_use]
    pub fn accuracy(&self, side: Color) -> Option<f64> {
        mean(self.of_side(side).map(|worth| accuracy(worth.loss)))
    }

    /// What a move of a side loses on average, in points of a game.
    #[must_use]
    pub fn loss(&self, side: Color) -> Option<f64> {
        mean(self.of_side(side).map(|worth| worth.loss))
    }

    /// How many moves of a side are judged so.
    #[must_use]
    pub fn count(&self, side: Color, judgement: Judgement) -> usize {
        let judged = |worth: &&Worth| Judgement::of(worth.loss) == Some(judgement);
        self.of_side(side).filter(judged).count()
    }

    /// Writes the results of the searches into the game: scores, signs and words at moves that lost much, and the first
    /// `plies` of the line that was better as a branch. Scores that a record had are replaced.
    pub fn annotate(&self, game: &mut Game, looks: &[Option<Look>], plies: usize) {
        let line = game.line_through(0);
        for (index, &id) in line.iter().enumerate().skip(1) {
            if let Some(node) = game.node_mut(id) {
                let look = looks.get(index).and_then(Option::as_ref);
                node.score = look.map(|look| (look.score, look.depth));
                node.notes.mates = node.notes.mates.filter(|_| look.is_none());
            }
        }
        for ((pair, look), worth) in line.windows(2).zip(looks).zip(&self.moves) {
            let (&[before, id], Some(look), Some(worth)) = (pair, look, worth) else { continue };
            let Some(judgement) = Judgement::of(worth.loss) else { continue };
            if let Some(node) = game.node_mut(id) {
                if !node.notes.nags.contains(&judgement.nag()) {
                    node.notes.nags.push(judgement.nag());
                }
                let words = words(judgement, worth);
                if !node.notes.comment.contains(&words) {
                    let before = if node.notes.comment.is_empty() { "" } else { "; " };
                    node.notes.comment += &format!("{before}{words}");
                }
            }
            // A full tree holds no more, which takes nothing from what is there.
            let _ = branch(game, before, look, plies);
        }
    }
}

/// `blunder: 71 % before, 34 % after`.
fn words(judgement: Judgement, worth: &Worth) -> String {
    let percent = |points: f64| (points * 100.0).round();
    let (before, after) = (percent(worth.before), percent(worth.after));
    format!("{}: {before} % before, {after} % after", judgement.name())
}

/// Plays the line that a search found as a branch.
fn branch(game: &mut Game, from: NodeId, look: &Look, plies: usize) -> Result<(), PlayError> {
    let mut at = from;
    for (ply, usi) in look.line.iter().take(plies).enumerate() {
        at = game.play(at, usi)?;
        if ply == 0
            && let Some(node) = game.node_mut(at)
        {
            node.think(look.score.for_black(!node.side), look.depth);
        }
    }
    Ok(())
}

/// Black's points of a game that ended so.
fn points(ending: Ending) -> f64 {
    f64::from(u8::try_from(ending.half_points(Color::Black)).unwrap_or(0)) / 2.0
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    (count > 0.0).then(|| sum / count)
}

#[cfg(test)]
mod tests {
    use kujira_position::{Rules, VariantId};
    use kujira_usi::Reason;

    use super::*;
    use crate::pgn;

    fn look(score: Score, line: &str) -> Option<Look> {
        let line = line.split_whitespace().map(str::to_owned).collect();
        Some(Look { score, depth: 9, line })
    }

    #[test]
    fn losses_are_judged() {
        for (loss, judgement, exact) in [
            (0.0, None, 99.999_9),
            (0.049, None, 80.179),
            (0.05, Some(Judgement::Inaccuracy), 79.817),
            (0.1, Some(Judgement::Mistake), 63.583),
            (0.15, Some(Judgement::Blunder), 50.524),
            (1.0, Some(Judgement::Blunder), 0.0),
        ] {
            assert_eq!(Judgement::of(loss), judgement, "{loss}");
            assert!((accuracy(loss) - exact).abs() < 1e-3, "{loss}: {}", accuracy(loss));
        }
        let signs = Judgement::ALL.map(|judgement| (judgement.nag(), judgement.name()));
        assert_eq!(signs, [(6, "inaccuracy"), (2, "mistake"), (4, "blunder")]);
        let even = expected(VariantId::Great, Score::Cp(scale(VariantId::Great) as i32));
        assert!((even / (1.0 - even) - std::f64::consts::E).abs() < 1e-9);
    }

    #[test]
    fn a_game_is_reviewed_and_annotated() {
        let start = VariantId::Whale.spec().start;
        let mut game = Game::new(VariantId::Whale, start, Rules::DEFAULT).unwrap();
        game.play_list([(0, "2e2d"), (1, "5b5c"), (2, "1e1d"), (3, "4b4c")]).unwrap();
        let even = Score::Cp(0);
        let looks = [
            look(even, "5e5d 2b2c 2e2d"),
            look(Score::Cp(-300), "5b5c"),
            // What the search would have played loses nothing, whatever it says afterwards.
            look(Score::Cp(-200), "3e3d 3b3c"),
            look(Score::Mate(-4), "4b4c"),
            None,
        ];
        let review = Review::of(&game, &looks);
        let losses: Vec<_> =
            review.moves.iter().map(|worth| worth.map(|worth| (worth.side, worth.loss))).collect();
        let expected = |value| expected(VariantId::Whale, Score::Cp(value));
        let third = expected(-200);
        let first = 0.5 - expected(-300);
        assert_eq!(
            losses,
            [
                Some((Color::Black, first)),
                Some((Color::White, 0.0)),
                Some((Color::Black, third)),
                None
            ]
        );
        assert_eq!(review.loss(Color::Black), Some(f64::midpoint(first, third)));
        assert_eq!(review.accuracy(Color::White), Some(accuracy(0.0)));
        assert_eq!(review.count(Color::Black, Judgement::Blunder), 2);
        for _ in 0..2 {
            review.annotate(&mut game, &looks, 2);
        }
        let percent = |points: f64| (points * 100.0).round();
        let (a, b) = (percent(expected(-300)), percent(third));
        let text = pgn::write(&game, &Default::default(), "");
        let moves = text.split("\n\n").nth(1).unwrap().replace('\n', " ");
        let expected = format!(
            "1. 2e2d $4 {{-3.00/9}} {{blunder: 50 % before, {a} % after}} ( 1. 5e5d {{+0.00/9}} 2b2c ) \
             1... 5b5c {{+2.00/9}} 2. 1e1d $4 {{-M5/9}} {{blunder: {b} % before, 0 % after}} \
             ( 2. 3e3d {{-2.00/9}} 3b3c ) 2... 4b4c * "
        );
        assert_eq!(moves, expected);
    }

    /// Where the rules end a game its result is what it was worth.
    #[test]
    fn the_end_is_its_result() {
        let start = "2w3/6/2D3/6/6/3W2 b K 1";
        let mut game = Game::new(VariantId::Whale, start, Rules::DEFAULT).unwrap();
        let end = game.play(0, "K*4b").unwrap();
        assert_eq!(game.node(end).unwrap().ending.unwrap().reason, Reason::Checkmate);
        let review = Review::of(&game, &[look(Score::Cp(0), "3f3e")]);
        let worth = review.moves[0].unwrap();
        assert_eq!((worth.before, worth.after, worth.loss), (0.5, 1.0, 0.0));
    }
}
