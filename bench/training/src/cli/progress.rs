//! What people see while something long goes on.

use std::time::{Duration, Instant};

use indicatif::{FormattedDuration, ProgressBar, ProgressStyle};
use kujira_program::status::{tell, warn};

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

    /// Shows how much of all is done; `describe` says more, after the time gone.
    pub(super) fn show(&mut self, done: u64, all: u64, describe: impl FnOnce(Duration) -> String) {
        if !self.bar.is_hidden() {
            self.bar.set_length(all);
            self.bar.set_position(done);
            self.bar.set_message(describe(self.began.elapsed()));
        } else if self.last.elapsed() >= PAUSE {
            self.last = Instant::now();
            warn(&format!("{}\n", describe(self.began.elapsed())));
        }
    }

    /// Prints with the bar out of the way.
    pub(super) fn print(&self, text: &str) {
        self.bar.suspend(|| tell(text));
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The time that `left` takes if `made` took `elapsed`.
pub(super) fn time_left(elapsed: Duration, made: u64, left: u64) -> String {
    if made == 0 {
        return "unknown time".to_owned();
    }
    let seconds = elapsed.as_secs_f64() * left as f64 / made as f64;
    FormattedDuration(Duration::from_secs(seconds as u64)).to_string()
}
