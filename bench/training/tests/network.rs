//! Networks trained on games made for the purpose.

mod common;

use std::path::Path;
use std::process::{Command, Output};

use common::{Scratch, make, read, settings};
use kujira_data::record::GameRecord;
use kujira_data::sample::samples;
use kujira_position::{Board, Great, Paulowich, Position, Variant, VariantId, Whale};
use kujira_search::eval::{Inputs, NetworkFile};
use kujira_search::{Control, Limits, PAWN, Searcher, Silent};
use kujira_training::net::dataset::{Dataset, Filter};
use kujira_training::net::examples::Examples;
use kujira_training::net::excluded::Excluded;
use kujira_training::net::export::{quantise, restore, shape, shared};
use kujira_training::net::gradient::Network;
use kujira_training::net::outlook::Trace;
use kujira_training::net::report::Report;
use kujira_training::net::settings::Settings;
use kujira_training::net::trainer::ARITHMETIC;
use kujira_training::net::worth::Worth;

const FILTER: Filter = Filter {
    limit: 3000,
    skip_plies: 0,
    held_out: 0.3,
    seed: 5,
    buckets: 4,
    trace: Trace { keep: 0.9, scale: 400 },
};

fn games<V: Variant>(name: &str, count: u64) -> Vec<GameRecord> {
    let scratch = Scratch::new(name);
    let data = scratch.file("games");
    make::<V>(&data, &settings(V::ID), count, 1);
    read(&data)
}

fn dataset<V: Variant>(games: &[GameRecord], filter: &Filter) -> Dataset<V> {
    let mut dataset = Dataset::new(Excluded::default());
    dataset.add(games, filter).unwrap();
    dataset
}

/// Every position is noted with what it has, from the side to move's point of view.
fn positions_are_noted<V: Variant>(name: &str, count: u64) {
    let games = games::<V>(name, count);
    let noted = dataset::<V>(&games, &Filter { held_out: 1.0, ..FILTER });
    assert_eq!((noted.training.len(), noted.games), (0, games.len()));
    let mut all = Vec::new();
    for game in &games {
        let samples = samples::<V>(game).unwrap();
        let outlooks = FILTER.trace.outlooks(&samples);
        all.extend(samples.into_iter().zip(outlooks));
    }
    let quiet: Vec<_> = all.iter().filter(|(sample, _)| sample.is_quiet(FILTER.limit)).collect();
    assert!(quiet.len() > 10 && quiet.len() == noted.held_out.len(), "{}", quiet.len());
    for (position, (sample, outlook)) in quiet.iter().enumerate() {
        let (example, board) = (noted.held_out.get(position), &sample.board);
        assert_eq!(noted.boards[position].key(), board.key());
        for (list, color) in [(example.ours, board.side()), (example.theirs, !board.side())] {
            let mut on = Vec::new();
            // What only the trainer has comes first.
            let first = shared::<V>();
            Inputs::<V>::active(board, color, |input| on.push((first + input) as u16));
            assert_eq!(list, on);
        }
        assert_eq!(example.bucket, Inputs::<V>::bucket(board, FILTER.buckets));
        let label = noted.held_out.label(position);
        assert_eq!((i32::from(label.score), label.result), (sample.score.value(), sample.result));
        assert_eq!(label.outlook, *outlook);
    }
}

#[test]
fn positions_are_noted_with_what_they_have() {
    positions_are_noted::<Whale>("noted-whale", 8);
    positions_are_noted::<Paulowich>("noted-paulowich", 4);
    positions_are_noted::<Great>("noted-great", 1);
}

