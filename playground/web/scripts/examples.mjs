// The examples of the repository, in the sections and the order of their README.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tables } from "./readme.mjs";

const ROW = /^\| \[[^\]]+\]\(([^)]+)\.tile\) \| (.*?) \|/gm;

/** The sections with their programs: [{ title, examples: [{ name, about, text }] }]. */
export function sections(folder) {
    const example = ([, name, about]) => ({
        name,
        about: about.replaceAll("`", ""),
        text: readFileSync(join(folder, `${name}.tile`), "utf8"),
    });
    return tables(folder, ROW).map(({ title, rows }) => ({ title, examples: rows.map(example) }));
}
