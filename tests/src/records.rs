//! Random games as records hold them, all that a record says of one, and what holds of every text.

use kujira_position::{Coordinates, Rules, Variant, VariantId, with_variant};
use kujira_record::book::{self, Compact};
use kujira_record::played::{GameRecord, PgnHead};
use kujira_record::{
    FileFormat, Format, Game, Head, Node, NodeId, Notes, Record, games, journal, list, pgn, read,
    text, usi, write,
};
use kujira_usi::{Ending, Reason, Score, Side};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Words of comments: everything that means something elsewhere in a record.
const WORDS: [&str; 24] = [
    "good", "}", "{", "(", ")", ";", "%", "[Event", "\"x\"]", "[", "$5", "1-0", "*", "1.", "é漢",
    "2e2d", "!?", "#", "a}b", "[x]", "\\", "0.35/12", "%clk", "--",
];

/// Choices drawn from a source of random numbers, or from bytes that serve as one.
pub struct Random<R>(pub R);

impl Random<Xoshiro256PlusPlus> {
    /// The choices of a seed, the same for ever.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }
}

impl<R: Rng> Random<R> {
    /// The next number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Whether something happens that does once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of several things.
    ///
    /// # Panics
    /// If there is none.
    pub fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn words(&mut self) -> String {
        let words: Vec<_> = (0..1 + self.below(30)).map(|_| self.of(&WORDS)).collect();
        words.join(" ")
    }

    /// A time of whatever length, in milliseconds.
    fn time(&mut self) -> Option<u64> {
        let bits = 1 + self.below(40);
        self.one_in(3).then(|| self.0.next_u64() >> (64 - bits))
    }
}

/// A legal move of a node, if there is one.
fn a_move(game: &Game, node: NodeId, random: &mut Random<impl Rng>) -> Option<String> {
    with_variant!(game.variant(), V => {
        let position = game.position::<V>(node);
        let moves = position.legal_moves();
        (!moves.is_empty()).then(|| position.usi(moves[random.below(moves.len())]))
    })
}

/// A game with branches, comments, signs, times, scores, and an end that no rule gave.
///
/// # Panics
/// Never: the moves are legal ones.
#[must_use]
pub fn random_game(variant: VariantId, random: &mut Random<impl Rng>) -> Game {
    let handicaps = variant.spec().handicaps;
    let start = match random.below(3) {
        0 if !handicaps.is_empty() => handicaps[random.below(handicaps.len())].sfen,
        _ => variant.spec().start,
    };
    let impasse = variant != VariantId::Great && random.one_in(3);
    let rules = Rules { impasse, repetition: !random.one_in(4), ..Rules::DEFAULT };
    let mut game = Game::new(variant, start, rules).unwrap();
    let mut at = 0;
    for _ in 0..random.below(80) {
        // Mostly on, now and then from anywhere.
        if random.one_in(4) {
            at = random.of(&game.reachable());
        }
        let Some(usi) = a_move(&game, at, random) else { continue };
        let Ok(node) = game.play(at, &usi) else { continue };
        at = node;
    }
    let main = game.line_through(0);
    for id in game.reachable() {
        let parent = game.node(id).unwrap().parent;
        let first = parent.is_none_or(|parent| game.node(parent).unwrap().children[0] == id);
        let node = game.node_mut(id).unwrap();
        if random.one_in(4) {
            node.notes.comment = random.words();
        }
        if random.one_in(4) && !first {
            node.notes.before = random.words();
        }
        if random.one_in(4) {
            node.notes.nags = (0..1 + random.below(3)).map(|_| random.below(256) as u8).collect();
        }
        if parent.is_none() {
            continue;
        }
        node.notes.clock = random.time();
        node.notes.spent = random.time();
        if random.one_in(2) {
            let plies = 1 + random.below(500) as i32;
            let centipawns = random.below(60_001) as i32 - 30_000;
            let score =
                random.of(&[Score::Mate(plies), Score::Mate(-plies), Score::Cp(centipawns)]);
            node.score = Some((score, random.below(200) as u32));
        } else if random.one_in(8) {
            node.notes.mates = Some(random.below(200) as u32);
        }
        // How a branch ended is written as its result alone.
        let open = node.children.is_empty() && node.ending.is_none();
        if open && !main.contains(&id) && random.one_in(3) {
            node.ending = Some(Ending { winner: Some(Side::White), reason: Reason::Recorded });
        }
    }
    let end = game.end();
    let node = game.node_mut(end).unwrap();
    if node.ending.is_none() && end != 0 {
        node.ending = random.of(&[
            None,
            Some(Ending { winner: Some(Side::White), reason: Reason::Resignation }),
            Some(Ending { winner: Some(Side::Black), reason: Reason::Time }),
            Some(Ending { winner: None, reason: Reason::Agreement }),
            Some(Ending { winner: None, reason: Reason::Recorded }),
        ]);
    }
    game
}

