// Semantic colors of the visible part.

import { RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { current } from "./engine";
import { refreshed } from "./refresh";

const painted = StateEffect.define<DecorationSet>();

const field = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(colors, transaction) {
        for (const effect of transaction.effects) if (effect.is(painted)) return effect.value;
        return colors.map(transaction.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
});

const marks = new Map<string, Decoration>();

function mark(name: string): Decoration {
    const known = marks.get(name) ?? Decoration.mark({ class: `t-${name}` });
    marks.set(name, known);
    return known;
}

const painter = refreshed(async (view) => {
    const { from, to } = view.viewport;
    const found = await current(view, (engine) => engine.ask("tokens", { range: [from, to] }));
    if (!found) return;
    const builder = new RangeSetBuilder<Decoration>();
    for (let index = 0; index < found.tokens.length; index += 3) {
        const [start, end, kind] = found.tokens.slice(index, index + 3) as [number, number, number];
        if (start < end) builder.add(start, end, mark(found.classes[kind]!));
    }
    view.dispatch({ effects: painted.of(builder.finish()) });
}, true);

export const colors = [field, painter];
