//! Books made by hand, and small ones made by searches.

use std::sync::atomic::AtomicBool;

use kujira_position::{Color, Position, Variant, VariantId, Whale, with_variant};
use kujira_record::book::{Searched, head, read};
use kujira_record::played::{GameId, GameRecord, Player};
use kujira_usi::{Ending, Reason, Score};
use serde_json::json;

use super::*;

/// The lines of a book of Whale Shogi.
fn searched(lines: &[String]) -> Vec<Searched<Whale>> {
    let text = format!("{}\n{}\n", head(VariantId::Whale), lines.join("\n"));
    let found = read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    found.searched.into_iter().map(|(_, searched)| searched).collect()
}

/// A line for the position that moves lead to, with one-move lines and their scores.
fn line(played: &str, nodes: u64, moves: &[(i32, &str)]) -> String {
    let moves = moves.iter().map(|(score, m)| format!(" score cp {score} pv {m};"));
    let moves: String = moves.collect();
    match played.split_once(" moves ").map_or(played, |(start, _)| start) {
        "startpos" => format!("{played} ;depth 1; nodes {nodes};{moves}"),
        _ => format!("{played} depth 1; nodes {nodes};{moves}"),
    }
}

fn at(graph: &Graph<Whale>, played: &str) -> usize {
    let mut position = Position::start();
    for text in played.split_ascii_whitespace() {
        position.make(position.parse_usi(text).unwrap());
    }
    graph.find(&position).unwrap()
}

#[test]
fn what_is_reached_in_two_ways_is_one_position() {
    let orders = ["2e2d 5b5c 3e3d", "3e3d 5b5c 2e2d"];
    let lines = [
        line("startpos", 9, &[(30, "2e2d"), (20, "3e3d")]),
        line(&format!("startpos moves {}", orders[0]), 9, &[(-5, "6b6c"), (-9, "4b4c")]),
        line(&format!("startpos moves {}", orders[1]), 8, &[(7, "6b6c"), (-6, "3b3c")]),
    ];
    let graph = Graph::of(&searched(&lines));
    assert_eq!((graph.len(), at(&graph, orders[0])), (2, at(&graph, orders[1])));
    // Of a move the search with the most nodes counts; the others are added.
    let told = graph.told(&Values::of(&graph), at(&graph, orders[0]));
    let told: Vec<_> = told.iter().map(|told| told.search).collect();
    assert_eq!(told, [-5, -6, -9].map(Score::Cp));
}

#[test]
fn scores_are_backed_up_from_where_they_were_searched() {
    let lines = [
        line("startpos", 9, &[(30, "2e2d"), (20, "3e3d"), (5, "1e1d")]),
        line("startpos moves 2e2d", 9, &[(0, "5b5c"), (-10, "4b4c")]),
        line("startpos moves 3e3d", 9, &[(-25, "5b5c")]),
        format!("{} ;depth 1; nodes 9; score mate -4 pv 6b6c;", "startpos moves 1e1d"),
    ];
    let book = |count: usize| {
        let graph = Graph::of(&searched(&lines[..count]));
        let values = Values::of(&graph);
        (score_of(values.get(at(&graph, ""))), graph.leaves(&values, 20))
    };
    assert_eq!(book(1).0, Score::Cp(30));
    assert_eq!(book(2).0, Score::Cp(20));
    assert_eq!(book(3).0, Score::Cp(25));
    assert_eq!(book(4).0, Score::Mate(5));
    // What is lost or won is not followed any more.
    assert_eq!(book(4).1, []);
    // A ply costs 20, a loss what it is, a move that nobody told of as much as the worst told of.
    let costs: Vec<u64> = book(1).1.iter().map(|&(cost, _)| cost).collect();
    assert_eq!(costs, [20, 30, 45, 45]);
    let costs: Vec<u64> = book(2).1.iter().map(|&(cost, _)| cost).collect();
    assert_eq!(costs, [20, 35, 35, 20 + 20 + 20, 20 + 20 + 30, 20 + 20 + 30][..].to_vec());
}

/// Both whales step out and back: Black need not lose by 300 and White not by 400.
#[test]
fn coming_back_is_a_draw_that_nobody_need_better() {
    let value = |black: i32, white: i32| {
        let start = "3e3d 4b4c";
        let [b, c, d] =
            ["4f3e", "4f3e 3a4b", "4f3e 3a4b 3e4f"].map(|rest| format!("{start} {rest}"));
        // What the searches say of coming back is nonsense on purpose.
        let two = |m: &'static str, other: &'static str, score: i32| {
            let mut moves = [(77, m), (score, other)];
            moves.sort_by_key(|&(score, _)| -score);
            moves
        };
        let lines = [
            line(&format!("startpos moves {start}"), 9, &two("4f3e", "6e6d", black)),
            line(&format!("startpos moves {b}"), 9, &two("3a4b", "6b6c", white)),
            line(&format!("startpos moves {c}"), 9, &two("3e4f", "6e6d", black)),
            line(&format!("startpos moves {d}"), 9, &two("4b3a", "6b6c", white)),
        ];
        let graph = Graph::of(&searched(&lines));
        assert_eq!(graph.len(), 4);
        let values = Values::of(&graph);
        let line = graph.best_line(&values, at(&graph, start));
        ([start, &b, &c, &d].map(|played| values.get(at(&graph, played))), line.len())
    };
    // Who can have something does not walk round it; who cannot does not mind.
    assert_eq!((value(50, -400).1, value(-300, 60).1, value(50, 60).1), (1, 2, 1));
    assert_eq!(value(-300, -400).0, [0, 0, 0, 0]);
    assert_eq!(value(50, -400).0, [50, -50, 50, -50]);
    assert_eq!(value(-300, 60).0, [-60, 60, -60, 60]);
    // Both have something better than coming back, each at their turn.
    assert_eq!(value(50, 60).0, [50, 60, 50, 60]);
}

