// Keeps the user's own programs in the browser, so that they survive a reload, and the opening of another program.

/** The program that was edited last. */
const KEY = "program";

/** The programs before it, latest first, as a JSON array. */
const EARLIER = "earlier";

/** How many earlier programs are kept. */
const MOST = 10;

/** How long the user must have stopped typing, in milliseconds. */
const PAUSE = 300;

let timer: ReturnType<typeof setTimeout> | undefined;
let pending: (() => string) | undefined;
/** The program in the editor as it was kept last, if it was. */
let own: string | null = null;

/** Keeps the program in the editor soon. The address no longer refers to what was opened. */
export function keep(text: () => string): void {
    if (location.hash) history.replaceState(null, "", location.pathname);
    pending = text;
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE);
}

/** Keeps what was typed now. Another program, also one from another tab, becomes an earlier one. */
export function save(): void {
    clearTimeout(timer);
    const text = pending?.();
    pending = undefined;
    if (text === undefined) return;
    const last = kept();
    if (last && last !== own) localStorage.setItem(EARLIER, JSON.stringify([last, ...earlier().filter((each) => each !== last)].slice(0, MOST)));
    localStorage.setItem(KEY, text);
    own = text;
}

/** Keeps what was typed, before another program replaces it. `text` is that program if it is one that was kept. */
export function leave(text: string | null): void {
    save();
    own = text;
}

/** The program that was kept last. */
export function kept(): string | null {
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
