//! Boards: a position of any game, with the moves that led to it.

use js_sys::{Array, Object};
use kujira_binding::drawing::{self, Picture};
use kujira_binding::encode::Numbering;
use kujira_binding::given::Given;
use kujira_binding::{given, names, written};
use kujira_position::{
    AnyPosition, Color, Kind, Leaves, Move, Origin, Outcome, Rules, Square, VariantId,
    with_position,
};
use kujira_usi::{Ending, Switches};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::games::game;
use crate::value::{
    self, MoveLike, Thrown, flag_or, mistyped, object, properties, property, refused, set, text,
    text_or, texts, whole, wrong,
};

/// The deepest perft: more than any machine counts.
const DEEPEST: u32 = 30;

/// The widest picture, in pixels.
const WIDEST: u32 = 100_000;

/// A position with the moves that led to it: the same class for all three games.
///
/// Moves are given as texts (USI, or Hodges notation in Western or Japanese squares) or as the numbers of `moves()`.
/// What is wrong throws an error that says what was expected, and the board stays as it was.
#[wasm_bindgen]
pub struct Board {
    position: AnyPosition,
}

fn find(position: &AnyPosition, m: &JsValue) -> Result<Move, Thrown> {
    given::find(position, MoveLike::read(m)?.given()).map_err(refused)
}

/// An outcome as an object, `null` if there is none.
fn outcome(outcome: Option<Outcome>) -> JsValue {
    let Some(outcome) = outcome else { return JsValue::NULL };
    let (winner, reason) = names::outcome(outcome);
    object([("winner", winner.map_or(JsValue::NULL, Into::into)), ("reason", reason.into())])
}

/// Rules as somebody gives them.
fn rules(given: &JsValue) -> Result<Rules, Thrown> {
    let all = ["retreat", "retreatFileLimit", "impasse", "repetition"];
    let [retreat, limit, impasse, repetition] = properties("rules", given, all)?;
    let usual = Rules::DEFAULT;
    let retreat = text_or("retreat as a string", &retreat, names::retreat(usual.retreat))?;
    Ok(Rules {
        retreat: names::retreat_named(&retreat).map_err(refused)?,
        retreat_file_limit: flag_or("retreatFileLimit as a boolean", &limit, false)?,
        impasse: flag_or("impasse as a boolean", &impasse, false)?,
        repetition: flag_or("repetition as a boolean", &repetition, true)?,
    })
}

impl Board {
    fn spec(&self) -> &'static kujira_position::Spec {
        self.position.spec()
    }

    fn numbering(&self) -> &'static Numbering {
        Numbering::of(self.position.game())
    }

    fn square(&self, given: &JsValue) -> Result<Square, Thrown> {
        let name = text("a square such as 2e", given)?;
        names::square_named(self.position.game(), &name).map_err(refused)
    }

    fn name(&self, square: Square) -> String {
        names::square(self.position.game(), square)
    }

    fn token(&self, square: Square) -> Option<String> {
        let piece = self.position.piece_on(square)?;
        Some(self.spec().token(piece.color(), piece.kind()))
    }

    fn written(&self, m: Move, squares: &JsValue) -> Result<String, Thrown> {
        let squares = text_or("squares as western or japanese", squares, "western")?;
        let squares = names::squares_named(&squares).map_err(refused)?;
        Ok(self.position.hodges(m, squares))
    }

    fn set_up(game: VariantId, sfen: &str, rules: Rules) -> Result<AnyPosition, Thrown> {
        AnyPosition::replay(game, Some(sfen), [], rules).map_err(wrong)
    }
}

