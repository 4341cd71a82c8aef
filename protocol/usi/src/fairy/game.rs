//! Games as clients of Fairy-Stockfish tell them.

use kujira_position::{
    Move, Outcome, Position, SfenError, Variant, VariantId, WinReason, with_variant,
};

use super::fen::{self, FenError, Style};
use super::rules;
use super::spelling::Dialect;

/// A game by our rules that has come to the same position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Game {
    /// SFEN of the position begun from; none is the starting position of the game.
    pub sfen: Option<String>,
    /// The moves since, as USI texts separated by blanks.
    pub moves: String,
    /// What our rules do not allow and was taken all the same, repetitions once. With each of these the game begins
    /// anew, without the moves before.
    pub notes: Vec<String>,
}

/// Why a text is no game. The message says what was expected and what was found.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The start is no FEN.
    #[error("fen: {0}")]
    Fen(FenError),
    /// The start is a FEN of an impossible position, or of another board.
    #[error("fen: {0}")]
    Start(SfenError),
    /// A move is none.
    #[error("move {number}: expected a legal move, found \"{}\" in {fen}", found.escape_default())]
    Move {
        /// Its number in the list, from 1.
        number: usize,
        /// Its text.
        found: String,
        /// The position.
        fen: String,
    },
}

impl Game {
    /// Reads a game: the FEN of its start, or none for the usual one, and its moves. Moves that are legal to
    /// Fairy-Stockfish alone are played, and a game that is over by repetition goes on.
    ///
    /// # Errors
    /// At the first thing that is wrong.
    pub fn read(game: VariantId, start: Option<&str>, moves: &str) -> Result<Self, GameError> {
        with_variant!(game, V => read::<V>(start, moves))
    }
}

fn read<V: Variant>(start: Option<&str>, moves: &str) -> Result<Game, GameError> {
    let mut game = Game::default();
    if let Some(start) = start {
        game.sfen = Some(fen::to_sfen(V::SPEC, start).map_err(GameError::Fen)?);
    }
    let mut position = match &game.sfen {
        None => Position::<V>::start(),
        Some(sfen) => Position::from_sfen(sfen).map_err(GameError::Start)?,
    };
    let (mut all, mut repeated) = (0, false);
    for (text, number) in moves.split_ascii_whitespace().zip(1..) {
        go_on(&mut game, &mut position, all, &mut repeated);
        all = number;
        if let Ok(m) = Dialect::FairyUci.read_leniently(&position, text) {
            if !game.moves.is_empty() {
                game.moves.push(' ');
            }
            game.moves.push_str(&position.usi(m));
            position.make(m);
        } else if let Some((m, after)) = foreign(&position, text) {
            let why = reason::<V>(m, &after);
            game.notes.push(format!("move {number}, {text}: {why}; it is taken all the same"));
            position = after;
            game.sfen = Some(position.sfen());
            game.moves.clear();
        } else {
            let fen = fen::of_sfen(V::SPEC, &position.sfen(), Style::Fairy);
            return Err(GameError::Move { number, found: text.to_owned(), fen });
        }
    }
    go_on(&mut game, &mut position, all, &mut repeated);
    Ok(game)
}

/// Takes the past from a game that is over by repetition after so many moves, so that it goes on. That is noted once.
fn go_on<V: Variant>(
    game: &mut Game,
    position: &mut Position<V>,
    made: usize,
    repeated: &mut bool,
) {
    let Some(outcome) = position.outcome() else { return };
    let repetition = matches!(
        outcome,
        Outcome::Draw(_) | Outcome::Win { reason: WinReason::PerpetualCheck, .. }
    );
    if repetition {
        let sfen = position.sfen();
        let Ok(fresh) = Position::from_sfen(&sfen) else { return };
        if !std::mem::replace(repeated, true) {
            let over = format!("by our rules the game is over ({outcome})");
            game.notes.push(format!("move {made}: {over}; it goes on"));
        }
        *position = fresh;
        game.sfen = Some(sfen);
        game.moves.clear();
    }
}

/// The move that is legal to Fairy-Stockfish alone, and the position after it.
fn foreign<V: Variant>(position: &Position<V>, text: &str) -> Option<(Move, Position<V>)> {
    let m = Dialect::FairyUci.read_drop::<V>(text)?;
    if !rules::extra_drops(position).contains(&m) {
        return None;
    }
    Some((m, rules::dropped(position, m)?))
}

