// Small helpers to build elements.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && (name === "checked" || name === "disabled" || name === "value")) node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An HTML element: `el("button", { class: "x", onclick }, "text", child)`. */
export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export const $ = (selector) => document.querySelector(selector);

let toastTimer;

/** Shows a short message over the page; it is read out by screen readers. */
export function toast(text, kind = "info") {
  const node = $("#toast");
  node.textContent = text;
  node.className = `toast show ${kind}`;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (node.className = "toast"), Math.max(3000, text.length * 70));
}

/** Says something to screen readers only. */
export function announce(text) {
  $("#live").textContent = text;
}

/** Opens a modal dialog with a title; returns the element its content belongs in. */
export function dialog(title, content, { wide = false, onclose } = {}) {
  const node = el(
    "dialog",
    { class: wide ? "modal wide" : "modal", "aria-label": title },
    el(
      "div",
      { class: "modal-head" },
      el("h2", {}, title),
      el("button", { class: "icon-button", "aria-label": "Close", onclick: () => node.close() }, "✕"),
    ),
    el("div", { class: "modal-body" }, content),
  );
  node.addEventListener("close", () => {
    node.remove();
    onclose?.();
  });
  node.addEventListener("click", (event) => {
    if (event.target === node) node.close();
  });
  document.body.append(node);
  node.showModal();
  return node;
}

/** Asks before something that cannot be undone. */
export function askFirst(question, label, act) {
  const node = dialog(label, [
    el("p", {}, question),
    el(
      "div",
      { class: "buttons" },
      el("button", { class: "primary", onclick: () => (node.close(), act()) }, label),
      el("button", { onclick: () => node.close() }, "Cancel"),
    ),
  ]);
}

/** Copies text, and says so. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    const area = el("textarea", { readonly: true, rows: 4, class: "text" });
    area.value = text;
    dialog(what, area);
    area.select();
  }
}

/** Offers text as a file. */
export function download(name, text) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