/// What a record says beside the moves, in words that mean something elsewhere.
#[must_use]
pub fn random_head(random: &mut Random<impl Rng>) -> Head {
    let mut head = Head::of([random.words(), random.words()]);
    for player in &mut head.players {
        player.limit = random.of(&["", "8+0.08", "nodes 5000"]).to_owned();
    }
    for name in ["Event", "Date", "Round", "Annotator", "Detail"] {
        if random.one_in(3) {
            head.tags.0.push((name.to_owned(), random.words()));
        }
    }
    head
}

/// Every way to write a game down with all its branches.
const WHOLE: [(FileFormat, Coordinates); 4] = [
    (FileFormat::Jsonl, Coordinates::Japanese),
    (FileFormat::Pgn, Coordinates::Japanese),
    (FileFormat::Hodges, Coordinates::Japanese),
    (FileFormat::Hodges, Coordinates::Western),
];

/// A way through [`WHOLE`] that goes from each to each other once.
const ROUND: [usize; 13] = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3, 0];

/// Converts a record through every pair of formats and back: it is the same game, and all that is said of it is
/// kept; USI text keeps the main line, who played, and how the game ended. Returns how many conversions that were.
///
/// # Panics
/// If anything is lost.
pub fn check_formats(record: &Record) -> usize {
    let all = |record: &Record| {
        let mut tags = record.head.tags.clone();
        // Formats have their own order.
        tags.0.sort();
        let game = &record.game;
        let rest = (game.variant(), game.start().to_owned(), game.rules());
        (told(game), rest, record.head.players.clone(), tags)
    };
    let line = |Record { game, head }: &Record| {
        let ending = game.node(game.end()).and_then(|node| node.ending);
        let names = head.players.clone().map(|player| player.name);
        (game.variant(), game.rules(), game.usi(game.end()), ending, names)
    };
    let mut count = 0;
    let mut convert = |record: &Record, (format, squares): (FileFormat, Coordinates)| {
        let text = format.write(record, squares);
        let mut games = games(text.as_bytes(), format, VariantId::Great);
        let back = games.next().unwrap_or_else(|| panic!("nothing in\n{text}"));
        let back = back.unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(games.next().is_none(), "{text}");
        drop(games);
        count += 1;
        (back, text)
    };
    let (expected, main) = (all(record), line(record));
    let (mut last, _) = convert(record, WHOLE[0]);
    for (before, to) in ROUND.windows(2).map(|pair| (pair[0], pair[1])) {
        let (next, text) = convert(&last, WHOLE[to]);
        assert_eq!(all(&next), expected, "{:?} {:?}\n{text}", WHOLE[before], WHOLE[to]);
        last = next;
    }
    let usi = (FileFormat::Usi, Coordinates::Japanese);
    let (bare, text) = convert(&last, usi);
    assert_eq!(line(&bare), main, "{text}");
    for format in WHOLE {
        let (back, text) = convert(&bare, format);
        assert_eq!(line(&back), main, "{format:?}\n{text}");
        // What is made of it is the same text again, whichever format it has been through.
        assert_eq!(usi.0.write(&back, usi.1), usi.0.write(record, usi.1), "{format:?}");
    }
    count
}

/// All that a record says of a node, and how many moves were played from it.
pub type Told = (String, Option<(Score, u32)>, Notes, Option<Ending>, usize);

/// All that a record says of a game.
///
/// # Panics
/// Never: every node that can be reached is there.
#[must_use]
pub fn told(game: &Game) -> Vec<Told> {
    let of = |node: &Node| {
        let Node { usi, score, notes, ending, children, .. } = node;
        (usi.clone(), *score, notes.clone(), *ending, children.len())
    };
    game.reachable().into_iter().map(|id| of(game.node(id).unwrap())).collect()
}

