// Takes screenshots of the packaged extension in code-server: a hover, a completion, a fix, a run, and more.
//   node test/screenshots.mjs --out FOLDER [--server TILE] [--require] [--clip] [--scene NAME …] [EXAMPLE.tile …]
// Each scene, or only the named ones, is written to FOLDER/<scene>.png; --clip keeps its main part. These scenes are
// used by
//   the walkthrough: --clip --scene example --scene run --scene view --scene fix --scene debug --scene tests --scene target --out images/walkthrough
//   the README of the repository: --scene run --out ../docs/images
//   docs/running.md: --scene values --scene viewer --out ../docs/images
//   docs/debugging.md: --scene debug --out ../docs/images
//   docs/analysis.md: --scene graph --out ../docs/images
// For each EXAMPLE, its first launch is run, and the screen is written to FOLDER/<example>.png.
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromiumFlags, findEditor, findTile, root, skip, startProgram } from "./tools.mjs";

const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: "string" }, server: { type: "string" }, require: { type: "boolean" }, scene: { type: "string", multiple: true }, clip: { type: "boolean" } },
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
    for (const example of ["saxpy.tile", "gemm_square.tile"]) {
        copyFileSync(join(root, "..", "examples", example), join(workspace, example));
    }
    for (const example of positionals) copyFileSync(example, join(workspace, basename(example)));
    copyFileSync(join(workspace, "broken.tile"), join(workspace, "typing.tile"));
    spawnSync(tile, ["build", join(workspace, "hello.tile"), "-o", join(workspace, "hello.tileirbc")]);
    writeFileSync(join(scratch, "code-server.yaml"), "auth: none\n");
    mkdirSync(join(scratch, "config", "tile"), { recursive: true });
    writeFileSync(join(scratch, "config", "tile", "targets"), "gpubox = ssh gpubox\n");
    mkdirSync(join(user, "User"), { recursive: true });
    writeFileSync(
        join(user, "User", "settings.json"),
        JSON.stringify({
            "workbench.startupEditor": "none",
            "workbench.colorTheme": "Default Dark Modern",
            "workbench.secondarySideBar.defaultVisibility": "hidden",
            "editor.minimap.enabled": false,
            "chat.commandCenter.enabled": false,
            "chat.disableAIFeatures": true,
            "telemetry.telemetryLevel": "off",
            "tile.run.revealOutput": "never",
            ...(process.env.CUDA_HOME ? { "tile.server.extraEnv": { CUDA_HOME: process.env.CUDA_HOME } } : {}),
        }),
    );
    node(join(root, "scripts", "package.mjs"), "--server", tile, "--out", vsix);
    node(codeServer, ...folders, "--install-extension", vsix);

    server = await startProgram(
        [
            codeServer, ...folders, "--auth", "none", "--bind-addr", "127.0.0.1:0", "--disable-workspace-trust",
            "--disable-telemetry", "--disable-update-check", "--disable-getting-started-override", workspace,
        ],
        /HTTP server listening on http:\/\/127\.0\.0\.1:(\d+)\//,
        env,
    );
    // The server has chosen a free port.
    const [port] = server.groups;
    browser = await editor.playwright.chromium.launch({ executablePath: editor.chromium, args: chromiumFlags });

    const shoot = async (file, name, act, clip) => {
        const page = await browser.newPage({ viewport: { width: 1200, height: 720 }, deviceScaleFactor: 1 });
        try {
            const payload = JSON.stringify([["openFile", `vscode-remote://127.0.0.1:${port}${join(workspace, file)}`]]);
            await page.goto(`http://127.0.0.1:${port}/?${new URLSearchParams({ folder: workspace, payload })}`);
            const tab = page.locator(`.tab[data-resource-name="${file}"]`).first();
            await tab.waitFor({ timeout: 60_000 });
            await page.locator(".view-lines .view-line").first().waitFor();
            await page.locator(".statusbar-item", { hasText: "Tile" }).first().waitFor({ timeout: 30_000 });
            await act(page);
            await page.waitForTimeout(600);
            const path = join(out, `${name}.png`);
            await page.screenshot({ path, ...(clip ? { clip } : {}) });
            console.log(path);
        } catch (error) {
            await page.screenshot({ path: join(out, `${name}-failed.png`) });
            throw error;
        } finally {
            await page.close();
        }
    };
    const moveCursor = async (page, file, text, after = 0) => {
        const lines = readFileSync(join(workspace, file), "utf8").split("\n");
        const line = lines.findIndex((each) => each.includes(text));
        await page.locator(".view-lines").first().click();
        await page.keyboard.press("Control+g");
        await page.keyboard.type(`${line + 1}:${lines[line].indexOf(text) + 1 + after}`);
        await page.keyboard.press("Enter");
        await page.waitForTimeout(200);
    };
    const lens = (page, text) => page.locator(".codelens-decoration a", { hasText: text }).first();
    const runFirst = (page) => lens(page, "Run").click({ timeout: 30_000 });
    const hover = async (page, text) => {
        await page.keyboard.press("Control+k");
        await page.keyboard.press("Control+i");
        await page.locator(".monaco-hover:not(.hidden) .hover-contents", { hasText: text }).first().waitFor({ timeout: 30_000 });
    };
    const command = async (page, title) => {
        await page.keyboard.press("F1");
        await page.locator(".quick-input-widget input").first().fill(`>${title}`);
        await page.waitForTimeout(400);
        await page.keyboard.press("Enter");
    };

    /** The scenes: the open file, and the actions. */
    const scenes = {
        error: ["broken.tile", async (page) => {
            await page.locator(".squiggly-error").first().waitFor({ timeout: 30_000 });
            await moveCursor(page, "broken.tile", "%undefined", 1);
            await hover(page, "E0101");
        }],
        value: ["broken.tile", async (page) => {
            await page.locator(".squiggly-error").first().waitFor({ timeout: 30_000 });
            await moveCursor(page, "broken.tile", "%twice", 1);
            await hover(page, "tile<f32>");
        }],
        hover: ["saxpy.tile", async (page) => {
            await lens(page, "Run").waitFor({ timeout: 30_000 });
            await moveCursor(page, "saxpy.tile", "= load_view_tko", 4);
            await hover(page, "load_view_tko");
        }],
        view: ["saxpy.tile", async (page) => {
            await lens(page, "Run").waitFor({ timeout: 30_000 });
            await moveCursor(page, "saxpy.tile", "= make_partition_view", -4);
            await hover(page, "partition_view");
        }, { x: 352, y: 88, width: 838, height: 500 }],
        completion: ["typing.tile", async (page) => {
            await page.locator(".squiggly-error").first().waitFor({ timeout: 30_000 });
            await moveCursor(page, "typing.tile", "%twice");
            await page.keyboard.press("End");
            await page.keyboard.press("Enter");
            await page.keyboard.type("%r = mul", { delay: 60 });
            await page.locator(".suggest-widget.visible").waitFor({ timeout: 30_000 });
            await page.waitForTimeout(800);
            // Shows the documentation next to the list.
            await page.keyboard.press("Control+Space");
        }],
        fix: ["mistyped.tile", async (page) => {
            await page.locator(".squiggly-error").first().waitFor({ timeout: 30_000 });
            await moveCursor(page, "mistyped.tile", "%lane,", 1);
            await page.keyboard.press("Control+.");
            await page.locator(".action-widget").first().waitFor({ timeout: 30_000 });
        }, { x: 352, y: 36, width: 620, height: 250 }],
        run: ["hello.tile", async (page) => {
            await runFirst(page);
            await page.locator(".view-lines", { hasText: /hello\s+from\s+block\s+0/ }).first().waitFor({ timeout: 30_000 });
        }, { x: 352, y: 36, width: 848, height: 275 }],
        values: ["saxpy.tile", async (page) => {
            await runFirst(page);
            await page.locator(".view-lines", { hasText: /met/ }).first().waitFor({ timeout: 30_000 });
            await moveCursor(page, "saxpy.tile", "%sum = fma", 1);
            await hover(page, "In the last run");
        }],
        profile: ["saxpy.tile", async (page) => {
            await lens(page, "Profile").click({ timeout: 30_000 });
            await page.locator(".view-lines", { hasText: /met/ }).first().waitFor({ timeout: 30_000 });
            await moveCursor(page, "saxpy.tile", "%sum = fma", 1);
            await page.locator(".view-lines", { hasText: /←/ }).first().waitFor({ timeout: 30_000 });
        }],
        viewer: ["gemm_square.tile", async (page) => {
            await lens(page, "Run").waitFor({ timeout: 30_000 });
            await moveCursor(page, "gemm_square.tile", "%next_sum = mmaf", 1);
            await command(page, "View: Toggle Primary Side Bar Visibility");
            await command(page, "Tile: Show elements of the value");
            await page.frameLocator("iframe.webview").frameLocator("iframe").locator("canvas").waitFor({ timeout: 30_000 });
            await page.waitForTimeout(800);
        }],
        tests: ["expects.tile", async (page) => {
            await lens(page, "Run").waitFor({ timeout: 30_000 });
            await command(page, "Testing: Focus on Test Explorer View");
            await page.locator(".test-explorer .monaco-list-row", { hasText: "expects.tile" }).first().waitFor({ timeout: 30_000 });
            for (const text of ["expects.tile", "@seven"]) {
                await page.locator(".test-explorer .monaco-list-row", { hasText: text }).first().click();
                await page.keyboard.press("ArrowRight");
                await page.waitForTimeout(500);
            }
            await page.mouse.move(700, 300);
            await command(page, "Test: Run All Tests");
            await page.locator(".test-explorer .codicon-testing-failed-icon").first().waitFor({ timeout: 30_000 });
            await page.waitForTimeout(1_500);
        }, { x: 5, y: 36, width: 1190, height: 650 }],
        debug: ["saxpy.tile", async (page) => {
            await lens(page, "Debug").waitFor({ timeout: 30_000 });
            await moveCursor(page, "saxpy.tile", "%sum = fma");
            await page.keyboard.press("F9");
            await moveCursor(page, "saxpy.tile", 'launch "ragged"');
            await page.keyboard.press("F5");
            await page.locator(".debug-top-stack-frame-line, .debug-call-stack .monaco-list-row").first().waitFor({ timeout: 30_000 });
            await command(page, "View: Show Run and Debug");
            await command(page, "View: Toggle Panel Visibility");
            // The values are expanded at the first stop.
            const tile = page.locator(".debug-variables .monaco-list-row", { hasText: "%y_tile" }).first();
            await tile.waitFor({ timeout: 30_000 });
            await tile.click();
            await page.locator(".debug-variables .monaco-list-row", { hasText: "[0..99]" }).first().click();
            await page.locator(".pane-header", { hasText: "Watch" }).first().hover();
            await page.locator(".pane-header", { hasText: "Watch" }).first().locator(".action-label").first().click();
            await page.keyboard.type("max(%x_tile[3, 0:8])");
            await page.keyboard.press("Enter");
            await page.mouse.move(800, 600);
            await page.waitForTimeout(1_500);
        }, { x: 5, y: 36, width: 1190, height: 600 }],
        graph: ["scale.tile", async (page) => {
            await lens(page, "Run").waitFor({ timeout: 30_000 });
            await moveCursor(page, "scale.tile", "= addf");
            await command(page, "View: Toggle Primary Side Bar Visibility");
            await command(page, "Tile: Show data flow");
            await page.frameLocator("iframe.webview").frameLocator("iframe").locator("svg.graph").waitFor({ timeout: 30_000 });
            await page.waitForTimeout(800);
        }],
        accesses: ["scale.tile", async (page) => {
            await lens(page, "Run").waitFor({ timeout: 30_000 });
            await moveCursor(page, "scale.tile", "= addf");
            await command(page, "Tile: Show accesses");
            await page.frameLocator("iframe.webview").frameLocator("iframe").locator("canvas").waitFor({ timeout: 30_000 });
        }],
        target: ["hello.tile", async (page) => {
            await lens(page, "Run").waitFor({ timeout: 30_000 });
            await page.locator(".statusbar-item", { hasText: "Tile" }).first().click();
            await page.locator(".quick-input-list").first().waitFor();
        }, { x: 300, y: 5, width: 602, height: 181 }],
        example: ["hello.tile", async (page) => {
            await lens(page, "Run").waitFor({ timeout: 30_000 });
            await command(page, "Tile: Open example");
            await page.locator(".quick-input-list-row", { hasText: "vector_add" }).first().waitFor({ timeout: 30_000 }).catch(() => undefined);
        }, { x: 300, y: 5, width: 602, height: 345 }],
        explain: ["broken.tile", async (page) => {
            await page.locator(".squiggly-error").first().waitFor({ timeout: 30_000 });
            await moveCursor(page, "broken.tile", "%undefined", 1);
            await hover(page, "E0101");
            await page.locator(".monaco-hover:not(.hidden) a", { hasText: "E0101" }).first().click();
            await page.waitForTimeout(2_500);
        }],
        bytecode: ["hello.tile", async (page) => {
            await lens(page, "Run").waitFor({ timeout: 30_000 });
            await page.keyboard.press("Control+p");
            await page.locator(".quick-input-widget input").first().fill("hello.tileirbc");
            await page.waitForTimeout(800);
            await page.keyboard.press("Enter");
            await page.locator(".view-lines", { hasText: /print_tko/ }).first().waitFor({ timeout: 30_000 });
            await page.waitForTimeout(800);
        }],
        // Requires CUDA_HOME to be set to the folder of tileiras.
        ptx: ["hello.tile", async (page) => {
            await lens(page, "Show PTX").click({ timeout: 30_000 });
            await page.locator(".view-lines", { hasText: /\.target/ }).first().waitFor({ timeout: 60_000 });
        }],
        walkthrough: ["hello.tile", async (page) => {
            await lens(page, "Run").waitFor({ timeout: 30_000 });
            await command(page, "View: Toggle Primary Side Bar Visibility");
            await command(page, "Welcome: Open Walkthrough");
            await page.waitForTimeout(600);
            await page.keyboard.type("Get started with Tile");
            await page.waitForTimeout(400);
            await page.keyboard.press("Enter");
            await page.waitForTimeout(2_000);
        }],
        page: ["hello.tile", async (page) => {
            await command(page, "Extensions: Focus on Extensions View");
            await page.waitForTimeout(1_000);
            await page.keyboard.type("@installed tile");
            await page.locator(".extension-list-item", { hasText: "Tile IR" }).first().click({ timeout: 30_000 });
            await page.waitForTimeout(2_000);
            await page.mouse.move(700, 550);
            await page.mouse.wheel(0, 800);
            await page.waitForTimeout(1_500);
        }],
        settings: ["hello.tile", async (page) => {
            await command(page, "Preferences: Open Settings (UI)");
            await page.waitForTimeout(1_500);
            await page.keyboard.type("@ext:tile-tools.tile");
            await page.waitForTimeout(2_500);
        }],
    };
    const names = values.scene ?? Object.keys(scenes);
    for (const name of names) {
        const [file, act, clip] = scenes[name] ?? [];
        if (!file) throw new Error(`unknown scene ${name}: ${Object.keys(scenes).join(", ")}`);
        await shoot(file, name, act, values.clip ? clip : undefined);
    }
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
