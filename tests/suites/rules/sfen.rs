//! SFEN: what is read, what is written, what is refused and with which words.

use kujira_position::{
    Color, Great, Kind, Paulowich, Piece, Position, Setup, SetupFault, SfenError, Square, Variant,
    Whale, sfen,
};
use kujira_tests::setups::{self, Sort};
use kujira_tests::{for_every_game, playouts};
use rand::RngExt;

for_every_game!(round_trips, damaged_text_is_an_error_and_no_panic, the_start_is_written_as_read);

fn read<V: Variant>(text: &str) -> Result<String, String> {
    Position::<V>::from_sfen(text).map(|p| p.sfen()).map_err(|error| error.to_string())
}

#[test]
fn texts_that_are_read() {
    let whale = |text: &str| read::<Whale>(text);
    let great = |text: &str| read::<Great>(text);
    for (read, text, written) in [
        // Any order of the hands, a missing move number, blanks in a row.
        (
            &whale as &dyn Fn(&str) -> Result<String, String>,
            "w5/6/6/6/6/W5 w d2Nk6DGK",
            "w5/6/6/6/6/W5 w KG2N6Dkd 1",
        ),
        (&whale, "w5/6/6/6/6/W5   b   -   7", "w5/6/6/6/6/W5 b - 7"),
        (&whale, "\tw5/6/6/6/6/W5 b - 1 ", "w5/6/6/6/6/W5 b - 1"),
        (&whale, "w5/6/6/6/6/W5 b 12D 4294967295", "w5/6/6/6/6/W5 b 12D 4294967295"),
        // A count of one may be written; runs of empty squares between commas need not be joined.
        (&whale, "w5/6/6/6/6/W5 b 1D 1", "w5/6/6/6/6/W5 b D 1"),
        (
            &great,
            "w,10/11/11/11/11/11/11/11/11/11/W,10 b bwc,k,2PC,NBC,P,BW,2BRC 35",
            "w,10/11/11/11/11/11/11/11/11/11/W,10 b BW,P,2BRC,NBC,2PC,k,bwc 35",
        ),
        (
            &great,
            "w,5,5/11/11/11/11/11/11/11/11/11/W,10 b -",
            "w,10/11/11/11/11/11/11/11/11/11/W,10 b - 1",
        ),
        (
            &great,
            "w,+brc,9/11/11/11/11/11/11/11/11/11/W,+BRC,9 w 4NB 2",
            "w,+brc,9/11/11/11/11/11/11/11/11/11/W,+BRC,9 w 4NB 2",
        ),
    ] {
        assert_eq!(read(text).as_deref(), Ok(written), "{text}");
    }
    assert_eq!(
        read::<Paulowich>("w6/7/7/7/7/7/W6 b AaD 3").as_deref(),
        Ok("w6/7/7/7/7/7/W6 b DAa 3")
    );
}

fn refused<V: Variant>(text: &str, expected: &str) {
    match read::<V>(text) {
        Ok(sfen) => panic!("{text:?} is read as {sfen}"),
        Err(error) => {
            assert!(error.contains(expected), "{text:?} gives: {error}");
            assert!(error.is_ascii() && error.len() < 2_000, "{error}");
            assert!(!error.contains('\n') && !error.contains('\0'), "{error:?}");
        }
    }
}

