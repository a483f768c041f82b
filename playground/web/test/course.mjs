// Tests of the course in Chromium.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { open, phone, root, text } from "./browser.mjs";
import { link, requireAccessible, run, scenario, shot, status, url } from "./scenario.mjs";

const parts = JSON.parse(readFileSync(join(root, "playground", "web", "dist", "puzzles.json"), "utf8"));
const puzzles = parts.flatMap(({ puzzles }) => puzzles);
const [first, second] = puzzles;
const last = puzzles.at(-1);

const hash = ({ name }) => `#puzzle=${name}`;
const titleOf = ({ number, title }) => `Puzzle ${number} of ${puzzles.length}: ${title}`;
const title = (page) => page.locator("#card-title");
const card = (page) => page.getByRole("region", { name: /^Puzzle \d+ of / });
const focused = (page) => page.evaluate(() => document.activeElement.id);
const stored = (page, key) => page.evaluate((key) => localStorage.getItem(key), key);
const isSolved = async (page, { name }) => JSON.parse((await stored(page, "solved")) ?? "[]").includes(name);

/** Waits for a line in the panel. */
const says = (page, text) => status(page).filter({ hasText: text }).waitFor();

/** Waits until a text is in the editor. */
const contains = (page, wanted) =>
    page.waitForFunction((wanted) => document.querySelector("#editor").view.state.doc.toString() === wanted, wanted);

/** Replaces the program as typing does. */
async function type(page, program) {
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(program);
    await contains(page, program);
}

/** Opens a puzzle of the menu. */
async function choose(page, { name }) {
    await page.selectOption("#programs", `puzzle:${name}`);
}

/** Checks the puzzle, and waits for the end. */
async function check(page) {
    await page.click("#check");
    await page.waitForSelector("#stop", { state: "hidden" });
}

scenario("Learn opens the first unsolved puzzle", async (context) => {
    const page = await open(context, url);
    await says(page, `Learn opens the first of ${puzzles.length} puzzles`);
    assert.equal(await card(page).count(), 0);
    await page.click("#learn");
    assert.equal(await title(page).textContent(), titleOf(first));
    assert.equal(await focused(page), "card-title");
    assert.equal(new URL(page.url()).hash, hash(first));
    // The card shows the comments of the file.
    assert.equal(await text(page), first.program);
    assert.doesNotMatch(first.program, /Hint|Puzzle/);
    await page.evaluate((name) => localStorage.setItem("solved", JSON.stringify([name])), first.name);
    await page.click("#learn");
    assert.equal(await title(page).textContent(), titleOf(second));
    await page.click("#leave");
    assert.equal(await card(page).count(), 0);
    assert.equal(await focused(page), "learn");
    assert.match(await text(page), /@hello_grid/);
});

scenario("a link and the menu open puzzles", async (context) => {
    const page = await open(context, url, hash(second));
    assert.equal(await title(page).textContent(), titleOf(second));
    assert.equal(await page.locator("#programs").inputValue(), `puzzle:${second.name}`);
    await choose(page, last);
    assert.equal(await title(page).textContent(), titleOf(last));
    assert.equal(new URL(page.url()).hash, hash(last));
    const groups = await page.locator("#programs optgroup").evaluateAll((groups) => groups.map(({ label }) => label));
    assert.deepEqual(groups.slice(0, parts.length), parts.map(({ title }) => `Puzzles: ${title}`));
    await page.selectOption("#programs", "saxpy");
    assert.equal(await card(page).count(), 0);
    const unknown = await open(context, url, "#puzzle=unknown");
    await says(unknown, "a puzzle or an example that does not exist");
    assert.match(await text(unknown), /@hello_grid/);
});