#[test]
fn games_are_held_out_by_their_opening() {
    let mut games = games::<Whale>("held-out", 40);
    let all = dataset::<Whale>(&games, &FILTER);
    let (kept, out) = (all.training.len(), all.held_out.len());
    assert!(kept > 0 && out > 0, "{kept} {out}");
    let one = |game: &GameRecord| {
        let one = dataset::<Whale>(std::slice::from_ref(game), &FILTER);
        (one.training.len(), one.held_out.len())
    };
    let sides: Vec<_> = games.iter().map(one).collect();
    assert!(sides.iter().all(|&(kept, out)| kept == 0 || out == 0), "{sides:?}");
    assert_eq!(sides.iter().fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1)), (kept, out));
    // Neither its number nor what follows the opening decides where a game goes.
    for (number, game) in games.iter_mut().enumerate() {
        game.number = 1000 - number as u32;
    }
    assert_eq!(games.iter().map(one).collect::<Vec<_>>(), sides);
    let another = dataset::<Whale>(&games, &Filter { seed: 6, ..FILTER });
    assert_ne!(another.held_out.len(), out);

    let late = dataset::<Whale>(&games, &Filter { skip_plies: 20, ..FILTER });
    assert!(late.training.len() < kept && late.held_out.len() < out);
    let distinct = all.distinct();
    let doubled = [&games[..], &games[..]].concat();
    assert_eq!(dataset::<Whale>(&doubled, &FILTER).distinct(), distinct);
    assert!(distinct <= kept + out);
}

/// A network drawn at random comes to nearly the same in integers, and to the same from a file.
fn integers_are_close<V: Variant>(name: &str, count: u64, buckets: usize) {
    let filter = Filter { held_out: 1.0, buckets, ..FILTER };
    let dataset = dataset::<V>(&games::<V>(name, count), &filter);
    let settings = Settings { hidden: 48, buckets, seed: 3, ..Settings::default() };
    let shape = shape::<V>(&settings);
    let mut parameters = shape.random(dataset.held_out.mean_inputs(), settings.seed);
    for (bias, parameter) in parameters[shape.output_biases()].iter_mut().enumerate() {
        *parameter = bias as f32 - 0.7;
    }
    let copies = Inputs::<V>::ZONES * shared::<V>() * settings.hidden;
    let rows = shape.rows().end;
    for (number, weight) in parameters[rows - copies..rows].iter_mut().enumerate() {
        *weight = (number % 13) as f32 / 60.0 - 0.1;
    }
    // As far as training would let them get.
    for (range, most) in shape.bounds() {
        parameters[range].iter_mut().for_each(|weight| *weight = weight.clamp(-most, most));
    }
    let net = quantise::<V>(&settings, &parameters);
    let bytes = net.to_bytes::<V>().unwrap();
    assert_eq!(NetworkFile::from_bytes::<V>(&bytes).as_ref(), Ok(&net));
    assert_eq!((net.hidden, net.buckets, net.scale), (48, buckets, 400));
    let built_in = NetworkFile::built_in::<V>();
    assert_eq!((&net.on_board, &net.in_hand), (&built_in.on_board, &built_in.in_hand));
    let restored = restore::<V>(&settings, &net).unwrap();
    assert_eq!(quantise::<V>(&settings, &restored), net);

    // Each input has a weight that is rounded: 50 are on at 6×6, 59 at 7×7, 103 at 11×11.
    let (mean, most) = if V::ID == VariantId::Great { (10.0, 30.0) } else { (8.0, 25.0) };
    let mut network = Network::new(shape);
    let mut summed = parameters.clone();
    shape.sum_up(&mut summed);
    for (position, board) in dataset.boards.iter().enumerate() {
        let output = network.output(&summed, dataset.held_out.get(position));
        let (floating, integer) = (400.0 * output, net.score::<V>(board) as f32);
        assert!(f64::from((floating - integer).abs()) < most, "{floating} {integer}");
    }
    let (held_out, boards) = (&dataset.held_out, &dataset.boards);
    let report = Report::of::<V>(&settings, &parameters, &net, held_out, boards);
    assert!(report.apart.0 < mean && report.apart.1 < most, "{report:?}");
    assert!((report.floating.loss - report.integer.loss).abs() < 0.01, "{report:?}");
    assert!(report.sizes.iter().all(|size| (10.0..3000.0).contains(size)), "{report:?}");
}

#[test]
fn networks_in_integers_are_close_to_those_in_floating_point() {
    integers_are_close::<Whale>("integers-whale", 6, 1);
    integers_are_close::<Paulowich>("integers-paulowich", 4, 3);
    // One game alone is all of one kind: the mean would be that of its network.
    integers_are_close::<Great>("integers-great", 3, 2);
}

