// The package as its users have it: packed, and installed into an empty folder.

import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The folder that `protocol/web/build` made. */
export const DIST = resolve(process.env.KUJIRA_DIST ?? "dist");

/** What npm says in a folder. */
export const npm = (cwd, ...words) =>
  execFileSync("npm", words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

/** A folder with the package installed, and what takes it away again. */
export async function installed() {
  const folder = await mkdtemp(join(tmpdir(), "kujira-package-"));
  npm(folder, "pack", "--silent", join(DIST, "npm"));
  const [packed] = await readdir(folder);
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  npm(folder, "install", "--offline", "--no-audit", "--no-fund", "--silent", `./${packed}`);
  return { folder, packed: join(folder, packed), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** What the package offers to a program in that folder, by an entry. */
export async function entry(folder, name) {
  const file = join(folder, `${name.replace(/\W/g, "-")}.mjs`);
  await writeFile(file, `export * from "${name}";\n`);
  return import(file);
}
