//! Pictures of positions as SVG, without files, threads or fonts of their own: for notebooks and for pages.
//!
//! ```
//! use kujira_picture::Picture;
//! use kujira_position::{AnyPosition, VariantId};
//!
//! let svg = Picture::default().of(&AnyPosition::start(VariantId::Whale));
//! assert!(svg.starts_with("<svg ") && svg.contains("bnpwgh/dddddd"));
//! ```

#![forbid(unsafe_code)]

mod picture;
mod tile;

pub use picture::{Picture, Theme, escaped, is_color};
pub use tile::{Family, Tiles, kind_svg};
