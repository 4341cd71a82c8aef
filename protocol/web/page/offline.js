// The page without a network: registers the service worker, and offers a new version when there is one.

import { t } from "./texts.js";

/** Milliseconds that the old version may go on working after somebody has asked for the new one. */
const PATIENCE = 4000;

/** Loads the page from the server, where there is one: browsers let a worker that is busy go on for minutes. */
async function anew(registration) {
  try {
    await registration.update();
  } catch {
    // Without a network the old version is all there is.
    return;
  }
  await registration.unregister();
  location.reload();
}

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
  button.addEventListener("click", () => {
    const { serviceWorker } = navigator;
    const late = setTimeout(() => anew(registration), PATIENCE);
    serviceWorker.addEventListener("controllerchange", () => (clearTimeout(late), location.reload()), { once: true });
    serviceWorker.addEventListener("message", ({ data }) => {
      if (data !== "others") return;
      clearTimeout(late);
      told.textContent = t("page.tabs");
    });
    registration.waiting?.postMessage("take over");
  });
  const told = document.createElement("span");
  bar.append(button, told);
  document.querySelector("main")?.before(bar);
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
