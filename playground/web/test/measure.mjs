// Measures the playground in Chromium, and compares the figures with their limits:
//   node test/measure.mjs [--only-size]
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { deflateRawSync, gzipSync } from "node:zlib";
import { desktop, open, root, skip, start } from "./browser.mjs";
import { long } from "./programs.mjs";

const { values: options } = parseArgs({ options: { "only-size": { type: "boolean" } } });

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const link = (program) => `#code=${deflateRawSync(program).toString("base64url")}`;
let isOver = false;

function figure(name, value, unit, limit) {
    const verdict = value < limit ? "" : `, over the limit of ${limit} ${unit}`;
    isOver ||= verdict !== "";
    console.log(`${name}: ${value.toFixed(value < 10 ? 2 : 0)} ${unit}${verdict}`);
}

/** The size of everything that the first load fetches, in MB, as a server that compresses texts sends it. */
function size() {
    const dist = join(root, "playground", "web", "dist");
    const names = readdirSync(dist).filter((name) => name !== "licenses.txt");
    const sent = (file) => (file.endsWith(".bin") ? statSync(file).size : gzipSync(readFileSync(file)).length);
    return names.map((name) => sent(join(dist, name))).reduce((sum, one) => sum + one, 0) / 1e6;
}

/** From the navigation until the program is checked and can be run, in seconds. Each time in a new browser profile. */
async function ready() {
    const context = await browser.newContext(desktop);
    const page = await open(context, url);
    const time = await page.evaluate(() => performance.getEntriesByName("ready")[0].startTime / 1000);
    await context.close();
    return time;
}

/** The times from key presses to the diagnostics of the new text, in milliseconds. */
async function keystrokes(page, count) {
    return page.evaluate(async (count) => {
        const { view } = document.querySelector("#editor");
        const times = [];
        const at = view.state.doc.toString().lastIndexOf("addf %b") + "addf".length;
        for (let turn = 0; turn < count; turn++) {
            const checked = new Promise((done) => view.dom.addEventListener("checked", done, { once: true }));
            const began = performance.now();
            view.dispatch({ changes: turn % 2 ? { from: at, to: at + 1 } : { from: at, insert: "f" } });
            await checked;
            times.push(performance.now() - began);
            await new Promise((done) => setTimeout(done, 30));
        }
        return times;
    }, count);
}

/** The time of a run of the chosen launch, from the click until the result is shown, in milliseconds. */
async function run(page) {
    return page.evaluate(async () => {
        const began = performance.now();
        document.querySelector("#run").click();
        const status = document.querySelector("#status");
        await new Promise((done) => {
            const observer = new MutationObserver(() => /^[✓✗]/.test(status.textContent) && (observer.disconnect(), done()));
            observer.observe(status, { childList: true, characterData: true, subtree: true });
        });
        return performance.now() - began;
    });
}

figure("first load, compressed", size(), "MB", 3);
if (options["only-size"]) process.exit(isOver ? 1 : 0);

const started = await start();
if (started.missing) skip(started.missing, true);
const { browser, url, close } = started;
try {
    figure("ready", median([await ready(), await ready(), await ready()]), "s", 2);
    const context = await browser.newContext(desktop);
    const typing = await open(context, url, link(long(1000)));
    await keystrokes(typing, 10);
    figure("keystroke to diagnostics in 1,000 lines", median(await keystrokes(typing, 40)), "ms", 10);
    const product = await open(context, url, "#example=gemm_square");
    await product.selectOption("#launches", "1");
    for (const sanitize of [false, true]) {
        await product.setChecked("#sanitize", sanitize);
        await run(product);
        const name = `gemm_square of size 256${sanitize ? ", sanitized" : ""}`;
        figure(name, median([await run(product), await run(product), await run(product)]), "ms", 1000);
    }
} finally {
    await close();
}
process.exit(isOver ? 1 : 0);
