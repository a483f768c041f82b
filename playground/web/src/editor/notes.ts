// Notes in and beside lines, and those that are inlay hints.

import { type Range, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { current } from "./engine";
import { refreshed } from "./refresh";

export class Note extends WidgetType {
    constructor(
        readonly label: string,
        readonly tooltip: string,
        readonly kind: string,
    ) {
        super();
    }

    override eq(other: Note): boolean {
        return other.label === this.label && other.tooltip === this.tooltip && other.kind === this.kind;
    }

    override toDOM(): HTMLElement {
        const element = document.createElement("span");
        element.className = `note note-${this.kind}`;
        element.textContent = this.label;
        if (this.tooltip) element.title = this.tooltip;
        return element;
    }
}

const hinted = StateEffect.define<Range<Decoration>[]>();

const field = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(notes, transaction) {
        for (const effect of transaction.effects) if (effect.is(hinted)) return Decoration.set(effect.value, true);
        return notes.map(transaction.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
});

const hints = refreshed(async (view) => {
    const { from, to } = view.viewport;
    const found = await current(view, (engine) => engine.ask("inlays", { range: [from, to] }));
    if (!found) return;
    const notes = found.map(({ at, label, tooltip, after }) => {
        const plain = tooltip.replaceAll(/[*`]/g, "");
        return Decoration.widget({ widget: new Note(label, plain, after ? "after" : "before"), side: after ? 1 : -1 }).range(at);
    });
    view.dispatch({ effects: hinted.of(notes) });
}, true);

export const inlayHints = [field, hints];
