//! The memory of the system: how much of it is left, and how it is handed out.

/// Bytes that a process may still take without memory running out: free memory and what the system
/// would give up for it, within the limits of a container. `None` where the system does not say.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) fn available() -> Option<u64> {
    use sysinfo::{MemoryRefreshKind, System};

    let mut system = System::new();
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let free = system.available_memory();
    let allowed = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    (system.total_memory() > 0).then_some(free.min(allowed))
}

/// The memory that is left: `None`, because a browser does not tell it; an allocation that is too large fails.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) fn available() -> Option<u64> {
    None
}

/// Asks the system to back memory that has been reserved, but not yet touched, with huge pages where
/// it has them: a table is read at random, and a look-up that misses in the tables of small pages
/// costs as much as the read itself. Nothing is lost where this is refused.
#[cfg(target_os = "linux")]
pub(crate) fn advise_huge<T>(memory: &mut Vec<T>) {
    use std::ptr::NonNull;

    use nix::sys::mman::{MmapAdvise, madvise};

    /// Size of a huge page, or a multiple of it, on every processor that has them.
    const HUGE: usize = 2 << 20;

    let first = memory.as_mut_ptr();
    let skipped = first.addr().next_multiple_of(HUGE) - first.addr();
    let length = (memory.capacity() * size_of::<T>()).saturating_sub(skipped) / HUGE * HUGE;
    let Some(start) = NonNull::new(first.wrapping_byte_add(skipped)) else { return };
    if length > 0 {
        // SAFETY: the range lies within the memory that the vector owns, and this advice changes how
        // memory is backed, never what it holds.
        #[expect(unsafe_code, reason = "the system call; see docs/decisions.md for what it gains")]
        let _ = unsafe { madvise(start.cast(), length, MmapAdvise::MADV_HUGEPAGE) };
    }
}

/// Gives no advice: this system knows none.
#[cfg(not(target_os = "linux"))]
pub(crate) fn advise_huge<T>(_: &mut Vec<T>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_has_some_memory_left() {
        let bytes = available().unwrap();
        assert!(bytes > 1 << 20 && bytes < 1 << 50, "{bytes}");
    }

    #[test]
    fn advice_leaves_memory_as_it_is() {
        for count in [0_usize, 1, 1 << 18, 3 << 18] {
            let mut memory: Vec<u64> = Vec::with_capacity(count);
            memory.extend(0..count as u64);
            advise_huge(&mut memory);
            assert!(memory.iter().zip(0..).all(|(&found, wanted)| found == wanted));
            assert_eq!(memory.len(), count);
        }
    }
}