/// Why our rules do not allow a drop.
fn reason<V: Variant>(m: Move, after: &Position<V>) -> String {
    let name = V::SPEC.name_of(m.kind());
    if rules::is_mated(after) {
        return format!("by our rules no {name} may be dropped to mate");
    }
    let limit = V::SPEC.pawns.file_limit;
    format!("by our rules no {name} may be dropped onto a file with {limit} of its side")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whale(start: Option<&str>, moves: &str) -> Result<Game, String> {
        Game::read(VariantId::Whale, start, moves).map_err(|error| error.to_string())
    }

    fn plain(sfen: Option<&str>, moves: &str) -> Game {
        let sfen = sfen.map(str::to_owned);
        Game { sfen, moves: moves.to_owned(), notes: Vec::new() }
    }

    #[test]
    fn games_are_read() {
        assert_eq!(whale(None, ""), Ok(plain(None, "")));
        assert_eq!(whale(None, "e2e3 b5b4"), Ok(plain(None, "2e2d 5b5c")));
        let fen = "+D4w/6/2D3/6/6/W5[GD] w - - 0 1";
        for moves in ["a6b5-  f6f5 b5b6+ f5f4 D@d2", "a6b5 f6f5 b5b6 f5f4 d@d2"] {
            let expected = plain(Some("D4w/6/2D3/6/6/W5 b GD 1"), "6a5b 1a1b 5b5a 1b1c D*3e");
            assert_eq!(whale(Some(fen), moves), Ok(expected));
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let start = "bn+kwgh/dddddd/6/6/DDDDDD/HGW+KNB[-] w 0 1";
        for (fen, moves, error) in [
            (Some("x"), "", "fen: expected one of the pieces W K H G N B D +K, found \"x\""),
            (None, "e2e4", &format!("move 1: expected a legal move, found \"e2e4\" in {start}")),
            (None, "2e2d", &format!("move 1: expected a legal move, found \"2e2d\" in {start}")),
            (None, "e2e3+", &format!("move 1: expected a legal move, found \"e2e3+\" in {start}")),
            (None, "D@e4", &format!("move 1: expected a legal move, found \"D@e4\" in {start}")),
            (
                Some("5w/6/6/6/6/W5[] w 0 1"),
                "a1a2 f6f5 \u{e9}",
                "move 3: expected a legal move, found \"\\u{e9}\" in 6/5w/6/6/W5/6[-] w 0 2",
            ),
        ] {
            assert_eq!(whale(fen, moves), Err(error.to_owned()), "{fen:?} {moves}");
        }
        let error = whale(Some("6/6/6/6/6/6[] w 0 1"), "").unwrap_err();
        assert!(error.starts_with("fen: "), "{error}");
    }

    #[test]
    fn moves_that_are_legal_elsewhere_are_taken() {
        let mate = whale(Some("5w/3K2/5W/6/6/6[D] w 0 1"), "D@f5").unwrap();
        assert_eq!(mate.sfen.as_deref(), Some("5w/3K1D/5W/6/6/6 w - 2"));
        assert_eq!(
            mate.notes,
            [
                "move 1, D@f5: by our rules no dolphin may be dropped to mate; it is taken all the same"
            ]
        );
        let full = whale(Some("+D4w/6/6/D5/6/5W[D] w 0 1"), "D@a5 f6e6 f1e1").unwrap();
        assert_eq!(
            (full.sfen.as_deref(), &full.moves[..]),
            (Some("D4w/D5/6/D5/6/5W w - 2"), "1a2a 1f2f")
        );
        assert_eq!(
            full.notes,
            [
                "move 1, D@a5: by our rules no dolphin may be dropped onto a file with 2 of its side; it is \
                 taken all the same"
            ]
        );
        // Nobody's rules allow it onto the farthest rank.
        assert!(whale(Some("5w/3K2/5W/6/6/6[D] w 0 1"), "D@b6").is_err());
    }

    #[test]
    fn a_game_goes_on_behind_its_fourth_position() {
        let there_and_back = "a1b1 f6e6 b1a1 e6f6";
        let moves = [there_and_back; 3].join(" ");
        let fen = "5w/6/6/6/6/W5[] w 0 1";
        let over = whale(Some(fen), &moves).unwrap();
        assert_eq!((over.sfen.as_deref(), &over.moves[..]), (Some("5w/6/6/6/6/W5 b - 13"), ""));
        assert_eq!(
            over.notes,
            ["move 12: by our rules the game is over (draw: fourfold repetition); it goes on"]
        );
        let on = whale(Some(fen), &format!("{moves} a1a2")).unwrap();
        assert_eq!((on.notes, &on.moves[..]), (over.notes.clone(), "6f6e"));
        // It is said once, however often it comes to that.
        let long = [there_and_back; 1000].join(" ");
        assert_eq!(whale(Some(fen), &long).unwrap().notes, over.notes);
    }
}
