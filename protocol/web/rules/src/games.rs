//! The games as data.

use js_sys::{Array, Object};
use kujira_binding::encode::{ENCODING, Numbering};
use kujira_binding::{drawing, names};
use kujira_position::{AnyPosition, Kind, Spec, VariantId};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::value::{Thrown, object, refused, set, text, text_or, texts};

/// The game that somebody names, `whale` if none.
pub(crate) fn game(given: &JsValue) -> Result<VariantId, Thrown> {
    let name = text_or("the id of a game", given, VariantId::default().spec().id)?;
    names::game_named(&name).map_err(refused)
}

/// The ids of the games.
#[wasm_bindgen(unchecked_return_type = "Game[]")]
#[must_use]
pub fn variants() -> JsValue {
    texts(VariantId::ALL.iter().map(|game| game.spec().id))
}

/// The version of the numbering of planes and actions (`docs/encoding.md`).
#[wasm_bindgen]
#[must_use]
pub fn encoding() -> u32 {
    ENCODING
}

/// The SFEN of a game's start.
///
/// # Errors
/// `RangeError` for an unknown game.
#[wasm_bindgen(js_name = startingFen)]
pub fn starting_fen(
    #[wasm_bindgen(unchecked_optional_param_type = "Game")] game: &JsValue,
) -> Result<String, Thrown> {
    Ok(self::game(game)?.spec().start.to_owned())
}

/// What is wrong with an SFEN of a game, `null` if nothing is.
///
/// # Errors
/// `RangeError` for an unknown game.
#[wasm_bindgen(js_name = validateFen, unchecked_return_type = "string | null")]
pub fn validate_fen(
    #[wasm_bindgen(unchecked_param_type = "string")] sfen: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Game")] game: &JsValue,
) -> Result<JsValue, Thrown> {
    let sfen = text("an SFEN", sfen)?;
    let read = AnyPosition::from_sfen(self::game(game)?, &sfen);
    Ok(read.map_or_else(|why| JsValue::from_str(&why.to_string()), |_| JsValue::NULL))
}

/// A game as data: its board, kinds of pieces, starts.
///
/// # Errors
/// `RangeError` for an unknown game.
#[wasm_bindgen(unchecked_return_type = "Spec")]
pub fn spec(
    #[wasm_bindgen(unchecked_optional_param_type = "Game")] game: &JsValue,
) -> Result<JsValue, Thrown> {
    let game = self::game(game)?;
    let (spec, numbering) = (game.spec(), Numbering::of(game));
    let kinds: Array = spec.all_kinds().map(|of| kind(spec, of)).collect();
    let handicaps = Object::new();
    for handicap in spec.handicaps {
        set(&handicaps, handicap.id, &handicap.sfen.into());
    }
    let (planes, ranks, files) = numbering.planes_shape();
    let shape: Array = [planes, ranks, files].map(JsValue::from).into_iter().collect();
    Ok(object([
        ("id", spec.id.into()),
        ("name", spec.name.into()),
        ("files", spec.geometry.files.into()),
        ("ranks", spec.geometry.ranks.into()),
        ("start", spec.start.into()),
        ("kinds", kinds.into()),
        ("handKinds", spec.hand_kinds.into()),
        ("handicaps", handicaps.into()),
        ("actions", numbering.actions().into()),
        ("planesShape", shape.into()),
    ]))
}

/// A kind's tile as a picture in SVG.
///
/// # Errors
/// `RangeError` for an unknown game or kind.
#[wasm_bindgen(js_name = kindSvg)]
pub fn kind_svg(
    #[wasm_bindgen(unchecked_param_type = "Game")] game: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] token: &JsValue,
) -> Result<String, Thrown> {
    let (game, token) = (self::game(game)?, text("the token of a kind", token)?);
    let kind = names::kind_named(game, &token).map_err(refused)?;
    Ok(drawing::kind_svg(game.spec(), kind))
}

/// How a kind moves, as a picture of letters.
///
/// # Errors
/// As `kindSvg`.
#[wasm_bindgen]
pub fn diagram(
    #[wasm_bindgen(unchecked_param_type = "Game")] game: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] token: &JsValue,
) -> Result<String, Thrown> {
    let (game, token) = (self::game(game)?, text("the token of a kind", token)?);
    let kind = names::kind_named(game, &token).map_err(refused)?;
    Ok(kujira_position::diagram(game.spec(), kind))
}

fn kind(spec: &Spec, of: Kind) -> JsValue {
    let told = spec.kind(of);
    let in_hand = (of != Kind::WHALE).then_some(told.in_hand);
    let or_null = |text: Option<&str>| text.map_or(JsValue::NULL, JsValue::from_str);
    object([
        ("token", told.token.into()),
        ("name", spec.name_of(of).into()),
        ("betza", spec.class(spec.class_of(of)).betza.into()),
        ("promotesTo", or_null(told.promotes_to)),
        ("inHand", or_null(in_hand)),
    ])
}
