//! What is given for pictures of positions, and graphs as SVG.

use std::fmt::Write as _;

use kujira_picture::is_color;
pub use kujira_picture::{Picture, Theme, escaped, kind_svg};
use kujira_position::AnyPosition;

use crate::{Refused, names};

/// The usual color of an arrow.
pub const ARROW: &str = "#c0392b";

/// A small number.
fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// A color that somebody gives.
fn color(text: &str) -> Result<&str, Refused> {
    if is_color(text) {
        Ok(text)
    } else {
        let text = format!("expected a color such as red or #cc0000, found {text:?}");
        Err(Refused::Wrong(text))
    }
}

/// The theme with this name.
///
/// # Errors
/// If there is none.
pub fn theme(name: &str) -> Result<Theme, Refused> {
    Theme::named(name).ok_or_else(|| Refused::none_of("light, dark, print", name))
}

/// Puts arrows, each from a square to a square in a color, and squares in colors into a picture of a position.
///
/// # Errors
/// If the board has no such square, or CSS no such color.
pub fn mark<'a>(
    picture: &mut Picture<'a>,
    position: &AnyPosition,
    arrows: &'a [(String, String, String)],
    marks: &'a [(String, String)],
) -> Result<(), Refused> {
    let square = |name| names::square_named(position.game(), name);
    for (from, to, paint) in arrows {
        picture.arrows.push((square(from)?, square(to)?, color(paint)?));
    }
    for (name, paint) in marks {
        picture.marks.push((square(name)?, color(paint)?));
    }
    Ok(())
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
