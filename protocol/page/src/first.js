// What must be right when the page is painted first, long before its modules are there on a slow line: no module, so that
// it runs before that, and in browsers that know none.

if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.dataset.theme = "dark";
if (navigator.language.startsWith("ja")) document.documentElement.lang = "ja";
// Whoever asks for a game is not shown the welcome first.
if (location.hash.length > 1) document.documentElement.dataset.asked = "";
