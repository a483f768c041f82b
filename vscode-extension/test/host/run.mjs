// Runs the tests in this folder in a real VS Code extension host: code-server's VS Code, driven by a headless Chromium.
//   node test/host/run.mjs [--server TILE] [--require] [--grep PATTERN]
// --require: fail instead of skipping when something is missing.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { chromiumFlags, findEditor, findTile, root, skip, startProgram } from "../tools.mjs";

const { values } = parseArgs({
    options: { server: { type: "string" }, require: { type: "boolean" }, grep: { type: "string" } },
});
const { tile, missing: noTile } = findTile(values.server);
if (noTile) skip(noTile, values.require);
const editor = await findEditor();
if (editor.missing) skip(editor.missing, values.require);

const built = spawnSync(process.execPath, [join(root, "scripts", "build.mjs"), "--tests"], { stdio: "inherit", cwd: root });
if (built.status !== 0) process.exit(built.status ?? 1);

/** The limit of all tests in seconds, generous for a loaded machine. */
const LIMIT = 900;

const prefix = "tile-test:";

/** Runs the tests of a suite in a new VS Code and returns their exit status. */
async function runIn(suite, settings) {
    const scratch = mkdtempSync(join(tmpdir(), "tile-host-"));
    const workspace = join(scratch, "workspace");
    cpSync(join(root, "test", "fixtures"), workspace, { recursive: true });
    const encoded = spawnSync(tile, ["build", join(workspace, "hello.tile"), "-o", join(workspace, "hello.tileirbc")]);
    if (encoded.status !== 0) throw new Error(`cannot encode the bytecode for the tests: ${encoded.stderr}`);
    const all = JSON.stringify({
        "tile.server.path": tile,
        // Scripts take the place of NVIDIA's tools, also of installed ones.
        "tile.server.extraEnv": { PATH: `${join(root, "test", "toolkit", "bin")}:${process.env.PATH}` },
        "tile.run.revealOutput": "always",
        "workbench.startupEditor": "none",
        "telemetry.telemetryLevel": "off",
        "extensions.autoCheckUpdates": false,
        "files.autoSave": "off",
        ...settings,
    });
    // Machine settings have a separate file, which is read again when debugging starts, for example.
    for (const kind of ["User", "Machine"]) {
        mkdirSync(join(scratch, "user", kind), { recursive: true });
        writeFileSync(join(scratch, "user", kind, "settings.json"), all);
    }
    // A user-defined machine, which is this one.
    const config = join(scratch, "config");
    mkdirSync(join(config, "tile"), { recursive: true });
    writeFileSync(join(config, "tile", "targets"), `box = env 'PATH=${dirname(tile)}'\n`);
    const otherOutput = [];
    let reported = false;
    let server;
    let browser;
    try {
        server = await startProgram(
            [
                join(editor.vscode, "out", "server-main.js"),
                "--accept-server-license-terms",
                "--host", "127.0.0.1",
                // The server chooses a free port and prints it.
                "--port", "0",
                "--without-connection-token",
                "--server-data-dir", join(scratch, "server"),
                "--extensions-dir", join(scratch, "extensions"),
                "--user-data-dir", join(scratch, "user"),
                "--enable-smoke-test-driver",
            ],
            /Extension host agent listening on (\d+)\s/,
            { ...process.env, HOME: scratch, XDG_CONFIG_HOME: config, TILE_TEST_SUITE: suite, TILE_TEST_GREP: values.grep ?? "" },
        );
        const [port] = server.groups;
        browser = await editor.playwright.chromium.launch({ executablePath: editor.chromium, args: chromiumFlags });
        const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
        const ended = new Promise((done) => page.exposeFunction("codeAutomationExit", done));
        await page.exposeFunction("codeAutomationLog", (_type, args) => {
            const line = args.map(String).join(" ");
            if (line.startsWith(prefix)) {
                reported = true;
                console.log(line.slice(prefix.length));
            } else {
                otherOutput.push(line);
            }
        });
        const remote = (path) => `vscode-remote://127.0.0.1:${port}${path}`;
        const payload = JSON.stringify([
            ["extensionDevelopmentPath", remote(root)],
            ["extensionTestsPath", remote(join(root, "dist", "test", "index.js"))],
        ]);
        await page.goto(`http://127.0.0.1:${port}/?${new URLSearchParams({ folder: workspace, payload })}`);
        const limit = new Promise((done) => setTimeout(done, LIMIT * 1000, "timeout").unref());
        const status = await Promise.race([ended, limit]);
        if (status === "timeout") {
            const shot = join(tmpdir(), "tile-host-timeout.png");
            await page.screenshot({ path: shot });
            console.error(`timed out after ${LIMIT} s; screenshot: ${shot}; log of the server:\n${server.log()}`);
            return 1;
        }
        if (status !== 0 && !reported) console.error(otherOutput.join("\n"));
        return status;
    } finally {
        await browser?.close();
        await server?.stop();
        rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
}

const status =
    (await runIn("trusted", { "security.workspace.trust.enabled": false })) ||
    (await runIn("untrusted", {
        "security.workspace.trust.enabled": true,
        "security.workspace.trust.startupPrompt": "never",
        "security.workspace.trust.banner": "never",
        "security.workspace.trust.untrustedFiles": "open",
    }));
process.exit(status);
