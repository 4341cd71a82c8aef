//! The types that the page declares in `messages.d.ts`: whether a JSON value is of one, and values of one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

/// A place in the file where a value may be: what was seen of a type is a set of these.
type Place = usize;

pub enum Type {
    Text(Place),
    Number(Place),
    Boolean(Place),
    Null(Place),
    /// `undefined`: no value.
    Absent,
    Literal(Place, String),
    Name(String),
    List(Box<Type>),
    Tuple(Vec<Type>),
    Record(Box<Type>),
    Object(Vec<Field>),
    Union(Vec<Type>),
    Intersection(Vec<Type>),
}

pub struct Field {
    pub name: String,
    pub optional: bool,
    pub is: Type,
}

/// The types of the page.
pub struct Declared {
    types: BTreeMap<String, Type>,
    tokens: Vec<&'static str>,
}

pub static PAGE: LazyLock<Declared> =
    LazyLock::new(|| Declared::read(include_str!("../../../page/messages.d.ts")));

/// The places of a type of the page that a value has; it must be of that type.
pub fn check(value: &Value, name: &str) -> BTreeSet<Place> {
    let seen = PAGE.check(value, PAGE.named(name), name);
    seen.unwrap_or_else(|why| panic!("messages.d.ts: {why} in {value}"))
}

/// What is left to be read: words, texts in quotes, and signs.
struct Tokens<'a> {
    tokens: Vec<&'a str>,
    at: usize,
}

impl<'a> Tokens<'a> {
    fn of(mut text: &'a str) -> Self {
        let mut tokens = Vec::new();
        while let Some(first) = text.trim_start().chars().next() {
            text = text.trim_start();
            let end = match first {
                '/' if text.starts_with("//") => text.find('\n').unwrap_or(text.len()),
                '/' => text.find("*/").expect("the end of a comment") + 2,
                '"' => text[1..].find('"').expect("a quote") + 2,
                _ if first.is_alphanumeric() => {
                    let word = |c: char| c.is_alphanumeric() || c == '_';
                    text.find(|c| !word(c)).unwrap_or(text.len())
                }
                _ => first.len_utf8(),
            };
            if first != '/' {
                tokens.push(&text[..end]);
            }
            text = &text[end..];
        }
        Self { tokens, at: 0 }
    }

    fn next(&mut self) -> &'a str {
        self.at += 1;
        self.tokens[self.at - 1]
    }

    fn skip(&mut self, token: &str) -> bool {
        let found = self.tokens.get(self.at) == Some(&token);
        self.at += usize::from(found);
        found
    }

    /// Types between separators.
    fn joined(
        &mut self,
        sign: &str,
        one: fn(&mut Self) -> Type,
        all: fn(Vec<Type>) -> Type,
    ) -> Type {
        self.skip(sign);
        let mut types = vec![one(self)];
        while self.skip(sign) {
            types.push(one(self));
        }
        if types.len() == 1 { types.remove(0) } else { all(types) }
    }

    fn any(&mut self) -> Type {
        self.joined("|", |tokens| tokens.joined("&", Self::list, Type::Intersection), Type::Union)
    }

    fn list(&mut self) -> Type {
        let mut is = self.single();
        while self.skip("[") {
            assert!(self.skip("]"));
            is = Type::List(Box::new(is));
        }
        is
    }

    fn single(&mut self) -> Type {
        let place = self.at;
        match self.next() {
            "string" => Type::Text(place),
            "number" => Type::Number(place),
            "boolean" => Type::Boolean(place),
            "null" => Type::Null(place),
            "undefined" => Type::Absent,
            "(" => {
                let is = self.any();
                assert!(self.skip(")"));
                is
            }
            "[" => {
                let mut types = Vec::new();
                while !self.skip("]") {
                    types.push(self.any());
                    self.skip(",");
                }
                Type::Tuple(types)
            }
            "{" => {
                let mut fields = Vec::new();
                while !self.skip("}") {
                    let name = self.next().to_owned();
                    let optional = self.skip("?");
                    assert!(self.skip(":"), "a field {name}");
                    fields.push(Field { name, optional, is: self.any() });
                    self.skip(";");
                }
                Type::Object(fields)
            }
            "Record" => {
                assert!(self.skip("<") && self.skip("string") && self.skip(","));
                let is = self.any();
                assert!(self.skip(">"));
                Type::Record(Box::new(is))
            }
            word => match word.strip_prefix('"') {
                Some(text) => Type::Literal(place, text.trim_end_matches('"').to_owned()),
                None => Type::Name(word.to_owned()),
            },
        }
    }
}