#[test]
fn texts_of_the_small_games_that_are_refused() {
    for (text, expected) in [
        ("", "expected 6 ranks separated by / (Whale Shogi), found 1 in nothing"),
        ("startpos", "expected 6 ranks"),
        ("6/6/6/6/6 b - 1", "found 5 in \"6/6/6/6/6\""),
        ("6/6/6/6/6/6/6 b - 1", "found 7 in \"6/"),
        ("w5/6/6/6/6/W5", "expected the side to move, b or w, found nothing"),
        ("w5/6/6/6/6/W5 B - 1", "expected the side to move, b or w, found \"B\""),
        ("w5/6/6/6/6/W5 b", "expected the hands, or - for none, found nothing"),
        ("w5/6/6/6/6/W4 b - 1", "expected 6 squares in rank f, found 5 in \"W4\""),
        ("w5/6/6/6/6/W6 b - 1", "expected 6 squares in rank f, found 7 in \"W6\""),
        ("w5/6/7/6/6/W5 b - 1", "expected 6 squares in rank c"),
        ("w5/6/6D/6/6/W5 b - 1", "expected 6 squares in rank c"),
        ("w5/6//6/6/W5 b - 1", "expected 6 squares in rank c"),
        ("w5/06/6/6/6/W5 b - 1", "expected a number from 1 to 999 in rank b, found \"06\""),
        ("w5/6/6/0/6/W5 b - 1", "expected a number from 1 to 999 in rank d, found \"0\""),
        ("w5/999999999999/6/6/6/W5 b - 1", "expected a number from 1 to 999 in "),
        ("w5/999/6/6/6/W5 b - 1", "expected 6 squares in rank b"),
        ("w5/33/6/6/6/W5 b - 1", "expected 6 squares in rank b, found 33 in \"33\""),
        ("w5/1000/6/6/6/W5 b - 1", "expected a number from 1 to 999 in rank b, found \"1000\""),
        (
            "w5/A5/6/6/6/W5 b - 1",
            "expected a piece of Whale Shogi (all upper or all lower case) in rank b, found \"A\"",
        ),
        ("w5/+D5/6/6/6/W5 b - 1", "expected a piece of Whale Shogi"),
        ("w5/,6/6/6/6/W5 b - 1", "expected a piece of Whale Shogi"),
        ("w5/é5/6/6/6/W5 b - 1", "found \"\\u{e9}\""),
        ("w5/\0 5/6/6/6/W5 b - 1", "expected 6 ranks"),
        ("w5/\u{0}5/6/6/6/W5 b - 1", "found \"\\u{0}\""),
        ("w5/6/6/6/6/W5 b DKD 1", "expected each kind once in a hand, found \"D\" twice"),
        ("w5/6/6/6/6/W5 b D2D 1", "expected each kind once in a hand"),
        ("w5/6/6/6/6/W5 b 0D 1", "expected a number from 1 to 999 in the hands, found \"0\""),
        ("w5/6/6/6/6/W5 b D2 1", "expected a piece after each number in the hands"),
        ("w5/6/6/6/6/W5 b D,N 1", "(all upper or all lower case) in the hands, found \",\""),
        ("w5/6/6/6/6/W5 b -D 1", "expected a piece of Whale Shogi"),
        ("w5/6/6/6/6/W5 b - 0", "expected a move number from 1 to 4294967295, found \"0\""),
        ("w5/6/6/6/6/W5 b - +1", "expected a move number"),
        ("w5/6/6/6/6/W5 b - -1", "expected a move number"),
        ("w5/6/6/6/6/W5 b - 4294967296", "expected a move number"),
        ("w5/6/6/6/6/W5 b - 99999999999999999999", "expected a move number"),
        (
            "w5/6/6/6/6/W5 b - 1 1",
            "expected the end of the SFEN after the move number, found \"1\"",
        ),
        // Impossible positions.
        ("6/6/6/6/6/W5 b - 1", "expected one white whale of White, found 0"),
        ("w5/6/6/6/6/WW4 b - 1", "expected one white whale of Black, found 2"),
        ("w5/6/6/6/6/W5 b 13D 1", "expected at most 12 of D on both sides together, found 13"),
        ("w5/6/6/6/6/W5 b 7D6d 1", "expected at most 12 of D on both sides together, found 13"),
        ("w5/6/6/pk4/6/W5 b K 1", "expected at most 2 of K and P on both sides together, found 3"),
        ("w5/6/6/6/6/W5 b 999D 1", "expected at most 12 of D on both sides together, found 999"),
        ("w5/6/6/6/6/W5 b P 1", "found P in the hand of Black"),
        ("w5/6/6/6/6/W5 b w 1", "found w in the hand of White"),
        (
            "5w/5D/6/6/6/W5 b - 1",
            "expected the side not to move out of check, but White is in check",
        ),
        ("5w/6/6/6/5W/6 b - 1\0", "expected a move number"),
    ] {
        refused::<Whale>(text, expected);
    }
    refused::<Paulowich>(
        Whale::SPEC.start,
        "expected 7 ranks separated by / (Paulowich Whale Shogi)",
    );
    refused::<Whale>(Paulowich::SPEC.start, "expected 6 ranks");
    refused::<Paulowich>("w6/7/7/7/7/7/W6 b 15D", "expected at most 14 of D");
}

