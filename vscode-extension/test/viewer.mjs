// Tests the page of `tile view --value` and `--expectation` in Chromium.
//   node test/viewer.mjs [--server TILE] [--require]
// --require: fail instead of skipping when something is missing.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromiumFlags, findEditor, findTile, skip } from "./tools.mjs";

const { values } = parseArgs({ options: { server: { type: "string" }, require: { type: "boolean" } } });
const { tile, missing: noTile } = findTile(values.server);
if (noTile) skip(noTile, values.require);
const editor = await findEditor();
if (editor.missing) skip(editor.missing, values.require);

const scratch = mkdtempSync(join(tmpdir(), "tile-viewer-"));
const view = "tensor_view<60x40xf32, strides=[40, 1]>";
const part = (padding) => `partition_view<tile=(32x32), ${padding}${view}>`;
/** Doubles a ragged matrix, except where an element is larger than 1.9. `%log` has NaN and infinities. */
const PROGRAM = `cuda_tile.module @m {
  //@ launch grid=(2, 2, 1)
  //@   %x = f32[60, 40] uniform(-1, 1, seed=1)
  //@   %y = f32[60, 40] zeros
  //@   %z = f8E4M3FN[2, 3, 4, 5] iota
  //@   %v = i64[100] iota
  //@ expect %y ~= 2 * %x
  entry @k(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f8E4M3FN>>, %v: tile<ptr<i64>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %tx = make_tensor_view %x, shape = [60, 40], strides = [40, 1] : ${view}
    %ty = make_tensor_view %y, shape = [60, 40], strides = [40, 1] : ${view}
    %vx = make_partition_view %tx : ${part("padding_value = zero, ")}
    %vy = make_partition_view %ty : ${part("")}
    %a, %t = load_view_tko weak %vx[%bx, %by] : ${part("padding_value = zero, ")}, tile<i32> -> tile<32x32xf32>, token
    %log = log %a : tile<32x32xf32>
    %b = addf %a, %a : tile<32x32xf32>
    %most = constant <f32: 1.9> : tile<32x32xf32>
    %c = minf %b, %most : tile<32x32xf32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    for %k in (%zero to %three, step %one) : tile<i32> {
      %n = addi %k, %bx : tile<i32>
    }
    store_view_tko weak %c, %vy[%bx, %by] : tile<32x32xf32>, ${part("")}, tile<i32> -> token
    return
  }
  //@ launch
  //@   %x = f32[4096, 4096] uniform(-1, 1, seed=1)
  entry @large(%x: tile<ptr<f32>>) {
    return
  }
}
`;
writeFileSync(join(scratch, "a.tile"), PROGRAM);