/// The greatest weights that training can find are within what the engine accepts.
#[test]
fn networks_at_their_bounds_are_accepted() {
    fn check<V: Variant>() {
        let settings = Settings { hidden: 16, ..Settings::default() };
        let shape = shape::<V>(&settings);
        for sign in [1.0, -1.0] {
            let mut parameters = vec![0.0; shape.len()];
            for (range, most) in shape.bounds() {
                parameters[range].fill(sign * most);
            }
            let net = quantise::<V>(&settings, &parameters);
            assert_eq!(net.check::<V>(), Ok(()));
            let least = match V::ID {
                VariantId::Whale | VariantId::Paulowich => 252,
                VariantId::Great => 183,
            };
            assert!(net.weights.iter().all(|weight| weight.abs() >= least), "{}", net.weights[0]);
        }
    }
    check::<Whale>();
    check::<Paulowich>();
    check::<Great>();
}

/// What the direct unit says is a sum, in centipawns: neither clipped nor squared.
#[test]
fn the_direct_unit_is_measured_in_centipawns() {
    let games = games::<Whale>("direct", 8);
    let filter = Filter { held_out: 1.0, buckets: 1, ..FILTER };
    let dataset = dataset::<Whale>(&games, &filter);
    let settings = Settings { hidden: 16, ..Settings::default() };
    let shape = shape::<Whale>(&settings);
    let mut parameters = vec![0.0; shape.len()];
    // Nothing but the move counts: 2 × 1/8 of 400 centipawns for whoever has it.
    parameters[shape.hidden_biases().end - 1] = 2.0;
    parameters[shape.outputs().start + shape.direct()[0]] = 0.125;
    let net = quantise::<Whale>(&settings, &parameters);
    assert_eq!(restore::<Whale>(&settings, &net), Ok(parameters.clone()));
    let (held_out, boards) = (&dataset.held_out, &dataset.boards);
    let report = Report::of::<Whale>(&settings, &parameters, &net, held_out, boards);
    assert_eq!(report.sizes[1], 100.0);
    assert!(report.apart.1 < 1e-3, "{report:?}");
    assert_eq!(report.floating, report.integer);
}

#[test]
fn examples_do_not_depend_on_threads() {
    let games = games::<Whale>("threads", 30);
    let on = |threads: usize| -> (Examples, Examples) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let all = pool.install(|| dataset::<Whale>(&games, &FILTER));
        (all.training, all.held_out)
    };
    assert_eq!(on(1), on(4));
    assert_eq!(on(1).0.checksum(), on(4).0.checksum());
}

