import { cp } from "node:fs/promises";
import { build } from "esbuild";

await build({ entryPoints: ["main.js"], bundle: true, format: "esm", outdir: "dist" });
await cp("node_modules/whaleshogi", "dist/whaleshogi", { recursive: true });
await cp("index.html", "dist/index.html");
