// Hovers, with the mouse and with the keyboard.

import { StateEffect, StateField } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from "@codemirror/view";
import { markdown } from "../markdown";
import { current } from "./engine";

async function tooltip(view: EditorView, at: number): Promise<Tooltip | null> {
    const found = await current(view, (engine) => engine.ask("hover", { at }));
    if (!found) return null;
    const [pos, end] = found.range ?? [at, at];
    const create = () => {
        const dom = markdown(found.text);
        dom.classList.add("hover");
        dom.setAttribute("role", "status");
        return { dom };
    };
    return { pos, end, above: true, create };
}

const shown = StateEffect.define<Tooltip | null>();

/** The hover at the cursor, until the cursor moves. */
const atCursor = StateField.define<Tooltip | null>({
    create: () => null,
    update(tooltip, transaction) {
        for (const effect of transaction.effects) if (effect.is(shown)) return effect.value;
        return transaction.docChanged || transaction.selection ? null : tooltip;
    },
    provide: (field) => showTooltip.from(field),
});

function show(view: EditorView): boolean {
    void tooltip(view, view.state.selection.main.head).then((found) => view.dispatch({ effects: shown.of(found) }));
    return true;
}

function hide(view: EditorView): boolean {
    const isShown = view.state.field(atCursor) !== null;
    if (isShown) view.dispatch({ effects: shown.of(null) });
    return isShown;
}

export const hovers = [
    hoverTooltip((view, at) => tooltip(view, at), { hoverTime: 250 }),
    atCursor,
    keymap.of([
        { key: "Mod-k Mod-i", run: show },
        { key: "Escape", run: hide },
    ]),
];