#[test]
fn texts_of_great_whale_shogi_that_are_refused() {
    const ROWS: &str = "11/11/11/11/11/11/11/11/11/W,10";
    for (row, hands, expected) in [
        ("w,Br,9", "-", "(all upper or all lower case) in rank a, found \"Br\""),
        ("w,bR,9", "-", "(all upper or all lower case) in rank a, found \"bR\""),
        ("w,+Br,9", "-", "found \"+Br\""),
        ("w,+K,9", "-", "expected a piece of Great Whale Shogi"),
        ("w,+W,9", "-", "found \"+W\""),
        ("w,++BR,9", "-", "found \"++BR\""),
        ("w,+,9", "-", "found \"+\""),
        ("w10", "-", "found \"w10\""),
        ("w,,9", "-", "expected a piece or a number in rank a, found nothing"),
        ("w,10,", "-", "expected a piece or a number in rank a, found nothing"),
        (",w,10", "-", "expected a piece or a number in rank a, found nothing"),
        ("w,-1,11", "-", "found \"-1\""),
        ("w,+1,9", "-", "found \"+1\""),
        ("w,010", "-", "expected a number from 1 to 999 in rank a, found \"010\""),
        ("w,2BR,8", "-", "expected single pieces and numbers of empty squares in rank a"),
        ("w,9", "-", "expected 11 squares in rank a, found 10 in \"w,9\""),
        ("w,11", "-", "expected 11 squares in rank a"),
        ("w,300", "-", "expected 11 squares in rank a"),
        ("w,200,BR", "-", "expected 11 squares in rank a"),
        ("w,10", "BRC,2", "expected a piece after each number in the hands"),
        ("w,10", "2,BRC", "expected a piece after each number in the hands"),
        ("w,10", "BRC,,K", "expected a piece or a number in the hands, found nothing"),
        ("w,10", "BRC,K,BRC", "expected each kind once in a hand, found \"BRC\" twice"),
        ("w,10", "BRCK", "expected a piece of Great Whale Shogi"),
        ("w,10", "Brc", "(all upper or all lower case)"),
        ("w,10", "+S", "found +S in the hand of Black"),
        ("w,10", "W", "found W in the hand of Black"),
        ("w,10", "3BR", "expected at most 2 of BR and +BR on both sides together, found 3"),
        ("w,+BR,br,8", "BR", "expected at most 2 of BR and +BR on both sides together, found 3"),
        ("w,10", "3NB,2nb", "expected at most 4 of NB and +NB on both sides together, found 5"),
        ("w,BRC,9", "-", "expected no unpromoted BRC on its farthest rank, found one on 10a"),
        ("w,w,9", "-", "expected one white whale of White, found 2"),
    ] {
        refused::<Great>(&format!("{row}/{ROWS} b {hands} 1"), expected);
    }
    refused::<Great>(
        "w,10/11/BRC,10/KC,10/11/11/11/11/11/11/W,10 b - 1",
        "expected at most 1 calf of Black on file 11, found 2",
    );
    refused::<Great>(
        "w,10/11/11/11/11/11/11/11/11/11/W,8,pc,1 b - 1",
        "expected no unpromoted pc on its farthest rank, found one on 2k",
    );
    // One calf of each side on a file, and promoted ones, are well.
    assert!(read::<Great>("w,10/11/BRC,10/kc,10/+PC,10/11/11/11/11/11/W,10 b - 1").is_ok());
    refused::<Great>(Whale::SPEC.start, "expected 11 ranks separated by / (Great Whale Shogi)");
    refused::<Whale>(Great::SPEC.start, "expected 6 ranks");
}

