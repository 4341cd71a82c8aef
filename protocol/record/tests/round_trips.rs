//! What is written is read again the same: random games of all three games, in every format.

use kujira_position::{Coordinates, Rules, VariantId, with_variant};
use kujira_record::{FileFormat, Format, Game, Head, NodeId, Record, list, pgn, read, usi, write};
use kujira_tests::records::{
    Random, check_bytes, check_formats, check_text, random_game, random_head, told,
};
use rand_xoshiro::Xoshiro256PlusPlus;

fn reread(text: &str) -> Game {
    read(text, VariantId::Whale).unwrap_or_else(|error| panic!("{error}\n{text}")).game
}

#[test]
fn pgn_comes_back_whole() {
    let names = ["a \"b\" \\".to_owned(), "漢\n[c]".to_owned()];
    let (mut nodes, mut branches) = (0, 0);
    for &variant in VariantId::ALL {
        for seed in 0..40 {
            let game = random_game(variant, &mut Random::new(seed));
            let text = write(&game, Format::Pgn, &names, "2026.11.25");
            let (back, more) = pgn::read(&text, VariantId::Whale)
                .unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
            assert_eq!(more, 0, "{text}");
            assert_eq!(told(&back.game), told(&game), "{variant} {seed}\n{text}");
            let same = (back.game.start(), back.game.rules(), back.game.variant());
            assert_eq!(same, (game.start(), game.rules(), variant));
            assert_eq!(back.tags.players(), ["a \"b\" \\", "漢 [c]"]);
            nodes += game.reachable().len();
            let split = |&&id: &&NodeId| game.node(id).unwrap().children.len() > 1;
            branches += game.reachable().iter().filter(split).count();
            // Line ends of Windows and a mark change nothing; nor does another game behind it.
            let edited = format!("\u{feff}{}\r\n\r\n{text}", text.replace('\n', "\r\n"));
            let (back, more) = pgn::read(&edited, VariantId::Whale).unwrap();
            assert_eq!((told(&back.game), more), (told(&game), 1));
            // What is read and written is the same text.
            let names = back.tags.players().map(str::to_owned);
            assert_eq!(write(&back.game, Format::Pgn, &names, "2026.11.25"), text);
        }
    }
    assert!(nodes > 2000 && branches > 200, "{nodes} nodes, {branches} branches");
}

/// Random games of each kind through every pair of formats and back.
fn converted(seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut nodes, mut conversions) = (0, 0);
    for &variant in VariantId::ALL {
        for seed in seeds.clone() {
            let random = &mut Random::new(seed);
            let record = Record { game: random_game(variant, random), head: random_head(random) };
            nodes += record.game.reachable().len() - 1;
            conversions += check_formats(&record);
        }
    }
    (nodes, conversions)
}

#[test]
fn every_format_comes_back_from_every_other() {
    let (nodes, conversions) = converted(1000..1020);
    assert!(nodes > 1000 && conversions == 3 * 20 * 18, "{nodes} moves, {conversions}");
}

/// Five minutes of one core: `cargo test --locked -p kujira-record --test round_trips -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn ten_thousand_games_come_back() {
    let (nodes, conversions) = converted(10_000..20_000);
    println!("{nodes} moves, {conversions} conversions");
}

/// The main line of a game as people write it, with or without tags.
fn hodges(game: &Game, squares: usize, tags: bool) -> String {
    let mut text = String::new();
    if tags {
        text = format!("[Variant \"{}\"]\n[SFEN \"{}\"]\n", game.variant().spec().id, game.start());
        text += &format!("[Rules \"{}\"]\n\n", kujira_usi::Switches::from(game.rules()));
    }
    let begins = game.node(0).unwrap().side.index();
    let told = game.notations(game.line_through(0));
    for (index, &id) in game.line_through(0).iter().skip(1).enumerate() {
        let half = index + begins;
        match (half % 2, index) {
            (0, _) => text += &format!("{}. ", half / 2 + 1),
            (_, 0) => text += "1. … ",
            _ => {}
        }
        text += &told[&id].text[squares];
        text.push(' ');
    }
    text + "*\n"
}

