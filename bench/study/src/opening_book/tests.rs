//! Books made by hand, and small ones made by searches.

use std::sync::atomic::AtomicBool;

use kujira_position::{Color, Position, UsiMove, Variant, VariantId, Whale, with_variant};
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

/// The position that moves lead to.
fn after(played: &str) -> Position<Whale> {
    let mut position = Position::start();
    for text in played.split_ascii_whitespace() {
        position.make(position.parse_usi(text).unwrap());
    }
    position
}

fn at(graph: &Graph<Whale>, played: &str) -> usize {
    graph.find(&after(played)).unwrap()
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
        (score_of(values.get(at(&graph, ""))), graph.leaves(&values, Price::even(20), 9))
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

/// Losses of one side count once, whichever it is; those of both do not.
#[test]
fn who_plays_from_a_book_plays_well() {
    let lines = [
        line("startpos", 9, &[(30, "2e2d"), (20, "3e3d")]),
        line("startpos moves 2e2d", 9, &[(-30, "5b5c"), (-40, "4b4c")]),
        line("startpos moves 3e3d", 9, &[(-20, "5b5c"), (-35, "4b4c")]),
    ];
    let graph = Graph::of(&searched(&lines));
    let values = Values::of(&graph);
    let costs = |own_loss| -> Vec<(String, u64)> {
        let leaves = graph.leaves(&values, Price { per_ply: 20, own_loss }, 9);
        let moves = leaves.into_iter().filter_map(|(cost, leaf)| match leaf {
            Leaf::Move(from, m) => {
                let first = if from == at(&graph, "2e2d") { "2e2d" } else { "3e3d" };
                Some((format!("{first} {}", UsiMove::<Whale>::new(m)), cost))
            }
            Leaf::Others(_) => None,
        });
        moves.collect()
    };
    let cost = |text: &str, cost| (text.to_owned(), cost);
    let [best, second] = [cost("2e2d 5b5c", 40), cost("2e2d 4b4c", 50)];
    let third = cost("3e3d 5b5c", 50);
    assert_eq!(costs(1), [&best, &second, &third, &cost("3e3d 4b4c", 65)].map(Clone::clone));
    // Black's ten and White's fifteen: five times ten here, five times fifteen there.
    assert_eq!(costs(5), [best, second, third, cost("3e3d 4b4c", 105)]);
    let start = graph.cheapest(&values, Price { per_ply: 20, own_loss: 5 });
    assert_eq!(start.iter().map(|&(cost, _)| cost).collect::<Vec<_>>(), [0, 20, 30]);
}

#[test]
fn a_deep_search_is_not_overruled_by_shallow_ones() {
    let start = line("startpos", 90, &[(30, "2e2d"), (20, "3e3d")]);
    let behind = |nodes| line("startpos moves 2e2d", nodes, &[(-10, "5b5c")]);
    let book = |lines: &[&String]| {
        let lines: Vec<String> = lines.iter().map(|&line| line.clone()).collect();
        let graph = Graph::of(&searched(&lines));
        let values = Values::of(&graph);
        let told = graph.told(&values, at(&graph, ""));
        let first = UsiMove::<Whale>::new(told[0].m).to_string();
        (values.get(at(&graph, "")), first, told[0].book, told.len())
    };
    assert_eq!(book(&[&start, &behind(44)]), (30, "2e2d".into(), None, 2));
    assert_eq!(book(&[&start, &behind(45)]), (20, "3e3d".into(), None, 2));
    // Nor by what a shallow one says of a move that it did not tell of, but by a deep one behind that.
    let after = line("startpos moves 1e1d", 45, &[(-40, "5b5c")]);
    for (nodes, expected) in [(44, (30, "2e2d")), (45, (99, "1e1d"))] {
        let other = line("startpos", nodes, &[(99, "1e1d")]);
        let expected = (expected.0, expected.1.into(), None, 3);
        assert_eq!(book(&[&start, &other]), expected);
        assert_eq!(book(&[&other, &start]), expected);
        let expected = (40, "1e1d".into(), Some(Score::Cp(40)), 3);
        assert_eq!(book(&[&after, &other, &start]), expected);
    }
}

/// What a search of one move alone says bounds no others, and a position searched too short is to be searched again.
#[test]
fn a_book_goes_on_where_it_knows_too_little() {
    let start = line("startpos", 9, &[(30, "2e2d"), (20, "3e3d")]);
    let alone = line("startpos", 9, &[(-500, "1e1d")]);
    let after = |nodes| line("startpos moves 2e2d", nodes, &[(-30, "5b5c")]);
    let leaves = |lines: &[&String], nodes| -> Vec<(u64, String)> {
        let lines: Vec<String> = lines.iter().map(|&line| line.clone()).collect();
        let graph = Graph::of(&searched(&lines));
        let leaves = graph.leaves(&Values::of(&graph), Price::even(20), nodes);
        let text = |leaf| match leaf {
            Leaf::Move(_, m) => UsiMove::<Whale>::new(m).to_string(),
            Leaf::Others(_) => "others".to_owned(),
        };
        leaves.into_iter().map(|(cost, leaf)| (cost, text(leaf))).collect()
    };
    let found = |cost, text: &str| (cost, text.to_owned());
    let [best, second, others] = [found(20, "2e2d"), found(30, "3e3d"), found(30, "others")];
    let alone_found = found(550, "1e1d");
    let known = [best, second, others, alone_found].to_vec();
    assert_eq!(leaves(&[&start, &alone], 9), known);
    assert_eq!(leaves(&[&start, &alone, &after(4)], 9), known);
    let [_, second, others, alone_found] = <[_; 4]>::try_from(known).unwrap();
    let behind = [found(40, "5b5c"), found(40, "others")];
    let expected: Vec<_> =
        [second, others].into_iter().chain(behind).chain([alone_found]).collect();
    assert_eq!(leaves(&[&start, &alone, &after(5)], 9), expected);
    // The builder begins with the start.
    assert_eq!(leaves(&[&start, &alone, &after(5)], 20), []);
}

/// With more nodes than before or with fewer, with games or without: nothing is searched twice.
#[test]
fn a_builder_comes_to_an_end_of_what_it_was_given() {
    let mut games = Results::<Whale>::new(2);
    games.add(&game("1e1d 6b6c", Ending::draw(Reason::Repetition))).unwrap();
    let price = Price { per_ply: 20, own_loss: 3 };
    let build = |builder: &mut Builder<Whale>, steps: usize| -> Vec<String> {
        let stopped = AtomicBool::new(false);
        let step = |_| builder.step(&stopped).unwrap().unwrap();
        let found: Vec<Searched<Whale>> = (0..steps).map(step).collect();
        found.iter().map(ToString::to_string).collect()
    };
    for (before, after) in [(200, 900), (900, 200), (300, 300)] {
        let effort = |nodes| Effort { nodes, lines: 2, hash: 1, price };
        let mut builder = Builder::new(Graph::default(), effort(before), 7).unwrap();
        let mut lines = build(&mut builder, 12);
        let mut builder = Builder::new(builder.graph().clone(), effort(after), 7).unwrap();
        builder.answer(games.clone(), 1);
        let known = builder.searched();
        assert_eq!(known, if after > before { 0 } else { builder.graph().len() });
        lines.extend(build(&mut builder, 40));
        assert!(builder.searched() >= known + 20, "{}", builder.searched());
        assert!(builder.graph().unanswered(&games, 1, after).is_empty());
        let mut told = std::collections::HashSet::new();
        assert!(lines.iter().all(|line| told.insert(line)), "{lines:#?}");
    }
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

/// What leads to a circle that is worth going into is a move of the book as any other.
#[test]
fn engines_are_given_the_way_into_a_circle() {
    let start = "3e3d 4b4c";
    let [before, a, b, c, d] =
        ["3e3d", start, "3e3d 4b4c 4f3e", "3e3d 4b4c 4f3e 3a4b", "3e3d 4b4c 4f3e 3a4b 3e4f"]
            .map(|played| format!("startpos moves {played}"));
    let lines = [
        line("startpos", 9, &[(77, "3e3d")]),
        line(&before, 9, &[(-300, "4b4c"), (-310, "5b5c")]),
        line(&a, 9, &[(77, "4f3e"), (-300, "6e6d")]),
        line(&b, 9, &[(77, "3a4b"), (60, "6b6c")]),
        line(&c, 9, &[(77, "3e4f"), (-300, "6e6d")]),
        line(&d, 9, &[(77, "4b3a"), (60, "6b6c")]),
    ];
    let graph = Graph::of(&searched(&lines));
    let values = Values::of(&graph);
    let worth = ["", "3e3d", start].map(|played| values.get(at(&graph, played)));
    assert_eq!(worth, [-60, 60, -60]);
    let book = compact(&graph, Worth { search: 1, nodes: 9, margin: 0 });
    let moves = |played: &str| -> Vec<String> {
        book.moves(after(played).key()).iter().map(|found| found.text.clone()).collect()
    };
    assert_eq!((moves(""), moves("3e3d")), (vec!["3e3d".to_owned()], vec!["4b4c".to_owned()]));
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
        line("startpos", 30, &[(30, "2e2d"), (28, "3e3d"), (12, "1e1d")]),
        line("startpos moves 2e2d", 30, &[(-20, "5b5c")]),
        line("startpos moves 3e3d", 70, &[(-15, "5b5c")]),
        line("startpos moves 1e1d", 15, &[(-14, "5b5c")]),
    ];
    let graph = Graph::of(&searched(&lines));
    let closely = |search, nodes, margin| -> Vec<String> {
        let book = compact(&graph, Worth { search, nodes, margin });
        let found = book.moves(Position::<Whale>::start().key()).iter();
        found.map(|found| format!("{} {}", found.text, found.score)).collect()
    };
    let moves = |nodes, margin| closely(30, nodes, margin);
    assert_eq!(moves(120, 10), ["2e2d +0.20", "3e3d +0.15"]);
    assert_eq!(moves(120, 4), ["2e2d +0.20"]);
    assert_eq!(moves(8, 10), ["2e2d +0.20", "3e3d +0.15", "1e1d +0.14"]);
    assert_eq!(moves(132, 10), ["3e3d +0.15"]);
    // What seems best has not been looked at closely.
    assert_eq!(moves(132, 4), [""; 0]);
    assert_eq!(moves(146, 10), [""; 0]);
    // Much was searched behind it, but by short searches.
    assert_eq!(closely(31, 120, 10), [""; 0]);
}

/// Whatever the game: the values are those of the best moves, and no line is lost on the way through text.
#[test]
fn a_built_book_is_consistent() {
    fn build<V: Variant>() {
        let effort =
            Effort { nodes: 300, lines: 3, hash: 1, price: Price { per_ply: 20, own_loss: 3 } };
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
        began: String::new(),
        machine: None,
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

/// The most frequent first, each when the book knows the position it was made at, and none that few games made.
#[test]
fn moves_that_games_made_are_looked_at_first() {
    let mut games = Results::<Whale>::new(3);
    let made = ["3e3d 5b5c", "3e3d 4b4c", "3e3d 3b3c", "1e1d 5b5c", "1e1d 5b5c", "1e1d 6b6c"];
    for moves in made.into_iter().chain(["1e1d 4b4c"]) {
        games.add(&game(moves, Ending::draw(Reason::Repetition))).unwrap();
    }
    let search = |played: &str, moves: &[(i32, &str)]| {
        searched(&[line(format!("startpos moves {played}").trim_end_matches(" moves "), 9, moves)])
            .remove(0)
    };
    let mut graph = Graph::of(&[search("", &[(30, "2e2d"), (20, "3e3d")])]);
    for (next, for_moves, found) in [
        ("", vec!["1e1d"], search("", &[(5, "1e1d")])),
        ("1e1d", vec![], search("1e1d", &[(0, "4b4c")])),
        ("3e3d", vec![], search("3e3d", &[(0, "4b4c")])),
        ("1e1d", vec!["5b5c"], search("1e1d", &[(-9, "5b5c")])),
        ("1e1d 5b5c", vec![], search("1e1d 5b5c", &[(0, "2e2d")])),
    ] {
        let (at, moves) = graph.unanswered(&games, 2, 9).remove(0);
        assert_eq!(
            (at.key(), at.usi_line(&moves)),
            (after(next).key(), for_moves.into_iter().map(str::to_owned).collect::<Vec<String>>()),
            "{next}"
        );
        graph.add(&found);
    }
    let left = |least, nodes| graph.unanswered(&games, least, nodes).len();
    assert_eq!((left(2, 9), left(1, 9) > 0), (0, true));
    // Longer searches are wanted now: the builder begins with the start.
    assert_eq!(left(1, 20), 0);
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
