// The dialog with the solution of a puzzle: its explanation, and its program with the lines that the puzzle lacks.

import { showContent } from "./dialogs";
import { create } from "./dom";
import { markdown } from "./markdown";
import type { Puzzle } from "./puzzles";

/** Shows the solution. `take` receives its program if the user wants it in the editor. */
export function showSolution({ number, title, solution }: Puzzle, take: (program: string) => void): void {
    const button = create("button", "primary", "Put it into the editor");
    const dialog = showContent(
        `Solution of puzzle ${number}: ${title}`,
        markdown(solution.explanation),
        create("p", "legend", "New lines are marked with a bar."),
        listing(solution.program, new Set(solution.added)),
        button,
    );
    button.onclick = () => {
        dialog.close();
        take(solution.program);
    };
}

function listing(program: string, marked: Set<number>): HTMLPreElement {
    const element = create("pre", "listing");
    // Long lines scroll, also with the keyboard.
    element.tabIndex = 0;
    element.role = "region";
    element.ariaLabel = "Program of the solution";
    const lines = program.trimEnd().split("\n");
    element.append(...lines.map((line, index) => create(marked.has(index) ? "ins" : "span", "", `${line}\n`)));
    return element;
}
