//! What every package for another language offers, asked in Rust.

use kujira_binding::drawing::{Picture, mark, theme};
use kujira_binding::encode::Numbering;
use kujira_binding::given::{self, Given};
use kujira_binding::{Refused, names, written};
use kujira_position::{AnyPosition, VariantId};

#[test]
fn numbers_tell_the_moves_of_whole_games_apart_and_lead_back() {
    for &game in VariantId::ALL {
        let numbering = Numbering::of(game);
        let mut position = AnyPosition::start(game);
        for ply in 0..150_usize {
            let moves = given::legal_moves(&position);
            let mut numbers: Vec<u32> = moves.iter().map(|&m| given::number_of(m)).collect();
            for (&m, &number) in moves.iter().zip(&numbers) {
                assert_eq!(given::from_number(game, number), Some(m));
                assert_eq!(given::find(&position, Given::Number(number)), Ok(m));
                assert_eq!(given::find(&position, Given::Text(&position.usi(m))), Ok(m));
                let action = numbering.action(position.side(), m);
                assert_eq!(numbering.legal(&position, action), Ok(m), "{game} {action}");
                assert_eq!(given::from_number(game, u32::try_from(action).unwrap()), None);
            }
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers.len(), moves.len());
            let Some(&m) = moves.get(ply * 7919 % moves.len().max(1)) else { break };
            given::play(&mut position, Given::Move(m)).unwrap();
        }
        let alone = given::without_past(&position).unwrap();
        assert_eq!((alone.sfen(), alone.played().len()), (position.sfen(), 0));
        assert_eq!(given::start(&position), AnyPosition::start(game));
    }
}

#[test]
fn what_is_refused_says_what_was_expected_and_what_comes_near() {
    let start = AnyPosition::start(VariantId::Whale);
    let found = given::find(&start, Given::Text("2e2c"));
    let Err(Refused::Illegal { text, near }) = found else { panic!("{found:?}") };
    assert!(text.ends_with(": The dolphin does not move from 2e to 2c."), "{text}");
    assert_eq!(near, ["2e2d"]);
    for text in ["", "hello", "2e", "D*9z"] {
        assert!(matches!(given::find(&start, Given::Text(text)), Err(Refused::Wrong(_))), "{text}");
        assert!(given::why_not(&start, text).is_err(), "{text}");
    }
    assert_eq!(given::why_not(&start, "2e2d"), Ok(None));
    assert!(matches!(names::game_named("chess"), Err(Refused::Name(_))));
    let last = Numbering::of(VariantId::Whale).actions() - 1;
    let over = Numbering::of(VariantId::Whale).legal(&start, last + 1).unwrap_err();
    assert_eq!(
        over.to_string(),
        format!("expected an action from 0 to {last}, found {}", last + 1)
    );
}

#[test]
fn lines_have_the_numbers_that_people_write() {
    let start = AnyPosition::start(VariantId::Whale);
    let moves = || ["2e2d", "4b4c", "2d2c"].map(Given::Text);
    assert_eq!(
        written::variation(&start, moves(), "western", true).unwrap(),
        "1. D-e3 D-c4 2. D-e4"
    );
    assert_eq!(written::variation(&start, moves(), "japanese", false).unwrap(), "D-2d D-4c D-2c");
    let after = AnyPosition::replay(VariantId::Whale, None, ["2e2d"], start.rules()).unwrap();
    assert_eq!(
        written::variation(&after, [Given::Text("4b4c")], "usi", true).unwrap(),
        "1. … 4b4c"
    );
    assert!(written::variation(&start, [], "western", true).unwrap().is_empty());
    assert!(written::variation(&start, moves(), "french", true).is_err());
}

#[test]
fn pictures_are_markup_whatever_is_marked() {
    let start = AnyPosition::start(VariantId::Great);
    let arrows = [("6h".to_owned(), "6g".to_owned(), "red".to_owned())];
    let mut picture = Picture::default();
    mark(&mut picture, &start, &arrows, &[]).unwrap();
    let text = picture.of(&start);
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>") && !text.contains("NaN"));
    for color in ["", "\"/><script>", "red;"] {
        let marks = [("6h".to_owned(), color.to_owned())];
        assert!(mark(&mut Picture::default(), &start, &[], &marks).is_err(), "{color}");
    }
    assert!(theme("dark").is_ok() && theme("pink").is_err());
}
