// Puts the scripts and styles of a page of plain files into few: one for the page, one for the worker that searches, one
// style. A line over which an answer takes its time is slow for each file.
//
//   node bundle.mjs FOLDER

import { readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";

const root = resolve(process.argv[2]);
const page = join(root, "index.html");
const html = await readFile(page, "utf8");

/** What is loaded while somebody waits. */
const LOADED = /^(board|engine|puzzles|openings|learn)\/[^/]*\.(wasm|net|json)$/;

/** The bytes of these files, by their names as seen from the engine's folder. */
async function sizes() {
  const names = (await readdir(root, { recursive: true })).filter((name) => LOADED.test(name));
  const found = names.map(async (name) => [name.replace("engine/", ""), (await stat(join(root, name))).size]);
  return Object.fromEntries(await Promise.all(found));
}

/** A module still finds what lies beside it when it has become part of another. */
const addresses = (entry) => ({
  name: "addresses",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      const place = relative(dirname(join(root, entry)), path);
      const text = await readFile(path, "utf8");
      const own = `new URL(${JSON.stringify(place)}, import.meta.url)`;
      return { contents: text.replaceAll("import.meta.url", own), loader: "js" };
    }),
});

/** The table of texts as it stands in the sources, and its Japanese half as a module of its own. */
const source = async (name) => import(new URL(`../page/src/texts/${name}.js`, import.meta.url).href);
const parts = await Promise.all(["dialogs", "game", "learn", "rules"].map(source));
const TABLE = Object.entries(Object.assign({}, ...parts.flatMap((part) => Object.values(part))));
const column = (at) => JSON.stringify(Object.fromEntries(TABLE.map(([key, texts]) => [key, texts[at]])));
const more = (await Promise.all(["names", "told"].map(source))).flatMap(Object.entries);
const consts = more.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
const JAPANESE = "texts-ja.js";

/** Texts of another language than the page's are not loaded. */
const languages = {
  name: "languages",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: new RegExp(`/${JAPANESE}$`) }, () => ({ path: `./${JAPANESE}`, external: true }));
    onLoad({ filter: /[/\\]texts[/\\]all\.js$/ }, () => ({
      contents: `import { language } from "../prefs.js";
        export const { TEXTS, NAMES, TOLD } =
          language() === "ja" ? await import("./${JAPANESE}") : { TEXTS: ${column(0)}, NAMES: {}, TOLD: [] };`,
    }));
  },
};

const made = [];
async function bundle(entry, input = { entryPoints: [join(root, entry)] }) {
  const { outputFiles, metafile } = await build({
    ...input,
    bundle: true,
    format: "esm",
    minify: true,
    metafile: true,
    write: false,
    outfile: join(root, entry),
    absWorkingDir: root,
    define: { SIZES: JSON.stringify(await sizes()) },
    plugins: entry.endsWith(".js") ? [languages, addresses(entry)] : [],
    charset: "utf8",
    logLevel: "error",
  });
  made.push({ entry, text: outputFiles[0].text, parts: Object.keys(metafile.inputs) });
}

const links = [...html.matchAll(/ *<link rel="stylesheet" href="(.*)" \/>\n/g)];
const contents = links.map(([, href]) => `@import "./${href}";`).join("\n");
await bundle("style.css", { stdin: { contents, resolveDir: root, loader: "css" } });
for (const entry of ["app.js", "engine/search-worker.js"]) await bundle(entry);

for (const part of made.flatMap(({ parts }) => parts)) await rm(join(root, part), { force: true });
await writeFile(join(root, JAPANESE), [`export const TEXTS = ${column(1)};`, ...consts].join("\n"));
for (const folder of ["coach", "dialogs", "style", "texts", "view"]) await rm(join(root, folder), { recursive: true });
for (const { entry, text } of made) await writeFile(join(root, entry), text);
const [[first], ...others] = links;
const few = others.reduce((html, [link]) => html.replace(link, ""), html);
// What the script asks for first is asked for with it.
const tables = `<link rel="preload" href="board/kujira_web_board_bg.wasm" as="fetch" crossorigin />`;
await writeFile(page, few.replace(first, `    <link rel="stylesheet" href="style.css" />\n    ${tables}\n`));
