// Bundles the extension into dist/ and, with --tests, the tests that run inside the extension host into dist/test/.
// Also copies the repository's examples to examples/, and writes the licenses of the bundled packages to
// dist/licenses.txt.
import { cpSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as esbuild from "esbuild";

const watch = process.argv.includes("--watch");
const tests = process.argv.includes("--tests");
const common = {
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "warning",
    metafile: true,
};
const builds = [
    {
        ...common,
        entryPoints: ["src/extension.ts"],
        outfile: "dist/extension.js",
        external: ["vscode"],
        minify: !watch && !tests,
        sourcemap: watch || tests ? "inline" : false,
    },
];
if (tests) {
    builds.push({
        ...common,
        entryPoints: ["test/host/index.ts"],
        outfile: "dist/test/index.js",
        external: ["vscode", "mocha"],
        sourcemap: "inline",
    });
}
copyExamples();
for (const options of builds) {
    if (watch) await (await esbuild.context(options)).watch();
    else {
        const { metafile } = await esbuild.build(options);
        if (options.outfile === "dist/extension.js") writeFileSync("dist/licenses.txt", licenses(metafile));
    }
}

/** Copies the examples of the repository. */
function copyExamples() {
    const from = join("..", "examples");
    rmSync("examples", { recursive: true, force: true });
    cpSync(from, "examples", { recursive: true, filter: (path) => statSync(path).isDirectory() || path.endsWith(".tile") });
}

function licenses({ inputs }) {
    const packages = new Set(Object.keys(inputs).map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]));
    return [...packages]
        .filter(Boolean)
        .sort()
        .map((name) => {
            const folder = join("node_modules", name);
            const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
            const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
            const text = file ? readFileSync(join(folder, file), "utf8").trim() : "";
            return `${name} ${version} (${license})\n\n${text}\n`;
        })
        .join(`\n${"-".repeat(80)}\n\n`);
}