scenario("a puzzle opens at the line to begin at, until it is changed", async (context) => {
    const page = await open(context, url + hash(last));
    const line = () =>
        page.evaluate(() => {
            const { state } = document.querySelector("#editor").view;
            return state.doc.lineAt(state.selection.main.head).number - 1;
        });
    assert.equal(await text(page), last.program);
    assert.equal(await line(), last.gap);
    const shown = page.locator(".cm-line").filter({ hasText: last.program.split("\n")[last.gap].trim() });
    await shown.waitFor();
    await page.waitForFunction((line) => {
        const { top, bottom } = line.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
    }, await shown.elementHandle());
    await type(page, `${last.program}// mine\n`);
    await choose(page, first);
    await choose(page, last);
    await contains(page, `${last.program}// mine\n`);
    assert.equal(await line(), 0);
});

scenario("hints are shown when they are opened", async (context) => {
    const page = await open(context, url, hash(first));
    const hints = page.locator("#card details");
    assert.deepEqual(await hints.locator("summary").allTextContents(), ["Hint 1", "Hint 2"]);
    const hint = hints.nth(1).locator(".markdown");
    assert.equal(await hint.isVisible(), false);
    await page.getByText("Hint 2").click();
    await hint.waitFor();
    assert.equal(await hints.nth(0).locator(".markdown").isVisible(), false);
    await page.click("#next");
    await page.click("#previous");
    assert.equal(await hint.isVisible(), false);
});

scenario("an unsolved puzzle fails its check", async (context) => {
    const page = await open(context, url, hash(first));
    // A check uses the sanitizer in any case.
    await page.uncheck("#sanitize");
    await check(page);
    assert.match(await status(page).textContent(), /^✗ .*not met$/);
    await page.locator("#results button.error").first().waitFor();
    await page.locator(".cm-lint-marker-error").first().waitFor();
    await page.locator(".note-printed").first().waitFor();
    assert.equal(await focused(page), "check");
    assert.equal(await isSolved(page, first), false);
    await shot(page, "course-failed");
});

scenario("a typed solution solves a puzzle", async (context) => {
    const page = await open(context, url, hash(first));
    await type(page, first.solution.program);
    await page.keyboard.press("Alt+Enter");
    await page.locator("#status.good").waitFor();
    assert.equal(await status(page).textContent(), `✓ Puzzle 1 is solved. Next: ${second.title}.`);
    assert.equal(await page.evaluate(() => document.activeElement.classList.contains("cm-content")), true);
    const solved = async () => {
        assert.equal(await page.locator("#card-solved").isVisible(), true);
        assert.match(await page.locator("#next").getAttribute("class"), /primary/);
        assert.equal(await page.locator("#programs option:checked").textContent(), `1. ${first.title} ✓`);
    };
    await solved();
    await shot(page, "course-solved");
    await page.reload();
    await contains(page, first.solution.program);
    await solved();
    await page.click("#learn");
    assert.equal(await title(page).textContent(), titleOf(second));
    assert.equal(await page.locator("#card-solved").isVisible(), false);
});

scenario("a run of one launch does not solve a puzzle", async (context) => {
    const page = await open(context, url, hash(first));
    await type(page, first.solution.program);
    await run(page);
    assert.match(await status(page).textContent(), /^✓ .*met/);
    assert.equal(await isSolved(page, first), false);
});

scenario("each puzzle keeps what is typed in it", async (context) => {
    const page = await open(context, url);
    await type(page, "// mine");
    await page.waitForFunction(() => localStorage.getItem("program") === "// mine");
    await choose(page, first);
    await type(page, "// first");
    assert.equal(new URL(page.url()).hash, hash(first));
    // Before it was kept.
    await page.click("#next");
    await contains(page, second.program);
    await type(page, "// second");
    await page.reload();
    await contains(page, "// second");
    assert.equal(await title(page).textContent(), titleOf(second));
    await page.selectOption("#programs", "saxpy");
    await choose(page, first);
    await contains(page, "// first");
    await page.selectOption("#programs", "");
    await contains(page, "// mine");
    assert.equal(await stored(page, "earlier"), null);
    await choose(page, second);
    await contains(page, "// second");
});

