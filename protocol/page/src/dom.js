// Small helpers to build elements, and to say something in passing.

import { told } from "./texts.js";

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

/** @type {(selector: string) => any} */
export const $ = (selector) => document.querySelector(selector);

/** The element that has the focus. */
export const focused = () => /** @type {HTMLElement} */ (document.activeElement);

/** Gives an element these children. Those that stay in their order are not moved: a press that has begun on one counts. */
export function keepIn(parent, children) {
  for (const child of [...parent.children]) if (!children.includes(child)) child.remove();
  children.forEach((child, index) => {
    const there = parent.children[index];
    if (there !== child) parent.insertBefore(child, there ?? null);
  });
}

/** Sets the text of an element, unless it is there: the same text set again would be read out again. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

let toastTimer;

/** Shows a short message over the page, in its language; it is read out by screen readers. */
export function toast(message, kind = "info") {
  const node = $("#toast");
  const text = told(message);
  node.textContent = text;
  node.className = `toast show ${kind}`;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (node.className = "toast"), Math.max(3000, text.length * 70));
}

/** Says something above the page as long as it holds: until there is another text of that name, or none. */
export function lasting(id, ...content) {
  $(`#${id}`)?.remove();
  const node = el("p", { id, class: "offline", role: "status" }, ...content);
  if (node.firstChild) $("main").before(node);
}

/** Offers text as a file. */
export function download(name, text) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Says something to screen readers only. */
export function announce(text) {
  $("#live").textContent = text;
}
