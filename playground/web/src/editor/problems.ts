// Diagnostics as you type, with fixes, and the findings of the last run.

import { type Action, type Diagnostic as Problem, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import type { EditorState } from "@codemirror/state";
import { EditorView, keymap, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { Change, Diagnostic, Range } from "../protocol";
import { apply, current } from "./engine";
import { refreshed } from "./refresh";
import { type Mark, results } from "./results";

/** Shows the page of a code, set by the page. */
let explain: (code: string) => void = () => undefined;

export function onExplain(show: (code: string) => void): void {
    explain = show;
}

/** The diagnostics of the current text. */
let known: Diagnostic[] = [];

/** The fixes of diagnostics that touch a range. */
export function fixesAt([from, to]: Range): Change[] {
    return known.filter(({ range }) => range[0] <= to && from <= range[1]).flatMap(({ fixes }) => fixes);
}

function action(change: Change): Action {
    return { name: change.title, apply: (view) => apply(view, change.edits, "input.fix") };
}

function explanation(code: string): Action {
    return { name: `Explain ${code}`, apply: () => explain(code) };
}

function problem(found: Diagnostic, state: EditorState): Problem {
    const related = found.related.map(({ range, message }) => `line ${state.doc.lineAt(range[0]).number}: ${message}`);
    return {
        from: found.range[0],
        to: found.range[1],
        severity: found.severity,
        source: found.code,
        message: [found.message, ...found.notes, ...related].join("\n"),
        actions: [...found.fixes.map(action), explanation(found.code)],
        ...(found.unnecessary ? { markClass: "unnecessary" } : {}),
    };
}

function finding({ from, to, code, message, page }: Mark): Problem {
    const actions = page === null ? [] : [explanation(code)];
    return { from, to, severity: "error", source: code || "expectation", message, actions };
}

/** Shows the known diagnostics and the findings of the last run. */
function show(view: EditorView): void {
    const { state } = view;
    const all = [...known.map((found) => problem(found, state)), ...state.field(results).marks.map(finding)];
    const isInside = ({ from, to }: Problem) => from <= to && to <= state.doc.length;
    view.dispatch(setDiagnostics(state, all.filter(isInside)));
}

const checker = refreshed(async (view) => {
    const found = await current(view, (engine) => engine.ask("diagnostics", {}));
    if (!found) return;
    known = found;
    show(view);
    view.dom.dispatchEvent(new CustomEvent("checked", { detail: found, bubbles: true }));
}, false);

/** Shows findings when a run has ended. */
const runs = ViewPlugin.define((view) => ({
    update(update: ViewUpdate) {
        const [before, now] = [update.startState.field(results).marks, update.state.field(results).marks];
        // An update cannot be dispatched during another one. After a change of the text, the checker shows them.
        if (before !== now && !update.docChanged) queueMicrotask(() => show(view));
    },
}));

/** Applies all safe fixes. */
export async function fixAll(view: EditorView): Promise<void> {
    const edits = await current(view, (engine) => engine.ask("fixAll", {}));
    if (edits?.length) apply(view, edits, "input.fix");
}

export const problems = [checker, runs, lintGutter(), keymap.of(lintKeymap)];
