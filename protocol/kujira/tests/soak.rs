//! Long runs of one process: the memory it takes stays what it was, and nothing else goes wrong.
//!
//! ```text
//! KUJIRA_SOAK=3000 cargo test --release --locked -p kujira --test soak changes        # changes of game in one process
//! KUJIRA_SOAK=2000 cargo test --release --locked -p kujira --test soak games -- --ignored --nocapture
//! ```
//!
//! The second plays so many games at 1 s + 0.01 s, over the three games, on two threads with a process each (about
//! four seconds a game and thread); it is for an idle machine, for it counts a move that comes late as a loss.

#![cfg(target_os = "linux")]

use std::env;
use std::fmt;
use std::fs;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use kujira_position::{Position, Variant, VariantId, with_variant};
use support::gui::Gui;

mod support;

/// How often: what `KUJIRA_SOAK` says, or `few`.
fn count(few: u64) -> u64 {
    env::var("KUJIRA_SOAK").map_or(few, |count| count.parse().expect("a number"))
}

/// Memory of a process that is in use, in KiB.
fn resident(gui: &Gui) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", gui.process_id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_ascii_whitespace().next().unwrap().parse().unwrap()
}

/// A session whose tables go back to the system when they are freed.
///
/// glibc raises the size from which it does so to that of the largest block freed. What is smaller stays with the
/// thread that took it, in places that depend on which threads ran at once: 16 MiB more or less here. A limit that is
/// set does not rise.
fn large_blocks_given_back() -> Gui {
    Gui::of_command(
        Command::new(env!("CARGO_BIN_EXE_kujira")).env("MALLOC_MMAP_THRESHOLD_", "131072"),
    )
}

/// Memory in KiB once everything was done once, and later.
struct Memory {
    /// Rounds there will be.
    rounds: u64,
    /// The most in the first rounds, which fill what is kept.
    warm: u64,
    /// The most there was.
    most: u64,
    /// The least in the last third: what comes and goes is not in it, what was never given back is.
    kept: u64,
}

impl Memory {
    /// Growth that is none, in KiB: pages of the allocator that are in use at one moment and not at another.
    const SLACK: u64 = 2 << 10;

    fn of(rounds: u64) -> Self {
        Self { rounds, warm: 0, most: 0, kept: u64::MAX }
    }

    /// Looks at a process after a round.
    fn look(&mut self, gui: &Gui, round: u64) {
        let now = resident(gui);
        if round < 12.max(self.rounds / 20) {
            self.warm = self.warm.max(now);
        }
        if round >= self.rounds * 2 / 3 {
            self.kept = self.kept.min(now);
        }
        self.most = self.most.max(now);
    }

    fn check(&self) {
        let Self { warm, kept, .. } = self;
        assert!(*kept <= warm + Self::SLACK, "{warm} KiB when warm, never less than {kept} later");
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { warm, most, kept, .. } = self;
        write!(f, "{warm} KiB when warm, {most} at most, {kept} at least in the last third")
    }
}

#[test]
fn changes_of_game_leave_memory_flat() {
    let mut gui = large_blocks_given_back();
    gui.ask("setoption name USI_Hash value 8");
    let rounds = count(30);
    let mut memory = Memory::of(rounds);
    for round in 0..rounds {
        // Games follow each other in every order, with one thread and with several.
        let games = VariantId::ALL.len() as u64;
        let game = VariantId::ALL[((round + round / games) % games) as usize];
        let threads = 1 + round / 5 % 2;
        let hash = 4 + round / 7 % 2 * 4;
        gui.send(&format!(
            "setoption name USI_Variant value {game}\nsetoption name Threads value {threads}\n\
             setoption name USI_Hash value {hash}\nusinewgame"
        ));
        assert_eq!(gui.sync(), [""; 0]);
        let best = gui.best("go nodes 2000");
        let legal = gui.moves();
        assert!(legal.contains(&best), "{best} of {legal:?}");
        assert_eq!(gui.ask(&format!("position startpos moves {best}\ngameover draw")), [""; 0]);
        memory.look(&gui, round);
    }
    println!("{rounds} changes of game: {memory}");
    memory.check();
    gui.quit();
}

/// What was played, and how late moves came.
#[derive(Default)]
struct Played {
    games: u64,
    plies: u64,
    /// Time left on the clock that was lowest after a move.
    lowest: Option<Duration>,
    lost: Vec<String>,
}

/// Plays one game, a process against itself with a clock for each side.
fn play<V: Variant>(gui: &mut Gui, played: &mut Played) {
    /// The longest game.
    const MOST_PLIES: usize = 600;
    let mut position = Position::<V>::start();
    // Every game begins otherwise.
    let mut moves = Vec::new();
    for ply in 0..4 {
        let legal = position.legal_moves();
        if position.outcome().is_some() {
            break;
        }
        let m = legal[(played.games as usize * 7 + ply * 13) % legal.len()];
        moves.push(position.usi(m));
        position.make(m);
    }
    let increment = Duration::from_millis(10);
    let mut clocks = [Duration::from_secs(1); 2];
    gui.send("usinewgame");
    assert_eq!(gui.sync(), [""; 0]);
    while position.outcome().is_none() && moves.len() < MOST_PLIES {
        gui.send(&format!("position startpos moves {}", moves.join(" ")));
        let [black, white] = clocks.map(|clock| clock.as_millis());
        let begun = Instant::now();
        let best = gui.best(&format!("go btime {black} wtime {white} binc 10 winc 10"));
        let taken = begun.elapsed();
        let clock = &mut clocks[position.side().index()];
        match clock.checked_sub(taken) {
            Some(left) => {
                played.lowest = Some(played.lowest.map_or(left, |lowest| lowest.min(left)));
                *clock = left + increment;
            }
            None => {
                let game = V::ID;
                played
                    .lost
                    .push(format!("{game}, ply {}: {taken:?} of {clock:?}", moves.len() + 1));
                break;
            }
        }
        if best == "resign" || best == "win" {
            break;
        }
        let m = position
            .parse_usi(&best)
            .unwrap_or_else(|error| panic!("{}: {error}", position.sfen()));
        position.make(m);
        moves.push(best);
    }
    played.games += 1;
    played.plies += moves.len() as u64;
}

#[test]
#[ignore = "about an hour, on a machine that does nothing else"]
fn games_are_played_to_their_ends() {
    let all = count(2000);
    let worker = |number: u64| {
        let mut gui = large_blocks_given_back();
        let games = all / 2 + number * (all % 2);
        let (mut memory, mut played) = (Memory::of(games), Played::default());
        for index in 0..games {
            let game = VariantId::ALL[((index + number) % 3) as usize];
            gui.ask(&format!("setoption name USI_Variant value {game}"));
            with_variant!(game, V => play::<V>(&mut gui, &mut played));
            memory.look(&gui, index);
        }
        assert_eq!(gui.quit(), [""; 0]);
        (memory, played)
    };
    let results = thread::scope(|scope| {
        let workers = [0, 1].map(|number| scope.spawn(move || worker(number)));
        workers.map(|worker| worker.join().expect("a worker that does not fail"))
    });
    for (memory, Played { games, plies, lowest, lost }) in &results {
        println!(
            "{games} games, {plies} plies, lowest clock {lowest:?}, lost on time {}: {memory}",
            lost.len()
        );
    }
    for (memory, played) in &results {
        assert_eq!(played.lost, [""; 0]);
        memory.check();
    }
}