impl Declared {
    /// Reads `type NAME = …` up to the first interface: those have functions.
    fn read(text: &'static str) -> Self {
        let mut tokens = Tokens::of(text);
        for token in ["declare", "namespace", "Wire", "{"] {
            assert!(tokens.skip(token), "{token}");
        }
        let mut types = BTreeMap::new();
        while tokens.skip("type") {
            let name = tokens.next().to_owned();
            assert!(tokens.skip("="));
            if types.insert(name, tokens.any()).is_some() {
                panic!("a type is declared twice");
            }
            assert!(tokens.skip(";"));
        }
        Self { types, tokens: tokens.tokens }
    }

    /// What stands before a place and there.
    pub fn text(&self, place: Place) -> String {
        self.tokens[place.saturating_sub(12)..=place].join(" ")
    }

    pub fn named(&self, name: &str) -> &Type {
        &self.types[name]
    }

    /// The objects that a type may be, as their fields.
    pub fn objects<'a>(&'a self, is: &'a Type) -> Vec<Vec<&'a Field>> {
        match is {
            Type::Name(name) => self.objects(self.named(name)),
            Type::Object(fields) => vec![fields.iter().collect()],
            Type::Union(types) => types.iter().flat_map(|is| self.objects(is)).collect(),
            Type::Intersection(types) => types.iter().fold(vec![Vec::new()], |objects, is| {
                let more = self.objects(is);
                let both = |one: &Vec<&'a Field>| {
                    let one = one.clone();
                    more.iter().map(move |more| [&one[..], more].concat()).collect::<Vec<_>>()
                };
                objects.iter().flat_map(both).collect()
            }),
            _ => Vec::new(),
        }
    }

    /// All places of a type.
    pub fn places(&self, is: &Type) -> BTreeSet<Place> {
        match is {
            Type::Text(place)
            | Type::Number(place)
            | Type::Boolean(place)
            | Type::Null(place)
            | Type::Literal(place, _) => BTreeSet::from([*place]),
            Type::Absent => BTreeSet::new(),
            Type::Name(name) => self.places(self.named(name)),
            Type::List(is) | Type::Record(is) => self.places(is),
            Type::Tuple(types) | Type::Union(types) | Type::Intersection(types) => {
                types.iter().flat_map(|is| self.places(is)).collect()
            }
            Type::Object(fields) => {
                fields.iter().flat_map(|field| self.places(&field.is)).collect()
            }
        }
    }

    /// The places that a value has, if it is of a type: fields that are not declared are none of it.
    pub fn check(&self, value: &Value, is: &Type, path: &str) -> Result<BTreeSet<Place>, String> {
        match (is, value) {
            (Type::Text(place), Value::String(_))
            | (Type::Number(place), Value::Number(_))
            | (Type::Boolean(place), Value::Bool(_))
            | (Type::Null(place), Value::Null) => Ok(BTreeSet::from([*place])),
            (Type::Literal(place, text), Value::String(found)) if text == found => {
                Ok(BTreeSet::from([*place]))
            }
            (Type::Name(name), _) => self.check(value, self.named(name), path),
            (Type::List(is), Value::Array(values)) => self.all(
                path,
                values.iter().enumerate().map(|(i, value)| (i.to_string(), value, &**is)),
            ),
            (Type::Tuple(types), Value::Array(values)) if types.len() == values.len() => {
                let values = values.iter().zip(types).enumerate();
                self.all(path, values.map(|(i, (value, is))| (i.to_string(), value, is)))
            }
            (Type::Record(is), Value::Object(map)) => {
                self.all(path, map.iter().map(|(key, value)| (key.clone(), value, &**is)))
            }
            (Type::Object(_) | Type::Intersection(_), Value::Object(map)) => {
                self.best(self.objects(is).iter().map(|fields| {
                    let tag = fields.iter().find(|field| field.name == "type").zip(map.get("type"));
                    if tag.is_some_and(|(field, found)| self.check(found, &field.is, path).is_err())
                    {
                        return Err("another type".to_owned());
                    }
                    let known = |key: &String| fields.iter().any(|field| field.name == *key);
                    if let Some(key) = map.keys().find(|key| !known(key)) {
                        return Err(format!("{path}.{key}: not declared"));
                    }
                    let absent =
                        |field: &&&Field| !field.optional && !map.contains_key(&field.name);
                    if let Some(field) = fields.iter().find(absent) {
                        return Err(format!("{path}.{}: not there", field.name));
                    }
                    let there =
                        fields.iter().filter_map(|field| Some((field, map.get(&field.name)?)));
                    self.all(
                        path,
                        there.map(|(field, value)| (field.name.clone(), value, &field.is)),
                    )
                }))
            }
            (Type::Union(types), _) => {
                self.best(types.iter().map(|is| self.check(value, is, path)))
            }
            _ => Err(format!("{path}: found {value}")),
        }
    }

    /// The places of several values, each at a key below a path.
    fn all<'a>(
        &self,
        path: &str,
        values: impl Iterator<Item = (String, &'a Value, &'a Type)>,
    ) -> Result<BTreeSet<Place>, String> {
        let mut seen = BTreeSet::new();
        for (key, value, is) in values {
            seen.extend(self.check(value, is, &format!("{path}.{key}"))?);
        }
        Ok(seen)
    }

    /// The first that fits, or what is wrong with the one that comes nearest.
    fn best<T>(&self, mut tried: impl Iterator<Item = Result<T, String>>) -> Result<T, String> {
        let mut errors = Vec::new();
        let fits = tried.find_map(|result| result.map_err(|error| errors.push(error)).ok());
        let depth =
            |error: &String| error.split(": ").next().map_or(0, |path| path.matches('.').count());
        fits.ok_or_else(|| errors.into_iter().max_by_key(depth).unwrap_or_default())
    }

    /// Values of a type: each alternative at least once, with what is optional and without.
    pub fn values(&self, is: &Type) -> Vec<Value> {
        match is {
            Type::Text(_) => vec![json!("")],
            Type::Number(_) => vec![json!(1)],
            Type::Boolean(_) => vec![json!(true)],
            Type::Null(_) => vec![Value::Null],
            Type::Absent => Vec::new(),
            Type::Literal(_, text) => vec![json!(text)],
            Type::Name(name) => self.values(self.named(name)),
            // The lists that a page sends have an entry for each side.
            Type::List(is) => {
                let values = self.values(is);
                vec![values.iter().cycle().take(2.max(values.len())).cloned().collect()]
            }
            Type::Tuple(types) => {
                let values: Vec<Vec<Value>> = types.iter().map(|is| self.values(is)).collect();
                let longest = values.iter().map(Vec::len).max().unwrap_or(0);
                let nth = |n: usize| -> Value {
                    values.iter().map(|of| of[n % of.len()].clone()).collect()
                };
                (0..longest).map(nth).collect()
            }
            Type::Record(is) => {
                vec![json!({"": self.values(is)[0]})]
            }
            Type::Union(types) => types.iter().flat_map(|is| self.values(is)).collect(),
            Type::Object(_) | Type::Intersection(_) => {
                let of = |fields: Vec<&Field>| {
                    let first =
                        |field: &&Field| (field.name.clone(), self.values(&field.is)[0].clone());
                    let whole: Map<_, _> = fields.iter().map(first).collect();
                    let mut objects = vec![whole.clone()];
                    for field in fields {
                        for value in self.values(&field.is).into_iter().skip(1) {
                            objects.push(whole.clone());
                            objects.last_mut().expect("it").insert(field.name.clone(), value);
                        }
                        if field.optional {
                            objects.push(whole.clone());
                            objects.last_mut().expect("it").remove(&field.name);
                        }
                    }
                    objects.into_iter().map(Value::Object).collect::<Vec<_>>()
                };
                self.objects(is).into_iter().flat_map(of).collect()
            }
        }
    }
}
