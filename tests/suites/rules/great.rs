//! The rules of Great Whale Shogi.

use kujira_position::{Color, Great, Outcome, Position, Threats, Wanted, WinReason};
use kujira_tests::views::{moves, moves_with};

use super::{here, picture, played};

/// The middle of a board whose other squares hold only the white whales: files 7, 6, 5 on the ranks
/// `c` to `h`. `#` is any piece of Black's, `x` any of White's.
fn middle(ranks: [&str; 6]) -> Position<Great> {
    // Two of most kinds are all there are.
    let mut any = ["F", "SE", "RT", "DP", "B", "BD", "HP", "NB", "NB"].into_iter().cycle();
    let mut item = |item: &str| match item {
        "." => "1".to_owned(),
        "#" => any.next().unwrap_or_default().to_owned(),
        "x" => any.next().unwrap_or_default().to_ascii_lowercase(),
        piece => piece.to_owned(),
    };
    let rows = ranks.map(|row| {
        let items: Vec<String> = row.split(' ').map(&mut item).collect();
        format!("4,{},4", items.join(","))
    });
    here(&format!("w,10/11/{}/11/11/W,10 b - 1", rows.join("/")))
}

fn lion(ranks: [&str; 6]) -> String {
    moves_with(&middle(ranks), "6f")
}

#[test]
fn the_killer_whale_captures_on_its_forward_diagonals() {
    let board = middle([". . .", ". . .", "p . P", ". K .", ". . .", ". . ."]);
    // 5e is an own piece: jumped. 7e is an enemy: jumped, taken on the way, taken in place (igui),
    // or taken by a step. It may not pass.
    assert_eq!(moves_with(&board, "6f"), "6f4d 6f5f 6f5g 6f6e 6f7e 6f7e6f 6f7e8d 6f7f 6f7g 6f8d");
    assert_eq!(
        played(board.clone(), "6f7e8d").sfen(),
        "w,10/11/11/3,K,7/6,P,4/11/11/11/11/11/W,10 w P 2"
    );
    assert_eq!(played(board, "6f7e6f").sfen(), "w,10/11/11/11/6,P,4/5,K,5/11/11/11/11/W,10 w P 2");
    // Nothing on the diagonals: no igui, no pass.
    let free = lion([". . .", ". . .", ". . .", ". K .", ". . .", ". . ."]);
    assert_eq!(free, "6f4d 6f5e 6f5f 6f5g 6f6e 6f7e 6f7f 6f7g 6f8d");
    // Straight ahead and backward it has no igui.
    let ahead = lion([". . .", ". . .", ". x .", "x K x", "x . x", ". . ."]);
    assert_eq!(ahead, "6f4d 6f5e 6f5f 6f5g 6f6e 6f7e 6f7f 6f7g 6f8d");
}

#[test]
fn the_false_killer_whale_takes_any_of_the_pieces_before_it() {
    for (ranks, expected) in [
        // Free: up to three ahead, jumping, and a pass.
        (
            [". . .", ". . .", ". . .", ". +BR .", ". . .", ". . ."],
            "6f5e 6f5f 6f5g 6f6c 6f6d 6f6e 6f6f 6f6g 6f7e 6f7f 6f7g",
        ),
        // Two enemies: every subset on the way to 6c, both orders of ending, igui on 6e.
        (
            [". . .", ". p .", ". h .", "# +BR #", "# # #", ". . ."],
            "6f5e 6f6c 6f6d 6f6d6c 6f6e 6f6e6c 6f6e6d 6f6e6d6c 6f6e6f 6f7e",
        ),
        // An own piece before it is jumped; 6d is taken on the way or at the end.
        ([". h .", ". p .", "# # #", "# +BR #", "# # #", ". . ."], "6f6c 6f6d 6f6d6c"),
        ([". . .", ". # .", "# p #", "# +BR #", "# # #", ". . ."], "6f6c 6f6e 6f6e6c 6f6e6f"),
        // Three ahead is an own piece: no end there.
        ([". # .", ". . .", "# . #", "# +BR #", "# # #", ". . ."], "6f6d 6f6e 6f6f"),
        ([". # .", ". p .", "# p #", "# +BR #", "# # #", ". . ."], "6f6d 6f6e 6f6e6d 6f6e6f"),
        // Only an empty square before it makes a pass.
        ([". . .", ". . .", "# # #", "# +BR #", "# # #", ". . ."], "6f6c 6f6d"),
    ] {
        assert_eq!(lion(ranks), expected, "{ranks:?}");
    }
    // The edge cuts it short.
    let edge = here::<Great>("w,4,p,5/4,F,+BR,F,4/4,M,M,SE,4/11/11/11/11/11/11/11/W,10 b - 1");
    assert_eq!(moves_with(&edge, "6b"), "6b5a 6b6a 6b6a6b 6b7a");
    // A promoted calf moves as the black right whale.
    assert_eq!(
        lion([". . .", ". . .", ". . .", ". +BRC .", ". . .", ". . ."]),
        "6f3f 6f6a 6f6b 6f6c 6f6d 6f6e 6f6g 6f9f"
    );
}

