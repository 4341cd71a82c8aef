// What this browser keeps from one visit to the next. Where it keeps nothing it lasts as long as the page.

/** The text kept under a name, or null. */
export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text under a name. */
export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // It is not there at the next visit.
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

/** The values kept under a name; none where they cannot be read. */
export function recallValues(name) {
  try {
    return JSON.parse(recall(name) ?? "{}");
  } catch {
    return {};
  }
}

/** Keeps values under a name. */
export const keepValues = (name, values) => keep(name, JSON.stringify(values));
