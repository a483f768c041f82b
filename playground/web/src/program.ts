// The program in the editor: replaces it, and keeps what is typed where it belongs.

import { isolateHistory, undo } from "@codemirror/commands";
import { StateEffect } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { forgetChanges } from "./editor/editor";
import { effects } from "./editor/results";
import type { Engine } from "./engine";
import { type Menu, OWN } from "./menu";
import { keepOwn, openedOwn } from "./own";
import type { Panel } from "./panel";

/** The event of opening a program, which is not the user's own then. */
export const OPENED = "open";

/** How long the user must have stopped typing until the program is kept, in milliseconds. */
const PAUSE = 300;

/** Where a program is found again. */
export interface Place {
    /** Its entry in the menu of programs. */
    entry: string;
    /** The fragment of its link. */
    hash: string;
}

/** Where a changed program is kept. */
export interface Home extends Place {
    keep(text: string): void;
}

/** Among the user's own programs. */
const own: Home = { entry: OWN, hash: "", keep: keepOwn };

export class Program {
    private home = own;
    private pending: ReturnType<typeof setTimeout> | undefined;
    /** Called when another program is opened. */
    onOpened: () => void = () => undefined;
    /** Called when the program is changed. */
    onChanged: () => void = () => undefined;

    constructor(
        private readonly view: EditorView,
        private readonly engine: Engine,
        private readonly panel: Panel,
        private readonly menu: Menu,
    ) {
        const changes = EditorView.updateListener.of(({ docChanged, transactions }) => {
            if (docChanged && !transactions.some((transaction) => transaction.isUserEvent(OPENED))) this.changed();
        });
        view.dispatch({ effects: StateEffect.appendConfig.of(changes) });
        // A page that is closed, or is hidden on a phone, may never be continued.
        window.addEventListener("pagehide", () => this.save());
        document.addEventListener("visibilitychange", () => this.save());
    }

    get text(): string {
        return this.view.state.doc.toString();
    }

    /** Opens a program. Until it is changed, it is found at `place`, and is the own one if `kept` there last. */
    open(text: string, { home = own, place = home, kept = false }: { home?: Home; place?: Place; kept?: boolean } = {}): void {
        this.save();
        openedOwn(kept ? text : null);
        this.menu.showEarlier();
        this.home = home;
        this.panel.clear();
        this.panel.say("");
        const changes = { from: 0, to: this.view.state.doc.length, insert: text };
        this.view.dispatch({ changes, effects: effects.began.of(null), selection: { anchor: 0 }, userEvent: OPENED });
        forgetChanges(this.view);
        // Also forgets the files of launches.
        this.engine.open(text);
        this.show(place);
        this.onOpened();
    }

    /** Moves the cursor to the start of a line, counted from 0, in the middle of the editor. */
    goTo(line: number): void {
        const { doc } = this.view.state;
        const { from } = doc.line(Math.min(line + 1, doc.lines));
        this.view.dispatch({ selection: { anchor: from } });
        // Unlike `EditorView.scrollIntoView`, this does not scroll the page, which on a phone would hide what is above.
        this.view.requestMeasure({
            read: (view) => view.lineBlockAt(from).top - view.scrollDOM.clientHeight / 2,
            write: (top, { scrollDOM }) => scrollDOM.scrollTo({ top }),
        });
    }

    /** Replaces the text of the program. This can be undone. */
    replace(text: string): void {
        this.panel.clear();
        this.view.dispatch({
            changes: { from: 0, to: this.view.state.doc.length, insert: text },
            effects: effects.began.of(null),
            selection: { anchor: 0 },
            scrollIntoView: true,
            annotations: isolateHistory.of("full"),
            userEvent: "input.replace",
        });
    }

    undo(): void {
        undo(this.view);
    }

    /** The program is not what was opened any more, but belongs to its home. */
    private changed(): void {
        this.show(this.home);
        clearTimeout(this.pending);
        this.pending = setTimeout(() => this.save(), PAUSE);
        this.onChanged();
    }

    /** Keeps what was typed now. */
    save(): void {
        if (this.pending === undefined) return;
        clearTimeout(this.pending);
        this.pending = undefined;
        this.home.keep(this.text);
    }

    private show({ entry, hash }: Place): void {
        this.menu.show(entry);
        if (location.hash !== hash) history.replaceState(null, "", hash || location.pathname);
    }
}
