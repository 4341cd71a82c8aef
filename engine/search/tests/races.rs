//! Searches on several threads, stopped, hit while pondering and resized at random moments. Here they are asked for
//! legal answers; `tests/races` runs them under ThreadSanitizer, which sees every race in them.

mod common;

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::{Player, Said};
use kujira_position::VariantId;
use kujira_search::{Control, Info, Limits, Reporter, Silent, Times};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const THREADS: usize = 3;

fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// One search and what happens to it from the thread beside it.
fn disturbed(engine: &mut Player, random: &mut Xoshiro256PlusPlus) -> Said {
    let ponder = random.random_bool(0.5);
    let left = milliseconds(random.random_range(20..80));
    let times = Some(Times { left: [left; 2], ..Times::default() });
    let limits = Limits { infinite: !ponder, ponder, ..Limits::default() };
    let control = Control::new();
    let waits = [(); 2].map(|()| milliseconds(random.random_range(0..20)));
    std::thread::scope(|scope| {
        let search = scope.spawn(|| engine.search(&limits, &control, &Silent));
        std::thread::sleep(waits[0]);
        if ponder {
            control.ponder_hit(times);
            std::thread::sleep(waits[1]);
        }
        control.stop();
        search.join().expect("a search that ends")
    })
}

fn session(game: VariantId, rounds: u32) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(u64::from(rounds));
    let mut engine = Player::new(game);
    engine.set_threads(THREADS);
    let mut played: Vec<String> = Vec::new();
    for _ in 0..rounds {
        match random.random_range(0..6) {
            0 => engine.set_hash(random.random_range(1..4)).expect("a few MiB"),
            1 => engine.set_threads(random.random_range(1..=THREADS)),
            2 => engine.clear_hash(),
            3 => {
                engine.new_game();
                played.clear();
            }
            _ => {}
        }
        let moves: Vec<_> = played.iter().map(String::as_str).collect();
        engine.set_position(None, &moves).expect("moves that were answered");
        if engine.position.outcome().is_some() {
            played.clear();
            continue;
        }
        match disturbed(&mut engine, &mut random) {
            Said::Move { best, .. } => {
                assert!(
                    engine.legal_moves().contains(&best),
                    "{best} in {}",
                    engine.position.sfen()
                );
                played.push(best);
            }
            Said::Resign | Said::Win => played.clear(),
        }
    }
}

#[test]
fn whale() {
    session(VariantId::Whale, 40);
}

#[test]
fn paulowich() {
    session(VariantId::Paulowich, 40);
}

#[test]
fn great() {
    session(VariantId::Great, 40);
}

/// A listener that counts without a lock what it is told, for another thread to read.
///
/// It counts only once that has been `read`, told without order between the threads: the sanitizer reports a race only
/// where it still knows what the thread did that came first, and one that searches does too much (without this, races
/// were reported in 10 of 20 runs). The one that waits does nothing.
#[derive(Default)]
struct Careless {
    count: Cell<u64>,
    read: AtomicBool,
}

// SAFETY: none, which is the point: `planted` is the race that the sanitizer must find.
#[expect(unsafe_code, reason = "a race cannot be had without")]
unsafe impl Sync for Careless {}

impl Reporter for Careless {
    fn info(&self, _: &Info) {
        while !self.read.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        self.count.set(self.count.get() + 1);
    }
}

/// A race for `tests/races` to find, so that it is known to find one.
#[test]
#[ignore = "a race, for the sanitizer"]
fn planted() {
    let mut engine = Player::new(VariantId::Whale);
    let (told, control) = (Careless::default(), Control::new());
    std::thread::scope(|scope| {
        let limits = Limits { infinite: true, ..Limits::default() };
        let (told, control) = (&told, &control);
        scope.spawn(move || engine.search(&limits, control, told));
        std::hint::black_box(told.count.get());
        told.read.store(true, Ordering::Relaxed);
        std::thread::sleep(milliseconds(100));
        control.stop();
    });
}
