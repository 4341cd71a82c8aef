// What somebody gives, looked at.

/** The type of a value, for messages. */
export const typeOf = (given) => (given === null ? "null" : typeof given);

/**
 * The properties of an object as they are now, none of which may be unknown.
 * @template {object} T
 * @param {T} given
 * @param {string} what
 * @param {string[]} names
 * @returns {T}
 */
export function properties(given, what, names) {
  // A map or a promise has no properties to tell, and would pass as an object that gives none.
  const tag = typeof given === "object" ? Object.prototype.toString.call(given).slice(8, -1) : typeof given;
  if (tag !== "Object") {
    const found = given === null ? "null" : tag;
    throw new TypeError(`expected ${what} as an object with ${names.join(", ")}, found ${found}`);
  }
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new RangeError(`expected ${what} with ${names.join(", ")}, found ${unknown}`);
  return /** @type {T} */ (Object.fromEntries(names.map((name) => [name, given[name]])));
}

/**
 * Options as they are given now, none of which may be unknown.
 * @template {object} T
 * @param {T} given
 * @param {...string} names
 */
export const known = (given, ...names) => properties(given, "options", names);

/**
 * What is given one by one.
 * @template T
 * @param {Iterable<T>} given
 * @param {string} what
 */
export function list(given, what) {
  if (given === null || typeof given !== "object" || typeof given[Symbol.iterator] !== "function") {
    throw new TypeError(`expected ${what} as an array or iterable, found ${typeOf(given)}`);
  }
  return Array.from(given);
}

/**
 * A function to be called, if one is given.
 * @template T
 * @param {T} given
 * @param {string} what
 */
export function callable(given, what) {
  if (given === undefined || typeof given === "function") return given;
  throw new TypeError(`expected ${what} as a function, found ${typeOf(given)}`);
}

/**
 * A text, which must be one.
 * @param {unknown} given
 * @param {string} what
 */
export function text(given, what) {
  if (typeof given !== "string") throw new TypeError(`expected ${what} as a string, found ${typeOf(given)}`);
  return given;
}

/**
 * The whole number that options give by a name; `undefined` if they give none.
 * @param {object} options
 * @param {string} name
 * @param {number} least
 * @param {number} most
 */
export function number(options, name, least, most) {
  const found = options[name];
  if (found === undefined) return undefined;
  if (typeof found !== "number") throw new TypeError(`expected ${name} as a number, found ${typeOf(found)}`);
  if (!Number.isInteger(found) || found < least || found > most) {
    const whole = Number.isInteger(found) ? "" : " as a whole number";
    throw new RangeError(`expected ${name}${whole} from ${least} to ${most}, found ${found}`);
  }
  return found;
}

/**
 * Whether options say yes to something; not if they say nothing.
 * @param {object} options
 * @param {string} name
 */
export function boolean(options, name) {
  const found = options[name];
  if (found === undefined || typeof found === "boolean") return found === true;
  throw new TypeError(`expected ${name} as a boolean, found ${typeOf(found)}`);
}
