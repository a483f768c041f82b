// Tests of the editor, of runs and of links in Chromium.
import assert from "node:assert/strict";
import { join } from "node:path";
import { open, phone, root, text } from "./browser.mjs";
import { endless, scale } from "./programs.mjs";
import { link, requireAccessible, run, scenario, shot, status, url } from "./scenario.mjs";

const problems = (page) => page.locator("#problems summary");

/** Puts the cursor behind the first match of a text. */
async function goTo(page, wanted) {
    await page.evaluate((wanted) => {
        const view = document.querySelector("#editor").view;
        const at = view.state.doc.toString().indexOf(wanted) + wanted.length;
        view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
        view.focus();
    }, wanted);
}

scenario("a print is shown beside its line", async (context) => {
    const page = await open(context, url);
    await run(page);
    assert.match(await status(page).textContent(), /^✓ 1 expectation met, 2 blocks in /);
    assert.match(await page.locator(".note-printed").first().textContent(), /^Hello, I am tile <0, 0, 0> .* ⏎ Hello/);
    assert.equal(await page.locator(".note-met").count(), 1);
    await shot(page, "desktop-print");
});

scenario("errors appear while typing, and a fix removes one", async (context) => {
    const page = await open(context, url, link(scale()));
    await page.getByText("No problems").waitFor();
    await goTo(page, "%b = addf");
    await page.keyboard.type("f");
    await page.getByText("1 error", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await shot(page, "desktop-error");
    await page.keyboard.press("Control+.");
    await page.getByRole("button", { name: "Write `addf`" }).click();
    await page.getByText("No problems").waitFor();
    assert.equal(await text(page), scale());
});

scenario("an error explains itself", async (context) => {
    const page = await open(context, url, link(scale("%block", "addff")));
    await page.locator(".cm-lintRange-error").first().hover();
    await page.getByRole("button", { name: "Explain E0002" }).click();
    await page.locator("#text h1", { hasText: "E0002" }).waitFor();
});

scenario("hovers show types, and values after a run", async (context) => {
    const page = await open(context, url, link(scale()));
    await run(page);
    await goTo(page, "token\n    %b");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+i");
    const hover = page.locator(".hover");
    await hover.waitFor();
    assert.match(await hover.textContent(), /%b: tile<128xf32>[^]*In the last run[^]*min 0, max 510, mean 255/);
    await shot(page, "desktop-hover");
    await page.keyboard.press("Escape");
    await hover.waitFor({ state: "hidden" });
    await page.locator(".t-op", { hasText: "load_view_tko" }).first().hover();
    await hover.waitFor();
    assert.match(await hover.textContent(), /load_view_tko/);
});

scenario("completion inserts an op", async (context) => {
    const page = await open(context, url, link(scale()));
    await goTo(page, "tile<128xf32>\n    %u");
    await page.evaluate(() => {
        const view = document.querySelector("#editor").view;
        const line = view.state.doc.lineAt(view.state.selection.main.head);
        view.dispatch({ changes: { from: line.from, insert: "    \n" }, selection: { anchor: line.from + 4 } });
    });
    await page.keyboard.type("subf");
    const option = page.locator(".cm-tooltip-autocomplete li[aria-selected]");
    await option.filter({ hasText: "subf" }).waitFor();
    await shot(page, "desktop-completion");
    // CodeMirror ignores keys right after the list has appeared.
    await option.click();
    await page.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("= subf %a, %b"));
    await page.getByText("1 hint", { exact: true }).waitFor();
});

scenario("lists leave the results visible, and end with the word", async (context) => {
    const page = await open(context, url, link(scale()));
    await goTo(page, "tile<128xf32>\n    %u");
    await page.evaluate(() => {
        const view = document.querySelector("#editor").view;
        const { from } = view.state.doc.lineAt(view.state.selection.main.head);
        const insert = `    print_tko "${"x".repeat(78)}" -> `;
        view.dispatch({ changes: { from, insert: `${insert}\n` }, selection: { anchor: from + insert.length } });
    });
    await page.keyboard.type("toke");
    const list = page.locator(".cm-tooltip-autocomplete");
    await list.locator("li", { hasText: "token" }).first().waitFor();
    const edge = await page.locator("#panel").evaluate((panel) => panel.getBoundingClientRect().left);
    const { x, width } = await list.boundingBox();
    assert.ok(x + width <= edge, `${x} + ${width} > ${edge}`);
    await page.keyboard.type("n");
    await list.waitFor({ state: "hidden" });
});

