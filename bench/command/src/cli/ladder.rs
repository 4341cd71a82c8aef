//! `ladder`.

use std::path::PathBuf;

use clap::Args;
use kujira_position::{Variant, with_variant};
use kujira_program::outputs::Mark;
use kujira_program::status::{Stop, tell};
use kujira_program::whole::with_ending;
use kujira_search::Ladder;

use kujira_arena::bots::Bot;
use kujira_arena::runner::Finish;
use kujira_arena::schedule::Format;
use kujira_arena::standings::Standings;
use kujira_statistics::{Estimate, Pentanomial};

use super::matches::{Pairing, PlayArgs, meet};
use super::out::write;

/// Arguments of `ladder`. Each pairing is a match with files of its own, PREFIX-rung-5-rung-4.jsonl and so on; the
/// results are in PREFIX.csv.
#[derive(Args)]
pub(super) struct LadderArgs {
    #[command(flatten)]
    play: PlayArgs,
    /// Pairs of games (one opening, colours swapped) for each pairing.
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pairs: u32,
    /// Only from this rung on, counted from 0, the random mover; bots are left out where it is not the first.
    #[arg(long, value_name = "RUNG", default_value_t = 0)]
    from: usize,
    /// Only up to this rung.
    #[arg(long, value_name = "RUNG", default_value_t = usize::MAX, hide_default_value = true)]
    to: usize,
}

/// A bot meets no more rungs once one scores so much against it.
const ENOUGH: f64 = 0.9;

/// Nobody searches so many nodes: the rung has its own limit, and a bot none.
const NO_LIMIT: &str = "nodes=1000000000000";

/// Runs `ladder`.
pub(super) fn run_ladder(args: &LadderArgs, groups: &[Vec<String>]) -> Result<(), Stop> {
    let [engine] = groups else {
        let found = groups.len();
        return Err(format!("expected --engine once, found it {found} times").into());
    };
    let game = args.play.game;
    with_variant!(game, V => measure::<V>(args, engine))
}

/// Somebody who stands on the ladder or beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Climber {
    Rung(usize),
    Bot(Bot),
}

impl Climber {
    fn name(self) -> String {
        match self {
            Self::Rung(place) => format!("rung-{place}"),
            Self::Bot(bot) => bot.to_string(),
        }
    }

    /// The words by which the match runner knows it; `engine` are those of the engine.
    fn words(self, ladder: &Ladder, engine: &[String]) -> Result<Vec<String>, String> {
        let mut words = match self {
            Self::Rung(_) => engine.to_vec(),
            Self::Bot(bot) => {
                let own = std::env::current_exe()
                    .map_err(|error| format!("expected to find this program: {error}"))?;
                vec![format!("cmd={}", own.display()), "arg=bot".to_owned(), format!("arg={bot}")]
            }
        };
        words.push(format!("name={}", self.name()));
        let rung = match self {
            Self::Rung(place) => ladder.rung(place),
            Self::Bot(_) => ladder.rung(0),
        };
        if let Self::Rung(_) = self {
            words.push("option.USI_LimitStrength=true".to_owned());
            words.push(format!("option.USI_Elo={}", rung.elo));
        }
        // Full strength has the limit of the command line.
        if rung.nodes.is_some() {
            words.push(NO_LIMIT.to_owned());
        }
        Ok(words)
    }
}

/// How two of them came out, as the first sees it.
struct Row {
    first: Climber,
    second: Climber,
    games: [u64; 3],
    pairs: Pentanomial,
}

impl Row {
    const HEAD: &'static str = "game,first,second,wins,draws,losses,score,elo,error\n";

    /// How a table of rows begins.
    const TABLE: Mark = Mark::new("the table of a ladder", &[Self::HEAD.as_bytes()]);

    fn new(first: Climber, second: Climber, standings: &Standings) -> Self {
        let pairing = standings.first_pairing();
        Self { first, second, games: pairing.games(), pairs: pairing.pairs }
    }

    /// Points of the first in a game, 0 to 1.
    fn score(&self) -> f64 {
        Estimate::of(&self.pairs).map_or(0.5, |estimate| estimate.score)
    }

    /// A line of the table. There is no difference to tell where all results are alike.
    fn line(&self, game: &str) -> String {
        let [losses, draws, wins] = self.games;
        let (first, second) = (self.first.name(), self.second.name());
        let mut line = format!("{game},{first},{second},{wins},{draws},{losses},");
        if let Some(estimate) = Estimate::of(&self.pairs) {
            line.push_str(&format!("{:.3},", estimate.score));
            if estimate.elo.is_finite() {
                line.push_str(&format!("{:.0},", estimate.elo));
                if estimate.nelo.is_some() && estimate.elo_error.is_finite() {
                    line.push_str(&format!("{:.0}", estimate.elo_error));
                }
            } else {
                line.push(',');
            }
        } else {
            line.push_str(",,");
        }
        line.push('\n');
        line
    }
}

/// The pairings of neighbours from one rung to another, the lowest first.
fn neighbours(from: usize, to: usize) -> impl Iterator<Item = (Climber, Climber)> {
    (from + 1..=to).map(|place| (Climber::Rung(place), Climber::Rung(place - 1)))
}

/// Results so far.
struct Table<'a, V> {
    args: &'a LadderArgs,
    engine: &'a [String],
    ladder: &'static Ladder,
    rows: Vec<Row>,
    game: std::marker::PhantomData<V>,
}

