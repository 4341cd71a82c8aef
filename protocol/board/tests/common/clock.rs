//! Time that passes as a test says (`start_paused`): nothing comes too late on a busy machine, and nothing is slept
//! through.

use std::pin::pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use kujira_trial::PATIENCE;

/// Keeps a paused clock from running ahead whenever others are waited for, for as long as this is there, or for the
/// minute of a hang.
pub fn still() -> Sender<()> {
    let (held, over): (_, Receiver<()>) = channel();
    drop(tokio::task::spawn_blocking(move || over.recv_timeout(PATIENCE)));
    held
}

/// Lets time pass, and what comes from outside come.
pub async fn pass(time: Duration) {
    tokio::time::advance(time).await;
    std::thread::sleep(Duration::from_millis(1));
    tokio::task::yield_now().await;
}

/// What comes of `work` while time passes, by `step` again and again.
pub async fn meanwhile<T>(step: Duration, work: impl Future<Output = T>) -> T {
    let (mut work, begun) = (pin!(work), Instant::now());
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            () = pass(step) => assert!(begun.elapsed() < PATIENCE, "it does not come to its end"),
        }
    }
}
