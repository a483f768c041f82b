// The tables of a README, which give the examples and the puzzles their sections and their order.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The sections with rows: [{ title, rows }], where each row is a match of `row`, a global expression. */
export function tables(folder, row) {
    const parts = readFileSync(join(folder, "README.md"), "utf8").split(/^#+ /m).slice(1);
    const sections = parts.map((part) => ({ title: part.split("\n", 1)[0], rows: [...part.matchAll(row)] }));
    return sections.filter(({ rows }) => rows.length > 0);
}
