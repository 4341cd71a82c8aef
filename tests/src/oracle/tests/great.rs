//! The points of Great Whale Shogi.

use super::super::{Game, Oracle};
use super::{moves_with, picture, played, position};

/// The middle of a board whose other squares hold only the white whales: three
/// files (7, 6, 5) on the ranks `c` to `h`.
fn middle(ranks: [&str; 6]) -> Oracle {
    let rows = ranks.map(|row| format!("4,{},4", row.replace(' ', ",").replace('.', "1")));
    position(Game::Great, &format!("w,10/11/{}/11/11/W,10 b - 1", rows.join("/")))
}

#[test]
fn the_killer_whale_captures_on_its_forward_diagonals() {
    let here = middle([". . .", ". . .", "p . P", ". K .", ". . .", ". . ."]);
    assert_eq!(
        moves_with(&here, "6f"),
        // 5e is an own piece: jumped. 7e is an enemy: jumped, captured on the
        // way, captured in place, or captured by a step.
        "6f4d 6f5f 6f5g 6f6e 6f7e 6f7e6f 6f7e8d 6f7f 6f7g 6f8d"
    );
    let after = played(here.clone(), "6f7e8d");
    assert_eq!(after.sfen(), "w,10/11/11/3,K,7/6,P,4/11/11/11/11/11/W,10 w P 2");
    assert_eq!(played(here, "6f7e6f").sfen(), "w,10/11/11/11/6,P,4/5,K,5/11/11/11/11/W,10 w P 2");
}

#[test]
fn the_false_killer_whale_goes_up_to_three_squares_straight_ahead() {
    let moves = |ranks| moves_with(&middle(ranks), "6f6");
    assert_eq!(
        moves([". . .", ". . .", ". . .", ". +BR .", ". . .", ". . ."]),
        "6f6c 6f6d 6f6e 6f6f 6f6g"
    );
    assert_eq!(
        moves([". . .", ". p .", ". h .", ". +BR .", ". . .", ". . ."]),
        "6f6c 6f6d 6f6d6c 6f6e 6f6e6c 6f6e6d 6f6e6d6c 6f6e6f 6f6g"
    );
    // Own pieces are jumped, but neither captured nor landed on.
    assert_eq!(
        moves([". h .", ". p .", ". P .", ". +BR .", ". . .", ". . ."]),
        "6f6c 6f6d 6f6d6c 6f6g"
    );
    assert_eq!(
        moves([". . .", ". P .", ". p .", ". +BR .", ". . .", ". . ."]),
        "6f6c 6f6e 6f6e6c 6f6e6f 6f6g"
    );
    assert_eq!(
        moves([". P .", ". . .", ". . .", ". +BR .", ". . .", ". . ."]),
        "6f6d 6f6e 6f6f 6f6g"
    );
    // Near the edge there is less of everything.
    let edge = position(Game::Great, "w,4,p,5/5,+BR,5/11/11/11/11/11/11/11/11/W,10 b - 1");
    assert_eq!(moves_with(&edge, "6b6"), "6b6a 6b6a6b 6b6c");

    let all = played(middle([". m .", ". p .", ". h .", ". +BR .", ". . .", ". . ."]), "6f6e6d6c");
    assert_eq!(all.sfen(), "w,10/11/5,+BR,5/11/11/11/11/11/11/11/W,10 w M,H,P 2");
    // A promoted calf moves as the black right whale, not as this one.
    let calf = middle([". . .", ". . .", ". . .", ". +BRC .", ". . .", ". . ."]);
    assert_eq!(moves_with(&calf, "6f"), "6f3f 6f6a 6f6b 6f6c 6f6d 6f6e 6f6g 6f9f");
}

#[test]
fn the_beluga_captures_all_round_without_moving_but_does_not_pass() {
    let here = middle([". . .", ". . .", "p . P", ". +NB h", ". m .", ". . ."]);
    assert_eq!(moves_with(&here, "6f"), "6f5f 6f5f6f 6f5g 6f6e 6f6g 6f6g6f 6f7e 6f7e6f 6f7f 6f7g");
}