#[test]
fn a_triple_capture_takes_all_three_into_hand() {
    let board = middle([". +m .", ". pc .", ". h .", ". +BR .", ". . .", ". . ."]);
    for (text, sfen) in [
        ("6f6e6d6c", "w,10/11/5,+BR,5/11/11/11/11/11/11/11/W,10 w M,H,PC 2"),
        ("6f6e6c", "w,10/11/5,+BR,5/5,pc,5/11/11/11/11/11/11/W,10 w M,H 2"),
        ("6f6d6c", "w,10/11/5,+BR,5/11/5,h,5/11/11/11/11/11/W,10 w M,PC 2"),
        ("6f6c", "w,10/11/5,+BR,5/5,pc,5/5,h,5/11/11/11/11/11/W,10 w M 2"),
        ("6f6e6d", "w,10/11/5,+m,5/5,+BR,5/11/11/11/11/11/11/W,10 w H,PC 2"),
        ("6f6e6f", "w,10/11/5,+m,5/5,pc,5/11/5,+BR,5/11/11/11/11/W,10 w H 2"),
    ] {
        let mut after = played(board.clone(), text);
        assert_eq!(after.sfen(), sfen, "{text}");
        after.undo();
        assert_eq!(after, board, "{text} taken back");
    }
    let mut captures = Default::default();
    board.generate(Wanted::Captures, &Threats::default(), &mut captures);
    assert_eq!(captures.len(), 8, "one to 6e, one in place, two to 6d, four to 6c");
}

#[test]
fn the_beluga_captures_all_round_without_moving_but_does_not_pass() {
    let around = lion([". . .", ". . .", "p . P", ". +NB h", ". m .", ". . ."]);
    assert_eq!(around, "6f5f 6f5f6f 6f5g 6f6e 6f6g 6f6g6f 6f7e 6f7e6f 6f7f 6f7g");
    let alone = lion([". . .", ". . .", ". . .", ". +NB .", ". . .", ". . ."]);
    assert_eq!(alone, "6f5e 6f5f 6f5g 6f6e 6f6g 6f7e 6f7f 6f7g");
}

#[test]
fn the_blue_whale_turns_after_one_diagonal_step() {
    // Only 7e is free of the four corners; 6e stops the slide to the right.
    assert_eq!(
        lion([". . .", ". . .", ". x #", "# +S #", "# # #", ". . ."]),
        "6f10b 6f10e 6f10h 6f11a 6f11e 6f11i 6f3a 6f4b 6f5c 6f6d 6f6e 6f6f 6f7a 6f7b 6f7c 6f7d \
         6f7e 6f8d 6f8e 6f8f 6f9c 6f9e 6f9g"
    );
    // No empty corner, no pass; an enemy on a corner stops it there.
    assert_eq!(lion([". . .", ". . .", "x . #", ". +S .", "# . #", ". . ."]), "6f7e");
    // It may stop after the step, also where no slide leads to.
    let line = "3,f,2,w,se,s,bd,bw/br,4,nb,m,4/1,+H,k,bc,fc,1,mc,2,+H,+s/brc,2,b,1,k,2,dp,1,NB/\
                2,nbc,4,SE,2,rt/7,NB,3/2,PC,2,kc,2,NBC,2/BWC,PC,2,hp,KC,5/\
                2,P,SEC,SEC,1,FC,BC,DP,DPC,BRC/2,p,M,1,F,1,BR,1,mc,HP/\
                BW,BD,RT,3,W,B,1,nb,1 w DPC,2BDC,BWC 98";
    let stops = moves_with(&here::<Great>(line), "1c2");
    assert!(stops.contains("1c2b 1c2c 1c2d"), "{stops}");
    // The slide goes on through its own square, to 5g and 4h, and may end on it: a pass.
    let board = middle(["# # #", "# # #", ". # #", "# +S #", "# # .", "# # #"]);
    let all = moves_with(&board, "6f");
    let ends: Vec<&str> = all.split(' ').collect();
    for end in ["6f4h", "6f5g", "6f6f"] {
        assert!(ends.contains(&end), "{end} in {all}");
    }
    assert_eq!(
        played(board.clone(), "6f6f").sfen(),
        board.sfen().replace(" b - 1", " w - 2"),
        "a pass changes nothing but the side to move"
    );
}

