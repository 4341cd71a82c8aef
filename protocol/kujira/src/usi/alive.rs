//! Signs of life, while something takes long.

use crate::output::Output;

/// Does `work`, with a blank line every five seconds that shows a GUI that the engine is alive.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(super) fn during<T>(output: &Output, work: impl FnOnce() -> T) -> T {
    use std::sync::mpsc::{self, RecvTimeoutError};
    use std::thread;
    use std::time::Duration;

    const SIGN_OF_LIFE: Duration = Duration::from_secs(5);

    let (done, waiting) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while waiting.recv_timeout(SIGN_OF_LIFE) == Err(RecvTimeoutError::Timeout) {
                output.lines("");
            }
        });
        // Dropped when the work is done, or has failed: the thread ends.
        let _done = done;
        work()
    })
}

/// Does `work`; nobody else is there who could give a sign.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(super) fn during<T>(_: &Output, work: impl FnOnce() -> T) -> T {
    work()
}
