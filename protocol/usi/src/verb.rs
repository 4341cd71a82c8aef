//! Tables of commands.

/// A command as users know it, in the table of a protocol; `C` is the command read, `E` why a line is none.
#[derive(Debug)]
pub struct Verb<C, E> {
    /// First word of the command.
    pub word: &'static str,
    /// Arguments that may follow.
    pub arguments: &'static str,
    /// Effect, in words for users.
    pub about: &'static str,
    /// Reads what follows the first word.
    pub read: fn(&str) -> Result<C, E>,
}

impl<C, E> Verb<C, E> {
    /// A row of the table.
    pub const fn new(
        word: &'static str,
        arguments: &'static str,
        about: &'static str,
        read: fn(&str) -> Result<C, E>,
    ) -> Self {
        Self { word, arguments, about, read }
    }
}
