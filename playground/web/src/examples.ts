// The menu of the repository's examples.

export interface Example {
    name: string;
    about: string;
    text: string;
}

export interface Section {
    title: string;
    examples: Example[];
}

export async function load(): Promise<Section[]> {
    const response = await fetch(new URL("./examples.json", import.meta.url));
    return (await response.json()) as Section[];
}

export function find(sections: Section[], name: string): Example | undefined {
    return sections.flatMap((section) => section.examples).find((example) => example.name === name);
}

/** The values of earlier programs in the menu begin with this. */
const EARLIER = "earlier:";

/** How many characters of a program are shown in the menu. */
const TITLE = 40;

/** Shows the user's earlier programs below the own one. */
export function fillEarlier(menu: HTMLSelectElement, programs: string[]): void {
    menu.querySelector("#earlier")?.remove();
    if (!programs.length) return;
    const group = document.createElement("optgroup");
    group.id = "earlier";
    group.label = "Earlier programs";
    group.append(...programs.map((text, index) => new Option(titleOf(text), EARLIER + index)));
    menu.firstElementChild?.after(group);
}

/** The user's own program that was chosen in the menu: the last one, or an earlier one. */
export function ownProgram(menu: HTMLSelectElement, last: string | null, programs: string[]): string | undefined {
    if (menu.value === "") return last ?? "";
    return menu.value.startsWith(EARLIER) ? programs[Number(menu.value.slice(EARLIER.length))] : undefined;
}

/** The first line of a program that contains anything. */
function titleOf(text: string): string {
    const line = text.split("\n").map((line) => line.replace(/^[\s/]+/, "")).find((line) => line !== "");
    return (line ?? "empty program").slice(0, TITLE);
}

/** Fills the menu. Its first entry is the user's own program. */
export function fill(menu: HTMLSelectElement, sections: Section[]): void {
    menu.replaceChildren(new Option("own program", ""));
    for (const { title, examples } of sections) {
        const group = document.createElement("optgroup");
        group.label = title;
        for (const { name, about } of examples) {
            const option = new Option(name, name);
            option.title = about;
            group.append(option);
        }
        menu.append(group);
    }
}
