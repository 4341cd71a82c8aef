//! An evaluation as text for people: what a network says of a position, and what each piece adds to that.

use std::fmt::Write as _;
use std::sync::Arc;

use kujira_position::{Board, Color, Kind, Threats, Variant};

use super::accumulator::Accumulator;
use super::evaluator::Evaluator;
use super::network::Network;
use crate::score::{Value, in_pawns};

/// Describes what `network` says of `board`: the score for the side to move and, piece by piece, what its owner
/// would lose without it, in hundredths of a dolphin or calf in hand. White whales are left out.
pub(crate) fn explain<V: Variant>(network: &Arc<Network<V>>, board: &Board<V>) -> String {
    let (pawn, hidden) = (network.pawn(), network.hidden());
    let mut evaluator = Accumulator::new(network.clone());
    let mut score = |board: &Board<V>| -> Value {
        evaluator.reset(board);
        evaluator.evaluate(board, &Threats::default())
    };
    let total = score(board);
    let mut worth = |owner: Color, less: Board<V>| {
        let lost = total - score(&less);
        in_pawns(if owner == board.side() { lost } else { -lost }, pawn)
    };
    let (spec, geometry) = (V::SPEC, V::SPEC.geometry);
    const WIDTH: usize = 7;

    let told = in_pawns(total, pawn);
    let mut text =
        format!("eval {told} for {}, by a network of {hidden} hidden units\n", board.side());
    text.push_str("what each piece adds for its owner:\n\n");
    for file in (1..=geometry.files).rev() {
        let _ = write!(text, "{file:>WIDTH$}");
    }
    text.push('\n');
    let mut values = String::new();
    for square in geometry.reading_order() {
        let piece = board.piece_on(square);
        let token = piece.map_or_else(|| ".".to_owned(), |p| spec.token(p.color(), p.kind()));
        let _ = write!(text, "{token:>WIDTH$}");
        let value = piece
            .filter(|piece| piece.kind() != Kind::WHALE)
            .map(|piece| worth(piece.color(), board.without(square)).to_string());
        let _ = write!(values, "{:>WIDTH$}", value.unwrap_or_default());
        if geometry.x(square) + 1 == geometry.width() {
            let rank = geometry.height() - 1 - geometry.y(square);
            let _ = writeln!(text, "  {}", char::from(b'a' + rank.unsigned_abs()));
            let _ = writeln!(text, "{}", std::mem::take(&mut values).trim_end());
        }
    }
    for owner in Color::BOTH {
        let hand = board.hand(owner);
        let mut held: Vec<String> = hand
            .iter()
            .map(|kind| {
                let last: Value = worth(owner, board.without_held(owner, kind));
                match hand.count(kind) {
                    1 => format!("{} {last}", spec.token(owner, kind)),
                    count => format!("{count}{} {last} (the last)", spec.token(owner, kind)),
                }
            })
            .collect();
        if held.is_empty() {
            held.push("-".to_owned());
        }
        let _ = write!(text, "\n{owner} in hand: {}", held.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Position, Whale};

    use super::*;
    use crate::eval::{Inputs, NetworkFile};

    #[test]
    fn each_piece_has_what_the_score_loses_without_it() {
        let kind = |token| Whale::SPEC.kind_named(token);
        let mut net = NetworkFile::zero::<Whale>(16, 1, 100);
        // On the board our killer whales count 150 and our dolphins 50; in hand the first dolphin counts
        // 198, the second 100.
        let mut count = |unit: usize, input: usize| {
            for zone in 0..Inputs::<Whale>::ZONES {
                net.weights[Inputs::<Whale>::placed(zone, input) * 16 + unit] = 127;
            }
        };
        for seen in 0..36 {
            count(0, Inputs::<Whale>::square(false, kind("K"), seen));
            count(4, Inputs::<Whale>::square(false, kind("D"), seen));
        }
        count(1, Inputs::<Whale>::hand(false, kind("D")));
        count(2, Inputs::<Whale>::hand(false, kind("D")) + 1);
        for (unit, weight) in [(0, 96), (1, 127), (2, 64), (4, 32)] {
            net.outputs[unit] = weight;
            net.outputs[16 + unit] = -weight;
        }
        let position = Position::<Whale>::from_sfen("3w2/6/3d2/6/1K4/2W3 w 2Dd 1").unwrap();
        let expected = "\
eval -200 for White, by a network of 16 hidden units
what each piece adds for its owner:

      6      5      4      3      2      1
      .      .      .      w      .      .  a

      .      .      .      .      .      .  b

      .      .      .      d      .      .  c
                          50
      .      .      .      .      .      .  d

      .      K      .      .      .      .  e
           150
      .      .      W      .      .      .  f


Black in hand: 2D 100 (the last)
White in hand: d 198";
        assert_eq!(explain(&Arc::new(Network::<Whale>::new(&net)), position.board()), expected);
        net.pawn = 200;
        let halved = explain(&Arc::new(Network::<Whale>::new(&net)), position.board());
        assert!(
            halved.starts_with("eval -100 ") && halved.ends_with("White in hand: d 99"),
            "{halved}"
        );
    }

    #[test]
    fn the_large_board_is_told_with_names() {
        let net = NetworkFile::zero::<Great>(16, 1, 100);
        let position = Position::<Great>::start();
        let text = explain(&Arc::new(Network::<Great>::new(&net)), position.board());
        assert!(text.starts_with("eval 0 for Black, by a network of 16 hidden units\n"), "{text}");
        assert_eq!(text.lines().count(), 4 + 2 * 11 + 3, "{text}");
        assert!(text.contains("    BWC    BDC"), "{text}");
        assert!(text.ends_with("\nBlack in hand: -\nWhite in hand: -"), "{text}");
    }
}
