//! A rating list: who is how strong, by all games of a pool.

use std::fmt;

use crate::Ratings;
use crate::pool::{LONGEST_NAME, Pool};

/// What a rating list says of an engine.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its rating; none where these games do not tell.
    pub elo: Option<f64>,
    /// Half the width of the 95 % confidence interval of the rating; none where all results are alike.
    pub error: Option<f64>,
    /// How sure it is, 0 to 1, that it is stronger than the engine in the next row.
    pub superiority: Option<f64>,
    /// Losses, draws, wins.
    pub results: [u64; 3],
    /// The mean rating of its opponents, each game counted; none where one of them has no rating that compares.
    pub opponents: Option<f64>,
    /// Losses, draws, wins against the engine of each row; none where the two never met.
    pub against: Vec<Option<[u64; 3]>>,
}

impl Row {
    /// How many games it played.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Points of all games.
    #[must_use]
    pub fn points(&self) -> f64 {
        points(self.results)
    }

    /// Points a game, 0 to 1.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.points() / self.games().max(1) as f64
    }

    /// The share of its games that were drawn, 0 to 1.
    #[must_use]
    pub fn draws(&self) -> f64 {
        self.results[1] as f64 / self.games().max(1) as f64
    }
}

/// Points of losses, draws, wins.
pub(crate) fn points([_, draws, wins]: [u64; 3]) -> f64 {
    wins as f64 + draws as f64 / 2.0
}

/// Rounded to so many digits, and never to a zero with a minus.
pub(crate) fn rounded(value: f64, digits: i32) -> f64 {
    let unit = 10f64.powi(digits);
    (value * unit).round() / unit + 0.0
}

/// The engines of a pool, the strongest first.
#[derive(Clone, Debug)]
pub struct RatingList {
    /// One for each engine.
    pub rows: Vec<Row>,
    /// What the ratings are relative to, what Black is worth, and what is to be known of them else, a line each.
    pub notes: Vec<String>,
}

impl RatingList {
    /// Lists the engines of a pool by their [`Pool::ratings`], perhaps anchored.
    #[must_use]
    pub fn of(pool: &Pool, ratings: &Ratings) -> Self {
        let order = ratings.order();
        let rows = order.iter().enumerate().map(|(place, &engine)| {
            let against: Vec<_> = order.iter().map(|&other| pool.results(engine, other)).collect();
            let (mut results, mut opponents) = ([0; 3], Some(0.0));
            for (&other, counts) in order.iter().zip(&against) {
                let Some(counts) = counts else { continue };
                for (sum, count) in results.iter_mut().zip(counts) {
                    *sum += count;
                }
                let met = counts.iter().sum::<u64>() as f64;
                let elo = ratings.elo(other).filter(|_| ratings.compare(engine, other));
                opponents = opponents.zip(elo).map(|(sum, elo)| sum + met * elo);
            }
            let games = results.iter().sum::<u64>().max(1) as f64;
            Row {
                name: pool.names()[engine].clone(),
                elo: ratings.elo(engine),
                error: ratings.error(engine),
                superiority: order
                    .get(place + 1)
                    .and_then(|&next| ratings.superiority(engine, next)),
                results,
                opponents: opponents.map(|sum| sum / games),
                against,
            }
        });
        Self { rows: rows.collect(), notes: notes(pool, ratings) }
    }
}

fn notes(pool: &Pool, ratings: &Ratings) -> Vec<String> {
    let name = |engine: usize| pool.names()[engine].as_str();
    let listed = |groups: &[Vec<usize>]| {
        let names = |group: &Vec<usize>| {
            group.iter().map(|&engine| name(engine)).collect::<Vec<_>>().join(", ")
        };
        groups.iter().map(names).collect::<Vec<_>>().join(" | ")
    };
    let rated = ratings.tied().iter().filter(|group| group.len() > 1);
    let anchor = ratings.anchor();
    let free = rated.filter(|group| anchor.is_none_or(|anchor| !group.contains(&anchor))).count();
    let of = match (anchor.map(name), free) {
        (Some(name), 0) => format!("the rating of {name} is given"),
        (Some(name), _) => format!(
            "the rating of {name} is given, of those that do not compare with it the mean of each group is 0"
        ),
        (None, 2..) => "the mean of each group is 0".to_owned(),
        (None, _) if ratings.order().iter().any(|&one| ratings.elo(one).is_none()) => {
            "the mean of all rated engines is 0".to_owned()
        }
        (None, _) => "the mean of all engines is 0".to_owned(),
    };
    let mut notes = vec![format!("{of}; LOS: that an engine is stronger than the next")];
    for (setting, what) in pool.settings().iter().enumerate() {
        // With a single one there is no other to take it for.
        let what = if pool.settings().len() > 1 { format!(" in {what}") } else { String::new() };
        notes.push(match ratings.advantage(setting) {
            Some(elo) => format!("Black is worth {:.1} Elo{what}", rounded(elo, 1)),
            None => format!(
                "NOTE: what Black is worth{what} cannot be told from these games: it is taken for nothing"
            ),
        });
    }
    notes.push(match ratings.draw_rate() {
        _ if !pool.has_draws() => "no game was drawn".to_owned(),
        Some(rate) => format!("even engines draw {:.1} % of their games", 100.0 * rate),
        None => "NOTE: how often even engines draw cannot be told from these games".to_owned(),
    });
    if ratings.groups().len() > 1 {
        notes.push(format!(
            "NOTE: these never met, not even through others, so that their ratings do not compare: {}",
            listed(ratings.groups())
        ));
    }
    if ratings.tied().len() > ratings.groups().len() {
        notes.push(format!(
            "NOTE: between these one side won every game, so that results alone do not say how far they are \
             apart: {}",
            listed(ratings.tied())
        ));
    }
    let unrated: Vec<_> =
        ratings.order().iter().copied().filter(|&one| ratings.elo(one).is_none()).collect();
    if !unrated.is_empty() {
        notes.push(format!(
            "NOTE: what these are worth cannot be told from these games: {}",
            unrated.iter().map(|&engine| name(engine)).collect::<Vec<_>>().join(", ")
        ));
    }
    notes
}

