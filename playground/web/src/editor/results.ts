// The results of the last run beside their lines. They move with the text, and those of a changed line disappear.

import { StateEffect, StateField, type Transaction } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Outcome } from "../protocol";
import { Note } from "./notes";

/** How many characters of printed text are shown beside a line. */
const SHOWN = 100;

/** A finding or a failed expectation. */
export interface Mark {
    from: number;
    to: number;
    code: string;
    message: string;
    page: string | null;
}

export interface Results {
    /** The printed text, by the position of its line's end. */
    printed: { at: number; text: string }[];
    marks: Mark[];
    /** The positions and texts of met expectations. */
    met: { at: number; text: string }[];
}

const none: Results = { printed: [], marks: [], met: [] };

const began = StateEffect.define<null>();
const printed = StateEffect.define<{ at: number; text: string }>();
const ended = StateEffect.define<Outcome>();

export const results = StateField.define<Results>({
    create: () => none,
    update(results, transaction) {
        let now = transaction.docChanged ? moved(results, transaction) : results;
        for (const effect of transaction.effects) {
            if (effect.is(began)) now = none;
            if (effect.is(printed)) now = { ...now, printed: withText(now.printed, transaction, effect.value) };
            if (effect.is(ended)) now = { ...now, ...verdicts(effect.value, now, transaction) };
        }
        return now;
    },
    provide: (field) => EditorView.decorations.from(field, decorations),
});

function lineEnd(transaction: Transaction, at: number): number {
    const { doc } = transaction.state;
    return doc.lineAt(Math.min(at, doc.length)).to;
}

function withText(all: Results["printed"], transaction: Transaction, added: { at: number; text: string }): Results["printed"] {
    const at = lineEnd(transaction, added.at);
    const known = all.find((printed) => printed.at === at);
    const text = (known?.text ?? "") + added.text;
    return [...all.filter((printed) => printed !== known), { at, text }];
}

function verdicts(outcome: Outcome, now: Results, transaction: Transaction): Partial<Results> {
    const findings = outcome.findings.map((found): Mark => {
        const [from, to] = found.range ?? [0, 0];
        const lines = found.related.map(([range, text]) => `line ${transaction.state.doc.lineAt(range[0]).number}: ${text}`);
        return { from, to, code: found.code, message: [found.message, ...lines, ...found.notes].join("\n"), page: found.page };
    });
    const failed = outcome.expectations.filter((expectation) => !expectation.passed);
    const unmet = failed.map(({ range: [from, to], summary }): Mark => ({ from, to, code: "", message: summary, page: null }));
    const passed = outcome.expectations.filter((expectation) => expectation.passed);
    const more = outcome.left_out.map(([at, bytes]) => ({ at, text: `… and ${bytes} more bytes\n` }));
    return {
        marks: [...findings, ...unmet],
        met: passed.map(({ range, summary }) => ({ at: lineEnd(transaction, range[0]), text: summary })),
        printed: more.reduce((all, added) => withText(all, transaction, added), now.printed),
    };
}

function moved(results: Results, transaction: Transaction): Results {
    const { changes, startState } = transaction;
    const isKept = (at: number) => {
        const line = startState.doc.lineAt(at);
        return changes.touchesRange(line.from, line.to) === false || isOnlyInserted(transaction, line.to);
    };
    const move = <T extends { at: number }>(note: T): T => ({ ...note, at: changes.mapPos(note.at, -1) });
    return {
        printed: results.printed.filter(({ at }) => isKept(at)).map(move),
        met: results.met.filter(({ at }) => isKept(at)).map(move),
        marks: results.marks
            .filter(({ from }) => isKept(from))
            .map((mark) => ({ ...mark, from: changes.mapPos(mark.from), to: changes.mapPos(mark.to) })),
    };
}

/** Whether the only change at a line is text inserted after its end, such as another line. */
function isOnlyInserted(transaction: Transaction, end: number): boolean {
    let only = true;
    transaction.changes.iterChanges((from, to, _from, _to, text) => {
        only &&= from === to && from === end && text.lines > 1 && text.line(1).length === 0;
    });
    return only;
}

/** One line for text with several. */
function short(text: string): string {
    const line = text.trimEnd().replaceAll("\n", " ⏎ ");
    return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}

function decorations({ printed, met }: Results): DecorationSet {
    const text = printed.map(({ at, text }) => Decoration.widget({ widget: new Note(short(text), text, "printed"), side: 2 }).range(at));
    const passed = met.map(({ at, text }) => Decoration.widget({ widget: new Note("✓", text, "met"), side: 2 }).range(at));
    return Decoration.set([...text, ...passed], true);
}

/** What a run changes in the editor. */
export const effects = { began, printed, ended };