/// `kujira-training train` on small steps.
fn train(data: &Path, out: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kujira-training"))
        .args(["train", "--game", "whale", "--hidden", "16", "--batch", "256", "--rate", "0.01"])
        .args(["--held-out", "0.2", "--data"])
        .arg(data)
        .arg("--out")
        .arg(out)
        .args(more)
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn refused(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A column of the table of losses.
fn column(table: &Path, name: &str) -> Vec<f64> {
    let text = std::fs::read_to_string(table).unwrap();
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    let index = header.split(',').position(|title| title == name).unwrap();
    lines.map(|line| line.split(',').nth(index).unwrap().parse().unwrap()).collect()
}

/// From nothing to a network: games, a training whose loss falls, a file that the engine reads.
#[test]
fn a_small_network_is_made_from_nothing() {
    let scratch = Scratch::new("nothing");
    let data = scratch.file("games");
    // On several threads chance would order the games, and with them what is learnt.
    make::<Whale>(&data, &settings(VariantId::Whale), 300, 1);
    let more = ["--epochs", "3", "--buckets", "2", "--lambda-end", "0.1"];
    let out = scratch.file("whale.net");
    let text = said(&train(&data, &out, &more));
    assert!(
        text.starts_with("300 games, 0 left out: ") && text.contains("\nepoch   3/3  training 0."),
        "{text}"
    );
    assert!(
        text.contains("\n  scores of the search 0.") && text.contains(" centipawns off"),
        "{text}"
    );

    let table = scratch.file("whale.csv");
    assert_eq!(column(&table, "epoch"), [1.0, 2.0, 3.0]);
    for name in ["training", "held_out", "held_out_scores"] {
        let losses = column(&table, name);
        assert!(losses[2] < losses[1] && losses[1] < losses[0], "{name}: {losses:?}");
    }
    let bytes = std::fs::read(&out).unwrap();
    let net = NetworkFile::from_bytes::<Whale>(&bytes).unwrap();
    assert_eq!((net.hidden, net.buckets, net.scale), (16, 2, 400));
    let told = text.lines().find(|line| line.contains(" in hand counts ")).unwrap();
    let counts = format!("counts {} of the network's centipawns, 100 as scores are told", net.pawn);
    assert!(told.ends_with(&counts) && net.pawn != PAWN, "{told}");

    // What it counts for pieces is told, and it can be written once more.
    let worth = |game: &str, more: &[&str]| {
        let (net, data) = (out.display().to_string(), data.display().to_string());
        let first = ["worth", "--game", game, "--net", &net, "--data", &data];
        let all = [&first[..], more].concat();
        Command::new(env!("CARGO_BIN_EXE_kujira-training")).args(all).output().unwrap()
    };
    let again = scratch.file("again.net");
    let text =
        said(&worth("whale", &["--positions", "500", "--out", &again.display().to_string()]));
    assert!(text.contains("\nmean over 500 positions of ") && text.contains("\nD "), "{text}");
    let line = text.lines().find(|line| line.starts_with("D ")).unwrap();
    let words: Vec<_> = line.split_whitespace().collect();
    let &[.., held, "±", width] = &words[..] else { panic!("{text}") };
    let [held, width] = [held, width].map(|word| word.parse::<i32>().unwrap());
    // But for rounding.
    assert!((held - PAWN).abs() <= 1 && width > 0, "{text}");
    let written = NetworkFile::from_bytes::<Whale>(&std::fs::read(&again).unwrap()).unwrap();
    assert_eq!(NetworkFile { pawn: net.pawn, ..written }, net);
    let error = refused(&worth("whale", &["--positions", "0"]));
    assert!(error.contains("invalid value '0'"), "{error}");
    let error = refused(&worth("great", &[]));
    assert!(
        error.contains("whale.net: expected a network for great, found one for whale"),
        "{error}"
    );

    // The engine plays with it.
    let mut searcher = Searcher::<Whale>::new();
    searcher.set_network(Some(&bytes)).unwrap();
    let mut position = Position::start();
    assert!(searcher.explain(&position).contains("a network of 16 hidden units"));
    while position.moves_made() < 40 && position.outcome().is_none() {
        let limits = Limits { nodes: Some(300), ..Limits::default() };
        let found = searcher.search(&position, &limits, &Control::new(), &Silent).unwrap();
        let Some(best) = found.best() else { break };
        position.play(best).unwrap();
    }
    assert!(position.moves_made() >= 10, "{position}");
    assert!(std::fs::read_to_string(scratch.file("whale.svg")).unwrap().contains("\n<svg"));

    // Once more there is nothing left to do, and the same network comes out; anew it does as well.
    let text = said(&train(&data, &out, &more));
    assert!(text.contains("going on after ") && !text.contains("epoch "), "{text}");
    assert_eq!(std::fs::read(&out).unwrap(), bytes);
    let anew = [&more[..], &["--anew", "--threads", "1"]].concat();
    assert!(said(&train(&data, &out, &anew)).contains("\nepoch   3/3  "));
    assert_eq!(std::fs::read(&out).unwrap(), bytes);

    // Another arithmetic.
    let checkpoint = scratch.file("whale.checkpoint");
    let found = std::fs::read(&checkpoint).unwrap();
    let mut other = found.clone();
    let line = format!("arithmetic {ARITHMETIC}\n");
    let at = other.windows(line.len()).position(|bytes| bytes == line.as_bytes()).unwrap();
    other[at + line.len() - 2] = b'0';
    let end = other.len() - 4;
    let checksum = crc32fast::hash(&other[..end]);
    other[end..].copy_from_slice(&checksum.to_le_bytes());
    std::fs::write(&checkpoint, &other).unwrap();
    let error = refused(&train(&data, &out, &more));
    let expected = format!("\"arithmetic 0\" there, \"arithmetic {ARITHMETIC}\" here\n");
    assert!(error.ends_with(&expected), "{error}");
    std::fs::write(&checkpoint, &found).unwrap();

    // Other settings, other positions.
    let error = refused(&train(&data, &out, &[&more[..], &["--seed", "2"]].concat()));
    assert!(error.contains("\"seed 1\" there, \"seed 2\" here"), "{error}");
    let error = refused(&train(&data, &out, &[&more[..], &["--trace", "0.5"]].concat()));
    assert!(error.contains("\"trace 1\" there, \"trace 0.5\" here"), "{error}");
    // A set that meets games held out alone changes what is judged by.
    let openings = scratch.file("openings");
    let mut told = false;
    for game in read(&data).iter().take(60) {
        let mut position = Position::<Whale>::start();
        let mut line = String::from("startpos moves");
        for &m in &game.opening {
            line.push_str(&format!(" {}", position.usi(m)));
            position.make(m);
        }
        std::fs::write(&openings, format!("{line}\n")).unwrap();
        let excluded = ["--exclude", &openings.display().to_string()];
        let error = refused(&train(&data, &out, &[&more[..], &excluded].concat()));
        let [learnt, held_out] =
            [" \"positions ", "\"held-out-positions "].map(|name| error.contains(name));
        told = held_out && !learnt;
        if told {
            break;
        }
    }
    assert!(told);
    let error = refused(&train(&data, &out, &[&more[..], &["--limit", "300"]].concat()));
    assert!(
        error.contains("whale.checkpoint: expected the settings") && error.contains("positions")
    );
    assert_eq!(std::fs::read(&out).unwrap(), bytes);
}

#[test]
fn a_training_begins_with_a_network() {
    let scratch = Scratch::new("begin");
    let data = scratch.file("games");
    make::<Whale>(&data, &settings(VariantId::Whale), 40, 1);
    let (first, out) = (scratch.file("first.net"), scratch.file("next.net"));
    said(&train(&data, &first, &["--epochs", "4"]));
    let start = first.display().to_string();
    let more = ["--start", &start, "--epochs", "1"];
    said(&train(&data, &out, &more));
    let losses = |name: &str| column(&scratch.file(name), "training");
    let (next, before) = (losses("next.csv"), losses("first.csv"));
    assert!(next[0] < before[1] && before[1] < before[0], "{next:?} {before:?}");
    let reached = std::fs::read(&out).unwrap();
    let anew = [&more[..], &["--anew", "--threads", "1"]].concat();
    let text = said(&train(&data, &out, &anew));
    assert!(text.contains("\nepoch   1/1  "), "{text}");
    assert_eq!(std::fs::read(&out).unwrap(), reached);

    // Buckets begin alike.
    let more = ["--start", &start, "--epochs", "1", "--buckets", "2"];
    let split = scratch.file("split.net");
    said(&train(&data, &split, &more));
    let losses = losses("split.csv");
    assert!(losses[0] < before[1], "{losses:?} {before:?}");
    let start = split.display().to_string();
    let error = refused(&train(&data, &scratch.file("other.net"), &["--start", &start]));
    assert!(error.contains("split.net: buckets: expected 1, found 2\n"), "{error}");
    let start = first.display().to_string();

    // Another network at the start is another training, and so is none.
    let second = scratch.file("second.net");
    said(&train(&data, &second, &["--epochs", "1", "--seed", "2"]));
    let others = second.display().to_string();
    let error = refused(&train(&data, &out, &["--epochs", "1", "--start", &others]));
    let sum = |path: &Path| {
        let bytes = std::fs::read(path).unwrap();
        u32::from_le_bytes(*bytes.last_chunk().unwrap())
    };
    let [there, here] = [&first, &second].map(|path| format!("\"start {:08x}\"", sum(path)));
    assert!(error.contains(&format!(": {there} there, {here} here\n")), "{error}");
    let error = refused(&train(&data, &out, &["--epochs", "1"]));
    assert!(error.contains(&format!(": {there} there, \"nothing\" here\n")), "{error}");
    assert_eq!(std::fs::read(&out).unwrap(), reached);
    let error = refused(&train(&data, &first, &["--start", &start]));
    assert!(error.contains("first.net: expected another file than --start\n"), "{error}");

    let other = scratch.file("other.net");
    let error = refused(&train(&data, &other, &["--start", &start, "--scale", "300"]));
    assert!(error.contains("first.net: scale: expected 300, found 400\n"), "{error}");
    for (path, expected) in [
        (data.clone(), "games: expected a network of Kujira, found something else"),
        (scratch.file("none.net"), "none.net: "),
        (
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/search/nets/great.net"),
            "great.net: expected a network for whale, found one for great",
        ),
    ] {
        let error = refused(&train(&data, &other, &["--start", &path.display().to_string()]));
        assert!(error.contains(expected), "{error}");
    }
    assert!(!other.exists());
}

/// A hundred is a dolphin or the average calf in hand. In these positions, of random play, the networks may count a
/// little more for one than in games.
fn scores_are_told_in_pawns<V: Variant>() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let id = V::SPEC.id;
    let bytes = std::fs::read(root.join(format!("engine/search/nets/{id}.net"))).unwrap();
    let net = NetworkFile::from_bytes::<V>(&bytes).unwrap();
    let positions = root.join(format!("bench/positions/{id}.sfen"));
    let boards: Vec<Board<V>> = std::fs::read_to_string(positions)
        .unwrap()
        .lines()
        .map(|line| *Position::<V>::from_sfen(line).unwrap().board())
        .collect();
    let pawn = Worth::of::<V>(&net, &boards).pawn::<V>().unwrap() / f64::from(net.pawn);
    assert!((0.97..=1.27).contains(&pawn), "{id}: {pawn}");
}

#[test]
fn networks_built_in_are_told_in_pawns() {
    scores_are_told_in_pawns::<Whale>();
    scores_are_told_in_pawns::<Paulowich>();
    scores_are_told_in_pawns::<Great>();
}

/// What matches begin with is not learnt from: whole games that meet such a position are left out.
#[test]
fn games_that_meet_an_excluded_position_are_left_out() {
    let games = games::<Whale>("excluded", 12);
    let all = dataset::<Whale>(&games, &FILTER);
    let met = |game: &GameRecord, key| {
        samples::<Whale>(game).unwrap().iter().any(|sample| sample.board.key() == key)
    };
    let start = Position::<Whale>::start();
    let (mut late, mut moves) = (start.clone(), String::new());
    for &m in &games[3].opening {
        moves.push_str(&format!(" {}", late.usi(m)));
        late.make(m);
    }
    let scratch = Scratch::new("excluded-files");
    let openings = scratch.file("openings");
    let mut excluded = Excluded::default();
    // Whatever a match can begin from.
    for line in [
        format!("startpos moves{moves}"),
        format!("position startpos moves{moves}"),
        format!("sfen {} ; c0 \"a test\";", late.sfen()),
        format!("{} c0 \"a test\";", late.sfen()),
        format!("; a comment\r\n{}\t;D1 7\r\n\n\n", late.sfen().replace(' ', "\t")),
        late.sfen(),
    ] {
        std::fs::write(&openings, format!("\u{feff}# a match\n\nstartpos\n{line}\n")).unwrap();
        excluded = Excluded::default();
        excluded.read::<Whale>(&openings).unwrap();
        assert!(excluded.contains(late.board()) && excluded.contains(start.board()), "{line}");
    }
    let mut fewer = Dataset::<Whale>::new(excluded);
    fewer.add(&games, &FILTER).unwrap();
    let left_out = games.iter().filter(|game| met(game, late.board().key())).count();
    assert!((1..games.len()).contains(&left_out));
    assert_eq!((fewer.games, fewer.left_out, all.left_out), (games.len(), left_out, 0));
    assert!(fewer.boards.len() + fewer.training.len() < all.boards.len() + all.training.len());
    for (text, expected) in [
        ("startpos moves 9z9z", ": line 1: move 1: expected a USI move"),
        ("startpos\nxyz", ": line 2: expected 6 ranks"),
        ("sfen 6/6 b - 1", ": line 1: expected 6 ranks"),
    ] {
        std::fs::write(&openings, text).unwrap();
        let error = Excluded::default().read::<Whale>(&openings).unwrap_err();
        let expected = format!("{}{expected}", openings.display());
        assert!(error.to_string().starts_with(&expected), "{error}");
    }
}

/// Two trainings of one network would write over each other's checkpoints.
#[test]
fn a_network_is_trained_by_one_run_at_a_time() {
    let scratch = Scratch::new("locked");
    let data = scratch.file("games");
    make::<Whale>(&data, &settings(VariantId::Whale), 30, 1);
    let out = scratch.file("d2.5");
    let lock = std::fs::File::create(scratch.file("d2.5.lock")).unwrap();
    lock.lock().unwrap();
    let error = refused(&train(&data, &out, &["--epochs", "1"]));
    let expected = "d2.5.lock: expected a network that nobody trains, found it in use";
    assert!(error.contains(expected), "{error}");
    assert!(!scratch.file("d2.5.checkpoint").exists());
    // One of a like name is another one.
    let other = scratch.file("d2.6");
    said(&train(&data, &other, &["--epochs", "1"]));
    drop(lock);
    said(&train(&data, &out, &["--epochs", "2"]));
    for name in ["d2.5.checkpoint", "d2.6.checkpoint", "d2.6.csv", "d2.6.svg"] {
        assert!(scratch.file(name).exists(), "{name}");
    }
    assert_eq!(column(&scratch.file("d2.6.csv"), "epoch"), [1.0]);
}

/// Games of several evaluations may be learnt from together; it is said.
#[test]
fn a_mixture_of_evaluations_is_noted() {
    let scratch = Scratch::new("mixture");
    let (data, other) = (scratch.file("games"), scratch.file("other"));
    let (old, mixed) = (scratch.file("old"), scratch.file("mixed.net"));
    make::<Whale>(&data, &settings(VariantId::Whale), 30, 1);
    // The same games with other settings in the header.
    let bytes = std::fs::read(&data).unwrap();
    let header = 19 + settings(VariantId::Whale).to_string().len();
    let copy = |path: &Path, settings: &str| {
        let mut checked = bytes[8..11].to_vec();
        checked.extend(u32::try_from(settings.len()).unwrap().to_le_bytes());
        let checksum = crc32fast::hash(&[&checked, settings.as_bytes()].concat());
        let begin = [&bytes[..8], &checked, &checksum.to_le_bytes(), settings.as_bytes()];
        std::fs::write(path, [&begin.concat(), &bytes[header..]].concat()).unwrap();
    };
    copy(&other, "evaluation network 00000000 weights 00000000\n");
    copy(&old, "nodes 100\n");
    let trained = |more: &Path| {
        let more = more.display().to_string();
        said(&train(&data, &mixed, &["--data", &more, "--anew", "--epochs", "1"]))
    };
    let note = "note: 2 evaluations made the scores: network 00000000 weights 00000000; ";
    let text = trained(&other);
    assert!(text.lines().any(|line| line.starts_with(note)), "{text}");
    // Older files do not say, which is to be known, too.
    assert!(trained(&old).contains("note: 2 evaluations made the scores: "));
    let text = trained(&data);
    assert!(!text.contains("note:"), "{text}");
}

/// Ctrl-C ends a training after a step; gone on with it finds what it would have found.
#[cfg(unix)]
#[test]
fn an_interrupted_training_goes_on() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let scratch = Scratch::new("interrupted");
    let data = scratch.file("games");
    make::<Whale>(&data, &settings(VariantId::Whale), 30, 1);
    let more = ["--epochs", "60", "--threads", "1"];
    said(&train(&data, &scratch.file("whole.net"), &more));

    let parts = ["net", "checkpoint", "csv", "svg", "lock"].map(|end| format!("parts.{end}"));
    let [out, checkpoint, table, ..] = parts.each_ref().map(|name| scratch.file(name));
    let losses = |name: &str| column(&scratch.file(name), "held_out");
    let compare = || {
        assert_eq!(std::fs::read(&out).unwrap(), std::fs::read(scratch.file("whole.net")).unwrap());
        assert_eq!(losses("parts.csv"), losses("whole.csv"));
        assert_eq!(losses("parts.csv").len(), 60);
    };
    let mut pauses = 0;
    while pauses < 3 {
        let _ = std::fs::remove_file(&table);
        let child = Command::new(env!("CARGO_BIN_EXE_kujira-training"))
            .args([
                "train", "--game", "whale", "--hidden", "16", "--batch", "256", "--rate", "0.01",
            ])
            .args(["--held-out", "0.2", "--data"])
            .arg(&data)
            .arg("--out")
            .arg(&out)
            .args(more)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // It is begun when all is read, and the handler is in place before.
        kujira_trial::wait_until("the training begins", || table.exists());
        kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        if !text.contains("stopped before the end; the same command goes on") {
            // It came to its end before the signal: one more is begun anew.
            assert!(output.status.success(), "{error}");
            compare();
            for name in &parts {
                let _ = std::fs::remove_file(scratch.file(name));
            }
            continue;
        }
        // A script does not go on as if there were a network.
        assert_eq!(output.status.code(), Some(130), "{error}");
        assert!(error.contains("finishing the step in progress"), "{error}");
        assert!(checkpoint.exists() && !out.exists());
        pauses += 1;
    }
    said(&train(&data, &out, &more));
    compare();
}

