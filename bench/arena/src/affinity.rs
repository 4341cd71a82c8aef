//! Cores for each game at a time: engines that share none disturb each other less.

/// Which cores each game at a time has.
#[derive(Clone, Debug)]
pub struct Cores {
    shares: Vec<Vec<usize>>,
}

impl Cores {
    /// Shares out the cores that this program may use: so many each to so many games at a time.
    ///
    /// # Errors
    /// If there are too few, or the system does not tell which there are.
    pub fn share(games: usize, each: usize) -> Result<Self, String> {
        let own = system::own()?;
        let (games, each) = (games.max(1), each.max(1));
        let shares: Vec<_> = own.chunks_exact(each).take(games).map(<[_]>::to_vec).collect();
        if shares.len() < games {
            return Err(format!(
                "expected {} cores for {games} games at a time with {each} each, found {}",
                games * each,
                own.len()
            ));
        }
        Ok(Self { shares })
    }

    /// Keeps this thread, and the processes and threads that it starts from now on, on the cores of a game at a time.
    ///
    /// # Errors
    /// If the system refuses.
    pub(crate) fn keep(&self, game: usize) -> Result<(), String> {
        self.shares.get(game).map_or(Ok(()), |cores| system::keep(cores))
    }
}

#[cfg(target_os = "linux")]
mod system {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;

    /// This thread.
    const SELF: Pid = Pid::from_raw(0);

    fn told(error: nix::Error) -> String {
        format!("--affinity: {error}")
    }

    pub(super) fn own() -> Result<Vec<usize>, String> {
        let set = sched_getaffinity(SELF).map_err(told)?;
        Ok((0..CpuSet::count()).filter(|&core| set.is_set(core).unwrap_or(false)).collect())
    }

    pub(super) fn keep(cores: &[usize]) -> Result<(), String> {
        let mut set = CpuSet::new();
        for &core in cores {
            set.set(core).map_err(told)?;
        }
        sched_setaffinity(SELF, &set).map_err(told)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn own() -> Result<Vec<usize>, String> {
        Err("expected Linux for --affinity, found another system".to_owned())
    }

    pub(super) fn keep(_: &[usize]) -> Result<(), String> {
        Ok(())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn games_have_cores_of_their_own() {
        let own = system::own().unwrap();
        let cores = Cores::share(own.len(), 1).unwrap();
        let mut all = cores.shares.concat();
        all.sort_unstable();
        assert_eq!(all, own);
        let error = Cores::share(own.len(), 2).unwrap_err();
        assert!(error.ends_with(&format!("with 2 each, found {}", own.len())), "{error}");
        // What a thread starts stays where it is.
        let seen = std::thread::spawn(move || {
            cores.keep(own.len() - 1).unwrap();
            std::thread::spawn(system::own).join().unwrap().unwrap()
        });
        assert_eq!(seen.join().unwrap(), [*all.last().unwrap()]);
        assert_eq!(system::own().unwrap(), all);
    }
}
