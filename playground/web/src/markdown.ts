// Markdown of the engine as elements. HTML in it is shown as text.

import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";

export function markdown(text: string): HTMLElement {
    const element = document.createElement("div");
    element.className = "markdown";
    element.innerHTML = micromark(text, { extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()] });
    for (const link of element.querySelectorAll("a")) link.target = "_blank";
    return element;
}
