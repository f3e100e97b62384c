/** Bundle the program on the standard input, whose imports are those of `scripts/`, into one script. */

import { buildSync } from "esbuild";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const { outputFiles } = buildSync({
  stdin: { contents: readFileSync(0, "utf8"), resolveDir: fileURLToPath(new URL("scripts", import.meta.url)) },
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "error",
  write: false,
});
process.stdout.write(outputFiles[0].text);