fn faults<V: Variant>(text: &str) -> Vec<SetupFault> {
    match Position::<V>::from_sfen(text) {
        Err(SfenError::Impossible(error)) => error.reasons().to_vec(),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn every_reason_is_listed() {
    assert_eq!(
        faults::<Whale>("ww4/6/PPP3/6/6/6 b P 1"),
        [
            SetupFault::Whales { side: Color::Black, found: 0 },
            SetupFault::Whales { side: Color::White, found: 2 },
            SetupFault::TooMany { kinds: "K and P".to_owned(), most: 2, found: 4 },
            SetupFault::NotInHand { side: Color::Black, token: "P".to_owned() },
        ]
    );
    // Kinds that are one in hand are counted together even where they cannot be in hand.
    assert_eq!(
        faults::<Whale>("w5/6/6/6/6/5W b 3P"),
        [
            SetupFault::TooMany { kinds: "K and P".to_owned(), most: 2, found: 3 },
            SetupFault::NotInHand { side: Color::Black, token: "P".to_owned() },
        ]
    );
    assert_eq!(
        faults::<Great>("w,10/11/11/11/11/11/11/11/11/11/W,10 b 9BRC,3+BRC")[0],
        SetupFault::TooMany { kinds: "BRC and +BRC".to_owned(), most: 2, found: 12 },
    );
    // A check left standing is named beside a wrong count.
    assert_eq!(
        faults::<Whale>("5w/5D/6/6/6/W5 b 12Dw 1").len(),
        3,
        "thirteen dolphins, a whale in hand, White in check"
    );
    assert_eq!(
        faults::<Great>("BRC,10/11/BRC,10/11/11/11/11/11/11/11/6,kc,4 w +S,w 1"),
        [
            SetupFault::Whales { side: Color::Black, found: 0 },
            SetupFault::Whales { side: Color::White, found: 0 },
            SetupFault::NotInHand { side: Color::Black, token: "+S".to_owned() },
            SetupFault::NotInHand { side: Color::White, token: "w".to_owned() },
            SetupFault::Stuck { token: "BRC".to_owned(), square: "11a".to_owned() },
            SetupFault::Stuck { token: "kc".to_owned(), square: "5k".to_owned() },
            SetupFault::FileLimit {
                side: Color::Black,
                class: "calf",
                file: 11,
                most: 1,
                found: 2
            },
        ]
    );
    let error = Position::<Whale>::from_sfen("6/6/6/6/6/6 b - 1").expect_err("no whales");
    assert_eq!(
        error.to_string(),
        "impossible position: expected one white whale of Black, found 0; \
         expected one white whale of White, found 0"
    );
    assert_eq!(Setup::<Great>::empty().validate().expect_err("no whales").reasons().len(), 2);
}

#[test]
fn setups_made_by_hand() {
    let text = "w5/6/6/6/6/W5 b - 1";
    let setup = || sfen::parse::<Whale>(text).expect("an SFEN");
    let refused = |setup: &Setup<Whale>| match setup.validate() {
        Err(error) => error.reasons().to_vec(),
        Ok(position) => panic!("{position:?}"),
    };
    // Counts that overflow when they are added up.
    let mut many = setup();
    many.set_in_hand(Color::Black, Kind::from_index(1), u32::MAX - 298);
    many.set_in_hand(Color::White, Kind::from_index(1), 300);
    assert_eq!(
        refused(&many),
        [SetupFault::TooMany { kinds: "K and P".to_owned(), most: 2, found: (1 << 32) + 1 }]
    );
    // A kind of another game.
    let mut foreign = setup();
    let square = Whale::SPEC.geometry.square(2, 3).expect("on the board");
    foreign.set(square, Some(Piece::new(Color::Black, Kind::from_index(40))));
    assert_eq!(refused(&foreign), [SetupFault::Foreign { square: "4c".to_owned(), kind: 40 }]);
    // Indices between the ranks, and beyond them.
    for index in [6, 7, 46, 47, 127] {
        let (mut outside, square) = (setup(), Square::from_index(index));
        outside.set(square, Some(Piece::new(Color::Black, Kind::WHALE)));
        assert_eq!((outside.get(square), &outside), (None, &setup()), "{index}");
    }
    let mut unnumbered = setup();
    unnumbered.ply = 0;
    assert_eq!(refused(&unnumbered), [SetupFault::MoveNumber]);
    assert_eq!(
        unnumbered.validate().expect_err("no number").to_string(),
        "impossible position: expected a move number from 1, found 0"
    );
    assert_eq!(setup().validate().map(|position| position.sfen()).as_deref(), Ok(text));
}

#[test]
fn what_is_written_at_the_last_move_number_is_read() {
    let mut position =
        Position::<Whale>::from_sfen("w5/6/6/6/6/W5 b - 4294967294").expect("a position");
    let before = position.clone();
    for (m, ply) in [("6f6e", u32::MAX), ("6a6b", u32::MAX), ("6e6f", u32::MAX)] {
        position.make(position.parse_usi(m).expect("a move"));
        assert_eq!(position.ply(), ply);
        assert_eq!(Position::from_sfen(&position.sfen()).as_ref(), Ok(&position));
    }
    for _ in 0..3 {
        position.undo();
    }
    assert_eq!(position, before);
}

fn the_start_is_written_as_read<V: Variant>() {
    assert_eq!(read::<V>(V::SPEC.start).as_deref(), Ok(V::SPEC.start));
    assert_eq!(Position::<V>::start().sfen(), V::SPEC.start);
}

fn round_trips<V: Variant>() {
    let mut rng = playouts::random(51);
    let mut positions = playouts::sample::<V>(52, 1_000);
    for sort in [Sort::Mixed, Sort::Hunt] {
        positions.extend((0..500).map(|_| setups::random(&mut rng, sort, Default::default())));
    }
    for position in positions {
        let text = position.sfen();
        // A captured whale makes a final position, which is written and not read.
        if position.whale(position.side()).is_empty() {
            assert!(read::<V>(&text).is_err());
            continue;
        }
        let again = Position::<V>::from_sfen(&text).expect("what was written is read");
        assert_eq!(again, position, "{text}");
        assert_eq!(again.sfen(), text);
        assert_eq!((again.key(), again.checked()), (position.key(), position.checked()), "{text}");
        let setup = sfen::parse::<V>(&text).expect("an SFEN");
        assert_eq!((setup.side, setup.ply), (position.side(), position.ply()), "{text}");
        for square in V::SPEC.geometry.reading_order() {
            assert_eq!(setup.get(square), position.piece_on(square), "{text}");
        }
        let picture = position.to_string();
        assert!(picture.ends_with(&format!("sfen {text}")), "{picture}");
    }
}

fn damaged_text_is_an_error_and_no_panic<V: Variant>() {
    let alphabet: Vec<char> =
        "WKHGNBDAPRSwbk+,/- 0123456789*\0\u{e9}\u{1f433}xCc\t".chars().collect();
    let mut rng = playouts::random(53);
    let mut read = 0;
    for position in playouts::sample::<V>(54, 200) {
        for _ in 0..100 {
            let mut text: Vec<char> = position.sfen().chars().collect();
            for _ in 0..rng.random_range(1..4) {
                let place = rng.random_range(0..text.len());
                match rng.random_range(0..3) {
                    0 => text[place] = alphabet[rng.random_range(0..alphabet.len())],
                    1 => text.insert(place, alphabet[rng.random_range(0..alphabet.len())]),
                    _ => {
                        text.remove(place);
                    }
                }
            }
            let text: String = text.into_iter().collect();
            match Position::<V>::from_sfen(&text) {
                Ok(position) => {
                    read += 1;
                    let again = Position::<V>::from_sfen(&position.sfen());
                    assert_eq!(again, Ok(position), "{text:?}");
                }
                Err(error) => {
                    let error = error.to_string();
                    assert!(error.is_ascii() && error.contains("expected"), "{text:?}: {error}");
                }
            }
        }
    }
    assert!(read > 100, "{read} of the damaged texts still are positions");
    for long in ["/".repeat(1 << 20), "9".repeat(1 << 20), "D".repeat(1 << 20)] {
        refused::<V>(&long, "expected");
        refused::<V>(
            &format!("{} b {long} 1", V::SPEC.start.split(' ').next().unwrap_or("")),
            "expected",
        );
        refused::<V>(&format!("{} {long}", V::SPEC.start), "expected");
    }
}
