// Notes in and beside lines: inlay hints, printed text, and verdicts.

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

/** A set of notes that is replaced as a whole and moves with the text. `keeps` says whether a note survives a change. */
export function noteSet() {
    const replaced = StateEffect.define<Range<Decoration>[]>();
    const field = StateField.define<DecorationSet>({
        create: () => Decoration.none,
        update(notes, transaction) {
            let mapped = notes.map(transaction.changes);
            for (const effect of transaction.effects) if (effect.is(replaced)) mapped = Decoration.set(effect.value, true);
            return mapped;
        },
        provide: (field) => EditorView.decorations.from(field),
    });
    return { replaced, field };
}

const inlays = noteSet();

const hints = refreshed(async (view) => {
    const { from, to } = view.viewport;
    const found = await current(view, (engine) => engine.ask("inlays", { range: [from, to] }));
    if (!found) return;
    const notes = found.map(({ at, label, tooltip, after }) => {
        const plain = tooltip.replaceAll(/[*`]/g, "");
        return Decoration.widget({ widget: new Note(label, plain, after ? "after" : "before"), side: after ? 1 : -1 }).range(at);
    });
    view.dispatch({ effects: inlays.replaced.of(notes) });
}, true);

export const inlayHints = [inlays.field, hints];
