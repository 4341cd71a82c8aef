//! XBoard's end of a session in CECP: sends commands and waits until they have been dealt with.

use kujira_position::VariantId;

use super::gui::Gui;

/// XBoard's end of a session.
pub struct XBoard {
    pub gui: Gui,
    pings: u32,
}

impl XBoard {
    /// A session of the binary.
    pub fn new(game: VariantId) -> Self {
        Self::greeted(Gui::of_process(), game)
    }

    pub fn greeted(mut gui: Gui, game: VariantId) -> Self {
        gui.send("xboard\nprotover 2");
        gui.until("feature done=1");
        let mut xboard = Self { gui, pings: 0 };
        let lines = xboard.ask(&format!("new\nvariant {game}\neasy"));
        assert!(lines[0].starts_with("setup ("), "{lines:?}");
        xboard
    }

    pub fn send(&mut self, line: &str) {
        self.gui.send(line);
    }

    /// Sends a line, and the lines that come before everything is dealt with.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        self.send(&format!("{line}\nping {}", self.pings));
        let mut lines = self.gui.until("pong");
        assert_eq!(lines.pop(), Some(pong));
        lines
    }

    /// Sends a line, and the one line it gives.
    pub fn ask_one(&mut self, line: &str) -> String {
        let lines = self.ask(line);
        assert_eq!(lines.len(), 1, "{line}: {lines:?}");
        lines.into_iter().next().unwrap()
    }

    /// Sends what gives nothing.
    pub fn tell(&mut self, line: &str) {
        assert_eq!(self.ask(line), Vec::<String>::new(), "{line}");
    }

    /// Sends a line that makes the engine search, and waits until it does.
    pub fn set_thinking(&mut self, line: &str) {
        self.send(&format!("{line}\n."));
        self.gui.until("stat01: ");
    }

    /// The engine's move.
    pub fn its_move(&mut self) -> String {
        let lines = self.gui.until("move ");
        lines.last().unwrap().strip_prefix("move ").unwrap().to_owned()
    }
}
