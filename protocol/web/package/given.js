// What somebody gives, looked at.

const typeOf = (given) => (given === null ? "null" : typeof given);

/**
 * Options as they are given, none of which may be unknown.
 * @template {object} T
 * @param {T} given
 * @param {...string} names
 * @returns {T}
 */
export function known(given, ...names) {
  if (given === null || typeof given !== "object") {
    throw new TypeError(`expected options as an object with ${names.join(", ")}, found ${typeOf(given)}`);
  }
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new RangeError(`expected options with ${names.join(", ")}, found ${unknown}`);
  return given;
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
    throw new RangeError(`expected ${name} from ${least} to ${most}, found ${found}`);
  }
  return found;
}
