// Takes pictures of the packaged extension in code-server: a hover, an error, and printed text beside its line.
//   node test/screenshots.mjs --out FOLDER [--server TILE] [--require] [EXAMPLE.tile …]
// Each example is opened, its first launch is run, and the screen is kept as FOLDER/<example>.png.
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromiumFlags, findEditor, findTile, freePort, root, skip, startProgram } from "./tools.mjs";

const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: "string" }, server: { type: "string" }, require: { type: "boolean" } },
});
if (!values.out) {
    console.error("usage: screenshots.mjs --out FOLDER [--server TILE] [--require] [EXAMPLE.tile …]");
    process.exit(2);
}
const { tile, missing: noTile } = findTile(values.server);
if (noTile) skip(noTile, values.require);
const editor = await findEditor();
if (editor.missing) skip(editor.missing, values.require);

const out = resolve(values.out);
mkdirSync(out, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), "tile-shots-"));
const workspace = join(scratch, "workspace");
const user = join(scratch, "user");
const extensions = join(scratch, "extensions");
const vsix = join(scratch, "tile.vsix");
const codeServer = join(editor.codeServer, "out", "node", "entry.js");
const env = { ...process.env, HOME: scratch, XDG_CONFIG_HOME: join(scratch, "config"), XDG_DATA_HOME: join(scratch, "data") };
const folders = ["--user-data-dir", user, "--extensions-dir", extensions, "--config", join(scratch, "code-server.yaml")];

function node(...args) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`${args[0]} ended with ${status}:\n${stdout}${stderr}`);
}

let server;
let browser;
try {
    cpSync(join(root, "test", "fixtures"), workspace, { recursive: true });
    for (const example of positionals) copyFileSync(example, join(workspace, basename(example)));
    writeFileSync(join(scratch, "code-server.yaml"), "auth: none\n");
    mkdirSync(join(user, "User"), { recursive: true });
    writeFileSync(
        join(user, "User", "settings.json"),
        JSON.stringify({
            "workbench.startupEditor": "none",
            "workbench.colorTheme": "Default Dark Modern",
            "workbench.secondarySideBar.defaultVisibility": "hidden",
            "editor.minimap.enabled": false,
            "chat.commandCenter.enabled": false,
            "telemetry.telemetryLevel": "off",
            "tile.run.revealOutput": "never",
        }),
    );
    node(join(root, "scripts", "package.mjs"), "--server", tile, "--out", vsix);
    node(codeServer, ...folders, "--install-extension", vsix);

    const port = await freePort();
    server = await startProgram(
        [
            codeServer, ...folders, "--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-workspace-trust",
            "--disable-telemetry", "--disable-update-check", "--disable-getting-started-override", workspace,
        ],
        /HTTP server listening/,
        env,
    );
    browser = await editor.playwright.chromium.launch({ executablePath: editor.chromium, args: chromiumFlags });

    const shoot = async (file, name, act) => {
        const page = await browser.newPage({ viewport: { width: 1200, height: 720 }, deviceScaleFactor: 1 });
        try {
            const payload = JSON.stringify([["openFile", `vscode-remote://127.0.0.1:${port}${join(workspace, file)}`]]);
            await page.goto(`http://127.0.0.1:${port}/?${new URLSearchParams({ folder: workspace, payload })}`);
            const tab = page.locator(`.tab[data-resource-name="${file}"]`);
            await tab.waitFor({ timeout: 60_000 });
            await page.locator(".view-lines .view-line").first().waitFor();
            await page.locator(".statusbar-item", { hasText: "Tile" }).first().waitFor({ timeout: 30_000 });
            await act(page);
            await page.waitForTimeout(600);
            const path = join(out, `${name}.png`);
            await page.screenshot({ path });
            console.log(path);
        } catch (error) {
            await page.screenshot({ path: join(out, `${name}-failed.png`) });
            throw error;
        } finally {
            await page.close();
        }
    };
    const place = async (page, file, text, after = 0) => {
        const lines = readFileSync(join(workspace, file), "utf8").split("\n");
        const line = lines.findIndex((each) => each.includes(text));
        await page.locator(".view-lines").first().click();
        await page.keyboard.press("Control+g");
        await page.keyboard.type(`${line + 1}:${lines[line].indexOf(text) + 1 + after}`);
        await page.keyboard.press("Enter");
        await page.waitForTimeout(200);
    };
    const runFirst = async (page) => {
        await page.locator(".codelens-decoration a", { hasText: "Run" }).first().click({ timeout: 30_000 });
    };

    await shoot("broken.tile", "error", async (page) => {
        await page.locator(".squiggly-error").first().waitFor({ timeout: 30_000 });
        await place(page, "broken.tile", "%undefined", 1);
        await page.keyboard.press("Control+k");
        await page.keyboard.press("Control+i");
        await page.locator(".monaco-hover:not(.hidden) .hover-contents").first().waitFor({ timeout: 30_000 });
    });
    await shoot("broken.tile", "hover", async (page) => {
        await page.locator(".squiggly-error").first().waitFor({ timeout: 30_000 });
        await place(page, "broken.tile", "%twice", 1);
        await page.keyboard.press("Control+k");
        await page.keyboard.press("Control+i");
        await page.locator(".monaco-hover:not(.hidden) .hover-contents", { hasText: "tile<f32>" }).first().waitFor({ timeout: 30_000 });
    });
    await shoot("hello.tile", "printed", async (page) => {
        await runFirst(page);
        await page.locator(".view-lines", { hasText: /hello\s+from\s+block\s+0/ }).first().waitFor({ timeout: 30_000 });
    });
    for (const example of positionals) {
        await shoot(basename(example), basename(example, ".tile"), async (page) => {
            await runFirst(page);
            await page.waitForTimeout(2_000);
        });
    }
} finally {
    await browser?.close();
    await server?.stop();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
