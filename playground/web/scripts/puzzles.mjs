// The puzzles of the course, in the sections and the order of their README. A malformed file fails the build.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { diffArrays } from "diff";
import { tables } from "./readme.mjs";

const ROW = /^\| (\d+) \| \[([^\]]+)\]\(([^)]+)\.tile\) \| (.*?) \|/gm;

/** A comment that starts with a title, a blank line, and the program. */
const FILE = /^\/\/ (.+)\n\/\/\n((?:\/\/.*\n)+)\n([^]+)$/;

/** The end of a puzzle. */
const HINTS = /\n\/\/ Hint 1: (.*(?:\n\/\/.+)*)\n\/\/\n\/\/ Hint 2: (.*(?:\n\/\/.*)*)\n$/;

/**
 * The sections with their puzzles: [{ title, puzzles: [{ name, number, title, about, goal, hints, program, gap, solution }] }].
 * `gap` is the index of the line to begin at. A solution is { explanation, program, added }, where `added` are the indices
 * of the lines that the puzzle lacks.
 */
export function puzzles(folder) {
    const sections = tables(folder, ROW);
    const rows = sections.flatMap(({ rows }) => rows);
    const names = rows.map(([, , , name]) => name);
    rows.forEach(([row, number], index) => ensure(Number(number) === index + 1, `README.md: expected number ${index + 1} in ${row}`));
    for (const part of [".", "solutions"]) ensureSame(folder, part, names);
    return sections.map(({ title, rows }) => ({ title, puzzles: rows.map((row) => puzzle(folder, row)) }));
}

function puzzle(folder, [, number, title, name, about]) {
    const file = `${name}.tile`;
    const { body: goal, rest } = read(folder, file, `Puzzle ${number}: ${title}`);
    const hints = HINTS.exec(rest);
    ensure(hints, `${file}: expected \`// Hint 1: …\`, \`//\` and \`// Hint 2: …\` after the module`);
    const program = rest.slice(0, hints.index).replace(/\n+$/, "\n");
    const { gap, ...solution } = solve(folder, `solutions/${file}`, `Solution of puzzle ${number}: ${title}`, program);
    const plain = about.replaceAll("`", "");
    return { name, number: Number(number), title, about: plain, goal, hints: hints.slice(1, 3).map(uncommented), program, gap, solution };
}

function solve(folder, file, title, puzzle) {
    const { body: explanation, rest: program } = read(folder, file, title);
    ensure(launches(program) === launches(puzzle), `${file}: the launches differ from those of the puzzle`);
    const added = linesWithout(program, puzzle);
    ensure(added.length > 0, `${file}: the program adds nothing to the puzzle`);
    const replaced = linesWithout(puzzle, program);
    // A comment says what to do there.
    const isComment = (index) => puzzle.split("\n")[index].trim().startsWith("//");
    const gap = replaced.find(isComment) ?? replaced[0] ?? added[0];
    return { explanation, program, added, gap };
}

/** Reads a file with this title: the text below it, and what follows the comment. */
function read(folder, file, title) {
    const [, found, body, rest] = FILE.exec(readFileSync(join(folder, file), "utf8")) ?? [];
    ensure(rest, `${file}: expected a comment with \`// ${title}\`, \`//\` and text, a blank line, and the program`);
    ensure(found === title, `${file}: expected the title \`${title}\` as in README.md, found \`${found}\``);
    return { body: uncommented(body), rest };
}

function uncommented(comment) {
    return comment.replaceAll(/^\/\/ ?/gm, "").trim();
}

function launches(program) {
    return program.match(/^ *\/\/@.*$/gm)?.join("\n");
}

/** The indices of the lines of a text that another one lacks. */
function linesWithout(text, other) {
    const found = [];
    let line = 0;
    for (const part of diffArrays(other.split("\n"), text.split("\n"))) {
        if (part.removed) continue;
        if (part.added) found.push(...part.value.map((_, index) => line + index));
        line += part.value.length;
    }
    return found;
}

/** Requires that the programs in a folder are those that the README lists. */
function ensureSame(folder, part, names) {
    const found = readdirSync(join(folder, part)).filter((file) => file.endsWith(".tile"));
    const unlisted = found.filter((file) => !names.includes(file.replace(/\.tile$/, "")));
    ensure(unlisted.length === 0, `README.md: expected a row for ${unlisted.join(", ")}`);
    const missing = names.filter((name) => !existsSync(join(folder, part, `${name}.tile`)));
    ensure(missing.length === 0, `README.md lists ${missing.map((name) => join(part, `${name}.tile`)).join(", ")}, which is missing`);
}

function ensure(condition, message) {
    if (!condition) throw new Error(`learn/${message}`);
}
