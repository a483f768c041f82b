// Completion.

import {
    autocompletion,
    type Completion,
    type CompletionContext,
    type CompletionResult,
    snippet as template,
} from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import { markdown } from "../markdown";
import type { Completions } from "../protocol";
import { engineOf } from "./engine";

type Item = Completions["items"][number];

/** What may be typed while a list is shown. */
const WORD = /^[%@!#]?[\w.$]*$/;

/** Converts a snippet of the language server protocol to one of CodeMirror. */
export function converted(snippet: string): string {
    const part = /\\(.)|\$(\d+)|\$\{(\d+)(?::((?:\\.|[^{}])*)|\|([^,|]*)[^|]*\|)?\}|[{}]/g;
    return snippet.replaceAll(part, (whole, escaped, bare, number, text, choice) => {
        if (escaped !== undefined) return /[{}]/.test(escaped) ? `\\${escaped}` : escaped;
        if (bare !== undefined) return bare === "0" ? "${}" : `\${${bare}}`;
        if (number !== undefined) return `\${${number}:${(text ?? choice ?? "").replaceAll(/\\(.)/g, "$1")}}`;
        return `\\${whole}`;
    });
}

function insert(item: Item): Completion["apply"] {
    const { snippet, insertion } = item;
    if (snippet === null) return item.label;
    const fill = template(converted(snippet));
    return (view, completion, from, to) => {
        let shift = 0;
        if (insertion) {
            const [at, text] = insertion;
            view.dispatch({ changes: { from: at, insert: text } });
            shift = at <= from ? text.length : 0;
        }
        fill(view, completion, from + shift, to + shift);
    };
}

async function documentation(view: EditorView, item: Item): Promise<HTMLElement | null> {
    const op = item.kind === "function" ? item.label : null;
    if (op === null && item.topic === null) return null;
    const page = await view.state.facet(engineOf).ask("documentation", { op, topic: item.topic });
    return page === null ? null : markdown(page);
}

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
    const before = context.state.sliceDoc(Math.max(0, context.pos - 4), context.pos);
    // Other characters do not begin a name.
    const isTyping = /[\w%@!#$.<"]$/.test(before) || /(: |-> )$/.test(before);
    const view = context.view;
    if ((!context.explicit && !isTyping) || !view) return null;
    const { range, items } = await context.state.facet(engineOf).ask("completions", { at: context.pos });
    // A list of nothing but the typed word would only cover the page.
    const isComplete = (typed: string): boolean => {
        const matching = items.filter(({ label }) => label.startsWith(typed));
        return matching.length > 0 && matching.every(({ label, snippet }) => label === typed && snippet === null);
    };
    if (!context.explicit && isComplete(context.state.sliceDoc(range[0], context.pos))) return null;
    const options = items.map((item, rank): Completion => {
        const apply = insert(item);
        return {
            label: item.label,
            type: item.kind,
            detail: item.detail.length > 60 ? `${item.detail.slice(0, 59)}…` : item.detail,
            boost: 99 - (198 * rank) / items.length,
            ...(apply === undefined ? {} : { apply }),
            info: () => documentation(view, item),
        };
    });
    const validFor = (typed: string): boolean => WORD.test(typed) && (context.explicit || !isComplete(typed));
    return { from: range[0], to: range[1], options, validFor };
}

export const completion = autocompletion({ override: [complete], activateOnTypingDelay: 50 });
