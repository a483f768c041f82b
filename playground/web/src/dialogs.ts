// Dialogs: pages of the engine, texts, and choices.

import { create, get } from "./dom";
import { markdown } from "./markdown";
import type { Page } from "./protocol";

function opened(id: "page" | "text", title: string): HTMLDialogElement {
    const dialog = get(id, HTMLDialogElement);
    get(`${id}-title`, HTMLHeadingElement).textContent = title;
    const close = dialog.querySelector<HTMLButtonElement>(".close");
    if (close) close.onclick = () => dialog.close();
    if (!dialog.open) dialog.showModal();
    return dialog;
}

/** Shows a page, in the colors that are chosen. */
export function showPage(page: Page): void {
    const dialog = opened("page", page.title);
    const frame = dialog.querySelector("iframe")!;
    const theme = document.documentElement.dataset["theme"];
    frame.title = page.title;
    frame.srcdoc = theme ? page.html.replace("color-scheme: light dark", `color-scheme: ${theme}`) : page.html;
}

export function showText(title: string, text: string): void {
    showContent(title, markdown(text));
}

export function showContent(title: string, ...content: Node[]): HTMLDialogElement {
    const dialog = opened("text", title);
    dialog.querySelector(".content")!.replaceChildren(...content);
    return dialog;
}

/** Offers choices. Each is a button. */
export function choose(title: string, choices: { title: string; take: () => void }[]): void {
    const list = create("div", "choices", choices.length ? "" : "Nothing is offered here.");
    const dialog = showContent(title, list);
    for (const choice of choices) {
        const button = create("button", "", choice.title);
        button.onclick = () => {
            dialog.close();
            choice.take();
        };
        list.append(button);
    }
    list.querySelector("button")?.focus();
}
