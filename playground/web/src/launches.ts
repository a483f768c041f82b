// The launches of the program: their menu, and their runs.

import { StateEffect, type Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { get } from "./dom";
import { current } from "./editor/engine";
import { effects } from "./editor/results";
import type { Engine } from "./engine";
import type { Panel } from "./panel";
import { Printer } from "./printer";
import { OPENED } from "./program";
import type { Launch, Outcome } from "./protocol";

/** Whether all launches passed. `changed`: the program was changed meanwhile; `none`: there are no launches. */
export type Verdict = "passed" | "failed" | "changed" | "none";

export class Launches {
    private readonly menu = get("launches", HTMLSelectElement);
    private all: Launch[] = [];
    /** The text that the launches are of. */
    private text: Text | undefined;

    constructor(
        private readonly view: EditorView,
        private readonly engine: Engine,
        private readonly panel: Panel,
    ) {
        const selection = EditorView.updateListener.of((update) => {
            if (update.transactions.some((transaction) => transaction.isUserEvent(OPENED))) this.menu.selectedIndex = 0;
            else if (update.selectionSet) this.chooseAt(update.state.selection.main.head);
        });
        view.dispatch({ effects: StateEffect.appendConfig.of(selection) });
    }

    /** Finds the launches of the current text. */
    async update(): Promise<void> {
        const { doc } = this.view.state;
        const found = await current(this.view, (engine) => engine.ask("launches", {}));
        if (!found || this.text === doc) return;
        this.text = doc;
        const chosen = this.menu.selectedIndex;
        this.all = found;
        const options = found.map(({ title, bench }, index) => new Option(bench ? `${title} (benchmark)` : title, String(index)));
        this.menu.replaceChildren(...(options.length ? options : [new Option("none", "")]));
        this.menu.selectedIndex = Math.max(0, Math.min(chosen, options.length - 1));
    }

    /** Runs the chosen launch. */
    async run(): Promise<void> {
        await this.updateForRun();
        const launch = this.all[this.menu.selectedIndex];
        if (launch) await this.runOne(launch, get("sanitize", HTMLInputElement).checked);
        else this.panel.say("There is no launch. Put the cursor on the name of an entry, and add one with Fix…", "bad");
    }

    /** Runs all launches with the sanitizer, up to the first that fails, whose result is shown. */
    async runAll(): Promise<Verdict> {
        const { doc } = this.view.state;
        await this.updateForRun();
        if (this.text !== doc) return "changed";
        const { all } = this;
        for (const [index, launch] of all.entries()) {
            this.menu.selectedIndex = index;
            const { passed, summary } = await this.runOne(launch, true);
            if (this.view.state.doc !== doc) return "changed";
            if (passed) continue;
            if (all.length > 1) this.panel.say(`✗ ${launch.title}: ${summary}`, "bad");
            return "failed";
        }
        return all.length ? "passed" : "none";
    }

    private async updateForRun(): Promise<void> {
        if (this.text !== this.view.state.doc) await this.update();
    }

    private async runOne({ title, entry, launch }: Launch, sanitize: boolean): Promise<Outcome> {
        const { view, panel, engine } = this;
        panel.clear();
        panel.say(`Running ${title}…`);
        view.dispatch({ effects: effects.began.of(null) });
        const asked = view.state.doc;
        const printer = new Printer((all, ops) => {
            panel.print(all);
            if (view.state.doc === asked) view.dispatch({ effects: ops.map(({ at, printed }) => effects.printed.of({ at, text: printed })) });
        });
        try {
            const ended = await engine.run({ entry, launch, sanitize }, (printed) => printer.add(printed));
            printer.flush();
            panel.show(ended.outcome);
            if (view.state.doc !== asked) return ended.outcome;
            view.dispatch({ effects: effects.ended.of(ended.outcome) });
            // Without values, hovers show what is known without a run.
            if (!ended.recorded) void engine.record({ entry, launch }).catch(() => undefined);
            return ended.outcome;
        } finally {
            printer.flush();
        }
    }

    /** Chooses the launch at a position, if there is one. */
    private chooseAt(at: number): void {
        const index = this.all.findIndex(({ range: [from, to] }) => from <= at && at <= to);
        if (index >= 0) this.menu.selectedIndex = index;
    }
}