/// A killer whale that gives check for ever loses by it.
#[test]
fn perpetual_check_is_no_draw() {
    const CHECK: [(&str, &str, &str); 4] = [
        ("5K/w5/6/6/6/3W2 b - 1", "1a1b", "1a2a"),
        ("6/w4K/6/6/6/3W2 w - 1", "6b6a", "6b5c"),
        ("w5/5K/6/6/6/3W2 b - 1", "1b1a", "1b2b"),
        ("w4K/6/6/6/6/3W2 w - 1", "6a6b", "6a5b"),
    ];
    let book = |white: i32| {
        let lines = CHECK.iter().enumerate().map(|(index, (sfen, m, other))| {
            let score = if index % 2 == 0 { -900 } else { white };
            line(sfen, 9, &[(5000, m), (score, other)])
        });
        let graph = Graph::of(&searched(&lines.collect::<Vec<_>>()));
        let values = Values::of(&graph);
        let position = |sfen| graph.find(&Position::from_sfen(sfen).unwrap()).unwrap();
        CHECK.map(|(sfen, ..)| values.get(position(sfen)))
    };
    assert_eq!(book(800), [-900, 900, -900, 900]);
    assert_eq!(book(1000), [-900, 1000, -900, 1000]);
}

#[test]
fn merging_is_the_same_in_every_order_and_keeps_what_counts() {
    let deep = line("startpos", 90, &[(30, "2e2d"), (20, "3e3d")]);
    let shallow = line("startpos", 9, &[(44, "3e3d"), (40, "2e2d")]);
    let more = line("startpos", 9, &[(44, "1e1d"), (40, "2e2d")]);
    let other = line("startpos moves 2e2d", 9, &[(0, "5b5c")]);
    let all = [deep, shallow, more, other].map(|text| searched(&[text]).remove(0).to_string());
    let [deep, _, more, other] = all.clone();
    let mut expected = [deep, more, other];
    expected.sort();
    let mut lines = all.to_vec();
    for _ in 0..2 {
        assert_eq!(merged(searched(&lines)), expected);
        lines.reverse();
    }
    lines.extend(all);
    assert_eq!(merged(searched(&lines)), expected);
    assert_eq!(merged(searched(&expected)), expected);
}

#[test]
fn engines_are_given_what_was_searched_well() {
    let lines = [
        line("startpos", 50, &[(30, "2e2d"), (28, "3e3d"), (25, "1e1d")]),
        line("startpos moves 2e2d", 30, &[(-20, "5b5c")]),
        line("startpos moves 3e3d", 30, &[(-15, "5b5c")]),
        line("startpos moves 1e1d", 2, &[(-14, "5b5c")]),
    ];
    let graph = Graph::of(&searched(&lines));
    let moves = |nodes, margin| -> Vec<String> {
        let book = compact(&graph, Worth { nodes, margin });
        let found = book.moves(Position::<Whale>::start().key()).iter();
        found.map(|found| format!("{} {}", found.text, found.score)).collect()
    };
    assert_eq!(moves(112, 10), ["2e2d +0.20", "3e3d +0.15"]);
    assert_eq!(moves(112, 4), ["2e2d +0.20"]);
    assert_eq!(moves(8, 10), ["2e2d +0.20", "3e3d +0.15", "1e1d +0.14"]);
    assert_eq!(moves(113, 10), [""; 0]);
    // Its best move has not been looked at closely.
    assert_eq!(moves(121, 10), [""; 0]);
}

/// Whatever the game: the values are those of the best moves, and no line is lost on the way through text.
#[test]
fn a_built_book_is_consistent() {
    fn build<V: Variant>() {
        let effort = Effort { nodes: 300, lines: 3, hash: 1, per_ply: 20 };
        let mut builder = Builder::<V>::new(Graph::default(), effort, 7).unwrap();
        let mut text = format!("{}\n", head(V::ID));
        while builder.graph().len() < 40 {
            let found = builder.step(&AtomicBool::new(false)).unwrap().unwrap();
            assert!(found.nodes <= 300 && found.lines.len() <= 3, "{found}");
            text += &format!("{found}\n");
        }
        let found = read::<V>(&text).unwrap();
        let graph = Graph::of(found.searched.iter().map(|(_, searched)| searched));
        assert_eq!((found.cut, graph.len()), (None, 40));
        let (values, before) = (Values::of(&graph), Values::of(builder.graph()));
        let start = graph.find(&Position::start()).unwrap();
        assert_eq!(graph.count(start), 40, "all can be reached");
        for index in 0..graph.len() {
            let told = graph.told(&values, index);
            let best = told.first().map(|told| told.book.unwrap_or(told.search));
            assert_eq!(best, Some(score_of(values.get(index))));
        }
        assert_eq!(
            values.get(start),
            before.get(builder.graph().find(&Position::start()).unwrap())
        );
    }
    for &game in VariantId::ALL {
        with_variant!(game, V => build::<V>());
    }
}

