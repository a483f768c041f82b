// The editor.

import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import {
    drawSelection,
    EditorView,
    highlightActiveLine,
    highlightActiveLineGutter,
    keymap,
    lineNumbers,
    rectangularSelection,
    tooltips,
} from "@codemirror/view";
import type { Engine } from "../engine";
import { colors } from "./colors";
import { commands } from "./commands";
import { completion } from "./completion";
import { engineOf, sender } from "./engine";
import { hovers } from "./hover";
import { inlayHints } from "./notes";
import { problems } from "./problems";
import { results } from "./results";

const syntax = EditorState.languageData.of(() => [
    { commentTokens: { line: "//" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
]);

/** Keeps lists and hovers off the card and the results beside the editor. */
const tooltipSpace = tooltips({
    tooltipSpace: ({ dom }) => {
        const { left, right } = dom.getBoundingClientRect();
        return { left, right, top: 0, bottom: innerHeight };
    },
});

const undoHistory = new Compartment();

/** Forgets the changes, so that undoing does not bring back another program. */
export function forgetChanges(view: EditorView): void {
    view.dispatch({ effects: undoHistory.reconfigure([]) });
    view.dispatch({ effects: undoHistory.reconfigure(history()) });
}

export function editor(parent: HTMLElement, engine: Engine, text: string): EditorView {
    const extensions = [
        engineOf.of(engine),
        // First, so that the features ask about the text that was sent.
        sender,
        lineNumbers(),
        undoHistory.of(history()),
        drawSelection(),
        rectangularSelection(),
        indentOnInput(),
        indentUnit.of("  "),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        syntax,
        // On a phone, long lines are wrapped instead of scrolled.
        matchMedia("(max-width: 760px)").matches ? EditorView.lineWrapping : [],
        results,
        problems,
        colors,
        inlayHints,
        hovers,
        completion,
        tooltipSpace,
        commands,
        // Tab is not bound, so that it leaves the editor.
        keymap.of([...closeBracketsKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of({ "aria-label": "Program", tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
    ];
    return new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
}
