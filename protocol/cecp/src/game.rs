//! The game in play: how it came about, and what can be played now.

use kujira_position::{AnyPosition, Color, Move, Outcome, PositionError, Rules, VariantId};

/// A game: the position with its past, and moves to take back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The position, with the moves since the game began or its rules changed.
    position: AnyPosition,
    /// The positions before each move there was, as SFEN: those of the position's past and, after a change of rules,
    /// others before it.
    earlier: Vec<String>,
}

impl Game {
    /// A game from the start.
    #[must_use]
    pub fn start(game: VariantId, rules: Rules) -> Self {
        let position = AnyPosition::replay(game, None, [], rules);
        // No rule forbids the start.
        let position = position.unwrap_or_else(|_| AnyPosition::start(game));
        Self { position, earlier: Vec::new() }
    }

    /// A game that begins with the position of an SFEN.
    ///
    /// # Errors
    /// If the position is refused.
    pub fn from_sfen(game: VariantId, sfen: &str, rules: Rules) -> Result<Self, PositionError> {
        let position = AnyPosition::replay(game, Some(sfen), [], rules)?;
        Ok(Self { position, earlier: Vec::new() })
    }

    /// The position that the moves led to.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The side to move.
    #[must_use]
    pub fn side(&self) -> Color {
        self.position.side()
    }

    /// How the game ended, if it did.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    /// The legal moves; none if the game is over.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        if self.outcome().is_some() { Vec::new() } else { self.position.legal_moves() }
    }

    /// How many moves `side` has made.
    #[must_use]
    pub fn made_by(&self, side: Color) -> u32 {
        let also_last = side != self.side();
        u32::try_from((self.earlier.len() + usize::from(also_last)) / 2).unwrap_or(u32::MAX)
    }

    /// Plays a move; one that is not legal is none.
    pub fn play(&mut self, m: Move) {
        let before = self.position.sfen();
        if self.position.play(m).is_ok() {
            self.earlier.push(before);
        }
    }

    /// Goes on under other rules. If the moves of the game are not legal under them, it goes on from the position,
    /// without a past but for moves to take back; if the position is not either, from the start.
    pub fn set_rules(&mut self, rules: Rules) {
        let (game, sfen) = (self.position.game(), self.position.sfen());
        let moves = self.position.usi_line(&self.position.played());
        let mut start = self.position.clone();
        while start.undo().is_some() {}
        let moves = moves.iter().map(String::as_str);
        let replayed = AnyPosition::replay(game, Some(&start.sfen()), moves, rules);
        match replayed.or_else(|_| AnyPosition::replay(game, Some(&sfen), [], rules)) {
            Ok(position) => self.position = position,
            Err(_) => *self = Self::start(game, rules),
        }
    }

    /// Takes moves back; `false`, and nothing changes, if there are not so many, or if the rules, changed
    /// meanwhile, do not allow the position before them.
    pub fn take_back(&mut self, plies: usize) -> bool {
        let Some(left) = self.earlier.len().checked_sub(plies) else { return false };
        if plies <= self.position.played().len() {
            (0..plies).for_each(|_| _ = self.position.undo());
        } else {
            let Some(before) = self.earlier.get(left) else { return false };
            let (game, rules) = (self.position.game(), self.position.rules());
            match AnyPosition::replay(game, Some(before), [], rules) {
                Ok(position) => self.position = position,
                Err(_) => return false,
            }
        }
        self.earlier.truncate(left);
        true
    }
}
