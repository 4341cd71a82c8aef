//! A page in a browser, which lends a search what such a system does not have: a clock, and a way to hear what
//! is said while the only thread there is searches.

use std::sync::OnceLock;
use std::time::Duration;

/// What a page lends; see [`set_page`].
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Returns the time since some moment, always the same, and never goes back.
    pub clock: fn() -> Duration,
    /// Hears what has been said meanwhile, and tells whichever [`Control`](super::Control) it concerns. Called by
    /// the search about every 200 µs.
    pub hear: fn(),
    /// Waits until something may have been said. Called by a search that has nothing to do but wait.
    pub wait: fn(),
}

static PAGE: OnceLock<Page> = OnceLock::new();

/// Sets the page. Without one no time passes and nothing is heard. Only the first call counts.
pub fn set_page(page: Page) {
    let _ = PAGE.set(page);
}

/// Time on the page's clock.
pub(super) fn since_start() -> Duration {
    PAGE.get().map_or(Duration::ZERO, |page| (page.clock)())
}

/// Hears what has been said.
pub(super) fn hear() {
    if let Some(page) = PAGE.get() {
        (page.hear)();
    }
}

/// Waits until something may have been said.
pub(super) fn wait() {
    if let Some(page) = PAGE.get() {
        (page.wait)();
    }
}