#[test]
fn the_blue_whale_turns_after_one_diagonal_step() {
    // Only 7e is free of the four corners; 6e stops the slide to the right.
    let here = middle([". . .", ". . .", ". p P", "P +S P", "P P P", ". . ."]);
    assert_eq!(
        moves_with(&here, "6f"),
        "6f10b 6f10e 6f10h 6f11a 6f11e 6f11i 6f3a 6f4b 6f5c 6f6d 6f6e 6f6f 6f7a 6f7b 6f7c 6f7d \
         6f7e 6f8d 6f8e 6f8f 6f9c 6f9e 6f9g"
    );
    // No empty corner, no pass; an enemy on a corner stops it there.
    let shut = middle([". . .", ". . .", "p . P", ". +S .", "P . P", ". . ."]);
    assert_eq!(moves_with(&shut, "6f"), "6f7e");
    // It may stop after the step, also where no slide leads to.
    let line = "3,f,2,w,se,s,bd,bw/br,4,nb,m,4/1,+H,k,bc,fc,1,mc,2,+H,+s/brc,2,b,1,k,2,dp,1,NB/\
                2,nbc,4,SE,2,rt/7,NB,3/2,PC,2,kc,2,NBC,2/BWC,PC,2,hp,KC,5/\
                2,P,SEC,SEC,1,FC,BC,DP,DPC,BRC/2,p,M,1,F,1,BR,1,mc,HP/\
                BW,BD,RT,3,W,B,1,nb,1 w DPC,2BDC,BWC 98";
    let stops = moves_with(&position(Game::Great, line), "1c2");
    assert!(stops.contains("1c2b 1c2c 1c2d"), "{stops}");
    // The slide goes on through its own square, to 5g and 4h.
    let through = middle(["P P P", "P P P", ". P P", "P +S P", "P P .", "P P P"]);
    let moves = moves_with(&through, "6f");
    assert!(moves.contains("6f4h"), "{moves}");
    assert!(moves.contains("6f5g 6f6f"), "{moves}");
    assert_eq!(played(through.clone(), "6f6f").sfen(), through.sfen().replace(" b - 1", " w - 2"));
}

#[test]
fn promotion_is_offered_in_the_zone_and_forced_for_a_calf_at_the_end() {
    let here = picture(
        "w . . . . . . . . .  .
         . . . . . . . . . MC .
         . . . M . . . . . .  .
         . . . . . P . BRC . . .
         . . . . . . . . . .  F
         . . . . . . . . . .  .
         . . . . . . . . . .  .
         . . . . . . . . . .  .
         . . . . . . . . . .  .
         . . . . . . . . . .  .
         W . . . . . . . . .  .",
        "b -",
    );
    assert_eq!(moves_with(&here, "2b"), "2b2a+");
    assert_eq!(moves_with(&here, "4d"), "4d4c 4d4c+");
    assert_eq!(moves_with(&here, "6d"), "6d5d 6d6c 6d6c+ 6d6e 6d7d");
    // Also when it leaves the zone.
    assert!(moves_with(&here, "8c").contains("8c8d 8c8d+"));
    assert_eq!(moves_with(&here, "1e"), "1e2d 1e2e 1e2f");
    // Promoted, and native killer whales, never promote again.
    let never = picture(
        "w . . . . . . .  . . .
         . . . +MC . . . K . . .
         . . . . . . . .  . . .
         . . . . . . . .  . . .
         . . . . . . . .  . . .
         . . . . . . . .  . . .
         . . . . . . . .  . . .
         . . . . . . . .  . . .
         . . . . . . . .  . . .
         . . . . . . . .  . . .
         W . . . . . . .  . . .",
        "b -",
    );
    assert_eq!(moves_with(&never, "8b"), "8b7a 8b7c 8b8a 8b8c 8b9a 8b9c");
    assert_eq!(moves_with(&never, "4b"), "4b3a 4b3b 4b3c 4b4a 4b5a 4b5b 4b5c");
    // White's zone is at the bottom.
    let white = position(Game::Great, "w,10/11/11/11/11/11/11/4,pc,6/11/6,bwc,4/W,10 w - 1");
    assert_eq!(moves_with(&white, "7h"), "7h7i 7h7i+");
    assert_eq!(moves_with(&white, "5j"), "5j5k+");
}

#[test]
fn a_captured_piece_goes_to_hand_as_what_it_started_as() {
    for (victim, held) in [
        ("+brc", "BRC"),
        ("+br", "BR"),
        ("+rt", "RT"),
        ("+kc", "KC"),
        ("k", "K"),
        ("kc", "KC"),
        ("+p", "P"),
    ] {
        let here = position(
            Game::Great,
            &format!("w,10/11/11/11/5,{victim},5/5,P,5/11/11/11/11/W,10 b - 1"),
        );
        let sfen = played(here, "6f6e").sfen();
        assert_eq!(sfen.split(' ').nth(2), Some(held), "{victim}");
    }
}

