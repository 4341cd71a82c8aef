//! Tiles: wedges that point at the opponent, with letters, a whale and the colour of its family.

use std::fmt::Write as _;

use kujira_position::{Color, Kind, Piece, Spec};

/// The data that the page of the board draws from, too.
const SHAPES: &str = include_str!("../../page/src/view/shapes.js");

/// A family of whales.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// What names of its kinds contain, one of these between bars; nothing fits every name.
    words: &'static str,
    /// Its colour.
    pub color: &'static str,
    /// A silhouette in a box of 48 by 28, head to the left, as a path whose overlaps are holes (`evenodd`).
    pub whale: &'static str,
}

/// What tiles are drawn from.
#[derive(Clone, Debug)]
pub struct Tiles {
    /// The path of the wedge, in a box of 100 by 110.
    pub body: &'static str,
    /// The path of the foot of it, in the colour of the family.
    pub foot: &'static str,
    /// Sizes of letters, of one letter to four.
    sizes: Vec<&'static str>,
    families: Vec<Family>,
}

impl Default for Tiles {
    fn default() -> Self {
        let mut texts = SHAPES.split('"').skip(1).step_by(2);
        let (body, foot) = (texts.next().unwrap_or_default(), texts.next().unwrap_or_default());
        let sizes = texts.by_ref().take(4).collect();
        let rest: Vec<&str> = texts.collect();
        let family = |texts: &[&'static str]| match *texts {
            [_, words, color, whale] => Some(Family { words, color, whale }),
            _ => None,
        };
        Self { body, foot, sizes, families: rest.chunks(4).filter_map(family).collect() }
    }
}

impl Tiles {
    /// The family of a kind; there is always one.
    #[must_use]
    pub fn family(&self, spec: &Spec, kind: Kind) -> Option<Family> {
        let name = spec.name_of(kind);
        let fits = |family: &&Family| family.words.split('|').any(|word| name.contains(word));
        self.families.iter().find(fits).copied()
    }

    /// Draws the tile of a piece, pointing down the picture or up, at a place and of a width.
    pub(crate) fn draw(
        &self,
        out: &mut String,
        spec: &Spec,
        piece: Piece,
        down: bool,
        (x, y, width): (f64, f64, f64),
    ) {
        let kind = piece.kind();
        let Some(Family { color, whale, .. }) = self.family(spec, kind) else { return };
        let letters = spec.written_name(kind);
        let promoted = spec.kind(kind).token.starts_with('+');
        let body = if piece.color() == Color::Black { "#fdf5e2" } else { "#efe3c8" };
        let (ink, whale_ink) = if promoted { ("#c21f1f", "#c21f1f") } else { ("#221a0e", color) };
        let calf = !promoted && spec.name_of(kind).contains("calf");
        let (left, top, zoom) = if calf { (34.6, 25, 0.643) } else { (28.6, 19, 0.893) };
        let turn = if down { " rotate(180 50 55)" } else { "" };
        // These are each other upside down.
        let upright = if down && ["M", "W"].contains(&letters) {
            " transform=\"rotate(180 50 73)\""
        } else {
            ""
        };
        let size = self.sizes.get(letters.len().clamp(1, 4) - 1).copied().unwrap_or_default();
        let (outline, foot, scale) = (self.body, self.foot, width / 100.0);
        let _ = write!(
            out,
            "<g transform=\"translate({x:.1} {y:.1}) scale({scale:.3}){turn}\"><path d=\"{outline}\" \
             fill=\"{body}\" stroke=\"#8b7650\" stroke-width=\"2.6\"/><path d=\"{foot}\" fill=\"{color}\"/>\
             <path transform=\"translate({left} {top}) scale({zoom})\" fill=\"{whale_ink}\" fill-rule=\"evenodd\" \
             d=\"{whale}\"/><text x=\"50\" y=\"88\"{upright} text-anchor=\"middle\" \
             font-family=\"system-ui,sans-serif\" font-weight=\"700\" font-size=\"{size}\" \
             fill=\"{ink}\">{letters}</text></g>"
        );
    }
}

/// A picture of a kind alone.
#[must_use]
pub fn kind_svg(spec: &Spec, kind: Kind) -> String {
    let mut out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 110\" width=\"80\" height=\"88\">".to_owned();
    Tiles::default().draw(&mut out, spec, Piece::new(Color::Black, kind), false, (0.0, 0.0, 100.0));
    out.push_str("</svg>");
    out
}

#[cfg(test)]
mod tests {
    use kujira_position::VariantId;

    use super::*;

    #[test]
    fn the_data_of_the_page_are_read() {
        let tiles = Tiles::default();
        assert!(tiles.body.starts_with('M') && tiles.foot.starts_with('M'));
        assert_eq!((tiles.sizes.len(), tiles.families.len()), (4, 8));
        for family in &tiles.families {
            assert!(family.color.starts_with('#') && family.whale.starts_with('M'), "{family:?}");
        }
        let spec = VariantId::Great.spec();
        for (token, color) in
            [("W", "#b0820d"), ("P", "#23282e"), ("NB", "#d0621a"), ("M", "#1d4f8f")]
        {
            let kind = spec.find_kind(token).unwrap();
            assert_eq!(tiles.family(spec, kind).unwrap().color, color, "{token}");
        }
    }
}