/// How wide the column of these names is. Names of matches have a [length](LONGEST_NAME); whatever else comes here does
/// not widen a table without end.
pub fn name_width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(|name| name.chars().count()).max().unwrap_or(0).clamp(6, 2 * LONGEST_NAME)
}

impl fmt::Display for RatingList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = name_width(self.rows.iter().map(|row| &row.name[..]));
        writeln!(
            f,
            "     {:<width$} {:>8} {:>8} {:>7} {:>8} {:>8} {:>9} {:>8}",
            "engine", "Elo", "± 95 %", "games", "score", "draws", "opponents", "LOS"
        )?;
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        for (place, row) in self.rows.iter().enumerate() {
            writeln!(
                f,
                "{:>4} {:<width$} {:>8} {:>8} {:>7} {:>8} {:>8} {:>9} {:>8}",
                place + 1,
                row.name,
                or_none(row.elo.map(|elo| format!("{:.1}", rounded(elo, 1)))),
                or_none(row.error.map(|error| format!("{error:.1}"))),
                row.games(),
                percent(row.score()),
                percent(row.draws()),
                or_none(row.opponents.map(|elo| format!("{:.1}", rounded(elo, 1)))),
                or_none(row.superiority.map(percent)),
            )?;
        }
        writeln!(f)?;
        self.notes.iter().try_for_each(|note| writeln!(f, "  {note}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pentanomial;

    fn pool(results: &[(&str, &str, [u64; 3])]) -> Pool {
        let mut pool = Pool::default();
        for &(first, second, counts) in results {
            let mut white = counts;
            white[0] += 1;
            let names = [first, second];
            pool.add_results("whale", names, [counts, white], Pentanomial::default());
        }
        pool
    }

    fn listed(pool: &Pool) -> String {
        RatingList::of(pool, &pool.ratings()).to_string()
    }

    #[test]
    fn the_list_is_lined_up() {
        let pool = pool(&[("kujira", "second", [20, 20, 60]), ("second", "third", [30, 0, 70])]);
        let expected = [
            "     engine      Elo   ± 95 %   games    score    draws opponents      LOS",
            "   1 kujira    144.3     36.6     201   69.7 %   19.9 %       0.0  100.0 %",
            "   2 second      0.0     23.1     402   50.0 %   10.0 %       0.0  100.0 %",
            "   3 third    -144.3     36.6     201   30.3 %    0.0 %       0.0        –",
            "",
            "  the mean of all engines is 0; LOS: that an engine is stronger than the next",
            "  Black is worth 2.8 Elo",
            "  even engines draw 10.9 % of their games",
        ];
        assert_eq!(listed(&pool).lines().collect::<Vec<_>>(), expected);
        let given = pool.ratings().anchored(1, 1500.0);
        let text = RatingList::of(&pool, &given).to_string();
        assert!(text.contains("   2 second   1500.0      0.0     402"), "{text}");
        assert!(text.contains("\n  the rating of second is given; "), "{text}");
    }

    #[test]
    fn what_cannot_be_compared_is_told() {
        let apart = listed(&pool(&[("A", "B", [5, 0, 5]), ("C", "D", [5, 0, 5])]));
        assert!(apart.contains("so that their ratings do not compare: A, B | C, D\n"), "{apart}");
        assert!(apart.contains("\n  the mean of each group is 0; LOS"), "{apart}");
        assert!(!apart.contains("won every game") && !apart.contains("cannot be told"), "{apart}");
        let groups = pool(&[("A", "B", [5, 0, 5]), ("C", "D", [5, 0, 5])]);
        let given = RatingList::of(&groups, &groups.ratings().anchored(0, 1500.0)).to_string();
        let of = "\n  the rating of A is given, of those that do not compare with it the mean of each group is 0; ";
        assert!(given.contains(of), "{given}");
        let mut pool = pool(&[("A", "B", [5, 0, 5])]);
        pool.add_results("great", ["C", "A"], [[0, 0, 5], [0, 0, 5]], Pentanomial::default());
        let beaten = listed(&pool);
        assert!(beaten.contains("how far they are apart: A, B | C\n"), "{beaten}");
        assert!(!beaten.contains("do not compare"), "{beaten}");
        assert!(beaten.contains("\n  the mean of all rated engines is 0; LOS"), "{beaten}");
        assert!(
            beaten.contains("what these are worth cannot be told from these games: C\n"),
            "{beaten}"
        );
        assert!(beaten.contains("   1 C             –        –"), "{beaten}");
        assert!(beaten.contains(" Elo in whale\n"), "{beaten}");
        let open = "NOTE: what Black is worth in great cannot be told from these games";
        assert!(beaten.contains(open), "{beaten}");
        let drawn = listed(&{
            let mut pool = Pool::default();
            let pairs = Pentanomial::new([0, 0, 0, 12, 0]);
            pool.add_results("whale", ["S", "B"], [[0, 12, 0], [0, 0, 12]], pairs);
            pool
        });
        for line in [
            "   1 S          95.4        –      24   75.0 %",
            "NOTE: what Black is worth cannot be told from these games: it is taken for nothing\n",
            "NOTE: how often even engines draw cannot be told from these games\n",
        ] {
            assert!(drawn.contains(line), "{drawn}");
        }
    }
}