scenario("undoing does not restore another program", async (context) => {
    const page = await open(context, url, hash(first));
    await type(page, "// first");
    await page.click("#next");
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+z");
    assert.equal(await text(page), second.program);
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("// more");
    await contains(page, `${second.program}// more`);
    await page.keyboard.press("Control+z");
    await contains(page, second.program);
});

scenario("starting over can be undone", async (context) => {
    const page = await open(context, url, hash(first));
    await page.click("#restart");
    await says(page, "The program is that of the puzzle");
    assert.equal(await page.locator("#undo").isVisible(), false);
    await type(page, "// first");
    await page.click("#restart");
    await contains(page, first.program);
    assert.equal(await focused(page), "undo");
    await page.click("#undo");
    await contains(page, "// first");
    assert.equal(await focused(page), "restart");
    await page.click("#restart");
    await contains(page, first.program);
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+z");
    await contains(page, "// first");
    assert.equal(await page.locator("#undo").isVisible(), false);
    // The start is not kept as what was typed.
    await page.click("#restart");
    await page.click("#next");
    assert.equal(await stored(page, `puzzle:${first.name}`), null);
});

scenario("the solution is shown, and put into the editor", async (context) => {
    const page = await open(context, url, hash(first));
    await type(page, "// first");
    await page.click("#solution");
    await page.locator("#text h2", { hasText: `Solution of puzzle 1: ${first.title}` }).waitFor();
    assert.equal(await page.locator("#text .listing").textContent(), first.solution.program);
    const lines = first.solution.program.split("\n");
    const added = await page.locator("#text .listing ins").allTextContents();
    assert.deepEqual(added, first.solution.added.map((index) => `${lines[index]}\n`));
    await shot(page, "course-solution");
    await page.keyboard.press("Escape");
    assert.equal(await focused(page), "solution");
    assert.equal(await text(page), "// first");
    await page.click("#solution");
    await page.getByRole("button", { name: "Put it into the editor" }).click();
    await contains(page, first.solution.program);
    await page.click("#undo");
    await contains(page, "// first");
});

scenario("Next and Previous turn the pages of the course", async (context) => {
    const page = await open(context, url, hash(first));
    assert.equal(await page.locator("#previous").isDisabled(), true);
    await page.click("#next");
    assert.equal(await title(page).textContent(), titleOf(second));
    assert.equal(await focused(page), "card-title");
    assert.equal(new URL(page.url()).hash, hash(second));
    await page.click("#previous");
    assert.equal(await title(page).textContent(), titleOf(first));
    await choose(page, last);
    assert.equal(await page.locator("#next").isDisabled(), true);
});

scenario("the last puzzle closes the course", async (context) => {
    const page = await open(context, url, hash(last));
    await type(page, last.solution.program);
    await check(page);
    await says(page, `Learn opens the first of the ${puzzles.length - 1} that are unsolved.`);
    await page.evaluate((names) => localStorage.setItem("solved", JSON.stringify(names)), puzzles.map(({ name }) => name));
    await check(page);
    await says(page, `You have solved all ${puzzles.length} puzzles.`);
});

scenario("a check needs the launches of the puzzle, and an unchanged program", async (context) => {
    const page = await open(context, url, hash(first));
    const { program } = first.solution;
    await type(page, program.replaceAll(/ *\/\/@ expect.*\n/g, ""));
    await check(page);
    await says(page, "This line of the puzzle was changed: //@ expect");
    // Comments of no entry.
    await type(page, program.match(/^ *\/\/@.*\n/gm).join(""));
    await check(page);
    await says(page, "The launches of the puzzle have no entry");
    await type(page, program);
    await page.evaluate(() => {
        document.querySelector("#check").click();
        document.querySelector("#editor").view.dispatch({ changes: { from: 0, insert: "\n" } });
    });
    await says(page, "The program was changed during the check");
    assert.equal(await isSolved(page, first), false);
    await type(page, `// More comments and launches are allowed.\n${program}`);
    await check(page);
    assert.equal(await isSolved(page, first), true);
});

