// The course "Tile IR in twenty puzzles": opens puzzles, checks them, and remembers which are solved.

import { Card } from "./card";
import { button } from "./dom";
import type { Launches } from "./launches";
import type { Menu } from "./menu";
import type { Panel } from "./panel";
import type { Program } from "./program";
import { draftOf, keepDraft, lackedLine, markSolved, type Puzzle, puzzleEntry, solved } from "./puzzles";
import { fragmentOf } from "./share";
import { showSolution } from "./solution";

export class Course {
    private readonly card = new Card();
    private puzzles: Puzzle[] = [];
    private puzzle: Puzzle | undefined;

    constructor(
        private readonly program: Program,
        private readonly launches: Launches,
        private readonly panel: Panel,
        private readonly menu: Menu,
    ) {
        program.onOpened = () => this.leave();
        program.onChanged = () => showUndo(false);
        button("learn").onclick = () => this.turnTo(this.firstUnsolved());
        button("previous").onclick = () => this.turnBy(-1);
        button("next").onclick = () => this.turnBy(1);
        button("restart").onclick = () => this.restart();
        button("undo").onclick = () => this.undo();
        button("solution").onclick = () => this.showSolution();
    }

    fill(puzzles: Puzzle[]): void {
        this.puzzles = puzzles;
    }

    /** A line for those who have not begun. */
    get invitation(): string | undefined {
        return this.puzzle || solved().size ? undefined : `New to Tile IR? Learn opens the first of ${this.puzzles.length} puzzles.`;
    }

    /** Opens the puzzle with a name. Returns whether there is one. */
    open(name: string): boolean {
        const puzzle = this.puzzles.find((puzzle) => puzzle.name === name);
        if (puzzle) this.show(puzzle);
        return puzzle !== undefined;
    }

    /** Runs all launches of the open puzzle. If they pass, it is solved. */
    async check(): Promise<void> {
        const { puzzle } = this;
        if (!puzzle) return;
        const lacked = lackedLine(puzzle, this.program.text);
        if (lacked !== undefined) return this.refuse(`This line of the puzzle was changed: ${lacked}`);
        const verdict = await this.launches.runAll();
        if (puzzle !== this.puzzle) return;
        if (verdict === "passed") this.solve(puzzle);
        if (verdict === "none") this.refuse("The launches of the puzzle have no entry");
        if (verdict === "changed") this.panel.say("The program was changed during the check. Check it again.", "bad");
    }

    private refuse(reason: string): void {
        this.panel.clear();
        this.panel.say(`${reason}. Undo that, or start over.`, "bad");
    }

    private solve(puzzle: Puzzle): void {
        markSolved(puzzle);
        this.menu.showProgress();
        this.card.showSolved(true);
        this.panel.say(`✓ Puzzle ${puzzle.number} is solved. ${this.outlook(puzzle)}`, "good");
    }

    /** What comes after a solved puzzle. */
    private outlook({ number }: Puzzle): string {
        const next = this.puzzles[number];
        const names = solved();
        const left = this.puzzles.filter(({ name }) => !names.has(name)).length;
        if (left === 0) return `You have solved all ${this.puzzles.length} puzzles. The examples in the menu are larger kernels.`;
        return next ? `Next: ${next.title}.` : `That was the last one. Learn opens the first of the ${left} that are unsolved.`;
    }

    private show(puzzle: Puzzle): void {
        const home = {
            entry: puzzleEntry(puzzle),
            hash: fragmentOf("puzzle", puzzle.name),
            keep: (text: string) => keepDraft(puzzle, text),
        };
        // Keeps what was typed in this puzzle before it is read.
        this.program.save();
        const text = draftOf(puzzle);
        this.program.open(text, { home });
        if (text === puzzle.program) this.program.goTo(puzzle.gap);
        this.puzzle = puzzle;
        this.card.show(puzzle, this.puzzles.length);
        this.card.showSolved(solved().has(puzzle.name));
        showUndo(false);
    }

    private leave(): void {
        this.puzzle = undefined;
        this.card.hide();
    }

    private turnTo(puzzle: Puzzle | undefined): void {
        if (!puzzle) return;
        if (puzzle !== this.puzzle) this.show(puzzle);
        this.card.focus();
    }

    private turnBy(steps: number): void {
        if (this.puzzle) this.turnTo(this.puzzles[this.puzzle.number - 1 + steps]);
    }

    private firstUnsolved(): Puzzle | undefined {
        const names = solved();
        return this.puzzles.find(({ name }) => !names.has(name)) ?? this.puzzles[0];
    }

    private restart(): void {
        if (this.puzzle) this.replace(this.puzzle.program, "The program is that of the puzzle again.");
    }

    private showSolution(): void {
        if (this.puzzle) showSolution(this.puzzle, (program) => this.replace(program, "The solution is in the editor."));
    }

    private replace(text: string, message: string): void {
        if (text === this.program.text) return this.panel.say(message);
        this.program.replace(text);
        showUndo(true);
        button("undo").focus();
        this.panel.say(`${message} Undo restores what you wrote.`);
    }

    private undo(): void {
        this.program.undo();
        button("restart").focus();
        this.panel.say("Your program is in the editor again.");
    }
}

/** Shows the button that undoes replacing the program instead of the one that starts over. */
function showUndo(isShown: boolean): void {
    button("undo").hidden = !isShown;
    button("restart").hidden = isShown;
}
