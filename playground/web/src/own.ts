// The user's own programs, which survive a reload and the opening of another program.

/** The program that was edited last. */
const KEY = "program";

/** The programs before it, latest first, as a JSON array. */
const EARLIER = "earlier";

/** How many earlier programs are kept. */
const MAX_EARLIER = 10;

/** The program in the editor as it was kept last, if it was. */
let own: string | null = null;

/** Keeps the program in the editor. Another one that was kept last, also by another tab, becomes an earlier one. */
export function keepOwn(text: string): void {
    const last = lastOwn();
    if (last && last !== own) {
        const programs = [last, ...earlier().filter((each) => each !== last)];
        localStorage.setItem(EARLIER, JSON.stringify(programs.slice(0, MAX_EARLIER)));
    }
    localStorage.setItem(KEY, text);
    own = text;
}

/** Another program is in the editor: the one that was kept last, or one that is not kept (`null`). */
export function openedOwn(text: string | null): void {
    own = text;
}

/** The program that was kept last. */
export function lastOwn(): string | null {
    return localStorage.getItem(KEY);
}

/** The programs that were kept before it, latest first. */
export function earlier(): string[] {
    try {
        return JSON.parse(localStorage.getItem(EARLIER) ?? "[]") as string[];
    } catch {
        return [];
    }
}
