// Builds the playground into dist/, a folder of static files:
//   node scripts/build.mjs [--watch] [--without-engine]
// --without-engine keeps the engine of the last build.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { constants, gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { sections } from "./examples.mjs";
import { puzzles } from "./puzzles.mjs";

const TARGET = "wasm32-unknown-unknown";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const root = resolve(web, "..", "..");
const dist = join(web, "dist");
const engine = join(dist, "engine.bin");
const { values: options } = parseArgs({ options: { watch: { type: "boolean" }, "without-engine": { type: "boolean" } } });

mkdirSync(dist, { recursive: true });
for (const name of readdirSync(dist).filter((name) => name !== "engine.bin")) rmSync(join(dist, name), { recursive: true });
if (!options["without-engine"]) buildEngine();
if (!existsSync(engine)) throw new Error("there is no engine; build without --without-engine first");
copyFileSync(join(web, "index.html"), join(dist, "index.html"));
writeFileSync(join(dist, "examples.json"), JSON.stringify(sections(join(root, "examples"))));
writeFileSync(join(dist, "puzzles.json"), JSON.stringify(puzzles(join(root, "learn"))));
const bundle = {
    absWorkingDir: web,
    entryPoints: ["src/main.ts", "src/main.css", "src/worker.ts"],
    outdir: "dist",
    bundle: true,
    format: "esm",
    target: ["chrome123", "firefox121", "safari17.5"],
    loader: { ".md": "text" },
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    minify: !options.watch,
    sourcemap: options.watch ? "inline" : false,
};
if (options.watch) await (await esbuild.context(bundle)).watch();
else writeFileSync(join(dist, "licenses.txt"), licenses((await esbuild.build(bundle)).metafile));

/** Compiles the engine, and stores it compressed, because not every server compresses what it sends. */
function buildEngine() {
    const flags = ["build", "--locked", "--package", "tile-playground", "--target", TARGET, "--profile", "dist"];
    execFileSync("cargo", flags, { cwd: root, stdio: "inherit" });
    const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");
    const module = readFileSync(join(target, TARGET, "dist", "tile_playground.wasm"));
    writeFileSync(engine, gzipSync(module, { level: constants.Z_BEST_COMPRESSION }));
}

/** The licenses of the bundled packages. */
function licenses({ inputs }) {
    const packages = new Set(Object.keys(inputs).map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]));
    const one = (name) => {
        const folder = join(web, "node_modules", name);
        const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
        const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
        return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : ""}\n`;
    };
    return [...packages].filter(Boolean).sort().map(one).join(`\n${"-".repeat(80)}\n\n`);
}