fn measure<V: Variant>(args: &LadderArgs, engine: &[String]) -> Result<(), Stop> {
    let instead = "--from and --to choose rungs";
    args.play.share.refuse("ladder", instead)?;
    let (ladder, rows) = (Ladder::of(V::ID), Vec::new());
    let mut table = Table::<V> { args, engine, ladder, rows, game: std::marker::PhantomData };
    let last = ladder.rungs.len() - 1;
    let (from, to) = (args.from, last.min(args.to));
    // The lowest rung has somebody to play by itself: the bots.
    if from > 0 && from >= to {
        let expected = format!("expected --from below --to and below {last}, the highest rung");
        return Err(format!("{expected}, found {from} and {to}").into());
    }
    table.refuse_loss()?;
    if from == 0 {
        table.meet_bots(to)?;
    }
    for (first, second) in neighbours(from, to) {
        table.meet(first, second)?;
    }
    Ok(())
}

impl<V: Variant> Table<'_, V> {
    /// Lets every bot play the rungs around its strength: from the one that is even with the bot before it up.
    fn meet_bots(&mut self, last: usize) -> Result<(), Stop> {
        let mut begin = 1;
        for bot in [Bot::Hanging, Bot::Captures, Bot::Material] {
            let mut even = None;
            for place in begin..=last {
                let score = self.meet(Climber::Rung(place), Climber::Bot(bot))?;
                if score >= 0.5 {
                    even.get_or_insert(place);
                }
                if score >= ENOUGH {
                    break;
                }
            }
            begin = even.unwrap_or(last);
        }
        Ok(())
    }

    /// Plays a pairing, or what is left of it; returns the score of the first.
    fn meet(&mut self, first: Climber, second: Climber) -> Result<f64, Stop> {
        let LadderArgs { play, pairs, .. } = self.args;
        let groups =
            [first.words(self.ladder, self.engine)?, second.words(self.ladder, self.engine)?];
        let out = with_ending(&play.out, &format!("-{}-{}", first.name(), second.name()));
        let (format, sprt) = (Format::default(), None);
        let pairing = Pairing {
            groups: &groups,
            out: &out,
            rounds: *pairs,
            format,
            sprt,
            event: None,
            every: None,
            stop_file: None,
        };
        let (standings, finish) = meet::<V>(play, &pairing)?;
        if finish == Finish::Stopped {
            tell("\nstopped; the same command goes on\n");
            return Err(Stop::Interrupted);
        }
        if standings.is_void() {
            let name = out.display();
            return Err(format!("{name}: the match is void: too many illegal moves").into());
        }
        let row = Row::new(first, second, &standings);
        tell(&row.line(V::SPEC.id));
        let score = row.score();
        self.rows.push(row);
        self.write()?;
        Ok(score)
    }

    /// Refuses to write the table over what is read, or what somebody else made.
    fn refuse_loss(&self) -> Result<PathBuf, Stop> {
        let play = &self.args.play;
        let path = with_ending(&play.out, ".csv");
        let mut outputs = play.outputs();
        outputs.output("--out", &path, Row::TABLE).check()?;
        Ok(path)
    }

    fn write(&self) -> Result<(), Stop> {
        // Somebody may have put a file there in the meantime.
        let path = self.refuse_loss()?;
        let lines = self.rows.iter().map(|row| row.line(V::SPEC.id));
        let text: String = std::iter::once(Row::HEAD.to_owned()).chain(lines).collect();
        Ok(write(&path, text.as_bytes())?)
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{VariantId, Whale};

    use super::*;

    #[test]
    fn neighbours_meet_once() {
        let names: Vec<_> =
            neighbours(1, 4).map(|(first, second)| (first.name(), second.name())).collect();
        let expected = [("rung-2", "rung-1"), ("rung-3", "rung-2"), ("rung-4", "rung-3")];
        assert!(names.iter().map(|(a, b)| (&a[..], &b[..])).eq(expected), "{names:?}");
    }

    #[test]
    fn rungs_are_asked_for_by_their_elo() {
        let ladder = Ladder::of(VariantId::Whale);
        let engine = ["cmd=kujira".to_owned()];
        let words = Climber::Rung(2).words(ladder, &engine).unwrap();
        let elo = format!("option.USI_Elo={}", ladder.rungs[2].elo);
        let expected =
            ["cmd=kujira", "name=rung-2", "option.USI_LimitStrength=true", &elo, NO_LIMIT];
        assert_eq!(words, expected);
        // Full strength has no nodes of its own.
        let last = Climber::Rung(ladder.rungs.len() - 1).words(ladder, &engine).unwrap();
        assert!(!last.contains(&NO_LIMIT.to_owned()), "{last:?}");
        let bot = Climber::Bot(Bot::Captures).words(ladder, &engine).unwrap();
        assert_eq!(bot[1..], ["arg=bot", "arg=captures", "name=captures", NO_LIMIT]);
    }

    #[test]
    fn rows_tell_no_difference_that_was_not_measured() {
        let row = |games, pairs| Row {
            first: Climber::Rung(1),
            second: Climber::Bot(Bot::Hanging),
            games,
            pairs: Pentanomial::new(pairs),
        };
        let line = row([10, 2, 28], [1, 1, 8, 1, 9]).line(Whale::SPEC.id);
        assert_eq!(line, "whale,rung-1,hanging,28,2,10,0.700,147,116\n");
        assert_eq!(
            row([0, 0, 4], [0, 0, 0, 0, 2]).line("whale"),
            "whale,rung-1,hanging,4,0,0,1.000,,\n"
        );
        assert_eq!(row([0, 0, 0], [0; 5]).line("whale"), "whale,rung-1,hanging,0,0,0,,,\n");
    }
}
