// The line that says what is waited for, or why nothing can be played. It stands in the page itself (index.html), where
// it says what to do if no script ever changes it.

import { again } from "../address.js";
import { $, el, write } from "../dom.js";
import { t, told } from "../texts.js";

const megabytes = (bytes) => (bytes / 1e6).toFixed(2);

/**
 * Shows what is being loaded, and how much of it has come; null: nothing is.
 * @param {Wire.Loading | null} loading
 */
export function showLoading(loading) {
  const line = $("#loading");
  // Why the page cannot start stays.
  if (line.matches(".failed")) return;
  line.hidden = !loading;
  if (!loading) return line.replaceChildren();
  // Numbers are for the eye: nobody wants to have each of them read out.
  if (!line.querySelector("[aria-hidden]")) line.replaceChildren(el("span", {}), " ", el("span", { "aria-hidden": "true" }));
  const [words, numbers] = line.children;
  const { what, got, all, silent } = loading;
  write(words, t(silent ? "loading.silent" : "loading.words", { what: t(`loading.${what}`), silent }));
  write(numbers, t("loading.bytes", { got: megabytes(got), all: megabytes(all) }));
}

/** Says that the page cannot start, and why. */
export function showFailure(why) {
  const line = $("#loading");
  line.hidden = false;
  line.classList.add("failed");
  line.replaceChildren(t("page.failed", { why: told(why) }), el("button", { onclick: again }, t("page.again")));
}

/** Lets buttons that stand in the page itself be pressed. */
export function allowButtons(root) {
  for (const node of root.querySelectorAll("[data-waits]")) {
    node.removeAttribute("data-waits");
    node.removeAttribute("disabled");
  }
}
