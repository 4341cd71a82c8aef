//! The page of a tournament: one file of HTML that needs no other, with tables, games, and a board to step through them.
//!
//! Board and tiles are drawn by the modules of the page of the board (`protocol/page`), which are put into the file one
//! after the other. No rule is among them: where pieces stand after each move is in the data.

mod data;

use std::io::{self, Write};

pub use data::{PageData, RatingData};

const TEMPLATE: &str = include_str!("page.html");

/// How the page of a tournament begins.
pub const MARK: kujira_program::outputs::Mark =
    kujira_program::outputs::Mark::new("the page of a tournament", &[BEGIN.as_bytes()]);

/// Before the template, by which the file is known again.
const BEGIN: &str = "<!-- kujira-bench tournament -->\n";

/// Modules of the board's page, each after those that it imports, and the page's own.
const SCRIPTS: [&str; 9] = [
    include_str!("../../../../../protocol/page/src/dom.js"),
    include_str!("../../../../../protocol/page/src/storage.js"),
    include_str!("../../../../../protocol/page/src/prefs.js"),
    include_str!("../../../../../protocol/page/src/words.js"),
    include_str!("../../../../../protocol/page/src/icons.js"),
    include_str!("../../../../../protocol/page/src/view/shapes.js"),
    include_str!("../../../../../protocol/page/src/view/tiles.js"),
    include_str!("../../../../../protocol/page/src/view/board.js"),
    include_str!("page.js"),
];

const STYLES: [&str; 6] = [
    include_str!("../../../../../protocol/page/src/style/base.css"),
    include_str!("../../../../../protocol/page/src/style/board.css"),
    include_str!("../../../../../protocol/page/src/style/tiles.css"),
    include_str!("../../../../../protocol/page/src/style/sides.css"),
    include_str!("../../../../../protocol/page/src/style/moves.css"),
    include_str!("page.css"),
];

/// Writes the page with this title, game by game.
///
/// # Errors
/// If a game cannot be read or is not legal, or the file system refuses.
pub fn write(out: &mut dyn Write, title: &str, data: &PageData<'_>) -> io::Result<()> {
    // One after the other: what is put in is not looked at again, whatever stands in it.
    out.write_all(BEGIN.as_bytes())?;
    let mut rest = TEMPLATE;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, after)) = after.split_once("}}") else { break };
        out.write_all(before.as_bytes())?;
        match name {
            "title" => out.write_all(escaped(title).as_bytes())?,
            "style" => out.write_all(STYLES.concat().as_bytes())?,
            "script" => out.write_all(script().as_bytes())?,
            _ => serde_json::to_writer(Script(out), data)?,
        }
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

/// JSON within a script element, where only its own end and comments mean anything, and both begin with `<`.
struct Script<'a>(&'a mut dyn Write);

impl Write for Script<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for (index, part) in bytes.split(|&byte| byte == b'<').enumerate() {
            if index > 0 {
                self.0.write_all(b"\\u003c")?;
            }
            self.0.write_all(part)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The modules as one: without what they import from each other.
fn script() -> String {
    let lines = SCRIPTS.iter().flat_map(|script| script.lines());
    let lines = lines.filter(|line| !line.starts_with("import "));
    lines.map(|line| format!("{}\n", line.strip_prefix("export ").unwrap_or(line))).collect()
}

/// Text as HTML has it.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            _ => html.push(letter),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// One namespace holds what all of them declare.
    #[test]
    fn modules_can_be_put_one_after_the_other() {
        let script = script();
        assert!(!script.contains("import ") && !script.contains("</"), "as one script element");
        let mut names = HashSet::new();
        for line in script.lines() {
            let mut words = line.split(|c: char| !(c.is_alphanumeric() || "_$".contains(c)));
            if matches!(words.next(), Some("const" | "let" | "function" | "class")) {
                let name = words.next().unwrap();
                assert!(names.insert(name), "{name} is declared twice");
            }
        }
        assert!(["Board", "tile", "el", "$", "begin"].iter().all(|name| names.contains(name)));
        assert!(!STYLES.concat().contains("</"));
    }

    #[test]
    fn what_engines_say_is_text() {
        let nasty = "</script><b>\"A\" & {{data}}</b><!-- <script>";
        let data = PageData::named(nasty);
        let mut page = Vec::new();
        write(&mut page, nasty, &data).unwrap();
        let page = String::from_utf8(page).unwrap();
        let title = "<title>&lt;/script&gt;&lt;b&gt;&quot;A&quot; &amp; {{data}}&lt;/b&gt;&lt;!-- \
                     &lt;script&gt;</title>";
        assert!(page.starts_with(BEGIN) && page.contains(title));
        // Two scripts, and the ends of two.
        assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2));
        assert_eq!(page.matches("<!--").count(), 1);
        let (_, json) = page.split_once("id=\"data\">").unwrap();
        let (json, _) = json.split_once("</script>").unwrap();
        let json: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(json["engines"][0]["name"], nasty);
        assert!(
            !page.contains("http://") || page.matches("http://").count() == 1,
            "the name of SVG"
        );
        assert!(!page.contains("https:") && !page.contains("url("));
    }
}
