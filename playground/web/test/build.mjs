// Tests that the build refuses malformed puzzles. They need no browser.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import { puzzles } from "../scripts/puzzles.mjs";

const program = (text) => `cuda_tile.module @m {\n  //@ launch\n  //@ expect print "${text}"\n  // ${text}\n}\n`;
const README = "# Course\n\n## Start\n\n| | | |\n|---|---|---|\n| 1 | [Print](01_print.tile) | `print_tko` |\n";
const HINTS = "\n// Hint 1: One\n// line.\n//\n// Hint 2: `Two`.\n";
const PUZZLE = `// Puzzle 1: Print\n//\n// Print\n// this.\n//\n// - Twice\n\n!a = !b\n\n${program("a")}${HINTS}`;
const SOLUTION = `// Solution of puzzle 1: Print\n//\n// So.\n\n${program("a").replace("// a", "// b")}`;
const FILES = { "README.md": README, "01_print.tile": PUZZLE, "solutions/01_print.tile": SOLUTION };

/** Reads the puzzles of a folder with these files instead of the correct ones; null removes one. */
function read(changed) {
    const folder = mkdtempSync(join(tmpdir(), "puzzles-"));
    try {
        for (const [name, text] of Object.entries({ ...FILES, ...changed })) {
            mkdirSync(dirname(join(folder, name)), { recursive: true });
            if (text !== null) writeFileSync(join(folder, name), text);
        }
        return puzzles(folder);
    } finally {
        rmSync(folder, { recursive: true });
    }
}

test("a puzzle is read", () => {
    const [{ title, puzzles }] = read({});
    assert.equal(title, "Start");
    assert.deepEqual(puzzles, [
        {
            name: "01_print",
            number: 1,
            title: "Print",
            about: "print_tko",
            goal: "Print\nthis.\n\n- Twice",
            hints: ["One\nline.", "`Two`."],
            program: `!a = !b\n\n${program("a")}`,
            gap: 5,
            solution: { explanation: "So.", program: program("a").replace("// a", "// b"), added: [3] },
        },
    ]);
});

const malformed = {
    "without the second hint": [{ "01_print.tile": PUZZLE.replace(/\/\/\n\/\/ Hint 2.*\n/, "") }, /^learn\/01_print.tile: expected `\/\/ Hint 1: …`/],
    "without a goal": [{ "01_print.tile": `// Puzzle 1: Print\n\n${program("a")}${HINTS}` }, /^learn\/01_print.tile: expected a comment with/],
    "with another title": [{ "01_print.tile": PUZZLE.replace("Print", "Store") }, /expected the title `Puzzle 1: Print` as in README.md, found `Puzzle 1: Store`/],
    "without a solution": [{ "solutions/01_print.tile": null }, /README.md lists solutions\/01_print.tile, which is missing/],
    "with other launches in the solution": [{ "solutions/01_print.tile": SOLUTION.replace('print "a"', 'print "b"') }, /^learn\/solutions\/01_print.tile: the launches differ/],
    "that is its own solution": [{ "solutions/01_print.tile": SOLUTION.replace(program("a").replace("// a", "// b"), `!a = !b\n\n${program("a")}`) }, /adds nothing to the puzzle/],
    "that is not listed": [{ "02_store.tile": PUZZLE }, /^learn\/README.md: expected a row for 02_store.tile/],
    "with a wrong number": [{ "README.md": README.replace("| 1 |", "| 2 |") }, /^learn\/README.md: expected number 1 in \| 2 \|/],
};

for (const [what, [files, message]] of Object.entries(malformed)) {
    test(`a puzzle ${what} fails the build`, () => assert.throws(() => read(files), { message }));
}
