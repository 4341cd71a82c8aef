//! What people see while a match runs.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use kujira_program::status::tell;
use kujira_statistics::{Estimate, Sprt};

use kujira_usi::Side;

use crate::standings::Standings;
use kujira_record::played::GameRecord;

/// What is shown of each finished game, and what is done every so many games.
pub struct Progress<'a> {
    shown: Shown,
    /// After how many games, and what.
    every: Option<(u64, Action<'a>)>,
}

/// Done every so many games, when these are on disk.
pub type Action<'a> = &'a (dyn Fn() -> Result<(), String> + Sync);

/// A live line on a terminal, plain lines elsewhere.
enum Shown {
    /// A line that changes.
    Live(ProgressBar),
    /// A line a game on standard output.
    Plain {
        /// How many games there will be at most, as far as is known.
        total: AtomicU64,
    },
}

impl<'a> Progress<'a> {
    /// Live if standard error is a terminal and `plain` is not asked for.
    #[must_use]
    pub fn new(total: u64, plain: bool) -> Self {
        Self { shown: Shown::new(total, plain), every: None }
    }

    /// Does something every so many games, too. If that fails people are told.
    #[must_use]
    pub fn every(self, action: Option<(u64, Action<'a>)>) -> Self {
        Self { every: action, ..self }
    }

    /// There are so many games, as far as is known now.
    pub fn expect(&self, games: u64) {
        match &self.shown {
            Shown::Live(bar) => bar.set_length(games),
            Shown::Plain { total } => total.store(games, Ordering::Relaxed),
        }
    }

    /// A game is finished (and on disk).
    pub fn game(&self, game: &GameRecord, standings: &Standings, sprt: Option<&Sprt>) {
        let state = state(standings, sprt);
        if !game.ending.reason.is_regular() {
            self.say(&alarm(game));
        }
        match &self.shown {
            Shown::Live(bar) => {
                bar.set_position(standings.games);
                bar.set_message(state);
            }
            Shown::Plain { total } => tell(&format!(
                "{}/{} game {}.{}: {} - {} {} {}, {} plies | {state}\n",
                standings.games,
                total.load(Ordering::Relaxed),
                game.id.round + 1,
                game.id.leg + 1,
                game.black.name,
                game.white.name,
                game.ending.result(),
                game.ending.reason,
                game.moves.len(),
            )),
        }
        if let Some((games, action)) = self.every
            && standings.games.is_multiple_of(games)
            && let Err(error) = action()
        {
            self.say(&format!("!!! {error}"));
        }
    }

    /// Something people should know.
    pub fn say(&self, text: &str) {
        match &self.shown {
            Shown::Live(bar) => bar.println(text),
            Shown::Plain { .. } => tell(&format!("{text}\n")),
        }
    }

    /// The match is over.
    pub fn finish(&self) {
        if let Shown::Live(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

impl Shown {
    fn new(total: u64, plain: bool) -> Self {
        if plain || !std::io::stderr().is_terminal() {
            return Self::Plain { total: AtomicU64::new(total) };
        }
        let bar = ProgressBar::new(total);
        let template = "{elapsed_precise} {bar:24} {pos}/{len} left {eta}  {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self::Live(bar)
    }
}

/// The standings in one line.
fn state(standings: &Standings, sprt: Option<&Sprt>) -> String {
    if standings.names.len() > 2 {
        let mut order: Vec<usize> = (0..standings.names.len()).collect();
        let elo = |engine: usize| standings.strength(engine).map_or(0.0, |found| found.elo);
        order.sort_by(|&a, &b| elo(b).total_cmp(&elo(a)));
        let shown = order.iter().map(|&e| format!("{} {:+.0}", standings.names[e], elo(e)));
        return shown.collect::<Vec<_>>().join(", ");
    }
    let pairing = standings.first_pairing();
    let [losses, draws, wins] = pairing.games();
    let mut text = format!("+{wins} ={draws} -{losses}");
    if let Some(found) = Estimate::of(&pairing.pairs) {
        text.push_str(&format!(", Elo {:+.1}", found.elo));
        if found.nelo.is_some() {
            text.push_str(&format!(" ± {:.1}", found.elo_error));
        }
    }
    if let Some(sprt) = sprt {
        let (lower, upper) = sprt.bounds();
        text.push_str(&format!(", LLR {:.2} [{lower:.2}, {upper:.2}]", sprt.llr(&pairing.pairs)));
    }
    text
}

/// A loud word about a game that did not end as games should.
fn alarm(game: &GameRecord) -> String {
    let loser = match game.ending.winner {
        Some(Side::Black) => &game.white,
        _ => &game.black,
    };
    format!(
        "!!! game {}.{}: {} loses by {}: {} [{}]",
        game.id.round + 1,
        game.id.leg + 1,
        loser.name,
        game.ending.reason,
        game.detail,
        game.usi(),
    )
}
