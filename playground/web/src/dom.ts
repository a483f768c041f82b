// The elements of the page.

export function get<T extends HTMLElement>(id: string, type: { new (): T }): T {
    const element = document.getElementById(id);
    if (!(element instanceof type)) throw new Error(`no element #${id}`);
    return element;
}

export function button(id: string): HTMLButtonElement {
    return get(id, HTMLButtonElement);
}

/** A new element with a class and a text. */
export function create<K extends keyof HTMLElementTagNameMap>(tag: K, className: string, text = ""): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    element.className = className;
    element.textContent = text;
    return element;
}
