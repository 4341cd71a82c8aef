//! Opening the page in the browser of whoever started the board.
use std::env;

/// Opens an address in the browser; returns when the browser, or what starts it, has taken it.
///
/// # Errors
/// If there is no browser to open, or it cannot be started.
pub fn open(address: &str) -> Result<(), String> {
    open::that_detached(address).map_err(|error| error.to_string())
}

/// Whether there is a screen to open a browser on: a server, or a shell on another machine, has none, and a browser for
/// texts would be opened there.
#[must_use]
pub fn has_screen() -> bool {
    // Windows and macOS always have one.
    let told = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(unix)
        || cfg!(target_os = "macos")
        || ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].iter().any(told)
}
