// Tests the built book in Chromium: search, programs, themes, phones.
//   node book/browser.mjs [--require] [--screenshots FOLDER]
// --require: fail instead of skipping when something is missing. Uses the tools of the VS Code extension.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromiumFlags, findBrowser, skip } from "../vscode-extension/test/tools.mjs";

const { values } = parseArgs({ options: { require: { type: "boolean" }, screenshots: { type: "string" } } });
const site = resolve(dirname(fileURLToPath(import.meta.url)), "../target");
const book = join(site, "book");
if (!existsSync(join(book, "index.html"))) skip("the book is not built (.ci/book)", values.require);
const found = await findBrowser();
if (found.missing) skip(found.missing, values.require);

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

/** Serves the folder of the site, as the place where a release publishes it does. */
const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://site").pathname);
    const file = join(site, normalize(path));
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    response.end(readFileSync(file));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const root = `http://127.0.0.1:${server.address().port}/book/`;

let browser;
let failed = 0;
try {
    browser = await found.playwright.chromium.launch({ executablePath: found.chromium, args: chromiumFlags });

    /** Opens a page. Fails if it logs an error or lacks a file. */
    const open = async (path, device = DESKTOP, theme = "light") => {
        const context = await browser.newContext(device);
        await context.addInitScript((name) => localStorage.setItem("mdbook-theme", name), theme);
        const page = await context.newPage();
        // Generous, for a loaded machine.
        page.setDefaultTimeout(300_000);
        page.on("pageerror", (error) => assert.fail(`${path}: ${error.message}`));
        page.on("console", (message) => assert.notEqual(message.type(), "error", `${path}: ${message.text()}`));
        page.on("response", (response) => assert.ok(response.status() < 400, `${path}: ${response.url()}`));
        await page.goto(root + path);
        return page;
    };
    const search = async (query) => {
        const page = await open("index.html");
        await page.keyboard.press("s");
        await page.locator("#mdbook-searchbar").pressSequentially(query);
        const first = page.locator("#mdbook-searchresults li a").first();
        await first.waitFor();
        return page.locator("#mdbook-searchresults li a").evaluateAll((all) => all.map((one) => one.getAttribute("href").replace(/\?[^#]*/, "")));
    };
    /** The contrast of the text with its background: at least 4.5 is readable. */
    const contrasts = (page, selector) =>
        page.locator(selector).evaluateAll((all) => {
            const luminance = (color) => {
                const channels = color.match(/[\d.]+/g).slice(0, 3).map((value) => value / 255);
                const [r, g, b] = channels.map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const background = (element) => {
                const color = getComputedStyle(element).backgroundColor;
                return color === "rgba(0, 0, 0, 0)" && element.parentElement ? background(element.parentElement) : color;
            };
            return all.map((one) => {
                const [light, dark] = [luminance(getComputedStyle(one).color), luminance(background(one))].sort((a, b) => b - a);
                return { text: one.textContent || one.getAttribute("aria-label"), ratio: (light + 0.05) / (dark + 0.05) };
            });
        });

    const tests = {
        "search finds ops, diagnostics and subjects": async () => {
            assert.equal((await search("load_view_tko"))[0], "reference/ops/views.html#load_view_tko");
            assert.match((await search("E0203"))[0], /^reference\/diagnostics\/E0203\.html/);
            assert.match((await search("power of two"))[0], /^reference\/diagnostics\/E0203\.html/);
        },
        "an op in a program leads to its section": async () => {
            const page = await open("tour.html");
            await page.locator(".snippet a", { hasText: "addf" }).first().click();
            await page.waitForURL(/reference\/ops\/floating-point\.html#addf$/);
            assert.ok(await page.locator("h2#addf").isVisible());
        },
        "the button opens the program in the playground": async () => {
            for (const [path, whole] of [["tour.html", true], ["reference/ops/core.html", false]]) {
                const page = await open(path);
                const button = page.locator(".open-in-playground").first();
                assert.equal(await button.getAttribute("aria-label"), "Open in the playground");
                const link = new URL(await button.getAttribute("href"), page.url());
                assert.equal(link.pathname, "/playground/");
                const program = await page.evaluate(async (code) => {
                    const bytes = Uint8Array.from(atob(code.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
                    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
                }, link.hash.replace("#code=", ""));
                const shown = await page.locator(".snippet", { has: button }).first().locator("code").textContent();
                assert.match(program, /^(cuda_tile\.)?module @[\s\S]*entry @[\s\S]*\n}\n$|cuda_tile\.module/);
                if (whole) assert.equal(program, shown);
            }
        },
        "a program can be copied": async () => {
            const page = await open("tour.html");
            assert.equal(await page.locator(".snippet pre").count(), await page.locator(".snippet pre .clip-button").count());
        },
        "programs have readable colors in light and dark": async () => {
            for (const theme of ["light", "navy"]) {
                const page = await open("tasks.html", DESKTOP, theme);
                const found = await contrasts(page, "main a, .snippet code span");
                const weak = new Set(found.filter(({ ratio }) => ratio < 4.5).map(({ text, ratio }) => `${text} ${ratio.toFixed(1)}`));
                assert.deepEqual([...weak], [], theme);
                const plain = await page.locator(".snippet code").evaluateAll((all) => {
                    const color = (element) => getComputedStyle(element).color;
                    return all.flatMap((code) => [...code.querySelectorAll("span")].filter((one) => color(one) === color(code)).map((one) => one.className));
                });
                assert.deepEqual(plain, [], theme);
            }
        },
        "pages fit a phone": async () => {
            const chapters = readdirSync(book).filter((name) => name.endsWith(".html") && name !== "404.html" && name !== "toc.html");
            assert.ok(chapters.length > 30);
            for (const path of [...chapters, "reference/ops/core.html", "reference/diagnostics/R0107.html"]) {
                const page = await open(path, PHONE);
                const [wide, view] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
                assert.ok(wide <= view, `${path} is ${wide} wide`);
                await page.context().close();
            }
        },
    };
    for (const [name, test] of Object.entries(tests)) {
        try {
            await test();
            console.log(`ok   ${name}`);
        } catch (error) {
            failed++;
            console.log(`FAIL ${name}\n${error.stack}`);
        }
    }
    if (values.screenshots) {
        mkdirSync(values.screenshots, { recursive: true });
        for (const [device, settings] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
            for (const theme of ["light", "navy"]) {
                for (const path of ["tour.html", "reference/ops/memory.html", "reference/diagnostics/R0107.html"]) {
                    const page = await open(path, settings, theme);
                    await page.screenshot({ path: join(values.screenshots, `${device}-${theme}-${path.replace(/\W/g, "-")}.png`) });
                }
            }
        }
    }
} finally {
    await browser?.close();
    server.close();
}
process.exit(failed ? 1 : 0);
