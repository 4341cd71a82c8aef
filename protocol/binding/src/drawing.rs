//! Boards and graphs as SVG: tiles that point at the opponent, with the written names of pieces.

use std::fmt::Write as _;

use kujira_position::{AnyPosition, Color, Coordinates, Kind, Piece, Spec, Square, with_position};

use crate::{Refused, names};

/// The usual color of an arrow.
pub const ARROW: &str = "#c0392b";

/// The side of a square.
const CELL: f64 = 60.0;

/// The room for the names of files and ranks.
const EDGE: f64 = 22.0;

/// The room for what a side has in hand.
const HAND: f64 = 54.0;

/// Sizes of letters by their number.
const SIZES: [u32; 5] = [0, 62, 50, 40, 32];

/// The colors of a picture.
#[derive(Clone, Copy)]
pub struct Theme {
    ground: &'static str,
    board: &'static str,
    line: &'static str,
    ink: &'static str,
    last: &'static str,
}

/// Themes by name.
const THEMES: [(&str, Theme); 3] = [
    (
        "light",
        Theme {
            ground: "#ffffff",
            board: "#cfe6ee",
            line: "#7fa9b8",
            ink: "#24424e",
            last: "#f3d36b",
        },
    ),
    (
        "dark",
        Theme {
            ground: "#10222b",
            board: "#26495a",
            line: "#5d8ea1",
            ink: "#d5e8ef",
            last: "#8f7a2c",
        },
    ),
    (
        "print",
        Theme {
            ground: "#ffffff",
            board: "#ffffff",
            line: "#000000",
            ink: "#000000",
            last: "#dddddd",
        },
    ),
];

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

/// A color of CSS: nothing that ends an attribute.
fn color(text: &str) -> Result<&str, Refused> {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "#(),.% ".contains(letter);
    if !text.is_empty() && text.len() <= 40 && text.chars().all(fits) {
        Ok(text)
    } else {
        let text = format!("expected a color such as red or #cc0000, found {text:?}");
        Err(Refused::Wrong(text))
    }
}

/// A tile in a box of 100 by 110, at a place and of a width.
fn tile(out: &mut String, spec: &Spec, piece: Piece, down: bool, (x, y, width): (f64, f64, f64)) {
    let kind = piece.kind();
    let letters = spec.written_name(kind);
    let promoted = spec.kind(kind).token.starts_with('+');
    let body = if kind == Kind::WHALE { "#ffffff" } else { "#f6e7c1" };
    let ink = if promoted { "#b3261e" } else { "#1d1a12" };
    let scale = width / 100.0;
    let turn = if down { " rotate(180 50 55)" } else { "" };
    let size = SIZES[letters.len().min(SIZES.len() - 1)];
    let _ = write!(
        out,
        "<g transform=\"translate({x:.1} {y:.1}) scale({scale:.3}){turn}\"><path d=\"M50 3 83 17 94 106H6L17 17Z\" \
         fill=\"{body}\" stroke=\"#5b4a24\" stroke-width=\"3\"/><text x=\"50\" y=\"82\" text-anchor=\"middle\" \
         font-family=\"system-ui,sans-serif\" font-weight=\"600\" font-size=\"{size}\" fill=\"{ink}\">{letters}</text></g>"
    );
}

/// A picture of a kind alone.
#[must_use]
pub fn kind_svg(spec: &Spec, kind: Kind) -> String {
    let mut out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 110\" width=\"80\" height=\"88\">".to_owned();
    tile(&mut out, spec, Piece::new(Color::Black, kind), false, (0.0, 0.0, 100.0));
    out.push_str("</svg>");
    out
}

/// What is drawn of a board.
pub struct Picture<'a> {
    /// How squares are named at the edge.
    pub squares: Coordinates,
    /// A move whose squares are shown.
    pub last: Option<kujira_position::Move>,
    /// From where, to where, in which color.
    pub arrows: Vec<(Square, Square, &'a str)>,
    /// Squares with their colors.
    pub marks: Vec<(Square, &'a str)>,
    /// The width in pixels.
    pub size: Option<u32>,
    /// Whether White is below.
    pub turned: bool,
    /// The colors.
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
            theme: THEMES[0].1,
        }
    }
}

impl<'a> Picture<'a> {
    /// Takes the theme with this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn set_theme(&mut self, name: &str) -> Result<(), Refused> {
        let found = THEMES.iter().find(|theme| theme.0 == name);
        self.theme = found.ok_or_else(|| Refused::none_of("light, dark, print", name))?.1;
        Ok(())
    }

    /// Takes arrows, each from a square to a square in a color.
    ///
    /// # Errors
    /// If the board has no such square, or CSS no such color.
    pub fn set_arrows(
        &mut self,
        position: &AnyPosition,
        arrows: &'a [(String, String, String)],
    ) -> Result<(), Refused> {
        let game = position.game();
        for (from, to, paint) in arrows {
            let square = |name| names::square_named(game, name);
            self.arrows.push((square(from)?, square(to)?, color(paint)?));
        }
        Ok(())
    }

    /// Takes squares in colors.
    ///
    /// # Errors
    /// As [`Self::set_arrows`].
    pub fn set_marks(
        &mut self,
        position: &AnyPosition,
        marks: &'a [(String, String)],
    ) -> Result<(), Refused> {
        for (square, paint) in marks {
            let square = names::square_named(position.game(), square)?;
            self.marks.push((square, color(paint)?));
        }
        Ok(())
    }

    /// The picture of a position.
    #[must_use]
    pub fn of(&self, position: &AnyPosition) -> String {
        let (spec, theme) = (position.spec(), self.theme);
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
            tile(&mut out, spec, piece, down, (x + 5.0, y + 2.5, CELL - 10.0));
        }
        self.edges(&mut out, spec, &corner);
        for color in Color::BOTH {
            let below = (color == Color::Black) != self.turned;
            let y = if below { height - HAND + 4.0 } else { 4.0 };
            self.hand(&mut out, position, color, (y, width));
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
    fn hand(&self, out: &mut String, position: &AnyPosition, color: Color, (y, width): (f64, f64)) {
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
            tile(out, position.spec(), Piece::new(color, kind), down, (x, y, size));
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

/// A graph of what Black could expect, from 0 to 1, before the first move and after each.
pub struct Chart {
    /// What could be expected, where it is known.
    pub chances: Vec<Option<f64>>,
}

impl Chart {
    /// The graph.
    #[must_use]
    pub fn svg(&self) -> String {
        const WIDTH: f64 = 480.0;
        const HEIGHT: f64 = 120.0;
        let step = WIDTH / float(self.chances.len().saturating_sub(1).max(1));
        let (mut path, mut x, mut pen) = (String::new(), 0.0, 'M');
        for chance in &self.chances {
            match chance {
                Some(chance) => {
                    let _ = write!(path, "{pen}{x:.1} {:.1}", HEIGHT * (1.0 - chance));
                    pen = 'L';
                }
                None => pen = 'M',
            }
            x += step;
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-4 -4 488 128\" width=\"488\" height=\"128\">\
             <title>winning chances of Black</title><rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#cfe6ee\"/>\
             <path d=\"M0 {mid}H{WIDTH}\" stroke=\"#7fa9b8\"/><path d=\"{path}\" fill=\"none\" stroke=\"#24424e\" \
             stroke-width=\"2\"/></svg>",
            mid = HEIGHT / 2.0
        )
    }
}
