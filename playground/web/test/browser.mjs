// A browser with the playground, for tests and measurements. Nothing is downloaded; what is missing is reported.
import { existsSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../scripts/serve.mjs";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");

export const desktop = { viewport: { width: 1280, height: 800 } };
export const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

/** Prints the reason and exits, with status 1 if the test is `required`. */
export function skip(reason, required) {
    console.log(`skipped: ${reason}`);
    process.exit(required ? 1 : 0);
}

function onPath(name) {
    const folders = (process.env.PATH ?? "").split(delimiter);
    return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** Starts a browser and a server; returns the reason if that is impossible. */
export async function start() {
    const chromium = process.env.TILE_CHROMIUM ?? ["chromium", "chromium-browser", "google-chrome"].map(onPath).find(Boolean);
    if (!chromium) return { missing: "no chromium on PATH (set TILE_CHROMIUM)" };
    if (!existsSync(join(root, "playground", "web", "dist", "engine.bin"))) return { missing: "no dist/ (npm run build)" };
    let playwright;
    try {
        playwright = await import("playwright-core");
    } catch {
        return { missing: "playwright-core is not installed (npm ci)" };
    }
    const flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"];
    const browser = await playwright.chromium.launch({ executablePath: chromium, args: flags });
    const { server, url } = await serve(0);
    const close = async () => {
        await browser.close();
        server.close();
    };
    return { browser, url, close };
}

/** Opens the playground, and waits until it can be used. `hash` is the fragment of the link. */
export async function open(context, url, hash = "") {
    const page = await context.newPage();
    // Generous, for a loaded machine.
    page.setDefaultTimeout(300_000);
    page.errors = [];
    page.on("pageerror", (error) => page.errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
    await page.goto(`${url}${hash}`);
    await page.waitForFunction(() => performance.getEntriesByName("ready").length > 0);
    return page;
}

/** The text in the editor. */
export function text(page) {
    return page.evaluate(() => document.querySelector("#editor").view.state.doc.toString());
}
