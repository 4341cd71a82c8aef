//! Values of JavaScript: what somebody gives, and what is told.

use js_sys::{Array, Date, Error, Map, Object, Promise, RangeError, Reflect, Symbol, TypeError};
use kujira_binding::Refused;
use kujira_binding::drawing::ARROW;
use kujira_binding::given::Given;
use wasm_bindgen::{JsCast, JsValue};

/// What is thrown.
pub(crate) type Thrown = JsValue;

/// A value that is of another type than it should be.
pub(crate) fn mistyped(expected: &str, found: &JsValue) -> Thrown {
    let found = match found.as_f64() {
        Some(number) => number.to_string(),
        None if found.is_null() => "null".to_owned(),
        None => found.js_typeof().as_string().unwrap_or_default(),
    };
    TypeError::new(&format!("expected {expected}, found {found}")).into()
}

/// A number or text that means nothing here.
pub(crate) fn wrong(why: impl ToString) -> Thrown {
    RangeError::new(&why.to_string()).into()
}

/// What is refused, as an error; one of an illegal move has the nearest legal ones as `candidates`.
pub(crate) fn refused(why: Refused) -> Thrown {
    match why {
        Refused::Illegal { text, near } => {
            let error = Error::new(&text);
            error.set_name("IllegalMoveError");
            set(&error, "candidates", &texts(near));
            error.into()
        }
        other => wrong(other),
    }
}

/// Sets a property of an object of ours.
pub(crate) fn set(object: &Object, name: &str, value: &JsValue) {
    // Fails for objects that somebody froze, alone.
    let _ = Reflect::set(object, &name.into(), value);
}

/// An object with these properties.
pub(crate) fn object<const N: usize>(properties: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in properties {
        set(&object, name, &value);
    }
    object.into()
}

/// An array of texts.
pub(crate) fn texts<T: AsRef<str>>(all: impl IntoIterator<Item = T>) -> JsValue {
    all.into_iter().map(|text| JsValue::from_str(text.as_ref())).collect::<Array>().into()
}

/// A text, which must be given.
pub(crate) fn text(expected: &str, given: &JsValue) -> Result<String, Thrown> {
    given.as_string().ok_or_else(|| mistyped(expected, given))
}

/// A text, or what holds where none is given.
pub(crate) fn text_or(expected: &str, given: &JsValue, usual: &str) -> Result<String, Thrown> {
    if given.is_undefined() { Ok(usual.to_owned()) } else { text(expected, given) }
}

/// A truth value, or what holds where none is given.
pub(crate) fn flag_or(expected: &str, given: &JsValue, usual: bool) -> Result<bool, Thrown> {
    if given.is_undefined() {
        return Ok(usual);
    }
    given.as_bool().ok_or_else(|| mistyped(expected, given))
}

/// What is given one by one; none if it is no array and the like.
///
/// Here, as everywhere in this file, code of the caller is called in ways that pass on what it throws: a call that a
/// throw left would keep the board borrowed for ever.
pub(crate) fn items(given: &JsValue) -> Result<Option<Vec<JsValue>>, Thrown> {
    if !given.is_object() || !Reflect::get(given, &Symbol::iterator())?.is_function() {
        return Ok(None);
    }
    Array::from_iterable(given.unchecked_ref::<Array>()).map(|all| Some(all.to_vec()))
}

/// A whole number from 0 to `most`.
pub(crate) fn whole(expected: &str, given: &JsValue, most: u32) -> Result<u32, Thrown> {
    let Some(number) = given.as_f64() else { return Err(mistyped(expected, given)) };
    if number.fract() != 0.0 {
        return Err(wrong(format!(
            "expected {expected} as a whole number from 0 to {most}, found {number}"
        )));
    }
    if !(0.0..=f64::from(most)).contains(&number) {
        return Err(wrong(format!("expected {expected} from 0 to {most}, found {number}")));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it fits")]
    let whole = number as u32;
    Ok(whole)
}

/// The properties of an object that may be left out, which has no others than these.
pub(crate) fn properties<const N: usize>(
    expected: &str,
    given: &JsValue,
    names: [&str; N],
) -> Result<[JsValue; N], Thrown> {
    if given.is_undefined() {
        return Ok(names.map(|_| JsValue::UNDEFINED));
    }
    let object = plain(&format!("{expected} as an object with {}", names.join(", ")), given)?;
    if let Some(key) = own_names(object)?.iter().find(|key| !names.contains(&key.as_str())) {
        return Err(wrong(format!("expected {expected} with {}, found {key}", names.join(", "))));
    }
    let mut found = [const { JsValue::UNDEFINED }; N];
    for (value, name) in found.iter_mut().zip(names) {
        *value = Reflect::get(object, &name.into())?;
    }
    Ok(found)
}

/// An object that holds properties. Maps, promises and the like have none, and would pass as one that gives nothing.
fn plain<'a>(expected: &str, given: &'a JsValue) -> Result<&'a Object, Thrown> {
    let other = given.is_function()
        || given.is_instance_of::<Array>()
        || given.is_instance_of::<Map>()
        || given.is_instance_of::<Promise>()
        || given.is_instance_of::<Date>();
    let object = given.dyn_ref::<Object>().filter(|_| !other);
    object.ok_or_else(|| mistyped(expected, given))
}

