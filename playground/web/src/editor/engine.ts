// Connects the editor to the engine: sends every change, and gives the features access to it.

import { Facet } from "@codemirror/state";
import { EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { Engine } from "../engine";
import type { Edit } from "../protocol";

/** The engine of an editor. */
export const engineOf = Facet.define<Engine, Engine>({ combine: ([engine]) => engine! });

/** Sends the changes to the engine, before the features ask about the new text. */
export const sender = ViewPlugin.define(() => ({
    update(update: ViewUpdate) {
        if (!update.docChanged) return;
        const changes: Edit[] = [];
        update.changes.iterChanges((from, to, _from, _to, insert) => changes.push({ from, to, insert: insert.toString() }));
        update.state.facet(engineOf).edit(changes);
    },
}));

/** Asks about the current text. Returns undefined if the text has changed before the answer, or if there is none. */
export async function current<T>(view: EditorView, ask: (engine: Engine) => Promise<T>): Promise<T | undefined> {
    const asked = view.state.doc;
    try {
        const answer = await ask(view.state.facet(engineOf));
        return view.state.doc === asked ? answer : undefined;
    } catch {
        // The engine reports its failures.
        return undefined;
    }
}

/** Applies edits of the engine as one change. */
export function apply(view: EditorView, edits: Edit[], userEvent: string): void {
    view.dispatch({ changes: edits, userEvent, scrollIntoView: true });
}