scenario("formatting, going to a definition and undoing", async (context) => {
    const page = await open(context, url, link(scale().replace("%b = addf %a,", "%b   =   addf %a ,")));
    await page.click("#format");
    await page.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("%b = addf %a, %a"));
    await goTo(page, "addf %a");
    await page.keyboard.press("F12");
    await page.waitForFunction(() => getSelection().toString() === "%a");
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("%b   =   addf"));
});

scenario("the sanitizer finds a race", async (context) => {
    const page = await open(context, url, link(scale("%by")));
    await run(page);
    assert.match(await status(page).textContent(), /^✗ stopped: this writes element 0 of `%y`/);
    await page.locator("#results button.error", { hasText: "R0107" }).click();
    await page.waitForFunction(() => getSelection().toString() === "store_view_tko");
    await shot(page, "desktop-race");
    await page.uncheck("#sanitize");
    await run(page);
    assert.match(await status(page).textContent(), /not met$/);
    await page.locator("#results button.error", { hasText: "elements differ" }).waitFor();
});

scenario("an endless kernel is stopped", async (context) => {
    const page = await open(context, url, link(endless));
    // The sanitizer reports such a loop.
    await page.uncheck("#sanitize");
    await page.click("#run");
    await page.locator(".note-printed", { hasText: "again" }).waitFor();
    await page.click("#stop");
    await page.getByText("the run was stopped").waitFor();
    // The editor has not lost anything, and the next run works.
    await page.selectOption("#programs", "hello_world");
    await page.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("Hello"));
    await run(page);
    assert.match(await status(page).textContent(), /^✓/);
});

scenario("a link holds the program", async (context) => {
    const page = await open(context, url, link("// ä → \u{1f600}\n"));
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// more");
    await page.click("#share");
    await page.getByText("The link to this program").waitFor();
    const other = await open(context, page.url());
    assert.equal(await text(other), "// ä → \u{1f600}\n// more");
    await other.close();
    const damaged = await open(context, url, "#code=%%%");
    await damaged.getByText("The program in the link is damaged.").waitFor();
    assert.match(await text(damaged), /@hello_grid/);
    await damaged.close();
});

scenario("a reload keeps what was typed", async (context) => {
    const page = await open(context, url, "#example=saxpy");
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("// mine\n");
    await page.waitForFunction(() => location.hash === "" && localStorage.getItem("program")?.startsWith("// mine"));
    await page.reload();
    await page.waitForFunction(() => document.querySelector(".cm-content").textContent.startsWith("// mine"));
    assert.equal(await page.locator("#programs").inputValue(), "");
});

scenario("another program does not replace the own one", async (context) => {
    const page = await open(context, url, "#example=saxpy");
    const type = async (text) => {
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+Home");
        await page.keyboard.type(text);
    };
    const begins = (start) =>
        page.waitForFunction((start) => document.querySelector("#editor").view.state.doc.toString().startsWith(start), start);
    await type("// mine\n");
    // Before it was kept.
    await page.selectOption("#programs", "softmax");
    await page.selectOption("#programs", "");
    await begins("// mine\n");
    await page.selectOption("#programs", "softmax");
    await type("// changed\n");
    await page.reload();
    await begins("// changed\n");
    await page.selectOption("#programs", { label: "mine" });
    await begins("// mine\n");
    // Text that was deleted is not restored.
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Control+Shift+End");
    await page.keyboard.press("Delete");
    await page.reload();
    await page.waitForFunction(() => document.querySelector("#editor").view?.state.doc.length === 0);
    await page.selectOption("#programs", { label: "changed" });
    await begins("// changed\n");
});

scenario("a launch can be added to an entry without one", async (context) => {
    const page = await open(context, url, link(scale().replaceAll(/^ *\/\/@.*\n/gm, "")));
    await page.click("#run");
    await page.getByText("There is no launch.").waitFor();
    await goTo(page, "entry @sca");
    await page.click("#fix");
    await page.getByRole("button", { name: /^Add .*launch/ }).click();
    await page.locator(".t-directive", { hasText: "launch" }).first().waitFor();
    await run(page);
    // The user completes the expectation.
    await page.getByText("1 of 1 expectation not met").waitFor();
    await shot(page, "desktop-differences");
});

