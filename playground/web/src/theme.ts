// The colors of the page: those of the system, light, or dark.

import { get } from "./dom";

const KEY = "theme";

/** Shows the colors that were chosen last, and connects the menu of colors. */
export function connectTheme(): void {
    const menu = get("theme", HTMLSelectElement);
    menu.value = localStorage.getItem(KEY) ?? "";
    menu.onchange = () => choose(menu.value);
    choose(menu.value);
}

function choose(theme: string): void {
    if (theme) document.documentElement.dataset["theme"] = theme;
    else delete document.documentElement.dataset["theme"];
    localStorage.setItem(KEY, theme);
}
