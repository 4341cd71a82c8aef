//! Boards with hands, names of squares, arrows and marks.

use std::fmt::Write as _;

use kujira_position::{
    AnyPosition, Color, Coordinates, Kind, Move, Piece, Spec, Square, with_position,
};

use crate::tile::Tiles;

/// The side of a square.
const CELL: f64 = 60.0;

/// The room for the names of files and ranks.
const EDGE: f64 = 22.0;

/// The room for what a side has in hand.
const HAND: f64 = 54.0;

/// The colors of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    ground: &'static str,
    board: &'static str,
    line: &'static str,
    ink: &'static str,
    last: &'static str,
}

impl Theme {
    /// Themes by name.
    pub const ALL: [(&'static str, Self); 3] = [
        (
            "light",
            Self {
                ground: "#ffffff",
                board: "#cfe6ee",
                line: "#7fa9b8",
                ink: "#24424e",
                last: "#f3d36b",
            },
        ),
        (
            "dark",
            Self {
                ground: "#10222b",
                board: "#26495a",
                line: "#5d8ea1",
                ink: "#d5e8ef",
                last: "#8f7a2c",
            },
        ),
        (
            "print",
            Self {
                ground: "#ffffff",
                board: "#ffffff",
                line: "#000000",
                ink: "#000000",
                last: "#dddddd",
            },
        ),
    ];

    /// The theme with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|theme| theme.0 == name).map(|theme| theme.1)
    }
}

/// A small number.
fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// A text for markup.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            _ => safe.push(letter),
        }
    }
    safe
}

/// Whether a text is a color of CSS such as `red` or `#cc0000`, with nothing in it that ends an attribute.
#[must_use]
pub fn is_color(text: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "#(),.% ".contains(letter);
    !text.is_empty() && text.len() <= 40 && text.chars().all(fits)
}

/// What is drawn of a board.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// How squares are named at the edges.
    pub squares: Coordinates,
    /// The move whose squares are painted.
    pub last: Option<Move>,
    /// Arrows from a square to a square, each in a colour ([`is_color`]).
    pub arrows: Vec<(Square, Square, &'a str)>,
    /// Squares in colours.
    pub marks: Vec<(Square, &'a str)>,
    /// The width, in pixels.
    pub size: Option<u32>,
    /// Whether White sits below.
    pub turned: bool,
    /// The colours.
    pub theme: Theme,
}

impl Default for Picture<'_> {
    fn default() -> Self {
        Self {
            squares: Coordinates::Western,
            last: None,
            arrows: Vec::new(),
            marks: Vec::new(),
            size: None,
            turned: false,
            theme: Theme::ALL[0].1,
        }
    }
}