#[test]
fn both_square_conventions_come_back() {
    let mut plies = 0;
    for &variant in VariantId::ALL {
        for seed in 0..40 {
            let game = random_game(variant, &mut Random::new(seed));
            let line = game.usi(game.end());
            for squares in [0, 1] {
                let text = hodges(&game, squares, true);
                let back = reread(&text);
                assert_eq!(back.usi(back.end()), line, "{text}");
                plies += game.line_through(0).len();
                // Without tags a usual game is found by its moves.
                let usual = game.start() == variant.spec().start && game.rules() == Rules::DEFAULT;
                if usual && game.end() != 0 {
                    let text = hodges(&game, squares, false);
                    let back = read(&text, variant).unwrap().game;
                    assert_eq!(back.usi(back.end()), line, "{text}");
                }
            }
        }
    }
    assert!(plies > 1500, "{plies}");
}

#[test]
fn usi_text_comes_back() {
    for &variant in VariantId::ALL {
        for seed in 0..40 {
            let game = random_game(variant, &mut Random::new(seed));
            let line = game.usi(game.end());
            let text = write(&game, Format::Usi, &Default::default(), "");
            let edited = format!("\u{feff}{}", text.replace('\n', "\r\n").replace(' ', " \t"));
            for text in [text, edited] {
                let (back, more) = usi::read(&text, VariantId::Whale).unwrap();
                assert_eq!((back.usi(back.end()), more), (line.clone(), 0), "{text}");
                assert_eq!(back.variant(), variant);
            }
            // As an entry of a list, too.
            let entry = list::entries(&line).next().unwrap().unwrap();
            assert_eq!(entry.opening.to_string(), line);
            let same = with_variant!(variant, V => {
                let there = entry.position::<V>(game.rules()).unwrap();
                there.sfen() == game.position::<V>(game.end()).sfen()
            });
            assert!(same, "{line}");
        }
    }
}

/// The files in `tests/corpus` that are text.
fn corpus() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.collect();
    files.sort();
    files.iter().filter_map(|path| kujira_record::text::open(path).ok()).collect()
}

/// Changes a text here and there.
fn damaged(text: &str, random: &mut Random<Xoshiro256PlusPlus>) -> String {
    const PIECES: [&str; 26] = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "\"",
        ";",
        "%",
        "\n",
        "\r",
        "\\",
        "*",
        "1-0",
        "$",
        "!",
        " ",
        "\t",
        "\u{feff}",
        "é",
        "[Event \"x\"]\n",
        "moves",
        "startpos",
        "sfen ",
        "\0",
        "99999999999",
    ];
    let mut letters: Vec<char> = text.chars().take(1500).collect();
    for _ in 0..1 + random.below(5) {
        let at = random.below(letters.len() + 1);
        let to = (at + random.below(20)).min(letters.len());
        match random.below(4) {
            0 => drop(letters.drain(at..to)),
            1 => {
                let again: Vec<_> = letters[at..to].to_vec();
                letters.splice(at..at, again);
            }
            2 => drop(letters.splice(at..at, random.of(&PIECES).chars())),
            _ if at < letters.len() => letters[at] = char::from(random.below(128) as u8),
            _ => {}
        }
    }
    letters.into_iter().collect()
}

/// Whatever may be in a file is read or refused in a sentence; what is read stays the same.
#[test]
fn damaged_records_are_read_or_refused() {
    let (mut texts, mut lines) = (corpus(), Vec::new());
    for &variant in VariantId::ALL {
        for seed in 200..204 {
            let game = random_game(variant, &mut Random::new(seed));
            texts.push(write(&game, Format::Pgn, &Default::default(), ""));
            texts.push(hodges(&game, 1, seed % 2 == 0));
            texts.push(usi::write(&game));
            let record = Record { game, head: Head::default() };
            texts.push(FileFormat::Hodges.write(&record, Coordinates::Western));
            lines.push(FileFormat::Jsonl.write(&record, Coordinates::Western));
        }
    }
    let random = &mut Random::new(7);
    let (mut taken, mut refused) = (0, 0);
    for round in 0..2000 {
        let text = damaged(&texts[round % texts.len()], random);
        match check_text(&text, VariantId::Whale) {
            true => taken += 1,
            false => refused += 1,
        }
        let mut bytes = text.into_bytes();
        if let Some(byte) = bytes.get_mut(random.below(1500)) {
            *byte = random.below(256) as u8;
        }
        check_bytes(&bytes);
        check_bytes(damaged(&lines[round % lines.len()], random).as_bytes());
    }
    assert!(taken > 200 && refused > 200, "{taken} taken, {refused} refused");
}
