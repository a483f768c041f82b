// The menu of programs: the user's own ones, the puzzles, and the examples.

import { get } from "./dom";
import type { Section } from "./examples";
import { earlier, lastOwn } from "./own";
import { type Part, puzzleEntry, solved } from "./puzzles";

/** The entry of the own program that was kept last. */
export const OWN = "";

/** The entries of earlier programs begin with this. */
const EARLIER = "earlier:";

/** How many characters of a program are shown in the menu. */
const MAX_TITLE = 40;

interface Entry {
    value: string;
    text: string;
    about: string;
}

export class Menu {
    private readonly element = get("programs", HTMLSelectElement);
    private readonly own = new Option("own program", OWN);
    private readonly earlier = group("Earlier programs", []);
    private parts: Part[] = [];

    /** `choose` receives the entry that the user chooses. */
    constructor(choose: (entry: string) => void) {
        this.element.onchange = () => choose(this.element.value);
        this.element.append(this.own);
    }

    fill(parts: Part[], sections: Section[]): void {
        this.parts = parts;
        const puzzles = parts.map(({ title, puzzles }) =>
            group(`Puzzles: ${title}`, puzzles.map((puzzle) => ({ value: puzzleEntry(puzzle), text: "", about: puzzle.about }))),
        );
        const examples = sections.map(({ title, examples }) =>
            group(title, examples.map(({ name, about }) => ({ value: name, text: name, about }))),
        );
        this.element.replaceChildren(this.own, ...puzzles, ...examples);
        this.showProgress();
    }

    show(entry: string): void {
        this.element.value = entry;
    }

    /** Shows the user's earlier programs below the own one. */
    showEarlier(): void {
        const programs = earlier();
        this.earlier.replaceChildren(...programs.map((text, index) => new Option(titleOf(text), EARLIER + index)));
        if (programs.length) this.own.after(this.earlier);
        else this.earlier.remove();
    }

    /** Marks the solved puzzles. */
    showProgress(): void {
        const names = solved();
        const puzzles = new Map(this.parts.flatMap(({ puzzles }) => puzzles).map((puzzle) => [puzzleEntry(puzzle), puzzle]));
        for (const option of this.element.options) {
            const puzzle = puzzles.get(option.value);
            if (puzzle) option.text = `${puzzle.number}. ${puzzle.title}${names.has(puzzle.name) ? " ✓" : ""}`;
        }
    }
}

function group(title: string, entries: Entry[]): HTMLOptGroupElement {
    const element = document.createElement("optgroup");
    element.label = title;
    for (const { value, text, about } of entries) {
        const option = new Option(text, value);
        option.title = about;
        element.append(option);
    }
    return element;
}

/** The user's own program of an entry. */
export function ownProgram(entry: string): string | undefined {
    if (entry === OWN) return lastOwn() ?? "";
    return entry.startsWith(EARLIER) ? earlier()[Number(entry.slice(EARLIER.length))] : undefined;
}

/** The first line of a program that contains anything. */
function titleOf(text: string): string {
    const line = text.split("\n").map((line) => line.replace(/^[\s/]+/, "")).find((line) => line !== "");
    return (line ?? "empty program").slice(0, MAX_TITLE);
}