scenario("results move with their lines and disappear when these change", async (context) => {
    const page = await open(context, url);
    await run(page);
    const first = page.locator(".cm-line", { has: page.locator(".note-printed") });
    const line = await first.textContent();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("// one line more\n");
    assert.equal(await first.textContent(), line);
    await goTo(page, "print_tko \"");
    await page.keyboard.type(" ");
    assert.equal(await page.locator(".note-printed").count(), 0);
});

scenario("pages show data flow, accesses and elements", async (context) => {
    const page = await open(context, url, link(scale()));
    const frame = page.frameLocator("#page iframe");
    await goTo(page, "token\n    %b");
    await page.click("#graph");
    await frame.locator("svg").first().waitFor();
    await page.click("#page .close");
    await page.click("#accesses");
    await frame.getByText("256 accesses to 256 elements").waitFor();
    await shot(page, "desktop-accesses");
    await page.click("#page .close");
    await page.click("#view");
    await frame.getByText("128 elements").or(frame.locator("canvas")).first().waitFor();
    await shot(page, "desktop-elements");
});

scenario("a bytecode file is decoded", async (context) => {
    const page = await open(context, url);
    await page.setInputFiles("#file", join(root, "playground", "web", "test", "scale.tilebc"));
    await page.getByText("Decoded scale.tilebc").waitFor();
    assert.match(await text(page), /entry @scale\(/);
    await page.getByText("No problems").waitFor();
});

scenario("colors are light or dark", async (context) => {
    const page = await open(context, url);
    const brightness = () =>
        page.evaluate(() => {
            const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
            return (red + green + blue) / 3;
        });
    await page.selectOption("#theme", "dark");
    assert.ok((await brightness()) < 60);
    await run(page);
    await shot(page, "desktop-dark");
    await page.selectOption("#theme", "light");
    assert.ok((await brightness()) > 200);
});

scenario("everything can be reached with the keyboard and has a name", async (context) => {
    const page = await open(context, url);
    const unnamed = await page.locator("button, select, input:not([hidden]), iframe, [role=textbox]").evaluateAll((elements) =>
        elements
            .filter((element) => !(element.ariaLabel || element.title || element.textContent.trim() || element.labels?.length))
            .map((element) => element.outerHTML),
    );
    assert.deepEqual(unnamed, []);
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Tab");
    const isInEditor = await page.evaluate(() => document.activeElement.closest(".cm-editor") !== null);
    assert.equal(isInEditor, false);
    await page.keyboard.press("Control+Enter");
    await page.locator("#status.good").waitFor();
});

scenario("axe finds no obstacle for assistive technology", async (context) => {
    const page = await open(context, url, link(scale("%by")));
    await run(page);
    await requireAccessible(page);
});

scenario("every example has no errors, and is run by its first launch", async (context) => {
    const page = await open(context, url);
    const names = await page.locator("#programs option").evaluateAll((all) => all.map(({ value }) => value).filter(Boolean));
    assert.ok(names.length > 40);
    for (const name of names.filter((name) => !/^(tuned\/|puzzle:)/.test(name))) {
        await page.selectOption("#programs", name);
        await page.waitForFunction(() => document.querySelector("#editor").view.state.doc.length > 0);
        await page.uncheck("#sanitize");
        await run(page);
        assert.match(await status(page).textContent(), /^✓/, name);
        assert.doesNotMatch(await problems(page).textContent(), /error/, name);
    }
});

scenario("text of a program is shown as text", async (context) => {
    const html = "<img src=x onerror=document.title='bad'>";
    const program = scale().replace("    return", `    print_tko "${html}\\n" -> token\n    return`).replace("%a, %t", `// \`${html}\` ${html}\n    %a, %t`);
    const page = await open(context, url, link(program));
    await run(page);
    await page.locator("#results pre", { hasText: html }).waitFor();
    await goTo(page, "    %a");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+i");
    await page.locator(".hover").waitFor();
    assert.equal(await page.locator("img:not(.cm-widgetBuffer)").count(), 0);
    assert.equal(await page.title(), "Tile IR playground");
});

scenario("a phone shows everything without scrolling sideways", async (context) => {
    const page = await open(context, url, "#example=saxpy");
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(await width(), phone.viewport.width);
    await shot(page, "phone");
    await page.tap("#run");
    await page.locator("#status.good").waitFor();
    assert.equal(await width(), phone.viewport.width);
    await shot(page, "phone-run");
}, phone);
