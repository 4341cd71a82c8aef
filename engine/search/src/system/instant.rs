//! The time: the standard library's, or, in a browser, that of a clock that the page sets.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use on_page::Instant;

/// Instants where the standard library's panic.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod on_page {
    use std::ops::{Add, Sub};
    use std::time::Duration;

    use crate::system::page;

    /// A moment, as [`std::time::Instant`] is one elsewhere.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        #[must_use]
        pub fn now() -> Self {
            Self(page::since_start())
        }

        /// Time since this moment.
        #[must_use]
        pub fn elapsed(&self) -> Duration {
            Self::now().saturating_duration_since(*self)
        }

        /// Time since an earlier moment; zero if that is later.
        #[must_use]
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0.saturating_add(time))
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}
