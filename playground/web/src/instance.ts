// An instance of the engine in a worker: sends requests and receives answers.

import type { Methods, Printed } from "./protocol";

export type ToWorker = { kind: "load"; module: WebAssembly.Module } | { kind: "ask"; id: number; request: string };

export type FromWorker =
    | { kind: "answer"; id: number; answer: string }
    | { kind: "event"; event: string }
    | { kind: "failed"; why: string };

interface Pending {
    resolve(value: never): void;
    reject(error: Error): void;
}

/** An error in the words of the engine, for the user. */
export class Refused extends Error {}

/** The worker has ended before it answered. */
export class Stopped extends Error {}

export class Instance {
    private readonly worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    private readonly pending = new Map<number, Pending>();
    private next = 0;
    private over: string | undefined;
    /** Called for what a run reports. */
    onPrinted: (printed: Printed) => void = () => {};

    constructor(module: WebAssembly.Module) {
        this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
        this.worker.onerror = (event) => this.end(event.message);
        this.post({ kind: "load", module });
    }

    /** Whether it cannot answer any more. */
    get isOver(): boolean {
        return this.over !== undefined;
    }

    ask<M extends keyof Methods>(method: M, parameters: Methods[M][0]): Promise<Methods[M][1]> {
        if (this.over !== undefined) return Promise.reject(new Stopped(this.over));
        const id = this.next++;
        return new Promise((resolve, reject) => {
            this.pending.set(id, { resolve, reject });
            this.post({ kind: "ask", id, request: JSON.stringify({ method, ...parameters }) });
        });
    }

    /** Ends the worker, even if a kernel runs in it. */
    end(why: string): void {
        this.over ??= why;
        this.worker.terminate();
        this.pending.forEach((pending) => pending.reject(new Stopped(why)));
        this.pending.clear();
    }

    private post(message: ToWorker): void {
        this.worker.postMessage(message);
    }

    private receive(message: FromWorker): void {
        switch (message.kind) {
            case "event":
                return this.onPrinted(JSON.parse(message.event) as Printed);
            case "failed":
                return this.end(message.why);
            case "answer": {
                const pending = this.pending.get(message.id);
                this.pending.delete(message.id);
                const answer = JSON.parse(message.answer) as { ok: never } | { error: string };
                if ("error" in answer) pending?.reject(new Refused(answer.error));
                else pending?.resolve(answer.ok);
            }
        }
    }
}