#[wasm_bindgen]
impl Board {
    /// A board of a game, `whale` if none is named, at its start or at an SFEN.
    ///
    /// # Errors
    /// `RangeError` for an unknown game or handicap and an impossible SFEN, with every reason.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "Game")] game: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] sfen: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "BoardOptions")] options: &JsValue,
    ) -> Result<Self, Thrown> {
        let game = self::game(game)?;
        let [rules, handicap] = properties("options", options, ["rules", "handicap"])?;
        let start = match (sfen.is_undefined(), handicap.is_undefined()) {
            (true, true) => game.spec().start.to_owned(),
            (true, false) => {
                let id = text("handicap as a string", &handicap)?;
                names::handicap(game, &id).map_err(refused)?.to_owned()
            }
            (false, true) => text("an SFEN", sfen)?,
            (false, false) => return Err(wrong("expected an SFEN or a handicap, found both")),
        };
        Ok(Self { position: Self::set_up(game, &start, self::rules(&rules)?)? })
    }

    /// The board of `startpos moves …` or `sfen … moves …`, as USI's command `position` has it.
    ///
    /// # Errors
    /// `RangeError` for an unknown game and a position or move that is refused.
    #[wasm_bindgen(js_name = fromUsi)]
    pub fn from_usi(
        #[wasm_bindgen(unchecked_param_type = "string")] position: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Game")] game: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Rules")] rules: &JsValue,
    ) -> Result<Self, Thrown> {
        let (game, position) = (self::game(game)?, text("startpos or sfen …", position)?);
        let position = position.trim();
        let position = position.strip_prefix("position ").unwrap_or(position);
        let read = AnyPosition::from_usi(game, position, self::rules(rules)?);
        read.map(|position| Self { position }).map_err(wrong)
    }

    /// The board at the end of a game that was read (`whaleshogi/games`) or told by `toRecord`.
    ///
    /// # Errors
    /// As `fromUsi`, and as `push` for its moves; `TypeError` for what is no such object.
    #[wasm_bindgen(js_name = fromRecord)]
    pub fn from_record(
        #[wasm_bindgen(unchecked_param_type = "PlayedGame")] record: &JsValue,
    ) -> Result<Self, Thrown> {
        let game = self::game(&property(record, "variant")?)?;
        let rules = text_or("rules in words", &property(record, "rules")?, "")?;
        let rules: Switches =
            if rules.is_empty() { Switches::default() } else { rules.parse().map_err(wrong)? };
        let opening = text("opening as startpos or sfen …", &property(record, "opening")?)?;
        let mut position = AnyPosition::from_usi(game, &opening, rules.into()).map_err(wrong)?;
        let moves = property(record, "moves")?;
        let moves = value::items(&moves)?.ok_or_else(|| mistyped("moves as an array", &moves))?;
        for step in moves {
            let usi = text("usi of a move as a string", &property(&step, "usi")?)?;
            given::play(&mut position, Given::Text(&usi)).map_err(refused)?;
        }
        Ok(Self { position })
    }

    /// The game that led here, as `writeGames` of `whaleshogi/games` takes it; names may be put in.
    #[wasm_bindgen(js_name = toRecord, unchecked_return_type = "PlayedGame")]
    pub fn to_record(&self) -> JsValue {
        let (start, spec) = (given::start(&self.position).sfen(), self.spec());
        let opening =
            if start == spec.start { "startpos".to_owned() } else { format!("sfen {start}") };
        let usi = |m| object([("usi", self.position.usi(m).into())]);
        let moves: Array = self.position.played().into_iter().map(usi).collect();
        let record: Object = object([
            ("variant", spec.id.into()),
            ("opening", opening.into()),
            ("moves", moves.into()),
        ])
        .unchecked_into();
        let rules = Switches::from(self.position.rules());
        if rules != Switches::default() {
            set(&record, "rules", &rules.to_string().into());
        }
        if let Some(outcome) = self.position.outcome() {
            let winner = names::outcome(outcome).0;
            set(&record, "winner", &winner.map_or(JsValue::NULL, Into::into));
            set(&record, "reason", &Ending::from(outcome).reason.name().into());
        }
        record.into()
    }

    /// The game's id.
    #[wasm_bindgen(unchecked_return_type = "Game")]
    pub fn variant(&self) -> String {
        self.spec().id.to_owned()
    }

    /// The side to move.
    #[wasm_bindgen(unchecked_return_type = "Side")]
    pub fn turn(&self) -> String {
        names::color(self.position.side()).to_owned()
    }

    /// Number of the next move, from 1.
    pub fn ply(&self) -> u32 {
        self.position.ply()
    }

    /// The position as SFEN.
    pub fn sfen(&self) -> String {
        self.position.sfen()
    }

    /// The position as SFEN, under the name that ffish.js has.
    pub fn fen(&self) -> String {
        self.position.sfen()
    }

    /// Sets the position up anew, without a past; the rules stay.
    ///
    /// # Errors
    /// `RangeError` for an impossible SFEN, with every reason.
    #[wasm_bindgen(js_name = setFen)]
    pub fn set_fen(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string")] sfen: &JsValue,
    ) -> Result<(), Thrown> {
        let (game, rules) = (self.position.game(), self.position.rules());
        self.position = Self::set_up(game, &text("an SFEN", sfen)?, rules)?;
        Ok(())
    }

    /// Goes back to the start of the game; the rules stay.
    ///
    /// # Errors
    /// None: every start is possible under every rule.
    pub fn reset(&mut self) -> Result<(), Thrown> {
        self.set_fen(&self.spec().start.into())
    }

    /// The rules in force.
    #[wasm_bindgen(unchecked_return_type = "Required<Rules>")]
    pub fn rules(&self) -> JsValue {
        let rules = self.position.rules();
        object([
            ("retreat", names::retreat(rules.retreat).into()),
            ("retreatFileLimit", rules.retreat_file_limit.into()),
            ("impasse", rules.impasse.into()),
            ("repetition", rules.repetition.into()),
        ])
    }

    /// Changes the rules of the game in progress; what is not given is as usual.
    ///
    /// # Errors
    /// `RangeError` if the position is impossible under them.
    #[wasm_bindgen(js_name = setRules)]
    pub fn set_rules(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Rules")] rules: &JsValue,
    ) -> Result<(), Thrown> {
        let rules = self::rules(rules)?;
        self.position.set_rules(rules).map_err(wrong)
    }

    /// The legal moves as numbers; none after the end of the game.
    pub fn moves(&self) -> Vec<u32> {
        given::legal_moves(&self.position).into_iter().map(given::number_of).collect()
    }

    /// The legal moves of the piece on a square, as numbers.
    ///
    /// # Errors
    /// `RangeError` if the board has no such square.
    #[wasm_bindgen(js_name = movesFrom)]
    pub fn moves_from(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] square: &JsValue,
    ) -> Result<Vec<u32>, Thrown> {
        let from = self.square(square)?;
        let mut moves = given::legal_moves(&self.position);
        moves.retain(|m| !m.is_drop() && m.from() == from);
        Ok(moves.into_iter().map(given::number_of).collect())
    }

    /// The legal drops of a kind, as numbers.
    ///
    /// # Errors
    /// `RangeError` if the game has no such kind.
    pub fn drops(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] token: &JsValue,
    ) -> Result<Vec<u32>, Thrown> {
        let token = text("the token of a kind", token)?;
        let kind = names::kind_named(self.position.game(), &token).map_err(refused)?;
        let mut moves = given::legal_moves(&self.position);
        moves.retain(|m| m.is_drop() && m.kind() == kind);
        Ok(moves.into_iter().map(given::number_of).collect())
    }

    /// The legal moves in USI, with blanks between them.
    #[wasm_bindgen(js_name = legalMoves)]
    pub fn legal_moves(&self) -> String {
        self.position.usi_line(&given::legal_moves(&self.position)).join(" ")
    }

    /// The legal moves in Hodges notation, with blanks between them.
    ///
    /// # Errors
    /// `RangeError` for unknown squares.
    #[wasm_bindgen(js_name = legalMovesSan)]
    pub fn legal_moves_san(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Squares")] squares: &JsValue,
    ) -> Result<String, Thrown> {
        let moves = given::legal_moves(&self.position);
        let moves: Result<Vec<_>, _> = moves.iter().map(|&m| self.written(m, squares)).collect();
        Ok(moves?.join(" "))
    }

    /// How many legal moves there are.
    #[wasm_bindgen(js_name = numberLegalMoves)]
    pub fn number_legal_moves(&self) -> usize {
        given::legal_moves(&self.position).len()
    }

    /// Whether a move is legal. A text that is no move is not, nor is `null`, the move of an engine that has none.
    ///
    /// # Errors
    /// `TypeError` for anything else.
    #[wasm_bindgen(js_name = isLegal)]
    pub fn is_legal(
        &self,
        #[wasm_bindgen(unchecked_param_type = "MoveLike | null")] m: &JsValue,
    ) -> Result<bool, Thrown> {
        Ok(!m.is_null() && given::find(&self.position, MoveLike::read(m)?.given()).is_ok())
    }

    /// Why a move is not legal, in words; `null` if it is legal.
    ///
    /// # Errors
    /// `RangeError` for a text that is no move, or a number that is none.
    #[wasm_bindgen(js_name = whyNot, unchecked_return_type = "string | null")]
    pub fn why_not(
        &self,
        #[wasm_bindgen(unchecked_param_type = "MoveLike")] m: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let text = match MoveLike::read(m)? {
            MoveLike::Text(text) => text,
            MoveLike::Number(number) => self.usi_of(number)?,
        };
        let why = given::why_not(&self.position, &text).map_err(refused)?;
        Ok(why.map_or(JsValue::NULL, |why| why.into()))
    }

    /// A move, legal here or not: one that was played, for instance.
    fn any_move(&self, what: &str, given: &JsValue) -> Result<Move, Thrown> {
        let game = self.position.game();
        match MoveLike::named(what, given)? {
            MoveLike::Number(number) => {
                given::from_number(game, number).ok_or_else(|| no_move(game, &number))
            }
            MoveLike::Text(text) => match given::ends(game, &text) {
                Some((Origin::Hand(kind), to)) => Ok(Move::drop(kind, to)),
                Some((Origin::Square(from), to)) => Ok(Move::board(Kind::WHALE, from, to, false)),
                None => Err(no_move(game, &text)),
            },
        }
    }

    fn usi_of(&self, number: u32) -> Result<String, Thrown> {
        let game = self.position.game();
        let m = given::from_number(game, number).ok_or_else(|| no_move(game, &number))?;
        Ok(self.position.usi(m))
    }

    /// A legal move as a number.
    ///
    /// # Errors
    /// `IllegalMoveError` if it is not legal here, `RangeError` if it is no move.
    pub fn parse(
        &self,
        #[wasm_bindgen(unchecked_param_type = "MoveLike")] m: &JsValue,
    ) -> Result<u32, Thrown> {
        find(&self.position, m).map(given::number_of)
    }

    /// The USI text of a move of this game, legal here or not.
    ///
    /// # Errors
    /// If it is no move; `IllegalMoveError` for a text that is no legal move here.
    pub fn usi(
        &self,
        #[wasm_bindgen(unchecked_param_type = "MoveLike")] m: &JsValue,
    ) -> Result<String, Thrown> {
        match MoveLike::read(m)? {
            MoveLike::Number(number) => self.usi_of(number),
            MoveLike::Text(_) => Ok(self.position.usi(find(&self.position, m)?)),
        }
    }

    /// A legal move in Hodges notation.
    ///
    /// # Errors
    /// `IllegalMoveError` if it is not legal here, `RangeError` if it is no move and for unknown squares.
    #[wasm_bindgen(js_name = sanMove)]
    pub fn san_move(
        &self,
        #[wasm_bindgen(unchecked_param_type = "MoveLike")] m: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Squares")] squares: &JsValue,
    ) -> Result<String, Thrown> {
        self.written(find(&self.position, m)?, squares)
    }

    /// Moves from here in Hodges notation, with their numbers unless `numbers` is `false`.
    ///
    /// # Errors
    /// As `sanMove`.
    #[wasm_bindgen(js_name = variationSan)]
    pub fn variation_san(
        &self,
        #[wasm_bindgen(unchecked_param_type = "MovesLike")] moves: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Squares")] squares: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "boolean")] numbers: &JsValue,
    ) -> Result<String, Thrown> {
        let moves = MoveLike::read_all(moves)?;
        let squares = text_or("squares as western or japanese", squares, "western")?;
        // Of the notations that are written, only these two are asked for here.
        names::squares_named(&squares).map_err(refused)?;
        let numbers = flag_or("numbers as a boolean", numbers, true)?;
        let moves = moves.iter().map(MoveLike::given);
        written::variation(&self.position, moves, &squares, numbers).map_err(refused)
    }

    /// Plays a move.
    ///
    /// # Errors
    /// `IllegalMoveError` if it is not legal, `RangeError` if it is no move.
    pub fn push(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "MoveLike")] m: &JsValue,
    ) -> Result<(), Thrown> {
        let m = MoveLike::read(m)?;
        given::play(&mut self.position, m.given()).map(|_| ()).map_err(refused)
    }

    /// Plays moves, all of them or none.
    ///
    /// # Errors
    /// As `push`.
    #[wasm_bindgen(js_name = pushMoves)]
    pub fn push_moves(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "MovesLike")] moves: &JsValue,
    ) -> Result<(), Thrown> {
        let mut position = self.position.clone();
        for m in MoveLike::read_all(moves)? {
            given::play(&mut position, m.given()).map_err(refused)?;
        }
        self.position = position;
        Ok(())
    }

    /// Takes the last move back and returns its number.
    ///
    /// # Errors
    /// `RangeError` if there is none.
    pub fn pop(&mut self) -> Result<u32, Thrown> {
        let m = self.position.undo();
        m.map(given::number_of).ok_or_else(|| wrong("expected a move to take back, found none"))
    }

    /// The moves that led here since the board was set up, in USI, with blanks between them.
    #[wasm_bindgen(js_name = moveStack)]
    pub fn move_stack(&self) -> String {
        self.position.usi_line(&self.position.played()).join(" ")
    }

    /// The same as numbers.
    pub fn played(&self) -> Vec<u32> {
        self.position.played().into_iter().map(given::number_of).collect()
    }

    /// Whether the game is over.
    #[wasm_bindgen(js_name = isGameOver)]
    pub fn is_game_over(&self) -> bool {
        self.position.outcome().is_some()
    }

    /// `1-0` if Black won, `0-1` if White did, `1/2-1/2` for a draw, `*` if the game is not over.
    pub fn result(&self) -> String {
        let result = match self.position.outcome() {
            None => "*",
            Some(Outcome::Draw(_)) => "1/2-1/2",
            Some(Outcome::Win { winner: Color::Black, .. }) => "1-0",
            Some(Outcome::Win { winner: Color::White, .. }) => "0-1",
        };
        result.to_owned()
    }

    /// How the game ended, `null` if it did not.
    #[wasm_bindgen(unchecked_return_type = "Outcome | null")]
    pub fn outcome(&self) -> JsValue {
        outcome(self.position.outcome())
    }

    /// How the game would end if the side to move claimed impasse now, `null` if it may not.
    #[wasm_bindgen(unchecked_return_type = "Outcome | null")]
    pub fn claim(&self) -> JsValue {
        outcome(self.position.impasse())
    }

    /// How often this position has stood on the board, now included.
    pub fn occurrences(&self) -> usize {
        self.position.occurrences()
    }

    /// Whether the side to move is in check.
    #[wasm_bindgen(js_name = isCheck)]
    pub fn is_check(&self) -> bool {
        self.position.checked()
    }

    /// Whether a legal move captures anything.
    ///
    /// # Errors
    /// As `push`.
    #[wasm_bindgen(js_name = isCapture)]
    pub fn is_capture(
        &self,
        #[wasm_bindgen(unchecked_param_type = "MoveLike")] m: &JsValue,
    ) -> Result<bool, Thrown> {
        Ok(self.position.is_capture(find(&self.position, m)?))
    }

    /// What a legal move captures, in the order travelled.
    ///
    /// # Errors
    /// As `push`.
    #[wasm_bindgen(unchecked_return_type = "Placed[]")]
    pub fn captured(
        &self,
        #[wasm_bindgen(unchecked_param_type = "MoveLike")] m: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let m = find(&self.position, m)?;
        let all = self.position.captured(m).into_iter().map(|(square, piece)| {
            let token = self.spec().token(piece.color(), piece.kind());
            object([("square", self.name(square).into()), ("piece", token.into())])
        });
        Ok(all.collect::<Array>().into())
    }

    /// Whether a legal move attacks the enemy's white whale.
    ///
    /// # Errors
    /// As `push`.
    #[wasm_bindgen(js_name = givesCheck)]
    pub fn gives_check(
        &self,
        #[wasm_bindgen(unchecked_param_type = "MoveLike")] m: &JsValue,
    ) -> Result<bool, Thrown> {
        Ok(self.position.gives_check(find(&self.position, m)?))
    }

    /// The squares of the pieces of a side that attack a square.
    ///
    /// # Errors
    /// `RangeError` for an unknown square or side.
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub fn attackers(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] square: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Side")] by: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let (square, by) = (self.square(square)?, side(by)?);
        Ok(texts(with_position!(&self.position, position => {
            let attackers = position.attackers(square, by, position.occupied());
            attackers.into_iter().map(|from| self.name(from)).collect::<Vec<_>>()
        })))
    }

    /// The piece on a square, upper case for Black; `null` if there is none.
    ///
    /// # Errors
    /// `RangeError` if the board has no such square.
    #[wasm_bindgen(unchecked_return_type = "string | null")]
    pub fn piece(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] square: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let token = self.token(self.square(square)?);
        Ok(token.map_or(JsValue::NULL, Into::into))
    }

    /// Every piece on the board by its square, upper case for Black, in the order of SFEN.
    #[wasm_bindgen(unchecked_return_type = "Record<string, string>")]
    pub fn pieces(&self) -> JsValue {
        let all = Object::new();
        for square in self.spec().geometry.reading_order() {
            if let Some(token) = self.token(square) {
                set(&all, &self.name(square), &token.into());
            }
        }
        all.into()
    }

    /// What a side has in hand: how many by token.
    ///
    /// # Errors
    /// `RangeError` for an unknown side.
    #[wasm_bindgen(unchecked_return_type = "Record<string, number>")]
    pub fn pocket(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Side")] side: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let (side, held) = (self::side(side)?, Object::new());
        with_position!(&self.position, position => {
            let hand = position.hand(side);
            for kind in hand.iter() {
                set(&held, self.spec().kind(kind).token, &hand.count(kind).into());
            }
        });
        Ok(held.into())
    }

    /// Counts the leaves of the tree of legal moves, `depth` plies deep.
    ///
    /// # Errors
    /// `RangeError` for what is no depth.
    pub fn perft(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] depth: &JsValue,
    ) -> Result<f64, Thrown> {
        let depth = whole("a depth in plies", depth, DEEPEST)?;
        #[expect(clippy::cast_precision_loss, reason = "nobody counts as far as 2^53")]
        let leaves = self.position.perft(depth, Leaves::Bulk) as f64;
        Ok(leaves)
    }

    /// A number for board, hands and side to move, the same in every build.
    pub fn key(&self) -> u64 {
        self.position.key()
    }

    /// A copy; without the moves that led here if `history` is `false`, so that no repetition is known.
    ///
    /// # Errors
    /// `TypeError` for what is no truth value.
    pub fn copy(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "boolean")] history: &JsValue,
    ) -> Result<Self, Thrown> {
        let position = match flag_or("history as a boolean", history, true)? {
            true => self.position.clone(),
            false => given::without_past(&self.position).map_err(wrong)?,
        };
        Ok(Self { position })
    }

    /// The position turned by 180°, colors exchanged, without its past.
    pub fn turned(&self) -> Self {
        Self { position: self.position.turned() }
    }

    /// The position with left and right exchanged, without its past.
    pub fn mirrored(&self) -> Self {
        Self { position: with_position!(&self.position, position => position.mirrored().into()) }
    }

    /// Planes as the side to move sees them (`docs/encoding.md`), of the shape `spec(game).planesShape`.
    pub fn planes(&self) -> Vec<u8> {
        let numbering = self.numbering();
        let (planes, ranks, files) = numbering.planes_shape();
        let mut all = vec![0; planes * ranks * files];
        with_position!(&self.position, position => {
            numbering.fill_planes(position, position.occurrences() - 1, &mut all);
        });
        all
    }

    /// The actions of the legal moves (`docs/encoding.md`), in the order of `moves()`.
    pub fn actions(&self) -> Vec<u32> {
        let (numbering, side) = (self.numbering(), self.position.side());
        let action = |m| u32::try_from(numbering.action(side, m)).unwrap_or(u32::MAX);
        given::legal_moves(&self.position).into_iter().map(action).collect()
    }

    /// The action of a legal move.
    ///
    /// # Errors
    /// As `push`.
    pub fn action(
        &self,
        #[wasm_bindgen(unchecked_param_type = "MoveLike")] m: &JsValue,
    ) -> Result<usize, Thrown> {
        let m = find(&self.position, m)?;
        Ok(self.numbering().action(self.position.side(), m))
    }

    /// The number of the legal move with an action.
    ///
    /// # Errors
    /// `IllegalMoveError` if there is none, `RangeError` if the game has no such action.
    #[wasm_bindgen(js_name = fromAction)]
    pub fn move_of_action(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] action: &JsValue,
    ) -> Result<u32, Thrown> {
        let most = u32::try_from(self.numbering().actions() - 1).unwrap_or(u32::MAX);
        let action = whole("an action", action, most)?;
        self.numbering()
            .legal(&self.position, action as usize)
            .map(given::number_of)
            .map_err(refused)
    }

    /// The lines of USI that tell an engine game, rules and position.
    #[wasm_bindgen(js_name = toUsi, unchecked_return_type = "string[]")]
    pub fn to_usi(&self) -> JsValue {
        let game = ("USI_Variant", self.spec().id);
        let options = [game].into_iter().chain(kujira_usi::rules::options(self.position.rules()));
        let mut lines: Vec<String> =
            options.map(|(name, value)| format!("setoption name {name} value {value}")).collect();
        let start = given::start(&self.position).sfen();
        let moves = self.move_stack();
        let moves = if moves.is_empty() { moves } else { format!(" moves {moves}") };
        lines.push(format!("position sfen {start}{moves}"));
        texts(lines)
    }

    /// The board as a picture in SVG.
    ///
    /// # Errors
    /// `RangeError` for unknown squares, themes and colors.
    pub fn svg(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "PictureOptions")] options: &JsValue,
    ) -> Result<String, Thrown> {
        let names = ["squares", "last", "arrows", "marks", "size", "turned", "theme"];
        let [squares, last, arrows, marks, size, turned, theme] =
            properties("options", options, names)?;
        let squares = text_or("squares as western or japanese", &squares, "western")?;
        let arrows = value::arrows(&arrows)?;
        let marks = value::marks(&marks)?;
        let mut picture = Picture {
            squares: names::squares_named(&squares).map_err(refused)?,
            last: (!last.is_undefined()).then(|| self.any_move("last", &last)).transpose()?,
            size: (!size.is_undefined())
                .then(|| whole("size in pixels", &size, WIDEST))
                .transpose()?,
            turned: flag_or("turned as a boolean", &turned, false)?,
            theme: drawing::theme(&text_or("theme as a string", &theme, "light")?)
                .map_err(refused)?,
            ..Picture::default()
        };
        drawing::mark(&mut picture, &self.position, &arrows, &marks).map_err(refused)?;
        Ok(picture.of(&self.position))
    }

    /// The board as a picture of letters.
    #[wasm_bindgen(js_name = toString)]
    pub fn to_text(&self) -> String {
        self.position.to_string()
    }

    /// Gives the memory of the board back, which may not be used afterwards; otherwise that happens some time after it
    /// is no more in use.
    pub fn delete(self) {}
}

/// What is no move of a game.
fn no_move(game: VariantId, found: &dyn std::fmt::Debug) -> Thrown {
    wrong(format!("expected a move of {game}, found {found:?}"))
}

fn side(given: &JsValue) -> Result<Color, Thrown> {
    let name = given.as_string().ok_or_else(|| mistyped("black or white", given))?;
    names::color_named(&name).map_err(refused)
}
