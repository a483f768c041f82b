// Commands of the editor that ask the engine: formatting, and going to a definition.

import { EditorView, keymap } from "@codemirror/view";
import { current } from "./engine";

/** Formats the text. Only what differs between the common start and the common end is replaced. */
export async function format(view: EditorView): Promise<void> {
    const after = await current(view, (engine) => engine.ask("format", {}));
    const before = view.state.doc.toString();
    if (after === undefined || after === before) return;
    const shorter = Math.min(before.length, after.length);
    let start = 0;
    while (start < shorter && before[start] === after[start]) start++;
    let end = 0;
    while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
    const changes = { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
    view.dispatch({ changes, userEvent: "input.format" });
}

export async function goToDefinition(view: EditorView, at: number): Promise<void> {
    const found = await current(view, (engine) => engine.ask("definition", { at }));
    if (found) view.dispatch({ selection: { anchor: found[0], head: found[1] }, scrollIntoView: true });
}

export const commands = [
    keymap.of([
        { key: "Shift-Alt-f", run: (view) => (void format(view), true) },
        { key: "F12", run: (view) => (void goToDefinition(view, view.state.selection.main.head), true) },
    ]),
    EditorView.domEventHandlers({
        mousedown(event, view) {
            if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false;
            const at = view.posAtCoords(event);
            if (at === null) return false;
            void goToDefinition(view, at);
            return true;
        },
    }),
];