/// The names of an object's own properties.
fn own_names(object: &Object) -> Result<Vec<String>, Thrown> {
    Ok(Reflect::own_keys(object)?.iter().filter_map(|key| key.as_string()).collect())
}

/// A property of an object.
pub(crate) fn property(given: &JsValue, name: &str) -> Result<JsValue, Thrown> {
    let wanted = || mistyped(&format!("an object with {name}"), given);
    Reflect::get(given.dyn_ref::<Object>().ok_or_else(wanted)?, &name.into())
}

/// A move as somebody gives it: a text or a number.
pub(crate) enum MoveLike {
    Text(String),
    Number(u32),
}

impl MoveLike {
    pub(crate) fn read(given: &JsValue) -> Result<Self, Thrown> {
        Self::named("a move", given)
    }

    pub(crate) fn named(what: &str, given: &JsValue) -> Result<Self, Thrown> {
        match given.as_string() {
            Some(text) => Ok(Self::Text(text)),
            None => {
                let expected = format!("{what} as a text, or its number");
                whole(&expected, given, u32::MAX).map(Self::Number)
            }
        }
    }

    /// Several, in a text with blanks between them or an array.
    pub(crate) fn read_all(given: &JsValue) -> Result<Vec<Self>, Thrown> {
        if let Some(text) = given.as_string() {
            return Ok(text.split_whitespace().map(|word| Self::Text(word.to_owned())).collect());
        }
        let all = items(given)?.ok_or_else(|| {
            mistyped("moves as a text with blanks between them, or in an array", given)
        })?;
        let all = all.iter().enumerate();
        all.map(|(at, one)| Self::named(&format!("moves[{at}]"), one)).collect()
    }

    pub(crate) fn given(&self) -> Given<'_> {
        match self {
            Self::Text(text) => Given::Text(text),
            &Self::Number(number) => Given::Number(number),
        }
    }
}

/// Arrows: from, to and, if wanted, a color.
pub(crate) fn arrows(given: &JsValue) -> Result<Vec<(String, String, String)>, Thrown> {
    if given.is_undefined() {
        return Ok(Vec::new());
    }
    let all = items(given)?.ok_or_else(|| mistyped("arrows as an array", given))?;
    let arrow = |(at, one): (usize, &JsValue)| {
        let expected = format!("arrows[{at}] as an array of two squares and, if wanted, a color");
        let parts = items(one)?.ok_or_else(|| mistyped(&expected, one))?;
        let part = |(place, part)| text(&format!("arrows[{at}][{place}] as a string"), part);
        let parts = parts.iter().enumerate().map(part).collect::<Result<Vec<_>, _>>()?;
        match parts.as_slice() {
            [from, to] => Ok((from.clone(), to.clone(), ARROW.to_owned())),
            [from, to, color] => Ok((from.clone(), to.clone(), color.clone())),
            _ => Err(wrong(format!("expected {expected}, found {} of them", parts.len()))),
        }
    };
    all.iter().enumerate().map(arrow).collect()
}

/// Squares with their colors.
pub(crate) fn marks(given: &JsValue) -> Result<Vec<(String, String)>, Thrown> {
    if given.is_undefined() {
        return Ok(Vec::new());
    }
    let object = plain("marks as an object of colors by squares", given)?;
    let color = |square: String| {
        let color = Reflect::get(object, &square.as_str().into())?;
        let color = text(&format!("marks[{square:?}] as a string"), &color)?;
        Ok((square, color))
    };
    own_names(object)?.into_iter().map(color).collect()
}