scenario("a puzzle is shared as a program", async (context) => {
    const page = await open(context, url, hash(first));
    await type(page, "// first");
    await page.click("#share");
    await says(page, "The link to this program");
    assert.equal(new URL(page.url()).hash, link("// first"));
    await type(page, "// more");
    assert.equal(new URL(page.url()).hash, hash(first));
});

scenario("the keyboard is enough for a puzzle", async (context) => {
    const page = await open(context, url);
    await page.locator("#learn").focus();
    await page.keyboard.press("Enter");
    assert.equal(await focused(page), "card-title");
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "leave");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("#card details[open]").first().waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "check");
    await page.keyboard.press("Enter");
    await page.locator("#status.bad").waitFor();
    assert.equal(await focused(page), "check");
    for (const id of ["restart", "solution", "next"]) {
        await page.keyboard.press("Tab");
        assert.equal(await focused(page), id);
    }
    await page.keyboard.press("Tab");
    await page.waitForFunction(() => document.activeElement.classList.contains("cm-content"));
});

for (const [size, device] of Object.entries({ desktop: undefined, phone })) {
    scenario(`axe finds no obstacle in the course on a ${size}`, async (context) => {
        const page = await open(context, url, hash(last));
        await page.getByText("Hint 1").click();
        await check(page);
        await requireAccessible(page);
        await page.click("#solution");
        await requireAccessible(page);
        await page.getByRole("button", { name: "Put it into the editor" }).click();
        await check(page);
        await page.locator("#status.good").waitFor();
        await requireAccessible(page);
    }, device);
}

scenario("a puzzle can be read and checked on a phone", async (context) => {
    const page = await open(context, url);
    const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    await page.tap("#learn");
    await card(page).waitFor();
    await page.getByText("Hint 1").tap();
    assert.equal(await isWide(), false);
    await shot(page, "course-phone");
    await page.tap("#solution");
    assert.equal(await isWide(), false);
    await page.getByRole("button", { name: "Put it into the editor" }).tap();
    // The buttons and the result are visible, wherever the page is scrolled to.
    for (const to of [0, 1e6]) {
        await page.evaluate((to) => scrollTo(0, to), to);
        await page.tap("#check");
        await page.locator("#status.good").waitFor();
        const isVisible = (id) => page.locator(id).evaluate((element) => element.checkVisibility() && element.getBoundingClientRect().bottom <= innerHeight);
        for (const id of ["#check", "#next", "#status"]) assert.ok(await isVisible(id), id);
    }
    assert.equal(await isWide(), false);
    await shot(page, "course-phone-solved");
    await page.tap("#next");
    assert.equal(await title(page).textContent(), titleOf(second));
}, phone);

scenario("a long puzzle begins with its goal on a phone", async (context) => {
    const page = await open(context, url + hash(last));
    // Scrolling to the line to begin at would take place in the next frame.
    for (let frame = 0; frame < 3; frame++) await page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(await page.evaluate(() => scrollY), 0);
    assert.ok(await title(page).evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight));
}, phone);

scenario("every puzzle fails as it is, and its solution passes", async (context) => {
    const page = await open(context, url, hash(first));
    for (const puzzle of puzzles) {
        await choose(page, puzzle);
        await contains(page, puzzle.program);
        await check(page);
        assert.match(await status(page).textContent(), /^✗ /, puzzle.name);
        await type(page, puzzle.solution.program);
        await check(page);
        assert.match(await status(page).textContent(), /^✓ Puzzle \d+ is solved/, puzzle.name);
    }
    assert.equal(await page.locator("#programs option", { hasText: "✓" }).count(), puzzles.length);
});
