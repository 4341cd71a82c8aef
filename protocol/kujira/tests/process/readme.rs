//! The README's session is what the binary prints.

use crate::support::gui::Gui;

/// The lines of the README's blocks of this kind, without the fences.
fn blocks(kind: &str) -> Vec<&'static str> {
    let mut inside = false;
    let lines = include_str!("../../../../README.md").lines().filter(|line| {
        let fence = line.starts_with("```");
        if fence {
            inside = *line == format!("```{kind}");
        }
        inside && !fence
    });
    lines.collect()
}

/// A line without what differs from machine to machine.
fn steady(line: &str) -> String {
    let mut words = Vec::new();
    let mut all = line.split(' ').filter(|word| *word != "…");
    while let Some(word) = all.next() {
        if matches!(word, "nps" | "time") {
            all.next();
        } else {
            words.push(word);
        }
    }
    words.join(" ")
}

#[test]
fn the_session_in_the_readme_is_what_is_printed() {
    let lines = blocks("text");
    let commands = lines.iter().filter(|line| line.starts_with("> ")).count();
    assert!(commands > 10, "{lines:?}");
    let mut gui = Gui::of_process();
    // What a command prints is shown from its beginning, or behind a line of three dots to its end.
    let mut printed: Vec<String> = Vec::new();
    let mut skipped = false;
    for &line in &lines {
        if let Some(command) = line.strip_prefix("> ") {
            assert!(skipped || printed.is_empty(), "not shown: {printed:?}");
            gui.send(command);
            printed = match command.split(' ').next() {
                Some("usi") => gui.until("usiok"),
                // A busy machine gives a sign of life before it.
                Some("isready") => {
                    let lines = gui.until("readyok").into_iter();
                    lines.filter(|line| !line.is_empty()).collect()
                }
                Some("go") => gui.until("bestmove"),
                Some("perft") => gui.until("speed"),
                _ => gui.sync(),
            };
            skipped = false;
        } else if line == "…" {
            skipped = true;
        } else if !line.is_empty() || !skipped {
            let cut = line.ends_with('…');
            let shown = |found: &String| {
                let (found, line) = (steady(found), steady(line));
                found == line || (cut && found.starts_with(&line))
            };
            let at = if skipped {
                printed.iter().rposition(shown)
            } else {
                printed.iter().position(shown)
            };
            let at = at.unwrap_or_else(|| panic!("{line:?} is not in {printed:#?}"));
            assert!(skipped || at == 0, "{line:?} comes behind {printed:#?}");
            printed.drain(..=at);
            skipped = false;
        }
    }
    gui.quit();
}
