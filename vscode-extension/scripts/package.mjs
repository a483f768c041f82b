// Builds tile-<version>.vsix.
//   npm run package                                      for every platform; uses `tile` on PATH
//   npm run package -- --server ../target/release/tile   for this platform, with that program bundled
//   … --target darwin-arm64                              the platform of the bundled program
//   … --out FILE                                         the file to write
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({
    options: { server: { type: "string" }, target: { type: "string" }, out: { type: "string" } },
});
const { version, repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const out = resolve(values.out ?? join(root, `tile-${version}.vsix`));
const serverFolder = join(root, "server");

function fail(message) {
    console.error(`package: ${message}`);
    process.exit(1);
}

function node(script, ...args) {
    const { status } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
}

if (values.target && !values.server) fail("--target requires --server");
rmSync(serverFolder, { recursive: true, force: true });
const target = values.target ?? `${process.platform}-${process.arch}`;
if (values.server) {
    const server = resolve(values.server);
    if (!existsSync(server) || !statSync(server).isFile()) fail(`no such program: ${server}`);
    mkdirSync(serverFolder);
    const copy = join(serverFolder, target.startsWith("win32") ? "tile.exe" : "tile");
    copyFileSync(server, copy);
    chmodSync(copy, 0o755);
}
node("scripts/build.mjs");
node(
    "node_modules/@vscode/vsce/vsce",
    "package",
    "--no-dependencies",
    // The marketplace shows the pictures of the README from the repository.
    "--baseImagesUrl",
    `${repository.url}/raw/HEAD/vscode-extension`,
    "--baseContentUrl",
    `${repository.url}/blob/HEAD/vscode-extension`,
    "--out",
    out,
    ...(values.server ? ["--target", target] : []),
);
