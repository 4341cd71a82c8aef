//! Child processes that lead groups of their own, so that what they start can be killed with them.

use std::process::Command;

/// Has the child lead a group. Ctrl-C at our terminal then does not reach it: it is ours to end.
#[cfg_attr(not(unix), expect(unused_variables))]
pub fn lead(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Kills the group that a child leads. Nobody may have waited for the child: its number could be another's by then.
#[cfg_attr(not(unix), expect(unused_variables))]
pub fn kill(leader: u32) {
    #[cfg(unix)]
    if let Ok(leader) = i32::try_from(leader) {
        use nix::sys::signal::{Signal, killpg};
        // Fails only if the whole group has ended already.
        let _ = killpg(nix::unistd::Pid::from_raw(leader), Signal::SIGKILL);
    }
}