let browser;
let failed = 0;
try {
    browser = await editor.playwright.chromium.launch({ executablePath: editor.chromium, args: chromiumFlags });

    /** Opens the page of a command. Fails if the page logs an error. */
    const open = async (...args) => {
        const file = join(scratch, "page.html");
        const made = spawnSync(tile, ["view", join(scratch, "a.tile"), "-o", file, ...args], { encoding: "utf8" });
        assert.equal(made.status, 0, made.stderr);
        const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
        // A loaded machine takes long to draw a large page.
        page.setDefaultTimeout(300_000);
        page.on("pageerror", (error) => assert.fail(error.message));
        await page.goto(`file://${file}`);
        return page;
    };
    const facts = (page) => page.locator("#facts").textContent();
    const cell = (page, at) => page.locator(`td[data-at="${at}"]`);
    const slide = (page, name, value) => page.getByLabel(name, { exact: true }).fill(`${value}`);
    const saved = async (page, button) => {
        const [download] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
        return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    };

    const tests = {
        "a table shows the elements of a tile block, and marks padding": async () => {
            const page = await open("--value", "%a");
            assert.match(await page.locator("h1").textContent(), /^%a tile<32x32xf32> in @k/);
            const first = await cell(page, 0).textContent();
            assert.ok(Math.abs(Number(first)) <= 1 && first.length > 4, first);
            await slide(page, "Block y", 1);
            assert.match(await facts(page), /768 padding/);
            await page.locator("#place").fill("0, 31");
            await page.keyboard.press("Enter");
            await cell(page, 31).waitFor();
            assert.equal(await cell(page, 31).getAttribute("class"), "pad selected");
            assert.match(await page.locator("#element").textContent(), /^\[0, 31\] = 0 = 0x00000000 = 0{32}, padding/);
        },
        "NaN and infinities are counted and found": async () => {
            const page = await open("--value", "%log", "--block", "1,1");
            assert.match(await facts(page), /\d+ NaN, the first at .* \d+ infinite, the first at/);
            await page.locator("#facts button", { hasText: "infinite" }).click();
            assert.match(await page.locator("#element").textContent(), /= -inf = 0xFF800000/);
            assert.match(await page.locator("td.selected").getAttribute("class"), /inf/);
        },
        "a slider chooses the iteration": async () => {
            const page = await open("--value", "%n");
            assert.equal(await cell(page, 0).textContent(), "0");
            await slide(page, "Block x", 1);
            await page.locator("#execution").fill("2");
            assert.equal(await cell(page, 0).textContent(), "3");
            assert.equal(await page.locator("#executed").textContent(), "2");
            await page.locator("#format").selectOption("bits");
            assert.equal(await cell(page, 0).textContent(), "11".padStart(32, "0"));
        },
        "an expectation is shown as an error map": async () => {
            const page = await open("--expectation", "7");
            const text = await facts(page);
            const [, count, row, column] = /^(\d+) of 2400 fail, the first at \[(\d+),(\d+)\]/.exec(text);
            assert.ok(Number(count) > 0 && Number(count) < 400, text);
            await page.locator("#facts button", { hasText: "fail" }).click();
            const at = Number(row) * 40 + Number(column);
            assert.match(await cell(page, at).getAttribute("class"), /fail selected/);
            assert.match(await page.locator("#element").textContent(), /actual 1\.8999\d*, expected 1\.9\d*, difference -0\.0\d*, allowed .*, failing$/);
            // The pixel of a failing element is red, and that of a passing one is not.
            const pixel = (index) => page.locator("canvas").evaluate((canvas, place) => [...canvas.getContext("2d").getImageData(place % canvas.width, Math.floor(place / canvas.width), 1, 1).data], index);
            const [red, green] = await pixel(at);
            assert.ok(red > green + 60, `${red} ${green}`);
            await page.locator("#side").selectOption({ label: "actual" });
            assert.equal(await cell(page, at).textContent(), "1.899999976158142");
        },
        "slices of higher ranks, and formats": async () => {
            const page = await open("--value", "%z");
            await slide(page, "Dimension 0", 1);
            await slide(page, "Dimension 1", 2);
            // Rounded to f8E4M3FN: 100 is between 96 and 104.
            assert.equal(await cell(page, 100).textContent(), "96");
            await page.locator("#format").selectOption("hex");
            assert.equal(await cell(page, 100).textContent(), "0x6C");
            await page.locator("#place").fill("0, 0, 3, 4");
            await page.keyboard.press("Enter");
            assert.equal(await page.getByLabel("Dimension 1", { exact: true }).inputValue(), "0");
            await page.locator("#table").press("ArrowLeft");
            assert.match(await page.locator("#element").textContent(), /^\[0, 0, 3, 3\] = 18 /);
        },
        "elements are saved for NumPy and spreadsheets": async () => {
            const page = await open("--value", "%v");
            const npy = await saved(page, "#npy");
            assert.equal(npy.name, "v.npy");
            assert.match(npy.bytes.subarray(0, 128).toString("latin1"), /NUMPY.*'descr': '<i8', 'fortran_order': False, 'shape': \(100,\)/s);
            assert.equal(npy.bytes.readBigInt64LE(npy.bytes.length - 8), 99n);
            const csv = await saved(page, "#csv");
            assert.equal(csv.bytes.toString(), `${[...Array(100).keys()].join(",")}\n`);
            const difference = await open("--expectation", "7");
            assert.match((await saved(difference, "#npy")).bytes.subarray(0, 128).toString("latin1"), /'<f8'.*\(60, 40\)/);
        },
        "a matrix of 4096 × 4096 has few cells, and scrolls to its end": async () => {
            const page = await open("--entry", "large", "--value", "%x");
            await cell(page, 0).waitFor();
            assert.ok((await page.locator("td").count()) < 2000);
            await page.locator("#place").fill("4095, 4095");
            await page.keyboard.press("Enter");
            await cell(page, 4096 * 4096 - 1).waitFor();
            const { width, height } = await page.locator("canvas").evaluate(({ width, height }) => ({ width, height }));
            assert.deepEqual([width, height], [512, 512]);
        },
    };
    for (const [name, test] of Object.entries(tests)) {
        try {
            await test();
            console.log(`ok      ${name}`);
        } catch (error) {
            failed += 1;
            console.log(`FAILED  ${name}\n${error.stack}`);
        }
        for (const context of browser.contexts()) await context.close();
    }
} finally {
    await browser?.close();
    rmSync(scratch, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
