// The panel with the results of the last run and the problems of the program.

import type { EditorView } from "@codemirror/view";
import { button, create, get } from "./dom";
import { showText } from "./dialogs";
import type { Diagnostic, Outcome, Range } from "./protocol";

const MAX_PRINTED = 100_000;

export class Panel {
    private readonly status = get("status", HTMLParagraphElement);
    private readonly results = get("results", HTMLDivElement);
    private readonly problems = get("problems", HTMLDetailsElement);
    private readonly printed = create("pre", "");

    constructor(private readonly view: EditorView) {}

    /** Shows a line, which screen readers read. */
    say(text: string, kind: "" | "good" | "bad" = ""): void {
        this.status.textContent = text;
        this.status.className = kind;
    }

    /** Clears the results of the last run. */
    clear(): void {
        this.results.replaceChildren();
        this.printed.textContent = "";
    }

    /** Adds printed text. */
    print(text: string): void {
        if (!this.printed.isConnected) this.results.prepend(create("h2", "", "Printed"), this.printed);
        const shown = this.printed.textContent ?? "";
        if (shown.length < MAX_PRINTED) this.printed.textContent = (shown + text).slice(0, MAX_PRINTED);
    }

    show(outcome: Outcome): void {
        this.say(`${outcome.passed ? "✓" : "✗"} ${outcome.summary}`, outcome.passed ? "good" : "bad");
        const list = create("ul", "");
        for (const { code, message, notes, range, related, page } of outcome.findings) {
            const lines = related.map(([range, text]) => `line ${this.line(range)}: ${text}`);
            list.append(this.item([`${code}: ${message}`, ...lines, ...notes].join("\n"), "error", range));
            if (page !== null) list.append(explanation(code, page));
        }
        for (const { passed, summary, range } of outcome.expectations) {
            list.append(this.item(`${passed ? "✓" : "✗"} ${summary.trimEnd()}`, passed ? "good" : "error differences", range));
        }
        this.results.append(list);
    }

    check(found: Diagnostic[]): void {
        const count = (severity: string) => found.filter((one) => one.severity === severity).length;
        const parts = ["error", "warning", "info", "hint"].map((name) => counted(count(name), name)).filter(Boolean);
        this.problems.querySelector("summary")!.textContent = parts.join(", ") || "No problems";
        const items = found.map(({ severity, code, message, range }) => this.item(`${this.line(range)}: ${message} [${code}]`, severity, range));
        this.problems.querySelector("ol")!.replaceChildren(...items);
    }

    private line(range: Range): number {
        return this.view.state.doc.lineAt(Math.min(range[0], this.view.state.doc.length)).number;
    }

    private item(text: string, kind: string, range: Range | null): HTMLLIElement {
        const item = create("li", "");
        const go = create("button", `go ${kind}`, text);
        go.disabled = range === null;
        go.onclick = () => {
            const [anchor, head] = (range ?? [0, 0]).map((at) => Math.min(at, this.view.state.doc.length)) as Range;
            this.view.dispatch({ selection: { anchor, head }, scrollIntoView: true });
            this.view.focus();
        };
        item.append(go);
        return item;
    }
}

function explanation(code: string, page: string): HTMLLIElement {
    const item = create("li", "");
    const open = create("button", "", `Explain ${code}`);
    open.onclick = () => showText(code, page);
    item.append(open);
    return item;
}

function counted(count: number, noun: string): string {
    return count === 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The buttons that start a run. */
const STARTERS = ["run", "view", "check"];

let isRunning = false;

/** Does work with a run, unless another one runs. The buttons that start one are unavailable meanwhile, but keep the focus. */
export async function exclusively(work: () => Promise<void>): Promise<void> {
    if (isRunning) return;
    setRunning(true);
    try {
        await work();
    } finally {
        setRunning(false);
    }
}

function setRunning(value: boolean): void {
    isRunning = value;
    for (const id of STARTERS) button(id).ariaDisabled = String(value);
    button("stop").hidden = !value;
}