/// A game of these moves from the start.
fn game(moves: &str, ending: Ending) -> GameRecord {
    GameRecord {
        id: GameId::default(),
        variant: "whale".to_owned(),
        black: Player::default(),
        white: Player::default(),
        opening: format!("startpos moves {moves}"),
        moves: Vec::new(),
        ending,
        detail: String::new(),
    }
}

#[test]
fn the_board_is_told_of_the_book_and_of_games() {
    let lines = [
        line("startpos", 9, &[(30, "2e2d"), (20, "3e3d")]),
        line("startpos moves 2e2d", 9, &[(-12, "5b5c"), (-25, "4b4c")]),
        format!("{} ;depth 4; nodes 9; score mate 3 pv 6b6c;", "startpos moves 3e3d"),
    ];
    let graph = Graph::of(&searched(&lines));
    let mut results = Results::<Whale>::new(2);
    let black = Ending::win(Color::Black, Reason::Checkmate);
    for (moves, ending, counts) in [
        ("2e2d 5b5c 3e3d", black, true),
        ("2e2d 4b4c", Ending::draw(Reason::Repetition), true),
        ("1e1d 5b5c", Ending::win(Color::White, Reason::Resignation), true),
        ("2e2d 5b5c", Ending::win(Color::Black, Reason::Time), false),
    ] {
        assert_eq!(results.add(&game(moves, ending)), Ok(counts), "{moves}");
    }
    let elsewhere = GameRecord {
        opening: "sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1 moves 2b2c".to_owned(),
        ..game("", black)
    };
    assert_eq!(results.add(&elsewhere), Ok(false));
    let error = results.add(&game("2e2d 2e2d", black)).unwrap_err();
    assert!(error.starts_with("move 2: expected "), "{error}");

    let names = names::<Whale>("startpos moves 2e2d ;id \"The \\ edge\";\n").unwrap();
    let text = |positions, least| {
        let scope = Scope { positions, per_ply: 20, least };
        let openings = Openings::of(&graph, &results, names.clone(), scope);
        serde_json::from_str::<serde_json::Value>(&openings.text()).unwrap()
    };
    const START: &str = "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b -";
    const AFTER: &str = "bnpwgh/dddddd/6/4D1/DDDD1D/HGWPNB w -";
    let found = text(9, 2);
    assert_eq!(found["openings"], "whale");
    assert_eq!(found["names"], json!([["2e2d", AFTER, "The \\ edge"]]));
    let moves = ["1e1d", "2e2d", "3e3d", "4b4c", "5b5c"];
    let moves = moves.map(|usi| [usi.to_owned(), format!("D-{}", &usi[2..])]);
    assert_eq!(found["moves"], json!(moves));
    // Minimax of the book, as Black sees it; the games that came there; a position with one game only has none.
    let mate = json!([2, {"mate": -4}, 5]);
    assert_eq!(
        found["positions"][START],
        json!([[1, 12, 2, 1, 1, 0], mate, [0, null, 0, 0, 0, 1]])
    );
    assert_eq!(found["positions"][AFTER], json!([[4, 12, 1, 1, 0, 0], [3, 25, 1, 0, 1, 0]]));
    assert_eq!(found["positions"].as_object().unwrap().len(), 2);
    // The start alone, and what games came to.
    let found = text(1, 1);
    let sfens: Vec<_> = found["positions"].as_object().unwrap().keys().collect();
    assert_eq!(sfens.len(), 3, "{sfens:?}");
    assert_eq!(found["positions"][AFTER], json!([[3, null, 0, 0, 1, 0], [4, null, 0, 1, 0, 0]]));
}

#[test]
fn wrong_names_are_refused_with_their_line() {
    for (text, expected) in [
        ("startpos moves 2e2c ;id \"A\";", "line 1: move 1: expected a legal move, found 2e2c"),
        (
            "startpos moves 2e2d\n",
            "line 1: expected a name, ;id \"…\", behind the moves, found none",
        ),
        ("startpos moves 2e2d ;id \"\";", "line 1: expected a name, "),
        (
            "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - id \"A\";",
            "line 1: expected startpos and moves, found an SFEN",
        ),
        (
            "# names\nstartpos moves 2e2d 5b5c 3e3d ;id A;\nstartpos moves 3e3d 5b5c 2e2d ;id B;",
            "line 3: expected each position once, found that of A again",
        ),
    ] {
        let error = names::<Whale>(text).unwrap_err();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}
