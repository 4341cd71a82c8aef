// What this browser keeps from one visit to the next. Where it keeps nothing it lasts as long as the page.

/** The text kept under a name, or null. */
export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text under a name; where the browser keeps nothing, it is not there at the next visit. */
export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

/** Keeps nothing under a name. */
export function forget(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // Nothing was kept.
  }
}

/**
 * The values kept under a name. What is damaged there, or kept by another version, counts as never kept: each is as
 * `usual` unless it is of the same type, and `fits`, if there is such a test of it.
 * @template {Record<string, any>} Values
 * @param {string} name
 * @param {Values} usual
 * @param {{ [key in keyof Values]?: (value: any) => boolean }} fits
 * @returns {Values}
 */
export function recallValues(name, usual, fits) {
  let kept;
  try {
    kept = Object(JSON.parse(recall(name)));
  } catch {
    return { ...usual };
  }
  const good = (key, value) => typeof value === typeof usual[key] && (fits[key]?.(value) ?? true);
  const entries = Object.entries(usual).map(([key, value]) => [key, good(key, kept[key]) ? kept[key] : value]);
  return /** @type {Values} */ (Object.fromEntries(entries));
}

/** Tests for {@link recallValues}. */
export const oneOf =
  (...values) =>
  (value) =>
    values.includes(value);
/** Whoever keeps the games takes 32 bits. */
export const isCount = (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32;
export const isObject = (value) => value !== null && !Array.isArray(value);

/** Keeps values under a name; whether the browser does. */
export const keepValues = (name, values) => keep(name, JSON.stringify(values));
