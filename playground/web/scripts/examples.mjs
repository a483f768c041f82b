// The examples of the repository, in the sections and the order of their README.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The sections with their programs: [{ title, examples: [{ name, about, text }] }]. */
export function sections(folder) {
    const readme = readFileSync(join(folder, "README.md"), "utf8");
    const parts = readme.split(/^#+ /m).slice(1);
    const all = parts.map((part) => ({ title: part.split("\n", 1)[0], examples: [...examples(folder, part)] }));
    return all.filter(({ examples }) => examples.length > 0);
}

function* examples(folder, part) {
    for (const [, file, about] of part.matchAll(/^\| \[[^\]]+\]\(([^)]+)\.tile\) \| (.*?) \|/gm)) {
        yield { name: file, about: about.replaceAll("`", ""), text: readFileSync(join(folder, `${file}.tile`), "utf8") };
    }
}