#[test]
fn wrong_arguments_are_named() {
    let scratch = Scratch::new("train-wrong");
    let (data, great) = (scratch.file("games"), scratch.file("great"));
    make::<Whale>(&data, &settings(VariantId::Whale), 4, 1);
    make::<Great>(&great, &settings(VariantId::Great), 1, 1);
    let out = scratch.file("x.net");
    let again = "cannot be used multiple times";
    for (more, expected) in [
        (["--lambda-end", "1.5"], "lambda: expected 0 to 1, found 1.5"),
        (["--buckets", "0"], "buckets: expected 1 to 16, found 0"),
        (["--hidden", "40"], again),
        (["--held-out", "0"], again),
        (["--trace", "2"], "trace: expected 0 to 1, found 2"),
        (["--scale", "0"], "scale: expected 1 to 10000, found 0"),
        (["--limit", "0"], "invalid value '0'"),
        (["--threads", "0"], "invalid value '0'"),
        (
            ["--skip-plies", "9999"],
            "expected positions to learn from and others to judge by, found 0",
        ),
    ] {
        let error = refused(&train(&data, &out, &more));
        assert!(error.contains(expected), "{more:?}: {error}");
    }
    let error = refused(&train(&great, &out, &[]));
    assert!(error.contains("great: expected games of whale, found games of great"), "{error}");
    for taken in ["x.checkpoint", "x.csv", "x.svg", "x.lock"] {
        let error = refused(&train(&data, &scratch.file(taken), &[]));
        assert!(error.contains("--out: expected another extension"), "{error}");
    }
    // What cannot be written to is found out before the work.
    let folder = scratch.file("folder.net");
    std::fs::create_dir(&folder).unwrap();
    let error = refused(&train(&data, &folder, &[]));
    assert!(error.contains("folder.net: expected a file or nothing, found a folder"), "{error}");
    let error = refused(&train(&data, &scratch.file("none/y.net"), &[]));
    assert!(error.contains("y.net: expected a folder to write in, found none"), "{error}");
    let checkpoint = scratch.file("x.checkpoint");
    std::fs::write(&checkpoint, "something else").unwrap();
    let error = refused(&train(&data, &out, &[]));
    assert!(
        error.contains("x.checkpoint: expected a checkpoint or no file, found something else"),
        "{error}"
    );
    assert_eq!(std::fs::read_to_string(&checkpoint).unwrap(), "something else");
    assert!(!out.exists());
}
