// Finds the programs that the tests need. Nothing is downloaded; missing programs are reported.
import { spawn } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

export const chromiumFlags = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
];

/** Prints the reason and exits, with status 1 if the test is `required`. */
export function skip(reason, required) {
    console.log(`skipped: ${reason}`);
    process.exit(required ? 1 : 0);
}

/** The programs for a test in VS Code, or the reason why they are unavailable. */
export async function findEditor() {
    const cache = process.env.TILE_EDITOR_CACHE ?? join(homedir(), ".cache", "tile-editors");
    const codeServer = process.env.TILE_CODE_SERVER ?? join(cache, "code-server", "node_modules", "code-server");
    if (!existsSync(join(codeServer, "lib", "vscode", "out", "server-main.js"))) {
        return { missing: `code-server is not in ${codeServer} (set TILE_CODE_SERVER to its folder)` };
    }
    const required = JSON.parse(readFileSync(join(codeServer, "package.json"), "utf8")).engines?.node;
    const current = process.versions.node.split(".")[0];
    if (required && !required.split(/\D+/).includes(current)) return { missing: `this code-server needs Node ${required}, this is ${current}` };
    const browser = await findBrowser();
    return browser.missing ? browser : { codeServer, vscode: join(codeServer, "lib", "vscode"), ...browser };
}

/** Chromium and playwright-core, or the reason why they are unavailable. */
export async function findBrowser() {
    const chromium = process.env.TILE_CHROMIUM ?? ["chromium", "chromium-browser", "google-chrome"].map(onPath).find(Boolean);
    if (!chromium) return { missing: "no chromium on PATH (set TILE_CHROMIUM)" };
    try {
        return { chromium, playwright: await import("playwright-core") };
    } catch {
        return { missing: "playwright-core is not installed (npm ci)" };
    }
}

/** The `tile` program: the named one, or else the repository's release build. */
export function findTile(named) {
    const tile = resolve(named ?? process.env.TILE_SERVER ?? join(root, "..", "target", "release", "tile"));
    return existsSync(tile) ? { tile } : { missing: `no tile program at ${tile} (use --server or TILE_SERVER)` };
}

function onPath(name) {
    return (process.env.PATH ?? "")
        .split(delimiter)
        .map((folder) => join(folder, name))
        .find((file) => {
            try {
                accessSync(file, constants.X_OK);
                return true;
            } catch {
                return false;
            }
        });
}

/** The limit for the start of a program, in seconds, generous for a loaded machine. */
const START_LIMIT = 300;

/**
 * Starts a program and waits until it prints a text that matches `ready`, whose groups are returned. `stop` ends it with all
 * its child processes.
 */
export async function startProgram(args, ready, env) {
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let log = "";
    const [, ...groups] = await new Promise((done, failed) => {
        const listen = (chunk) => {
            log += chunk;
            const found = ready.exec(log);
            if (found) done(found);
        };
        child.stdout.on("data", listen);
        child.stderr.on("data", listen);
        child.on("error", failed);
        child.on("exit", (code) => failed(new Error(`ended with ${code} before it was ready:\n${log}`)));
        setTimeout(() => failed(new Error(`not ready after ${START_LIMIT} s:\n${log}`)), START_LIMIT * 1000).unref();
    });
    const signal = (name) => {
        try {
            process.kill(-child.pid, name);
        } catch {
            // It has already ended.
        }
    };
    return {
        groups,
        log: () => log,
        stop: async () => {
            if (child.exitCode !== null) return;
            const ended = new Promise((done) => child.once("exit", done));
            signal("SIGTERM");
            const late = setTimeout(() => signal("SIGKILL"), 5_000);
            await ended;
            clearTimeout(late);
            signal("SIGKILL");
        },
    };
}
