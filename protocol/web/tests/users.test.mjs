// The package as those use it who build pages: with Vite, webpack, esbuild and none of them, in browsers, with
// TypeScript, and by what docs/javascript.md says.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, readFile, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import puppeteer from "puppeteer-core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { installed } from "./installed.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const EXAMPLES = join(HERE, "..", "examples");
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
const BROWSERS = {
  chromium: { browser: "chrome", executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] },
  firefox: { browser: "firefox", executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr" },
};

/** The examples of docs/javascript.md: blocks of programs with what they print. */
const document = await readFile(join(HERE, "../../../docs/javascript.md"), "utf8");
const blocks = [...document.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code], at) => ({
  name: `example ${at + 1} of docs/javascript.md`,
  code,
  printed: [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text),
}));

let folder, packed, remove;
const browsers = {};
before(async () => {
  ({ folder, packed, remove } = await installed());
  for (const [name, options] of Object.entries(BROWSERS)) {
    browsers[name] = await puppeteer.launch({ ...options, protocol: "webDriverBiDi", protocolTimeout: 60000 });
  }
});
after(async () => {
  for (const browser of Object.values(browsers)) await browser.close();
  await remove();
});

/** An example in a folder of its own, beside the package that it uses. */
async function project(name, as = name) {
  const place = join(folder, as);
  await cp(join(EXAMPLES, name), place, { recursive: true });
  await symlink(join(folder, "node_modules"), join(place, "node_modules"));
  return place;
}

