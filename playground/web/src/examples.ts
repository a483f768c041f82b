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

/** Fills the menu. Its first entry stands for a program that is none of the examples. */
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
