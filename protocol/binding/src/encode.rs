//! Positions and moves as numbers, as `docs/encoding.md` has them to the index.
//!
//! Everything is as the side to move sees it: for White the board is turned by 180°. A square has the number
//! `row × files + column`, row 0 the farthest rank of the side to move, column 0 the leftmost file. Actions come in
//! blocks; `S` is the number of squares:
//!
//! ```text
//! moves       from × S + to                      S²; a pass ends where it starts
//! promotions  S² + from × S + to                 S², where pieces promote
//! ways        … + way × S + from                 S each, where pieces capture on the way
//! drops       … + (kind − 1) × S + to            S each kind that can be in hand
//! ```
//!
//! Planes, each of `S` bytes: a plane each kind of the side to move (1 where one stands), the same of the other side,
//! a plane each kind in hand filled with its count, the same of the other side, one filled with how often the position
//! stood on the board before (3 at most), one filled with 1 where Black is to move.

use std::sync::LazyLock;

use kujira_position::{
    AnyPosition, Board, Color, Direction, Hook, Kind, Move, Position, Spec, Square, Variant,
    VariantId, Way, with_position,
};

use crate::Refused;
use crate::given::{Given, find};

/// The version of what is written here.
pub const ENCODING: u32 = 1;

/// How many squares of a packed move there can be.
const ROOM: usize = 128;

/// A move that captures on the way: how many steps away it ends (0: where it started), on which line as the mover sees
/// it, capturing which steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct WayPlane {
    steps: usize,
    line: usize,
    mask: usize,
}

/// The numbers of a game.
pub struct Numbering {
    game: VariantId,
    squares: usize,
    ways: Vec<WayPlane>,
    promotes: bool,
    /// The number of a square, by color and index.
    seen: [[u16; ROOM]; 2],
    /// The square with a number, by color.
    square: [Vec<Square>; 2],
}

