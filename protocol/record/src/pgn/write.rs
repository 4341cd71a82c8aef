//! PGN as it is written: tags, and moves with numbers in lines of at most 80 characters.

use kujira_position::{Color, Coordinates};
use kujira_usi::{Ending, Reason};

use crate::game::{Game, Node, NodeId};

use super::comment::{clock_text, score_text};

/// PGN text in the making: tags first, then moves.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    text: String,
    /// How many characters the last line has.
    width: usize,
}

impl Writer {
    /// Adds a tag. A value stands in one line: line ends and other control characters become blanks.
    pub(crate) fn tag(&mut self, name: &str, value: &str) {
        self.text.push('[');
        self.text += name;
        self.text += " \"";
        for letter in value.chars() {
            match letter {
                '\\' | '"' => self.text.extend(['\\', letter]),
                letter if letter.is_control() => self.text.push(' '),
                letter => self.text.push(letter),
            }
        }
        self.text += "\"]\n";
    }

    /// Ends the tags.
    pub(crate) fn end_tags(&mut self) {
        self.text.push('\n');
    }

    /// Adds a word of the moves' text.
    pub(crate) fn word(&mut self, word: &str) {
        let length = word.chars().count();
        // At the beginning of a line these mean something else.
        let glued = word.starts_with(['%', '[', '#', ';']);
        if self.width > 0 && self.width + 1 + length > 80 && !glued {
            self.text.push('\n');
            self.width = 0;
        } else if self.width > 0 {
            self.text.push(' ');
            self.width += 1;
        }
        self.text += word;
        self.width += length;
    }

    /// Ends the line, if it is begun.
    pub(crate) fn end_line(&mut self) {
        if self.width > 0 {
            self.text.push('\n');
            self.width = 0;
        }
    }

    /// Adds a line as it is.
    pub(crate) fn line(&mut self, line: &str) {
        self.end_line();
        self.text += line;
        self.text.push('\n');
    }

    /// Adds a move, the `index`-th of the game from 0. `numbered`: it has its number also if it is the
    /// second of a pair. White's first move, after Black's turn that was not taken, is the second of a pair.
    pub(crate) fn play(&mut self, begins: Color, index: usize, numbered: bool, usi: &str) {
        let half = index + begins.index();
        if half.is_multiple_of(2) {
            self.word(&format!("{}.", half / 2 + 1));
        } else if numbered {
            self.word(&format!("{}...", half / 2 + 1));
        }
        self.word(usi);
    }

    /// Adds a comment, unless it is empty.
    pub(crate) fn comment(&mut self, text: &str) {
        let mut words = text.split_whitespace().peekable();
        if text.contains('}') {
            // Braces cannot be written in braces.
            let words: Vec<_> = words.collect();
            self.word(&format!("; {}", words.join(" ")));
            self.text.push('\n');
            self.width = 0;
            return;
        }
        let mut before = "{";
        while let Some(word) = words.next() {
            let after = if words.peek().is_none() { "}" } else { "" };
            self.word(&format!("{before}{word}{after}"));
            before = "";
        }
    }

    /// Ends a game with its result.
    pub(crate) fn end(mut self, result: &str) -> String {
        self.word(result);
        self.text.push('\n');
        self.text
    }
}

/// What is still to be written of a game.
enum Work {
    /// The line that goes on after a node, and whether its first move needs its number.
    Line(NodeId, bool),
    /// A branch that begins with a node.
    Branch(NodeId),
    /// The end of a branch.
    Close,
}

/// Writes the moves of a game: the main line, and behind each of its moves the others played instead; as USI, or in
/// Hodges notation with these squares, a number and its moves a line.
pub(crate) fn moves(game: &Game, squares: Option<Coordinates>, writer: &mut Writer) {
    if let Some(root) = game.node(0) {
        after(root, writer);
    }
    let notations = squares.map(|_| game.notations(game.reachable())).unwrap_or_default();
    let text = |id: NodeId| Some(notations.get(&id)?.text_in(squares?));
    let mut work = vec![Work::Line(0, true)];
    let mut branches = 0usize;
    while let Some(next) = work.pop() {
        match next {
            Work::Line(at, numbered) => {
                let Some(node) = game.node(at) else { continue };
                match node.children.split_first() {
                    Some((&main, others)) => {
                        if branches == 0 && squares.is_some() && opens_pair(game, main) {
                            writer.end_line();
                        }
                        one(game, main, numbered, text(main), writer);
                        work.push(Work::Line(main, !others.is_empty()));
                        work.extend(others.iter().rev().map(|&other| Work::Branch(other)));
                    }
                    // That of the main line is the result of the game.
                    None if branches > 0 => {
                        if let Some(told) = node.ending.filter(|&ending| added(ending)) {
                            writer.word(told.result());
                        }
                    }
                    None => {}
                }
            }
            Work::Branch(first) => {
                branches += 1;
                writer.word("(");
                one(game, first, true, text(first), writer);
                work.push(Work::Close);
                work.push(Work::Line(first, false));
            }
            Work::Close => {
                branches = branches.saturating_sub(1);
                writer.word(")");
            }
        }
    }
}

/// Whether a move is the first of a pair.
fn opens_pair(game: &Game, id: NodeId) -> bool {
    game.node(id).is_some_and(|node| node.side == Color::White)
}

/// Writes a move with its notes; `text` is the move, if it is not written as USI.
fn one(game: &Game, id: NodeId, numbered: bool, text: Option<&str>, writer: &mut Writer) {
    let Some(node) = game.node(id) else { return };
    let begins = game.node(0).map_or(Color::Black, |root| root.side);
    writer.comment(&node.notes.before);
    writer.play(begins, node.depth().saturating_sub(1), numbered, text.unwrap_or(&node.usi));
    after(node, writer);
}

/// Writes the notes after a move.
fn after(node: &Node, writer: &mut Writer) {
    let notes = &node.notes;
    for &nag in &notes.nags {
        writer.word(&format!("${nag}"));
    }
    let score = score_text(node).filter(|_| node.parent.is_some());
    let mut commands = String::new();
    if let Some(clock) = notes.clock {
        commands += &format!("[%clk {}]", clock_text(clock));
    }
    if let Some(spent) = notes.spent.filter(|_| score.is_none()) {
        commands += &format!("[%emt {}]", clock_text(spent));
    }
    writer.comment(&score.unwrap_or_default());
    writer.comment(&commands.replace("][", "] ["));
    writer.comment(&notes.comment);
}

/// Whether an ending does not follow from the moves alone.
fn added(ending: Ending) -> bool {
    !ending.by_rule() || ending.reason == Reason::Impasse
}
