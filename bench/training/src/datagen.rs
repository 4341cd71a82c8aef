//! A run of self-play: games on several threads, one file.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use kujira_data::file::{Earlier, Writer};
use kujira_data::record::GameRecord;
use kujira_position::{Variant, with_variant};
use kujira_program::shard::Share;
use rayon::ThreadPoolBuilder;

use crate::openings::{Opening, RandomOpenings};
use crate::selfplay::{Played, Player};
use crate::settings::Settings;

/// Games go to disk at least this often.
const FLUSH: Duration = Duration::from_secs(20);

/// How much to make, what an earlier run left included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// So many games.
    Games(u64),
    /// Whole games with at least so many searched plies.
    Positions(u64),
    /// A game from each opening before this number that is not lopsided.
    Openings(u32),
}

/// How far a run has come, what an earlier run left included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// Games.
    pub games: u64,
    /// Searched plies.
    pub plies: u64,
    /// Games and plies there were when this run began.
    pub begun: (u64, u64),
    /// Openings dropped by this run because one side was too far ahead.
    pub lopsided: u64,
    /// Openings from before the last one of the file that were not tried again, because there were games enough:
    /// they were in progress when a run was killed, or lopsided. Known at the end.
    pub left_out: Vec<u32>,
    /// How much is to be made.
    pub target: Target,
    /// Openings to be tried, where a number of them is the target.
    pub openings: u64,
}

impl State {
    /// The count of the target: what there is, what there was when this run began, and what is wanted in all.
    #[must_use]
    pub const fn share(&self) -> (u64, u64, u64) {
        match self.target {
            Target::Games(all) => (self.games, self.begun.0, all),
            Target::Positions(all) => (self.plies, self.begun.1, all),
            Target::Openings(_) => (self.games + self.lopsided, self.begun.0, self.openings),
        }
    }

    const fn is_complete(&self) -> bool {
        let (done, _, all) = self.share();
        done >= all
    }
}

/// What the threads share.
struct Desk<'a, V: Variant> {
    openings: Mutex<RandomOpenings<V>>,
    /// The numbers of openings whose games are in the file.
    played: &'a BTreeSet<u32>,
    target: Target,
    /// Which openings are tried; none: all.
    share: Option<Share>,
    /// Games that may still be begun, or searched plies still wanted.
    left: AtomicU64,
    /// Whether to begin no more games.
    stopped: &'a AtomicBool,
    /// Whether something failed.
    ended: AtomicBool,
}

/// What a thread tells.
enum News {
    Game(GameRecord),
    Lopsided,
    Failed(String),
}

