//! SFEN, in and out.

use super::board::{Board, Color, Hands, Piece, Square};
use super::{Game, Oracle, Switches};

pub(super) fn read(game: Game, sfen: &str, switches: Switches) -> Result<Oracle, String> {
    let mut fields = sfen.split_whitespace();
    let mut field = |name: &str| {
        fields.next().ok_or_else(|| format!("expected the {name} in `{sfen}`, found the end"))
    };
    let board = read_board(game, field("board")?)?;
    let side = match field("side to move")? {
        "b" => Color::Black,
        "w" => Color::White,
        other => return Err(format!("expected the side `b` or `w`, found `{other}`")),
    };
    let hands = read_hands(game, field("hands")?)?;
    let ply = match fields.next() {
        None => 1,
        Some(text) => {
            number(text).ok_or_else(|| format!("expected a move number from 1, found `{text}`"))?
        }
    };
    match fields.next() {
        Some(more) => Err(format!("expected the end of the SFEN, found `{more}`")),
        None => Ok(Oracle { game, switches, board, hands, side, ply }),
    }
}

fn read_board(game: Game, text: &str) -> Result<Board, String> {
    let size = game.size();
    let mut board = Board::empty();
    let mut ranks = text.split('/');
    for rank in 1..=size {
        let row = ranks
            .next()
            .ok_or_else(|| format!("expected {size} ranks, found {} in `{text}`", rank - 1))?;
        // The first item of a row stands on the highest file.
        let mut file = size;
        for item in items(game, row) {
            let too_long = || format!("expected {size} squares, found more in the rank `{row}`");
            if item.starts_with(|c: char| c.is_ascii_digit()) {
                let run = number(&item)
                    .ok_or_else(|| format!("expected a number of empty squares, found `{item}`"))?;
                file = i8::try_from(run)
                    .ok()
                    .filter(|&run| run <= file)
                    .map(|run| file - run)
                    .ok_or_else(too_long)?;
            } else {
                let piece = read_piece(game, &item)?;
                if file < 1 {
                    return Err(too_long());
                }
                board.set(Square { file, rank }, Some(piece));
                file -= 1;
            }
        }
        if file > 0 {
            return Err(format!(
                "expected {size} squares, found {} in the rank `{row}`",
                size - file
            ));
        }
    }
    match ranks.next() {
        Some(more) => Err(format!("expected {size} ranks, found one more, `{more}`")),
        None => Ok(board),
    }
}

/// Splits a rank, or a hands field, into its items: at the commas where names
/// have several letters, else after each letter (and each digit of a rank; the
/// hands join theirs again).
fn items(game: Game, text: &str) -> Vec<String> {
    match game {
        Game::Whale | Game::Paulowich => text.chars().map(String::from).collect(),
        Game::Great => text.split(',').map(String::from).collect(),
    }
}

fn read_piece(game: Game, item: &str) -> Result<Piece, String> {
    let (promoted, token) = match item.strip_prefix('+') {
        Some(token) => (true, token),
        None => (false, item),
    };
    let color = if token.chars().all(|c| c.is_ascii_uppercase()) {
        Color::Black
    } else if token.chars().all(|c| c.is_ascii_lowercase()) {
        Color::White
    } else {
        return Err(format!("expected a piece all upper or all lower case, found `{item}`"));
    };
    game.species()
        .iter()
        .position(|species| species.token == token.to_ascii_uppercase())
        .filter(|&place| !promoted || game.species()[place].promoted.is_some())
        .map(|species| Piece { color, species, promoted })
        .ok_or_else(|| format!("expected a piece of {}, found `{item}`", game.id()))
}

fn read_hands(game: Game, text: &str) -> Result<Hands, String> {
    let mut hands = Hands::empty();
    if text == "-" {
        return Ok(hands);
    }
    let mut count = String::new();
    for item in items(game, text) {
        let token = item.trim_start_matches(|c: char| c.is_ascii_digit());
        count.push_str(&item[..item.len() - token.len()]);
        if token.is_empty() && game != Game::Great {
            continue; // a digit, whose letter is the next item
        }
        let piece = read_piece(game, token)?;
        // Only what a captured piece turns into can be in hand.
        if piece.promoted || game.species()[piece.species].captured_as != Some(piece.species) {
            return Err(format!("expected a piece that can be in hand, found `{item}`"));
        }
        let copies = match count.as_str() {
            "" => 1,
            digits => number(digits)
                .and_then(|copies| u8::try_from(copies).ok())
                .filter(|&copies| copies > 1)
                .ok_or_else(|| {
                    format!("expected a count from 2 to 255, or none, found `{digits}` in `{text}`")
                })?,
        };
        count.clear();
        let held = hands.count_mut(piece.color, piece.species);
        if *held > 0 {
            return Err(format!("expected each kind once, found `{item}` again in `{text}`"));
        }
        *held = u16::from(copies);
    }
    if count.is_empty() {
        Ok(hands)
    } else {
        Err(format!("expected a piece after `{count}`, found the end of `{text}`"))
    }
}

/// A number from 1, written with digits only and without leading zero.
fn number(text: &str) -> Option<u32> {
    if text.starts_with('0') || !text.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

pub(super) fn write(position: &Oracle) -> String {
    let game = position.game;
    let size = game.size();
    let separator = match game {
        Game::Whale | Game::Paulowich => "",
        Game::Great => ",",
    };
    let rows: Vec<String> = (1..=size)
        .map(|rank| {
            let mut items = Vec::new();
            let mut empty = 0;
            for file in (1..=size).rev() {
                match position.board.get(Square { file, rank }) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            items.push(empty.to_string());
                            empty = 0;
                        }
                        let plus = if piece.promoted { "+" } else { "" };
                        let token = write_token(game, piece.color, piece.species);
                        items.push(format!("{plus}{token}"));
                    }
                }
            }
            if empty > 0 {
                items.push(empty.to_string());
            }
            items.join(separator)
        })
        .collect();
    let side = match position.side {
        Color::Black => 'b',
        Color::White => 'w',
    };
    let mut in_hand = Vec::new();
    for color in [Color::Black, Color::White] {
        for species in 0..game.species().len() {
            let token = write_token(game, color, species);
            match position.hands.count(color, species) {
                0 => {}
                1 => in_hand.push(token),
                count => in_hand.push(format!("{count}{token}")),
            }
        }
    }
    let hands = if in_hand.is_empty() { String::from("-") } else { in_hand.join(separator) };
    format!("{} {side} {hands} {}", rows.join("/"), position.ply)
}

fn write_token(game: Game, color: Color, species: usize) -> String {
    let token = game.species()[species].token;
    match color {
        Color::Black => String::from(token),
        Color::White => token.to_ascii_lowercase(),
    }
}