impl Picture<'_> {
    /// The picture of a position, as SVG.
    #[must_use]
    pub fn of(&self, position: &AnyPosition) -> String {
        let (spec, theme) = (position.spec(), self.theme);
        let tiles = Tiles::default();
        let geometry = spec.geometry;
        let (files, ranks) = (f64::from(geometry.files), f64::from(geometry.ranks));
        let (width, height) = (files * CELL + 2.0 * EDGE, ranks * CELL + 2.0 * (EDGE + HAND));
        let top = HAND + EDGE;
        // The upper left corner of a square.
        let corner = |square: Square| {
            let (x, y) = (f64::from(geometry.x(square)), f64::from(geometry.y(square)));
            let (column, row) =
                if self.turned { (files - 1.0 - x, y) } else { (x, ranks - 1.0 - y) };
            (EDGE + column * CELL, top + row * CELL)
        };
        let shown = self.size.map_or(width, f64::from);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{shown:.0}\" \
             height=\"{:.0}\"><title>{}</title><rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
            shown * height / width,
            escaped(&position.sfen()),
            theme.ground,
        );
        let mut paint = |square: Square, fill: &str| {
            let (x, y) = corner(square);
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\" stroke=\"{}\"/>",
                theme.line
            );
        };
        for square in geometry.reading_order() {
            paint(square, theme.board);
        }
        for square in self
            .last
            .iter()
            .flat_map(|m| [(!m.is_drop()).then(|| m.from()), Some(m.to())])
            .flatten()
        {
            paint(square, theme.last);
        }
        for &(square, fill) in &self.marks {
            paint(square, fill);
        }
        for square in geometry.reading_order() {
            let Some(piece) = position.piece_on(square) else { continue };
            let (x, y) = corner(square);
            let down = (piece.color() == Color::White) != self.turned;
            tiles.draw(&mut out, spec, piece, down, (x + 5.0, y + 2.5, CELL - 10.0));
        }
        self.edges(&mut out, spec, &corner);
        for color in Color::BOTH {
            let below = (color == Color::Black) != self.turned;
            let y = if below { height - HAND + 4.0 } else { 4.0 };
            self.hand(&mut out, &tiles, position, color, (y, width));
        }
        for &(from, to, paint) in &self.arrows {
            arrow(&mut out, corner(from), corner(to), paint);
        }
        out.push_str("</svg>");
        out
    }

    /// The names of files and ranks.
    fn edges(&self, out: &mut String, spec: &Spec, corner: &impl Fn(Square) -> (f64, f64)) {
        let geometry = spec.geometry;
        let (files, ranks) = (i32::from(geometry.files), i32::from(geometry.ranks));
        let mut label = |text: &str, x: f64, y: f64| {
            let _ = write!(
                out,
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" font-family=\"system-ui,sans-serif\" \
                 font-size=\"13\" fill=\"{}\">{text}</text>",
                self.theme.ink
            );
        };
        for square in geometry.reading_order() {
            let (x, y) = (i32::from(geometry.x(square)), i32::from(geometry.y(square)));
            let name = self.squares.name(geometry, square);
            let (letters, digits): (String, String) =
                name.chars().partition(char::is_ascii_alphabetic);
            let (file, rank) = match self.squares {
                Coordinates::Western => (letters, digits),
                Coordinates::Japanese => (digits, letters),
            };
            let at = corner(square);
            let bottom = if self.turned { ranks - 1 } else { 0 };
            let left = if self.turned { files - 1 } else { 0 };
            if y == bottom {
                label(&file, at.0 + CELL / 2.0, at.1 + CELL + 15.0);
            }
            if x == left {
                label(&rank, EDGE / 2.0, at.1 + CELL / 2.0 + 5.0);
            }
        }
    }

    /// What a side has in hand, and a mark where it is to move.
    fn hand(
        &self,
        out: &mut String,
        tiles: &Tiles,
        position: &AnyPosition,
        color: Color,
        (y, width): (f64, f64),
    ) {
        let held: Vec<(Kind, usize)> = with_position!(position, position => {
            let hand = position.hand(color);
            hand.iter().map(|kind| (kind, hand.count(kind))).collect()
        });
        if position.side() == color {
            let _ = write!(
                out,
                "<circle cx=\"11\" cy=\"{}\" r=\"5\" fill=\"{}\"/>",
                y + 23.0,
                self.theme.ink
            );
        }
        let step = ((width - 2.0 * EDGE) / float(held.len().max(1))).min(56.0);
        let size = (step * 0.72).min(40.0);
        let mut x = EDGE;
        for (kind, count) in held {
            let down = (color == Color::White) != self.turned;
            tiles.draw(out, position.spec(), Piece::new(color, kind), down, (x, y, size));
            if count > 1 {
                let _ = write!(
                    out,
                    "<text x=\"{:.1}\" y=\"{:.1}\" font-family=\"system-ui,sans-serif\" font-size=\"13\" fill=\"{}\">{count}</text>",
                    x + size,
                    y + 40.0,
                    self.theme.ink
                );
            }
            x += step;
        }
    }
}

/// An arrow between the middles of two squares.
fn arrow(out: &mut String, from: (f64, f64), to: (f64, f64), paint: &str) {
    let half = CELL / 2.0;
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    let (x, y) = (to.0 + half, to.1 + half);
    if length == 0.0 {
        let _ = write!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"none\" stroke=\"{paint}\" stroke-width=\"5\"/>",
            half - 5.0
        );
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    let (bx, by) = (x - 16.0 * ux, y - 16.0 * uy);
    let _ = write!(
        out,
        "<path d=\"M{:.1} {:.1}L{bx:.1} {by:.1}\" stroke=\"{paint}\" stroke-width=\"7\" stroke-opacity=\"0.7\"/>\
         <path d=\"M{x:.1} {y:.1}L{:.1} {:.1} {:.1} {:.1}Z\" fill=\"{paint}\" fill-opacity=\"0.7\"/>",
        from.0 + half,
        from.1 + half,
        bx - 9.0 * uy,
        by + 9.0 * ux,
        bx + 9.0 * uy,
        by - 9.0 * ux
    );
}