/// Every way that the lions of a game have: by steps, line, mask.
fn ways(spec: &Spec) -> Vec<WayPlane> {
    let mut all = Vec::new();
    for class in spec.classes {
        let Hook::Lion { lines, reach, .. } = class.hook else { continue };
        for direction in lines.iter().filter_map(|&(dx, dy)| Direction::from_offset(dx, dy)) {
            let line = direction.index();
            all.push(WayPlane { steps: 0, line, mask: 1 });
            if reach >= 2 {
                all.push(WayPlane { steps: 2, line, mask: 1 });
            }
            if reach >= 3 {
                all.extend((1..=3).map(|mask| WayPlane { steps: 3, line, mask }));
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

impl Numbering {
    /// The numbers of `game`.
    ///
    /// # Panics
    /// Never: every game has numbers.
    #[must_use]
    pub fn of(game: VariantId) -> &'static Self {
        static ALL: LazyLock<Vec<Numbering>> =
            LazyLock::new(|| VariantId::ALL.iter().map(|&game| Numbering::new(game)).collect());
        let found = ALL.iter().find(|numbering| numbering.game == game);
        found.expect("every game is among them")
    }

    fn new(game: VariantId) -> Self {
        let spec = game.spec();
        let geometry = spec.geometry;
        let black: Vec<Square> = geometry.reading_order().collect();
        let white: Vec<Square> = black.iter().map(|&square| geometry.turned(square)).collect();
        let mut seen = [[0; ROOM]; 2];
        for (number, (&black, &white)) in (0..).zip(black.iter().zip(&white)) {
            seen[0][black.index()] = number;
            seen[1][white.index()] = number;
        }
        Self {
            game,
            squares: black.len(),
            ways: ways(spec),
            promotes: spec.promotion_zone > 0,
            seen,
            square: [black, white],
        }
    }

    /// How many squares there are.
    #[must_use]
    pub fn squares(&self) -> usize {
        self.squares
    }

    fn first_way(&self) -> usize {
        self.squares * self.squares * (1 + usize::from(self.promotes))
    }

    fn first_drop(&self) -> usize {
        self.first_way() + self.ways.len() * self.squares
    }

    /// How many actions there are.
    #[must_use]
    pub fn actions(&self) -> usize {
        self.first_drop() + self.game.spec().hand_kinds * self.squares
    }

    /// How many planes there are.
    #[must_use]
    pub fn planes(&self) -> usize {
        let spec = self.game.spec();
        2 * (spec.kinds.len() + spec.hand_kinds) + 2
    }

    /// Planes, ranks, files.
    #[must_use]
    pub fn planes_shape(&self) -> (usize, usize, usize) {
        let geometry = self.game.spec().geometry;
        (self.planes(), usize::from(geometry.ranks), usize::from(geometry.files))
    }

    fn number(&self, square: Square, side: Color) -> usize {
        usize::from(self.seen[side.index()][square.index()])
    }

    /// The action of a legal move of `side`.
    ///
    /// # Panics
    /// If the way of the move is none of the game's.
    #[must_use]
    pub fn action(&self, side: Color, m: Move) -> usize {
        let to = self.number(m.to(), side);
        if m.is_drop() {
            return self.first_drop() + (m.kind().index() - 1) * self.squares + to;
        }
        let from = self.number(m.from(), side);
        if let Some(way) = m.way() {
            let geometry = self.game.spec().geometry;
            let across = geometry.x(m.to()).abs_diff(geometry.x(m.from()));
            let along = geometry.y(m.to()).abs_diff(geometry.y(m.from()));
            let line = Direction::from_index(way.line()).seen_by(side).index();
            let mask = usize::from(way.captures_step(1)) | usize::from(way.captures_step(2)) << 1;
            let plane = WayPlane { steps: usize::from(across.max(along)), line, mask };
            let place = self.ways.iter().position(|&known| known == plane);
            let place = place.expect("every way of the game's lions is known");
            return self.first_way() + place * self.squares + from;
        }
        let block = usize::from(m.promotes()) * self.squares * self.squares;
        block + from * self.squares + to
    }

    /// The move with this action, if a piece of the side to move could make it for all that its number says: ask
    /// whether it is legal.
    #[must_use]
    pub fn decode<V: Variant>(&self, position: &Position<V>, action: usize) -> Option<Move> {
        if action >= self.actions() {
            return None;
        }
        let side = position.side();
        let square = |number: usize| self.square[side.index()][number];
        if action >= self.first_drop() {
            let rest = action - self.first_drop();
            let kind = Kind::from_index(1 + rest / self.squares);
            return Some(Move::drop(kind, square(rest % self.squares)));
        }
        let kind = |from| Some(position.piece_on(from)?.kind());
        if action >= self.first_way() {
            let rest = action - self.first_way();
            let (way, from) = (self.ways[rest / self.squares], square(rest % self.squares));
            let (to, line) = self.end_of(from, side, way)?;
            return Some(Move::lion(kind(from)?, from, to, Way::new(line.index(), way.mask)));
        }
        let block = self.squares * self.squares;
        let (promotes, rest) = (action >= block, action % block);
        let (from, to) = (square(rest / self.squares), square(rest % self.squares));
        Some(Move::board(kind(from)?, from, to, promotes))
    }

    /// The legal move with this action.
    ///
    /// # Errors
    /// If the game has no such action, or it is not legal.
    pub fn legal(&self, position: &AnyPosition, action: usize) -> Result<Move, Refused> {
        if action >= self.actions() {
            let most = self.actions() - 1;
            let text = format!("expected an action from 0 to {most}, found {action}");
            return Err(Refused::Wrong(text));
        }
        let m = with_position!(position, position => self.decode(position, action));
        let m = m.ok_or_else(|| {
            let name = self.name(action).unwrap_or_else(|| "a move over the edge".to_owned());
            let text = format!(
                "expected a legal action, found {action} ({name}, as Black would write it)"
            );
            Refused::Illegal { text, near: Vec::new() }
        })?;
        find(position, Given::Move(m))
    }

    /// Where a way ends, and its line as the board sees it; `None` beyond the edge. Captures lie on the board, too.
    fn end_of(&self, from: Square, side: Color, way: WayPlane) -> Option<(Square, Direction)> {
        let geometry = self.game.spec().geometry;
        let seen = Direction::from_index(way.line);
        let (dx, dy) = seen.offset();
        let step = |count: i8| geometry.step(from, side, dx * count, dy * count);
        step(1)?;
        let to = match way.steps {
            0 => from,
            2 => step(2)?,
            _ => step(3)?,
        };
        Some((to, seen.seen_by(side)))
    }

    /// The action with left and right exchanged.
    ///
    /// # Panics
    /// Never: lions move alike to both sides.
    #[must_use]
    pub fn mirrored(&self, action: usize) -> usize {
        let files = usize::from(self.game.spec().geometry.files);
        let square = |number: usize| number - number % files + files - 1 - number % files;
        if action >= self.first_drop() {
            let rest = action - self.first_drop();
            return self.first_drop() + rest - rest % self.squares + square(rest % self.squares);
        }
        if action >= self.first_way() {
            let rest = action - self.first_way();
            let way = self.ways[rest / self.squares];
            let (dx, dy) = Direction::from_index(way.line).offset();
            let line = Direction::from_offset(-dx, dy).map_or(way.line, Direction::index);
            let place = self.ways.iter().position(|known| *known == WayPlane { line, ..way });
            let place = place.expect("lions move alike to the left and to the right");
            return self.first_way() + place * self.squares + square(rest % self.squares);
        }
        let block = self.squares * self.squares;
        let rest = action % block;
        action - rest + square(rest / self.squares) * self.squares + square(rest % self.squares)
    }

    /// Exchanges left and right of planes.
    pub fn mirror_planes(&self, planes: &mut [u8]) {
        let files = usize::from(self.game.spec().geometry.files);
        planes.chunks_mut(files).for_each(<[u8]>::reverse);
    }

    /// What an action is, as the USI text of a move of Black; `None` where it would leave the board.
    #[must_use]
    pub fn name(&self, action: usize) -> Option<String> {
        let game = self.game;
        // Texts of moves on the board do not name the piece.
        let (kind, side) = (Kind::WHALE, Color::Black);
        let square = |number: usize| self.square[side.index()][number];
        let m = if action >= self.first_drop() {
            let rest = action - self.first_drop();
            Move::drop(Kind::from_index(1 + rest / self.squares), square(rest % self.squares))
        } else if action >= self.first_way() {
            let rest = action - self.first_way();
            let (way, from) = (self.ways[rest / self.squares], square(rest % self.squares));
            let (to, line) = self.end_of(from, side, way)?;
            Move::lion(kind, from, to, Way::new(line.index(), way.mask))
        } else {
            let block = self.squares * self.squares;
            let (promotes, rest) = (action >= block, action % block);
            Move::board(kind, square(rest / self.squares), square(rest % self.squares), promotes)
        };
        Some(game.usi(m))
    }

    /// What each plane is: `our D`, `their D in hand`, `occurrences before`, `black to move`.
    #[must_use]
    pub fn plane_names(&self) -> Vec<String> {
        let spec = self.game.spec();
        let tokens = |count: usize| spec.kinds[..count].iter().map(|kind| kind.token);
        let hands = || spec.kinds[1..=spec.hand_kinds].iter().map(|kind| kind.token);
        let mut names = Vec::with_capacity(self.planes());
        for side in ["our", "their"] {
            names.extend(tokens(spec.kinds.len()).map(|token| format!("{side} {token}")));
        }
        for side in ["our", "their"] {
            names.extend(hands().map(|token| format!("{side} {token} in hand")));
        }
        names.extend(["occurrences before", "black to move"].map(str::to_owned));
        names
    }

    /// Writes the planes of a board, which stood there `before` times before, over `out`, which is as long as they are.
    pub fn fill_planes<V: Variant>(&self, position: &Board<V>, before: usize, out: &mut [u8]) {
        out.fill(0);
        let (spec, us, squares) = (V::SPEC, position.side(), self.squares);
        let kinds = spec.kinds.len();
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                let side = usize::from(piece.color() != us) * kinds;
                out[(side + piece.kind().index()) * squares + self.number(square, us)] = 1;
            }
        }
        let plane = |number: usize| number * squares..(number + 1) * squares;
        for (place, color) in [us, !us].into_iter().enumerate() {
            let hand = position.hand(color);
            for kind in hand.iter() {
                let number = 2 * kinds + place * spec.hand_kinds + kind.index() - 1;
                out[plane(number)].fill(u8::try_from(hand.count(kind)).unwrap_or(u8::MAX));
            }
        }
        let last = self.planes() - 1;
        let before = before.min(3);
        if before > 0 {
            out[plane(last - 1)].fill(u8::try_from(before).unwrap_or(3));
        }
        if us == Color::Black {
            out[plane(last)].fill(1);
        }
    }

    /// Writes over `out` which actions some legal moves have.
    pub fn fill_mask(&self, side: Color, moves: &[Move], out: &mut [bool]) {
        out.fill(false);
        for &m in moves {
            out[self.action(side, m)] = true;
        }
    }
}
