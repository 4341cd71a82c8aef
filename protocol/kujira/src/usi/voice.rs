//! What a session says, in the words of the protocol that its GUI speaks.

use std::fmt::Display;
use std::sync::OnceLock;

use kujira_usi::{Info, Line, Protocol};

use crate::output::{Output, one_line};

/// Lines to a GUI. The first line it sent says which protocol it speaks.
#[derive(Debug)]
pub struct Voice {
    output: Output,
    protocol: OnceLock<Protocol>,
}

impl Voice {
    /// A voice that writes to `output`, for a GUI that has said nothing yet.
    #[must_use]
    pub fn new(output: Output) -> Self {
        Self { output, protocol: OnceLock::new() }
    }

    /// The protocol: USI unless the first word was that of UCI.
    #[must_use]
    pub fn protocol(&self) -> Protocol {
        self.protocol.get().copied().unwrap_or_default()
    }

    /// The protocol of a GUI that sent this line, which may be its first.
    pub(super) fn listen(&self, line: &[u8]) -> Protocol {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let Some(word) = words.next() else { return self.protocol() };
        let is_uci = word == Protocol::Uci.hello().as_bytes();
        *self.protocol.get_or_init(|| if is_uci { Protocol::Uci } else { Protocol::Usi })
    }

    /// Writes a line.
    pub(super) fn say(&self, line: &Line) {
        self.lines(&line.display(self.protocol()).to_string());
    }

    /// Writes what was wrong, as one line.
    pub(super) fn error(&self, error: &dyn Display) {
        self.say(&Line::Error(one_line(&error.to_string())));
    }

    /// Writes what people should know, as one line.
    pub(super) fn note(&self, text: &str) {
        self.say(&Line::Info(Info { string: Some(one_line(text)), ..Info::default() }));
    }

    /// Writes lines that no protocol has words for.
    pub(super) fn lines(&self, text: &str) {
        self.output.lines(text);
    }

    /// Where the lines go.
    pub(super) fn output(&self) -> &Output {
        &self.output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_says_the_protocol() {
        for (lines, protocol) in [
            (&["uci"][..], Protocol::Uci),
            (&["", " \r", "\tuci \r", "usi"], Protocol::Uci),
            (&["usi", "uci"], Protocol::Usi),
            (&["ucinewgame", "uci"], Protocol::Usi),
            (&["isready", "uci"], Protocol::Usi),
            (&[], Protocol::Usi),
        ] {
            let voice = Voice::new(Output::new(std::io::sink()));
            for line in lines {
                voice.listen(line.as_bytes());
            }
            assert_eq!(voice.protocol(), protocol, "{lines:?}");
        }
    }
}
