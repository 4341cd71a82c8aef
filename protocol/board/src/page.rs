//! The page: files that are part of the program.

/// A file of the page.
pub(crate) struct Asset {
    /// The last part of its address.
    pub(crate) name: &'static str,
    /// What it is.
    pub(crate) kind: &'static str,
    /// What is in it.
    pub(crate) text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! assets {
    ($($name:literal $kind:ident;)+) => {
        &[$(Asset { name: $name, kind: $kind, text: include_str!(concat!("../page/", $name)) }),+]
    };
}

/// Every file; the first is the page itself.
pub(crate) const ASSETS: &[Asset] = assets! {
    "index.html" HTML;
    "board.css" CSS;
    "panels.css" CSS;
    "icon.svg" SVG;
    "app.js" SCRIPT;
    "link.js" SCRIPT;
    "prefs.js" SCRIPT;
    "dom.js" SCRIPT;
    "tiles.js" SCRIPT;
    "board.js" SCRIPT;
    "input.js" SCRIPT;
    "players.js" SCRIPT;
    "moves.js" SCRIPT;
    "analysis.js" SCRIPT;
    "graph.js" SCRIPT;
    "newgame.js" SCRIPT;
    "games.js" SCRIPT;
    "editor.js" SCRIPT;
    "help.js" SCRIPT;
    "tour.js" SCRIPT;
};

/// The file with this name.
pub(crate) fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

/// How much all files of the page weigh, in bytes.
#[must_use]
pub fn weight() -> usize {
    ASSETS.iter().map(|asset| asset.text.len()).sum()
}
