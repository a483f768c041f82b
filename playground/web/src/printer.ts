// Collects what a kernel prints, and shows it a few times a second: a kernel prints faster than a page can be drawn.

import type { Printed } from "./protocol";

/** The time between two updates of the page, in milliseconds. */
const INTERVAL = 50;

export class Printer {
    private waiting: Printed[] = [];
    private timer: ReturnType<typeof setTimeout> | undefined;

    /** `show` receives what was printed since its last call: all text, and the text of each op. */
    constructor(private readonly show: (all: string, ops: Printed[]) => void) {}

    add(printed: Printed): void {
        this.waiting.push(printed);
        this.timer ??= setTimeout(() => this.flush(), INTERVAL);
    }

    /** Shows what has not been shown. */
    flush(): void {
        clearTimeout(this.timer);
        this.timer = undefined;
        if (this.waiting.length === 0) return;
        const all = this.waiting;
        this.waiting = [];
        const texts = new Map<number, string>();
        for (const { at, printed } of all) texts.set(at, (texts.get(at) ?? "") + printed);
        const ops = Array.from(texts, ([at, printed]) => ({ at, printed }));
        this.show(all.map(({ printed }) => printed).join(""), ops);
    }
}
