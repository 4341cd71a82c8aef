// The page without a network: registers the service worker, and offers a new version when there is one.

import { t } from "./texts.js";

/** Milliseconds that the old version may go on working once the new one wants to take over. */
const PATIENCE = 4000;

/** Asks for a reload that brings the new version; nothing is reloaded without it. */
function offer(registration) {
  if (document.querySelector("#update")) return;
  const bar = document.createElement("p");
  bar.id = "update";
  bar.className = "offline";
  bar.setAttribute("role", "status");
  bar.append(t("page.new"));
  const button = document.createElement("button");
  button.textContent = t("page.load");
  const told = document.createElement("span");
  let last = null;
  button.addEventListener("click", () => {
    last?.abort();
    const press = (last = new AbortController());
    const { signal } = press;
    told.textContent = t("page.coming");
    // Where none waits any more it has come, in another tab.
    if (!registration.waiting) return location.reload();
    const { serviceWorker } = navigator;
    const come = () => {
      press.abort();
      location.reload();
    };
    const hear = async ({ data }) => {
      if (data === "others") {
        press.abort();
        told.textContent = t("page.tabs");
      }
      if (data === "alone" && !(await giveUp(registration, signal))) told.textContent = t("page.unreached");
    };
    serviceWorker.addEventListener("controllerchange", come, { signal });
    serviceWorker.addEventListener("message", hear, { signal });
    registration.waiting.postMessage("take over");
  });
  bar.append(button, told);
  document.querySelector("main")?.before(bar);
}

/**
 * Gives the old version up if the browser goes on waiting for it, and loads the page from the server. False if that is
 * not there: without a network the old version is all there is.
 */
async function giveUp(registration, signal) {
  await new Promise((resolve) => setTimeout(resolve, PATIENCE));
  try {
    if (!signal.aborted) await registration.update();
    if (signal.aborted) return true;
    await registration.unregister();
  } catch {
    return signal.aborted;
  }
  location.reload();
  return true;
}

/** When nobody waits any more for what is needed to play. */
const quiet = new Promise((resolve) => addEventListener("quiet", resolve, { once: true }));

// Firefox fetches it, too, and needs it no more than others before somebody puts the page on a home screen.
quiet.then(() =>
  document.head.append(Object.assign(document.createElement("link"), { rel: "apple-touch-icon", href: "icon-192.png" })),
);

async function register() {
  const registration = await navigator.serviceWorker.register("service-worker.js", { type: "classic" });
  const watch = (worker) => {
    if (!worker) return;
    const look = () => {
      // The first one is no news.
      if (worker.state === "installed" && navigator.serviceWorker.controller) offer(registration);
    };
    worker.addEventListener("statechange", look);
    look();
  };
  // What the browser has dropped is fetched again.
  quiet.then(() => registration.active?.postMessage("fill"));
  watch(registration.waiting);
  watch(registration.installing);
  registration.addEventListener("updatefound", () => watch(registration.installing));
}

// Plain http on a local network is no secure context: the page works, but needs the network.
if ("serviceWorker" in navigator) {
  const begin = () =>
    register().catch((error) => console.warn(`without a network this page will not open: ${error.message}`));
  // At the first visit it fetches the page once more.
  if (navigator.serviceWorker.controller) begin();
  else quiet.then(begin);
}