impl<V: Variant> Desk<'_, V> {
    fn ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed) || self.stopped.load(Ordering::Relaxed)
    }

    /// The right to begin a game, if another one is wanted.
    fn claim(&self) -> bool {
        !self.ended() && (!matches!(self.target, Target::Games(_)) || self.take(1) > 0)
    }

    /// Takes `amount` of what is left; returns what was left before.
    fn take(&self, amount: u64) -> u64 {
        let less = |left: u64| Some(left.saturating_sub(amount));
        // The closure never refuses, so that both cases hold what was there before.
        match self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less) {
            Ok(before) | Err(before) => before,
        }
    }

    /// The next opening without a game; `None` where there are positions enough without it. Both under one lock:
    /// the last one that is missing is for one thread alone.
    fn opening(&self) -> Result<Option<Opening>, String> {
        let mut openings = self.openings.lock().unwrap_or_else(PoisonError::into_inner);
        let enough = matches!(self.target, Target::Positions(_)) && self.take(0) == 0;
        // Enough positions without the openings that were in progress would be other games.
        if enough && !self.has_gaps(&openings) {
            return Ok(None);
        }
        // An earlier run may have been killed while it played one with a low number, and others had ended.
        match self.target {
            Target::Openings(end) => openings.make_before(end, |number| self.is_wanted(number)),
            _ => openings.make_wanted(|number| self.is_wanted(number)).map(Some),
        }
    }

    /// Whether the opening of this number is one of the share and without a game.
    fn is_wanted(&self, number: u32) -> bool {
        self.share.is_none_or(|share| share.has(number.into())) && !self.played.contains(&number)
    }

    /// Whether openings below those of the file's games have not been tried.
    fn has_gaps(&self, openings: &RandomOpenings<V>) -> bool {
        let last = self.played.last().copied().unwrap_or(0);
        (openings.next()..last).any(|number| self.is_wanted(number))
    }

    /// Plays games until there are enough: the work of one thread.
    fn work(&self, settings: &Settings, news: &SyncSender<News>) -> Result<(), String> {
        let mut player = Player::<V>::new(settings)?;
        while self.claim() {
            let game = loop {
                let Some(opening) = self.opening()? else { return Ok(()) };
                match player.play(opening)? {
                    Played::Game(game) => break game,
                    // Nobody listens any more once something failed.
                    Played::Lopsided if news.send(News::Lopsided).is_err() => return Ok(()),
                    Played::Lopsided if self.ended() => return Ok(()),
                    Played::Lopsided => {}
                }
            };
            if let Target::Positions(_) = self.target {
                self.take(game.plies.len() as u64);
            }
            if news.send(News::Game(game)).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// As [`run`], for the game that the settings name.
///
/// # Errors
/// As [`run`].
pub fn run_game(
    path: &Path,
    settings: &Settings,
    target: Target,
    threads: usize,
    stopped: &AtomicBool,
    progress: &mut dyn FnMut(&State),
) -> Result<(State, Earlier), String> {
    with_variant!(settings.game, V => run::<V>(path, settings, target, threads, stopped, progress))
}

/// Makes games until there are as many in the file as the target asks for, or `stopped` is set: then
/// games in progress are finished first. Tells `progress` how far it has come after every game, and
/// every few moments.
///
/// An earlier run with the same settings is gone on with: openings are tried in the order of their numbers,
/// those whose games are in the file left aside. So many games are the same however often a run was interrupted,
/// on several threads but for their order; so are the games of so many positions on one thread, while on several
/// it hangs on chance which are the last.
///
/// # Errors
/// If the file is refused (see [`Writer::open`]) or cannot be written, or openings run out. All games
/// in the file stay.
pub fn run<V: Variant>(
    path: &Path,
    settings: &Settings,
    target: Target,
    threads: usize,
    stopped: &AtomicBool,
    mut progress: impl FnMut(&State),
) -> Result<(State, Earlier), String> {
    settings.check()?;
    if settings.game != V::ID {
        return Err(format!("expected settings for {}, found {}", V::ID, settings.game));
    }
    let named = |error: kujira_data::error::DataError| format!("{}: {error}", path.display());
    let (mut writer, earlier) = Writer::open(path, &settings.header()).map_err(named)?;
    let mut state = State {
        games: earlier.games,
        plies: earlier.plies,
        begun: (earlier.games, earlier.plies),
        lopsided: 0,
        left_out: Vec::new(),
        target,
        openings: match target {
            Target::Openings(end) => {
                settings.share.map_or(end.into(), |share| share.count(end.into()))
            }
            _ => 0,
        },
    };
    let whole = match target {
        Target::Games(_) | Target::Openings(_) => true,
        Target::Positions(_) => {
            let own = (0..).filter(|&number: &u32| {
                settings.share.is_none_or(|share| share.has(number.into()))
            });
            earlier.numbers.iter().zip(own).all(|(&found, number)| found == number)
        }
    };
    if state.is_complete() && whole {
        return Ok((state, earlier));
    }
    let desk = Desk::<V> {
        openings: Mutex::new(RandomOpenings::new(settings)),
        played: &earlier.numbers,
        share: settings.share,
        target,
        left: AtomicU64::new(match target {
            Target::Games(games) => games - earlier.games,
            Target::Positions(plies) => plies.saturating_sub(earlier.plies),
            Target::Openings(_) => 0,
        }),
        stopped,
        ended: AtomicBool::new(false),
    };
    let (sender, receiver) = sync_channel(threads);
    let result = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1))
            .map(|_| {
                let (news, desk) = (sender.clone(), &desk);
                scope.spawn(move || {
                    // Games are side by side, not what is in them. And the threads that all of a process share
                    // would be missed by a process that is forked off from this one.
                    let here = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
                    let here = here.map_err(|error| error.to_string());
                    if let Err(error) = here.and_then(|_here| desk.work(settings, &news)) {
                        // If nobody listens any more there was an error before this one.
                        let _ = news.send(News::Failed(error));
                    }
                })
            })
            .collect();
        drop(sender);
        let collected = collect(&receiver, &mut writer, &mut state, &mut progress);
        desk.ended.store(true, Ordering::Relaxed);
        drop(receiver);
        let panicked = workers.into_iter().filter_map(|worker| worker.join().err()).count();
        match panicked {
            0 => collected,
            _ => collected.and(Err(format!("{panicked} of {threads} threads panicked"))),
        }
    });
    // What was made before an error is kept.
    writer.flush().map_err(named)?;
    let tried = desk.openings.into_inner().unwrap_or_else(PoisonError::into_inner).next();
    let last = earlier.numbers.last().copied().unwrap_or(0);
    let own = |number: &u32| settings.share.is_none_or(|share| share.has((*number).into()));
    let missing = |number: &u32| own(number) && !earlier.numbers.contains(number);
    state.left_out = (tried..last).filter(missing).collect();
    result.map(|()| (state, earlier)).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes games as they come, until all threads are done.
fn collect(
    news: &Receiver<News>,
    writer: &mut Writer,
    state: &mut State,
    progress: &mut impl FnMut(&State),
) -> Result<(), String> {
    let mut flushed = Instant::now();
    loop {
        match news.recv_timeout(Duration::from_secs(1)) {
            Ok(News::Game(game)) => {
                writer.add(&game).map_err(|error| error.to_string())?;
                state.games += 1;
                state.plies += game.plies.len() as u64;
            }
            Ok(News::Lopsided) => state.lopsided += 1,
            Ok(News::Failed(error)) => return Err(error),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        if flushed.elapsed() >= FLUSH {
            writer.flush().map_err(|error| error.to_string())?;
            flushed = Instant::now();
        }
        progress(state);
    }
}