/// Has a text read as every sort of record: it is refused in a sentence, or read, and what was read is written and read
/// the same. Returns whether it was read as a game.
///
/// # Panics
/// If another game is read, or an error does not say what was expected.
#[must_use]
pub fn check_text(text: &str, hint: VariantId) -> bool {
    let taken = match read(text, hint) {
        Ok(first) => {
            let written = write(&first.game, Format::Pgn, &Default::default(), "");
            let back = reread(&written, hint);
            assert_eq!(told(&back), told(&first.game), "{text}\n----\n{written}");
            let line = first.game.usi(first.game.end());
            let back = reread(&write(&first.game, Format::Usi, &Default::default(), ""), hint);
            assert_eq!(back.usi(back.end()), line, "{text}");
            true
        }
        Err(error) => {
            assert!(error.to_string().contains("expected "), "{error}");
            false
        }
    };
    // Each reader by itself: the word that a text begins with chooses but one of them.
    let _ = usi::read(text, hint);
    for game in pgn::games(text.as_bytes(), hint).flatten() {
        let names = game.tags.players().map(str::to_owned);
        let written = write(&game.game, Format::Pgn, &names, "");
        let (back, more) =
            pgn::read(&written, hint).unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!((told(&back.game), more), (told(&game.game), 0), "{text}\n----\n{written}");
        let record = Record::from(game);
        for format in [FileFormat::Jsonl, FileFormat::Hodges] {
            check_again(&record, format);
        }
    }
    for entry in list::entries(text).flatten() {
        let _ = (entry.counts(64), entry.mate());
        let line = entry.opening.to_string();
        let back = list::entries(&line).next().map(|entry| entry.map(|entry| entry.opening));
        assert_eq!(back, Some(Ok(entry.opening.clone())), "{line}");
        let _ = with_variant!(hint, V => entry.position::<V>(Rules::DEFAULT).is_ok());
    }
    for &game in VariantId::ALL {
        with_variant!(game, V => check_book::<V>(text));
    }
    taken
}

/// Has a record written and read in a format: it is the same game.
fn check_again(record: &Record, format: FileFormat) {
    let text = format.write(record, Coordinates::Western);
    let mut games = games(text.as_bytes(), format, VariantId::Whale);
    let back = games.next().unwrap().unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(told(&back.game), told(&record.game), "{text}");
    assert!(games.next().is_none(), "{text}");
}

/// Has a text read as a book, whose lines are written and read the same.
fn check_book<V: Variant>(text: &str) {
    let Ok(found) = book::read::<V>(text) else { return };
    for (_, searched) in found.searched {
        let line = searched.to_string();
        let back = book::read_line::<V>(text::Line { number: 1, text: &line });
        assert_eq!(back.map(|back| back.to_string()), Ok(line));
    }
}

/// Has bytes read as text, as books for engines and as journals, whose lines are written and read the same.
///
/// # Panics
/// If another line is read.
pub fn check_bytes(bytes: &[u8]) {
    let _ = text::decode(bytes);
    if let Ok(book) = Compact::from_bytes(bytes) {
        let again = book.to_bytes().unwrap_or_else(|error| panic!("{error}: {book:?}"));
        assert_eq!(Compact::from_bytes(&again), Ok(book));
    }
    let _ = journal::read::<serde_json::Value>(bytes, "a journal");
    for record in games(bytes, FileFormat::Jsonl, None).flatten() {
        check_again(&record, FileFormat::Jsonl);
        check_again(&record, FileFormat::Pgn);
    }
    let Ok(whole) = journal::read::<GameRecord>(bytes, "a journal") else { return };
    for (_, game) in whole.lines {
        let mut line = Vec::new();
        journal::write(&mut line, &game).unwrap_or_else(|error| panic!("{error}: {game:?}"));
        let back = journal::read::<GameRecord>(&line, "a journal").map(|whole| whole.lines);
        assert_eq!(back, Ok(vec![(1, game.clone())]));
        let _ = (game.usi(), game.pgn(&PgnHead::default()));
    }
}

fn reread(text: &str, hint: VariantId) -> Game {
    read(text, hint).unwrap_or_else(|error| panic!("{error}\n{text}")).game
}
