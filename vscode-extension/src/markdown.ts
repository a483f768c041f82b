// Colors `tile` code in the preview of Markdown, such as the pages of diagnostic codes. Names of ops are not known here;
// as in the grammar, words are recognized by their position.

/** The part of markdown-it that is used. */
interface MarkdownIt {
    options: { highlight?: ((code: string, language: string, attributes: string) => string) | null };
}

/** The kinds of tokens, with the classes of highlight.js, which the preview has styles for. */
const TOKENS: readonly (readonly [RegExp, string])[] = [
    [/^\/\/.*/, "hljs-comment"],
    [/^"(?:[^"\\\n]|\\.)*"/, "hljs-string"],
    [/^%[\w$.#-]+/, "hljs-variable"],
    [/^[@^][\w$.-]+/, "hljs-title"],
    [/^[!#][\w$.]+/, "hljs-type"],
    [/^-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?(?![\w$])/, "hljs-number"],
    // An op: the first word of a line or after `=` or `{`.
    [/^[A-Za-z_][\w$.]*(?!\s*[=<\w$.])/, "hljs-keyword"],
    [/^[A-Za-z_]\w*(?=<)/, "hljs-type"],
    [/^(?:[\w$.]+|\s+|[^\w\s])/, ""],
];

/** Adds the colors to a Markdown renderer. */
export function extendMarkdownIt<T extends MarkdownIt>(renderer: T): T {
    const { highlight } = renderer.options;
    renderer.options.highlight = (code, language, attributes) =>
        language.toLowerCase() === "tile" ? colored(code) : (highlight?.(code, language, attributes) ?? "");
    return renderer;
}

function colored(code: string): string {
    return code.split("\n").map(coloredLine).join("\n");
}

function coloredLine(line: string): string {
    let html = "";
    let at = 0;
    while (at < line.length) {
        const [text, kind] = token(line, at);
        html += kind ? `<span class="${kind}">${escaped(text)}</span>` : escaped(text);
        at += text.length;
    }
    return html;
}

/** The token at a column, and its class. */
function token(line: string, at: number): [string, string] {
    const isOp = /(?:^|[={])\s*$/.test(line.slice(0, at));
    for (const [pattern, kind] of TOKENS) {
        const [text] = pattern.exec(line.slice(at)) ?? [];
        if (text && (kind !== "hljs-keyword" || isOp)) return [text, kind];
    }
    return [line.slice(at, at + 1), ""];
}

function escaped(text: string): string {
    return text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
}