/** Serves a folder. */
async function serve(t, place, instead = {}) {
  const missed = [];
  const server = createServer(async ({ url }, answer) => {
    const name = decodeURIComponent(new URL(url, "http://localhost").pathname).slice(1) || "index.html";
    const body = instead[name] ?? (await readFile(join(place, name)).catch(() => null));
    if (body === null) missed.push(name);
    answer.writeHead(body === null ? 404 : 200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" });
    answer.end(body ?? "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { address: `http://127.0.0.1:${server.address().port}/`, missed };
}

/** What a page says once it has something to say, in a browser. */
async function said(browser, address) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  try {
    await page.goto(address);
    await page.waitForFunction(() => globalThis.document.body?.textContent.trim(), { timeout: 60000 });
    return await page.evaluate(() => globalThis.document.body.textContent);
  } catch (error) {
    throw new Error(`${error.message}; errors of the page: ${errors.join("; ")}`, { cause: error });
  } finally {
    await context.close();
  }
}

/** Looks whether a built page plays its move. */
async function plays(t, place, names = Object.keys(BROWSERS)) {
  const { address, missed } = await serve(t, place);
  for (const name of names) {
    const text = await said(browsers[name], address);
    assert.match(text, /^[A-Z]-[a-f]\d\n[^]*White to move\nsfen /, name);
  }
  assert.deepEqual(missed.filter((name) => name !== "favicon.ico"), []);
}

/** What is imported as whoever built something would import it. */
const tool = createRequire(join(HERE, "users.test.mjs"));

test("Vite builds a page that plays", async (t) => {
  const place = await project("vite");
  const { build } = await import(tool.resolve("vite"));
  await build({ root: place, configFile: false, logLevel: "error" });
  await plays(t, join(place, "dist"));
});

test("Vite serves a page that plays while somebody works at it", async (t) => {
  const place = await project("vite", "vite-dev");
  const { createServer } = await import(tool.resolve("vite"));
  const server = await createServer({
    root: place,
    logLevel: "error",
    server: { port: 0, host: "127.0.0.1", fs: { strict: false } },
  });
  t.after(() => server.close());
  await server.listen();
  assert.match(await said(browsers.chromium, server.resolvedUrls.local[0]), /White to move/);
});

test("webpack builds a page that plays", async (t) => {
  const place = await project("webpack");
  const { default: webpack } = await import(tool.resolve("webpack"));
  const { default: config } = await import(join(place, "webpack.config.js"));
  const output = { ...config.output, path: join(place, "dist") };
  const stats = await new Promise((resolve, reject) =>
    webpack({ ...config, context: place, output }, (error, stats) => (error ? reject(error) : resolve(stats))),
  );
  assert.ok(!stats.hasErrors(), stats.toString({ all: false, errors: true }));
  await cp(join(place, "index.html"), join(place, "dist", "index.html"));
  await plays(t, join(place, "dist"));
});

test("esbuild builds a page that plays", async (t) => {
  const place = await project("esbuild");
  // Its own import of esbuild is found where the tools are.
  const program = (await readFile(join(place, "build.mjs"), "utf8")).replace('"esbuild"', `"${tool.resolve("esbuild")}"`);
  await writeFile(join(place, "build.mjs"), program);
  execFileSync(process.execPath, ["build.mjs"], { cwd: place, stdio: "inherit" });
  await plays(t, join(place, "dist"));
});

test("a page without a bundler plays", async (t) => {
  const imports = { whaleshogi: "./whaleshogi/rules/browser.js", "whaleshogi/engine": "./whaleshogi/engine/index.js" };
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  const code = await readFile(join(EXAMPLES, "vite", "main.js"), "utf8");
  const page = `<!doctype html><title>None</title>${map}<script type="module">${code}</script>`;
  const { address } = await serve(t, join(folder, "node_modules"), { "index.html": page });
  for (const browser of Object.values(browsers)) assert.match(await said(browser, address), /White to move/);
});

test("TypeScript knows the package, in every way of finding it", async () => {
  const place = await project("types");
  for (const [module, moduleResolution] of [
    ["esnext", "bundler"],
    ["nodenext", "nodenext"],
  ]) {
    const words = ["--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom", "--module", module];
    const tsc = tool.resolve("typescript/lib/tsc.js");
    const run = () =>
      execFileSync(process.execPath, [tsc, ...words, "--moduleResolution", moduleResolution, "program.ts"], {
        cwd: place,
        encoding: "utf8",
      });
    assert.doesNotThrow(run, (error) => assert.fail(`${moduleResolution}: ${error.stdout}`));
  }
});

test("publint finds nothing wrong", async () => {
  const pkgDir = join(folder, "node_modules", "whaleshogi");
  const { messages, pkg } = await publint({ pkgDir, level: "suggestion", strict: true, pack: false });
  assert.deepEqual(messages.map((message) => formatMessage(message, pkg)), []);
});

test("the package has the version of the workspace, its licences, and the sizes that are promised", async () => {
  const place = join(folder, "node_modules", "whaleshogi");
  const { version } = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
  const manifest = await readFile(join(HERE, "../../../Cargo.toml"), "utf8");
  assert.equal(version, /^\[workspace\.package\]\nversion = "(.*)"$/m.exec(manifest)[1]);
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE", "README.md"]) assert.ok((await stat(join(place, name))).size > 500, name);
  const size = async (...names) => {
    const files = await Promise.all(names.map((name) => readFile(join(place, name))));
    return files.reduce((sum, file) => sum + brotliCompressSync(file).length, 0);
  };
  const rules = await size("load.js", "engine/folder.js", "rules/browser.js", "rules/rules_bg.js", "rules/rules_bg.wasm");
  console.log(`  the rules: ${Math.round(rules / 1000)} kB with brotli; packed: ${Math.round((await stat(packed)).size / 1000)} kB`);
  assert.ok(rules <= 220_000, `${rules} bytes`);
  // Whoever asks for the rules alone gets nothing of the engine.
  const own = await Promise.all(["rules/browser.js", "load.js"].map((name) => readFile(join(place, name), "utf8")));
  assert.doesNotMatch(own.join(), /engine\/(?!folder\.js)/);
});

for (const { name, code, printed } of blocks) {
  test(`${name} prints in Node what it says`, async () => {
    const file = join(folder, `${name.replace(/\W+/g, "-")}.mjs`);
    await writeFile(file, code);
    const text = execFileSync(process.execPath, [file], { encoding: "utf8", timeout: 60000 });
    assert.deepEqual(text.split("\n").slice(0, -1), printed);
  });
}

test("the examples of docs/javascript.md print in browsers what they say", async (t) => {
  const entries = (await readdir(join(folder, "node_modules", "whaleshogi"), { withFileTypes: true }))
    .filter((found) => found.isDirectory())
    .map(({ name }) => name);
  const file = (name) => `./whaleshogi/${name}/${name === "engine" ? "index" : "browser"}.js`;
  const imports = Object.fromEntries(
    entries.map((name) => [name === "rules" ? "whaleshogi" : `whaleshogi/${name}`, file(name)]),
  );
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  const listen = "<script>const said = []; console.log = (...words) => said.push(words.join(' '));</script>";
  for (const { name, code, printed } of blocks.filter(({ code }) => !code.includes("node:"))) {
    const done = "document.body.textContent = JSON.stringify(said);";
    const page = `<!doctype html><title>Example</title>${map}${listen}<script type="module">${code}\n${done}</script>`;
    const { address } = await serve(t, join(folder, "node_modules"), { "index.html": page });
    for (const [browser, open] of Object.entries(browsers)) {
      assert.deepEqual(JSON.parse(await said(open, address)), printed, `${name}, ${browser}`);
    }
  }
});
