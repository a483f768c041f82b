// Tests in Chromium: each in a browser context of its own, with the helpers that they share.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import test, { after } from "node:test";
import { parseArgs } from "node:util";
import { deflateRawSync } from "node:zlib";
import { desktop, skip, start } from "./browser.mjs";

const { values: options } = parseArgs({
    options: { require: { type: "boolean" }, only: { type: "string" }, screenshots: { type: "string" } },
});
const started = await start();
if (started.missing) skip(started.missing, options.require);
const { browser, close } = started;
if (options.screenshots) mkdirSync(options.screenshots, { recursive: true });
after(close);

export const { url } = started;

/** Tests in a new context. The pages that it leaves open must not have reported errors. */
export function scenario(name, body, device = desktop) {
    if (options.only && !name.includes(options.only)) return;
    test(name, async () => {
        const context = await browser.newContext(device);
        try {
            await body(context);
            for (const page of context.pages()) assert.deepEqual(page.errors, []);
        } catch (error) {
            await context.pages()[0]?.screenshot({ path: join(options.screenshots ?? "/tmp", "failed.png") });
            throw error;
        } finally {
            await context.close();
        }
    });
}

export const link = (program) => `#code=${deflateRawSync(program).toString("base64url")}`;
export const status = (page) => page.locator("#status");
export const shot = (page, name) => options.screenshots && page.screenshot({ path: join(options.screenshots, `${name}.png`) });

/** Runs the chosen launch, and waits for its end. */
export async function run(page) {
    await page.click("#run");
    await page.waitForSelector("#stop", { state: "hidden" });
}

/** Requires that axe finds nothing in light and in dark colors. */
export async function requireAccessible(page) {
    await page.addScriptTag({ content: readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8") });
    for (const theme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme: theme });
        const { violations } = await page.evaluate(() => axe.run());
        const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })));
        assert.deepEqual(found, [], theme);
    }
}