#[test]
fn four_paths_of_the_blue_whale_to_one_square_are_one_move() {
    // On the empty board 6d is reached from 7e and 5e, 6b from both too, 6f by four ways.
    let board = middle([". . .", ". . .", ". . .", ". +S .", ". . .", ". . ."]);
    let all = moves_with(&board, "6f");
    for text in ["6f6d", "6f6h", "6f8f", "6f4f", "6f6f", "6f6e"] {
        assert_eq!(all.split(' ').filter(|m| *m == text).count(), 1, "{text} in {all}");
    }
    // One path less is still the move, until the last is shut.
    let one = lion([". . .", ". . .", ". # #", "# +S #", "# # #", ". . ."]);
    assert!(one.split(' ').any(|m| m == "6f6d"), "{one}");
    let none = lion([". . .", ". . .", "# . #", ". +S .", "# . #", ". . ."]);
    assert_eq!(none, "");
}

#[test]
fn promotion_is_offered_in_the_zone_and_forced_for_a_calf_at_the_end() {
    let board = picture::<Great>(
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
    assert_eq!(moves_with(&board, "2b"), "2b2a+");
    assert_eq!(moves_with(&board, "4d"), "4d4c 4d4c+");
    assert_eq!(moves_with(&board, "6d"), "6d5d 6d6c 6d6c+ 6d6e 6d7d");
    assert!(moves_with(&board, "8c").contains("8c8d 8c8d+"), "on leaving the zone too");
    assert_eq!(moves_with(&board, "1e"), "1e2d 1e2e 1e2f");
    // Promoted pieces and native killer whales never promote again.
    let never = here::<Great>("w,10/3,+MC,3,K,3/11/11/11/11/11/11/11/11/W,10 b - 1");
    assert_eq!(moves_with(&never, "8b"), "8b7a 8b7c 8b8a 8b8c 8b9a 8b9c");
    assert_eq!(moves_with(&never, "4b"), "4b3a 4b3b 4b3c 4b4a 4b5a 4b5b 4b5c");
    // White's zone is at the bottom.
    let white = here::<Great>("w,10/11/11/11/11/11/11/4,pc,6/11/6,bwc,4/W,10 w - 1");
    assert_eq!(moves_with(&white, "7h"), "7h7i 7h7i+");
    assert_eq!(moves_with(&white, "5j"), "5j5k+");
}

#[test]
fn a_captured_piece_goes_to_hand_as_what_it_started_as() {
    // A promoted calf and a native piece that moves alike are different things.
    for (victim, held) in [
        ("+brc", "BRC"),
        ("br", "BR"),
        ("+br", "BR"),
        ("+rt", "RT"),
        ("+hp", "HP"),
        ("+kc", "KC"),
        ("k", "K"),
        ("kc", "KC"),
        ("+bd", "BD"),
        ("+s", "S"),
        ("+p", "P"),
    ] {
        let sfen = format!("w,10/11/11/11/5,{victim},5/5,P,5/11/11/11/11/W,10 b - 1");
        let after = played(here::<Great>(&sfen), "6f6e");
        assert_eq!(after.sfen().split(' ').nth(2), Some(held), "{victim}");
    }
}

#[test]
fn every_kind_is_captured_as_its_own() {
    use kujira_position::Variant;
    for kind in &Great::SPEC.kinds[1..] {
        let victim = kind.token.to_ascii_lowercase();
        let sfen = format!("w,10/11/11/11/5,{victim},5/5,P,5/11/11/11/11/W,10 b - 1");
        let after = played(here::<Great>(&sfen), "6f6e");
        let expected = kind.token.trim_start_matches('+');
        assert_eq!(after.sfen().split(' ').nth(2), Some(expected), "{victim}");
    }
}

#[test]
fn the_capture_of_a_whale_ends_the_game_and_hanging_one_is_legal() {
    let board = here::<Great>("w,10/11/11/11/W,9,s/11/11/P,10/11/11/11 b - 1");
    assert!(board.checked());
    assert_eq!(board.outcome(), None);
    let hung = played(board, "11h11g");
    assert!(!hung.checked());
    let ended = played(hung, "1e11e");
    assert_eq!(moves(&ended), "");
    assert_eq!(ended.sfen(), "w,10/11/11/11/s,10/11/P,10/11/11/11/11 b - 3");
    let won = Outcome::Win { winner: Color::White, reason: WinReason::WhaleCaptured };
    assert_eq!(ended.outcome(), Some(won));
}

#[test]
fn a_lion_takes_the_whale_on_the_way() {
    let board = here::<Great>("11/11/11/11/4,w,6/5,K,5/11/11/11/11/W,10 b - 1");
    let won = Outcome::Win { winner: Color::Black, reason: WinReason::WhaleCaptured };
    for text in ["6f7e", "6f7e6f", "6f7e8d"] {
        let ended = played(board.clone(), text);
        assert_eq!(ended.outcome(), Some(won), "{text}");
        assert!(ended.hand(Color::Black).is_empty(), "{text}: the whale goes into no hand");
    }
    assert_eq!(played(board, "6f8d").outcome(), None);
    let three = here::<Great>("11/11/5,p,5/5,w,5/5,h,5/5,+BR,5/11/11/11/11/W,10 b - 1");
    let ended = played(three, "6f6e6d6c");
    assert_eq!(ended.outcome(), Some(won));
    assert_eq!(ended.sfen(), "11/11/5,+BR,5/11/11/11/11/11/11/11/W,10 w H,P 2");
}

#[test]
fn check_is_seen_over_what_a_lion_jumps() {
    for (rows, check) in [
        ("11/11/5,w,5/5,p,5/5,p,5/5,+BR,5", true),
        ("11/11/5,w,5/5,p,5/5,p,5/5,BR,5", false),
        ("11/5,w,5/11/5,p,5/5,p,5/5,+BR,5", false),
        ("11/11/11/7,w,3/6,p,4/5,K,5", true),
        ("11/11/11/7,w,3/6,p,4/5,+NB,5", false),
        // The blue whale comes round the corner: from 7e up, or along its rank.
        ("11/11/4,w,6/11/5,p,5/5,+S,5", true),
        ("11/11/4,w,6/11/4,p,h,p,4/5,+S,5", false),
        ("11/11/11/11/w,4,P,M,4/4,M,+S,P,4", true),
    ] {
        let board = here::<Great>(&format!("{rows}/11/11/11/11/W,10 w - 1"));
        assert_eq!(board.checked(), check, "{rows}");
    }
}

#[test]
fn a_player_without_any_move_loses() {
    // Down in its farthest corner White stands in its own way: the rough-toothed dolphins leap off
    // the board and cannot step back, the calves have own pieces before them.
    let board = here::<Great>("10,W/11/11/11/11/11/11/11/1,pc,9/mc,rt,9/w,rt,9 w - 1");
    assert_eq!(moves(&board), "");
    assert!(!board.checked());
    let won = Outcome::Win { winner: Color::Black, reason: WinReason::NoMoves };
    assert_eq!(board.outcome(), Some(won));
    // One piece that can move is enough.
    let free = here::<Great>("10,W/11/11/11/11/11/11/11/1,pc,9/mc,rt,9/w,rt,8,p w - 1");
    assert_eq!((moves(&free).as_str(), free.outcome()), ("1k1j 1k1j+ 1k2k 1k2k+", None));
}

#[test]
fn a_calf_is_not_dropped_at_the_end_or_on_a_file_with_a_calf() {
    // File 11 holds a promoted calf of Black, file 10 a calf of White, file 9 a calf of Black.
    let board = here::<Great>("w,10/11/11/11/11/+BC,pc,FC,8/11/11/11/11/W,10 b KC,P 1");
    let on_file = |file: &str| {
        moves(&board).split(' ').filter(|m| m.starts_with(&format!("KC*{file}"))).count()
    };
    assert_eq!(on_file("11"), 11 - 3, "both whales, promoted calf; one of them on the last rank");
    assert_eq!(on_file("10"), 11 - 2);
    assert_eq!(on_file("9"), 0);
    assert_eq!(on_file("8"), 11 - 1);
    assert_eq!(moves_with(&board, "P*").split(' ').count(), 121 - 5);
}

#[test]
fn a_calf_drop_does_not_mate() {
    //   11 10 9 8
    // a  w  .  P .   10a is covered by the pilot whale, 11b and 10b by the minke whale;
    // b  .  .  . .   the drop is on 11b.
    // c  M  .  . .
    let board = |first: &str, second: &str, last: &str| {
        here::<Great>(&format!("{first}/{second}/M,10/11/11/11/11/11/11/{last}/5,W,5 b KC,M 1"))
    };
    let drops = |board: &Position<Great>, drop: &str| moves_with(board, drop) == drop;
    let mate = board("w,1,P,8", "11", "11");
    assert!(!drops(&mate, "KC*11b"));
    assert!(drops(&mate, "M*11b"), "an adult may mate");
    assert!(drops(&board("w,10", "11", "11"), "KC*11b"), "10a is free");
    assert!(drops(&board("w,1,P,8", "1,p,9", "11"), "KC*11b"), "the pilot whale takes the calf");
    assert!(
        drops(&board("w,1,P,8", "11", "5,p,5"), "KC*11b"),
        "a reply that captures the dropper's own whale refutes the mate"
    );
    assert!(
        !drops(&board("w,9,S", "1,p,9", "11"), "KC*11b"),
        "mate by whatever piece: the sperm whale captures when the calf is taken"
    );
    // A calf that does not itself attack the whale may come where the sperm whale mates alone.
    let alone = board("w,9,S", "11", "11");
    assert!(drops(&alone, "KC*9e"));
    assert!(!drops(&alone, "KC*11b"));
}
