//! What people see while games are made.

use std::time::{Duration, Instant};

use indicatif::{FormattedDuration, ProgressBar, ProgressStyle};
use kujira_training::datagen::State;

/// Time between two lines where there is no terminal.
const PAUSE: Duration = Duration::from_secs(30);

/// A bar on a terminal; elsewhere a line to standard error every now and then.
pub(super) struct Progress {
    bar: ProgressBar,
    began: Instant,
    last: Instant,
}

impl Progress {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::new(0);
        let template = "{elapsed_precise} {bar:24} {percent:>3} %  {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let now = Instant::now();
        Self { bar, began: now, last: now }
    }

    pub(super) fn show(&mut self, state: &State) {
        let (done, _, all) = state.share();
        if !self.bar.is_hidden() {
            self.bar.set_length(all);
            self.bar.set_position(done);
            self.bar.set_message(describe(state, self.began.elapsed()));
        } else if self.last.elapsed() >= PAUSE {
            self.last = Instant::now();
            eprintln!("{}", describe(state, self.began.elapsed()));
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Searched plies of this run a second.
pub(super) fn rate(state: &State, elapsed: Duration) -> f64 {
    (state.plies - state.begun.1) as f64 / elapsed.as_secs_f64().max(1e-9)
}

/// The state in one line.
fn describe(state: &State, elapsed: Duration) -> String {
    let (done, begun, all) = state.share();
    let made = done.saturating_sub(begun);
    let left = match made {
        0 => "unknown time".to_owned(),
        _ => {
            let whole = elapsed.as_secs_f64() * all.saturating_sub(done) as f64 / made as f64;
            FormattedDuration(Duration::from_secs(whole as u64)).to_string()
        }
    };
    let unit = match state.target {
        kujira_training::datagen::Target::Games(games) => format!("/{games}"),
        kujira_training::datagen::Target::Positions(_) => String::new(),
    };
    format!(
        "{}{unit} games, {} plies, {:.0} plies/s, {left} left",
        state.games,
        state.plies,
        rate(state, elapsed)
    )
}
