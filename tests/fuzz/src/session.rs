//! A session in this process: lines go in, one read each, with pauses between, and what comes out is watched.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use arbitrary::Unstructured;
use kujira::files::Leave;
use kujira::logging;
use kujira_position::{Variant, VariantId, with_variant};
use kujira_search::eval::NetworkFile;
use kujira_tests::playouts::{self, Taste};
use tempfile::TempDir;

use crate::small;

/// An answer that takes longer is one that never comes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A step of a session.
#[derive(Debug)]
pub enum Step {
    /// These bytes, which end with a line feed as a rule.
    Send(Vec<u8>),
    /// Nothing for so long.
    Pause(Duration),
    /// Waits until so many lines are there that begin with one of some words.
    Await(&'static [&'static str], usize),
}

/// Holds a session and returns what it said.
///
/// # Panics
/// If an answer does not come, or the session says something that is not ASCII.
#[must_use]
pub fn hold(steps: Vec<Step>) -> Vec<String> {
    let heard = Arc::new(Heard::default());
    let feed = Feed { steps: steps.into_iter(), left: Vec::new(), heard: Arc::clone(&heard) };
    kujira::run(feed, Sink(Arc::clone(&heard)), small::engine);
    // The log is the process's: the next session begins without one.
    logging::to_file("", &Leave::default()).expect("a log that ends");
    // What it logged to is for the next one as it was for this.
    for name in ["missing.net", "log"] {
        let _ = std::fs::remove_file(FILES.path().join(name));
    }
    std::fs::write(FILES.path().join("empty"), "").expect("a file");
    let said = heard.bytes.lock().expect("nobody panicked").clone();
    let said = String::from_utf8(said).expect("ASCII");
    for line in said.lines() {
        // CECP sets the moves of a thinking line apart by a tab.
        assert!(line.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')), "{line:?}");
    }
    assert!(said.is_empty() || said.ends_with('\n'), "{said:?}");
    said.lines().map(str::to_owned).collect()
}

/// What a session has said.
#[derive(Default)]
struct Heard {
    bytes: Mutex<Vec<u8>>,
    more: Condvar,
}

impl Heard {
    fn wait(&self, words: &[&str], wanted: usize) {
        let deadline = Instant::now() + PATIENCE;
        let mut bytes = self.bytes.lock().expect("nobody panicked");
        while count(&bytes, words) < wanted {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero(),
                "expected {wanted} of {words:?}, found {}:\n{}",
                count(&bytes, words),
                String::from_utf8_lossy(&bytes)
            );
            bytes = self.more.wait_timeout(bytes, left).expect("nobody panicked").0;
        }
    }
}

/// How many lines begin with one of some words.
fn count(bytes: &[u8], words: &[&str]) -> usize {
    let begins = |line: &&[u8]| words.iter().any(|word| line.starts_with(word.as_bytes()));
    bytes.split(|&byte| byte == b'\n').filter(begins).count()
}

/// The session's input.
struct Feed {
    steps: std::vec::IntoIter<Step>,
    /// Bytes for which there was no room yet, from behind.
    left: Vec<u8>,
    heard: Arc<Heard>,
}

impl Read for Feed {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while self.left.is_empty() {
            match self.steps.next() {
                None => return Ok(0),
                Some(Step::Pause(time)) => thread::sleep(time),
                Some(Step::Await(words, wanted)) => self.heard.wait(words, wanted),
                Some(Step::Send(mut bytes)) => {
                    bytes.reverse();
                    self.left = bytes;
                }
            }
        }
        let length = self.left.len().min(to.len());
        let part = self.left.split_off(self.left.len() - length);
        for (to, byte) in to.iter_mut().zip(part.into_iter().rev()) {
            *to = byte;
        }
        Ok(length)
    }
}

/// The session's output.
struct Sink(Arc<Heard>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.bytes.lock().expect("nobody panicked").extend(bytes);
        self.0.more.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Files that sessions are told to use, in a folder of the process.
static FILES: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = TempDir::new().expect("a folder");
    let put = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join(name), bytes).expect("a file");
    };
    for &game in VariantId::ALL {
        put(&format!("{game}.net"), &with_variant!(game, V => network::<V>()));
    }
    put("cut-off.net", &with_variant!(VariantId::Whale, V => network::<V>())[..3000]);
    put("empty", b"");
    put("text", b"not ours\n");
    folder
});

/// A network with weights that tell positions apart.
fn network<V: Variant>() -> Vec<u8> {
    let mut net = NetworkFile::zero::<V>(NetworkFile::HIDDEN_STEP, 1, 400);
    for (weight, number) in net.weights.iter_mut().zip(0_i16..100) {
        *weight = number - 50;
    }
    net.outputs.iter_mut().for_each(|weight| *weight = 3);
    net.to_bytes::<V>().expect("within the bounds")
}

/// A file for an option. Logs are written where a file is empty or missing, which [`hold`] takes back.
pub fn path(u: &mut Unstructured<'_>) -> String {
    const NAMES: [&str; 11] = [
        "whale.net",
        "paulowich.net",
        "great.net",
        "cut-off.net",
        "empty",
        "text",
        "",
        "missing.net",
        "no/such/log",
        "log",
        "whale.net",
    ];
    let name = u.choose(&NAMES).copied().unwrap_or("missing.net");
    let path: PathBuf = FILES.path().join(name);
    path.to_string_lossy().into_owned()
}

/// A line of the fuzzer's own, unless it could name a file.
pub fn raw_line(u: &mut Unstructured<'_>) -> Vec<u8> {
    let length = u.int_in_range(0..=60).unwrap_or(0);
    let bytes = u.bytes(length.min(u.len())).unwrap_or_default();
    let mut line: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != b'\n').collect();
    if line.to_ascii_lowercase().windows(4).any(|part| part == b"file") {
        line.clear();
    }
    line
}

/// A number as people and programs write it, seldom a usual one.
pub fn number(u: &mut Unstructured<'_>) -> String {
    const ODD: [&str; 14] = [
        "0",
        "1",
        "-1",
        "2",
        "3",
        "+5",
        "00",
        "4294967295",
        "4294967296",
        "18446744073709551615",
        "18446744073709551616",
        "1.5",
        "",
        "x",
    ];
    match u.int_in_range(0..=3) {
        Ok(0) => u.choose(&ODD).copied().unwrap_or("1").to_owned(),
        Ok(1) => u.arbitrary::<u16>().unwrap_or(7).to_string(),
        _ => u.arbitrary::<u8>().unwrap_or(7).to_string(),
    }
}

/// A game from its start: the position begun from as SFEN, the moves, and the position they lead to.
pub fn game(u: &mut Unstructured<'_>, game: VariantId) -> (String, Vec<String>, String) {
    let seed = u.arbitrary::<u16>().unwrap_or(0);
    let plies = u.int_in_range(0..=40).unwrap_or(0);
    with_variant!(game, V => {
        let mut random = playouts::random(seed.into());
        let mut position = kujira_position::Position::<V>::start();
        let taste = Taste::ALL[usize::from(seed) % Taste::ALL.len()];
        let mut moves = Vec::new();
        for _ in 0..plies {
            let Some(m) = playouts::choose(&mut random, taste, &mut position) else { break };
            moves.push(position.usi(m));
            position.make(m);
        }
        (V::SPEC.start.to_owned(), moves, position.sfen())
    })
}

/// A pause of a millisecond or two.
pub fn pause(u: &mut Unstructured<'_>) -> Step {
    Step::Pause(Duration::from_micros(u.int_in_range(100..=2000).unwrap_or(100)))
}
