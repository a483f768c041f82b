// Links to programs, in their fragment: `#code=` and the deflated text in base64url, or `#example=` or `#puzzle=` and a
// name.

async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> {
    const piped = new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>);
    return new Uint8Array(await new Response(piped as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

/** The fragment of a link to an example or a puzzle. */
export function fragmentOf(kind: "example" | "puzzle", name: string): string {
    return `#${kind}=${encodeURIComponent(name)}`;
}

/** The fragment of a link to a program. */
export async function fragment(text: string): Promise<string> {
    const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
    const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    return `#code=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** A program, or the name of an example or a puzzle. */
export type Linked = { text: string } | { example: string } | { puzzle: string } | null;

/** What a fragment refers to. Fails for a damaged program. */
export async function linked(hash: string): Promise<Linked> {
    const [name, value] = hash.replace(/^#/, "").split("=", 2);
    if (name === "example" && value) return { example: decodeURIComponent(value) };
    if (name === "puzzle" && value) return { puzzle: decodeURIComponent(value) };
    if (name !== "code" || !value) return null;
    const binary = atob(value.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)), new DecompressionStream("deflate-raw"));
    return { text: new TextDecoder().decode(bytes) };
}
