// The puzzles of the course "Tile IR in twenty puzzles": which are solved, and what was typed in them.

export interface Solution {
    /** Markdown, as are the other texts. */
    explanation: string;
    program: string;
    /** The indices of the lines that the puzzle lacks. */
    added: number[];
}

export interface Puzzle {
    name: string;
    number: number;
    title: string;
    about: string;
    goal: string;
    hints: string[];
    program: string;
    /** The index of the line to begin at. */
    gap: number;
    solution: Solution;
}

export interface Part {
    title: string;
    puzzles: Puzzle[];
}

export async function loadPuzzles(): Promise<Part[]> {
    const response = await fetch(new URL("./puzzles.json", import.meta.url));
    return (await response.json()) as Part[];
}

/** The entry of a puzzle in the menu of programs begins with this. */
const ENTRY = "puzzle:";

export function puzzleEntry({ name }: Puzzle): string {
    return ENTRY + name;
}

/** The name of the puzzle with an entry. */
export function puzzleOf(entry: string): string | undefined {
    return entry.startsWith(ENTRY) ? entry.slice(ENTRY.length) : undefined;
}

/** The names of the solved puzzles, as a JSON array. */
const SOLVED = "solved";

/** What was typed in a puzzle is stored below this and its name. */
const DRAFT = "puzzle:";

export function solved(): Set<string> {
    try {
        return new Set(JSON.parse(localStorage.getItem(SOLVED) ?? "[]") as string[]);
    } catch {
        return new Set();
    }
}

export function markSolved({ name }: Puzzle): void {
    localStorage.setItem(SOLVED, JSON.stringify([...solved().add(name)]));
}

/** The program of a puzzle as it was typed last. */
export function draftOf({ name, program }: Puzzle): string {
    return localStorage.getItem(DRAFT + name) ?? program;
}

/** Keeps what was typed in a puzzle, if it differs from the program at the start. */
export function keepDraft({ name, program }: Puzzle, text: string): void {
    if (text === program) localStorage.removeItem(DRAFT + name);
    else localStorage.setItem(DRAFT + name, text);
}

/** The first line of the launches of a puzzle that a program lacks, which must contain them in their order. */
export function lackedLine(puzzle: Puzzle, text: string): string | undefined {
    const lines = directives(text);
    return directives(puzzle.program).find((wanted) => {
        const at = lines.indexOf(wanted);
        lines.splice(0, at + 1);
        return at < 0;
    });
}

function directives(text: string): string[] {
    return text.split("\n").map((line) => line.trim().replaceAll(/\s+/g, " ")).filter((line) => line.startsWith("//@"));
}
