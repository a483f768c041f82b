// Keeps the user's own program in the browser, so that it survives a reload.

const KEY = "program";

/** How long the user must have stopped typing, in milliseconds. */
const PAUSE = 300;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps a text soon. The address no longer refers to what was opened. */
export function keep(text: () => string): void {
    if (location.hash) history.replaceState(null, "", location.pathname);
    clearTimeout(timer);
    timer = setTimeout(() => localStorage.setItem(KEY, text()), PAUSE);
}

/** The text that was kept last. */
export function kept(): string | null {
    return localStorage.getItem(KEY);
}
