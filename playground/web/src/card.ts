// The card of the open puzzle: its goal, its hints, and whether it is solved.

import { button, create, get } from "./dom";
import { markdown } from "./markdown";
import type { Puzzle } from "./puzzles";

export class Card {
    private readonly element = get("card", HTMLElement);
    private readonly title = get("card-title", HTMLHeadingElement);
    private readonly body = this.element.querySelector(".body")!;

    /** Shows a puzzle, one of `count`. */
    show({ number, title, goal, hints }: Puzzle, count: number): void {
        this.title.textContent = `Puzzle ${number} of ${count}: ${title}`;
        this.body.replaceChildren(markdown(goal), ...hints.map(hint));
        this.body.scrollTop = 0;
        button("previous").disabled = number === 1;
        button("next").disabled = number === count;
        this.element.hidden = false;
    }

    showSolved(isSolved: boolean): void {
        get("card-solved", HTMLSpanElement).hidden = !isSolved;
        button("check").classList.toggle("primary", !isSolved);
        button("next").classList.toggle("primary", isSolved);
    }

    hide(): void {
        this.element.hidden = true;
    }

    /** Moves the focus to the title, so that screen readers read it. */
    focus(): void {
        this.title.focus();
    }
}

function hint(text: string, index: number): HTMLDetailsElement {
    const element = create("details", "");
    element.append(create("summary", "", `Hint ${index + 1}`), markdown(text));
    return element;
}
