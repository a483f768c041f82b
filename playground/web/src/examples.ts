// The repository's examples.

export interface Example {
    name: string;
    about: string;
    text: string;
}

export interface Section {
    title: string;
    examples: Example[];
}

export async function loadExamples(): Promise<Section[]> {
    const response = await fetch(new URL("./examples.json", import.meta.url));
    return (await response.json()) as Section[];
}