#[test]
fn the_capture_of_a_whale_ends_the_game_and_hanging_one_is_legal() {
    // Black's whale may stay on the line of the sperm whale.
    let here = position(Game::Great, "w,10/11/11/11/W,9,s/11/11/P,10/11/11/11 b - 1");
    assert!(here.in_check());
    assert!(here.moves().contains(&String::from("11h11g")));
    let hung = played(here, "11h11g");
    assert!(!hung.in_check());
    let ended = played(hung.clone(), "1e11e");
    assert!(ended.whale_captured());
    assert!(ended.moves().is_empty());
    assert_eq!(ended.sfen(), "w,10/11/11/11/s,10/11/P,10/11/11/11/11 b - 3");
    // The capturing move is a leaf, but none lies below it.
    let replies = hung.perft(1);
    let others: u64 = hung
        .moves()
        .iter()
        .filter(|usi| *usi != "1e11e")
        .map(|usi| played(hung.clone(), usi).perft(1))
        .sum();
    assert!(replies > 1);
    assert_eq!(hung.perft(2), others);

    // On the way, and in place.
    let lion = position(Game::Great, "11/11/11/11/4,w,6/5,K,5/11/11/11/11/W,10 b - 1");
    for usi in ["6f7e", "6f7e6f", "6f7e8d"] {
        assert!(played(lion.clone(), usi).whale_captured(), "{usi}");
    }
    assert!(!played(lion, "6f8d").whale_captured());
}

#[test]
fn check_is_seen_over_what_a_lion_jumps() {
    let checked = |rows| {
        let sfen = format!("{rows}/11/11/11/11/W,10 w - 1");
        position(Game::Great, &sfen).in_check()
    };
    assert!(checked("11/11/5,w,5/5,p,5/5,p,5/5,+BR,5"));
    assert!(!checked("11/11/5,w,5/5,p,5/5,p,5/5,BR,5"));
    assert!(!checked("11/5,w,5/11/5,p,5/5,p,5/5,+BR,5"));
    assert!(checked("11/11/11/7,w,3/6,p,4/5,K,5"));
    assert!(!checked("11/11/11/7,w,3/6,p,4/5,+NB,5"));
    // The blue whale comes round the corner: from 7e up, or along its rank.
    assert!(checked("11/11/4,w,6/11/5,p,5/5,+S,5"));
    assert!(!checked("11/11/4,w,6/11/4,p,p,p,4/5,+S,5"));
    assert!(checked("11/11/11/11/w,4,P,P,4/4,P,+S,P,4"));
}

#[test]
fn a_calf_is_not_dropped_at_the_end_or_on_a_file_with_a_calf() {
    // File 11 holds a promoted calf of Black, file 10 one of White, file 9 an
    // unpromoted one of Black.
    let here = position(Game::Great, "w,10/11/11/11/11/+BC,pc,FC,8/11/11/11/11/W,10 b KC,P 1");
    let drops = here.moves();
    let on_file = |file: &str| {
        let start = format!("KC*{file}");
        drops.iter().filter(|usi| usi.starts_with(&start)).count()
    };
    assert_eq!(on_file("11"), 11 - 3, "own whale, promoted calf, farthest rank");
    assert_eq!(on_file("10"), 11 - 2);
    assert_eq!(on_file("9"), 0);
    assert_eq!(on_file("8"), 11 - 1);
    assert_eq!(drops.iter().filter(|usi| usi.starts_with("P*")).count(), 121 - 5);
}

#[test]
fn a_calf_drop_does_not_mate() {
    //   11 10 9 8
    // a  w  .  P .   10a is covered by the pilot whale, 11b and 10b by the
    // b  .  .  . .   minke whale; the drop is on 11b
    // c  M  .  . .
    let here = |first: &str, second: &str, last: &str| {
        let sfen = format!("{first}/{second}/M,10/11/11/11/11/11/11/{last}/5,W,5 b KC,P 1");
        position(Game::Great, &sfen)
    };
    let drops = |here: &Oracle, drop: &str| moves_with(here, drop) == drop;

    let mate = here("w,1,P,8", "11", "11");
    assert!(!drops(&mate, "KC*11b"));
    // The same by an adult is a move like any other.
    assert!(drops(&mate, "P*11b"));
    // The whale can go to 10a.
    assert!(drops(&here("w,10", "11", "11"), "KC*11b"));
    // The white pilot whale can take the calf.
    assert!(drops(&here("w,1,P,8", "1,p,9", "11"), "KC*11b"));
    // A reply that captures the dropper's own whale refutes the mate.
    assert!(drops(&here("w,1,P,8", "11", "5,p,5"), "KC*11b"));

    // The sperm whale captures where the calf no longer can: mate, although
    // the calf can be taken.
    let helped = here("w,9,S", "1,p,9", "11");
    assert!(!drops(&helped, "KC*11b"));
    // A calf that does not itself attack the whale may be dropped where the
    // sperm whale mates alone.
    let alone = here("w,9,S", "11", "11");
    assert!(drops(&alone, "KC*9e"));
    assert!(!drops(&alone, "KC*11b"));
}
