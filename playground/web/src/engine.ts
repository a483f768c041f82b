// The two instances of the engine that the page uses: one for the editor, and one for runs, which can be stopped without
// losing the first.

import { Instance, Refused, Stopped } from "./instance";
import type { Edit, Ended, Methods, Page, Printed } from "./protocol";

/** The longest time that a run may take, in milliseconds. */
const LIMIT = 60_000;

/** The longest time for recording what values hold, in milliseconds. */
const RECORDING_LIMIT = 2_000;

/** Downloads and compiles the engine. It is stored compressed, because not every server compresses what it sends. */
async function compile(url: URL): Promise<WebAssembly.Module> {
    const response = await fetch(url);
    if (!response.ok || !response.body) throw new Error(`cannot load ${url.pathname}: status ${response.status}`);
    const body = response.body.pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compileStreaming(new Response(body, { headers: { "content-type": "application/wasm" } }));
}

export class Engine {
    private readonly module: Promise<WebAssembly.Module>;
    /** The instance of the editor, from the moment when it was sent the text. */
    private editor: Instance | undefined;
    private starting: Promise<Instance> | undefined;
    private runner: Instance | undefined;
    private isRecording = false;
    private files: { name: string; bytes: number[] }[] = [];

    /** `text`: the current text of the editor; `onFailed` receives why the instance of the editor has ended. */
    constructor(
        private readonly text: () => string,
        private readonly onFailed: (why: string) => void,
    ) {
        this.module = compile(new URL("./engine.bin", import.meta.url));
        this.starting = this.start();
        this.starting.catch(() => undefined);
    }

    private async start(): Promise<Instance> {
        const instance = new Instance(await this.module);
        const opened = instance.ask("open", { text: this.text() });
        this.editor = instance;
        this.starting = undefined;
        await opened;
        return instance;
    }

    /** Asks the instance of the editor. If it has failed, starts another one. */
    async ask<M extends keyof Methods>(method: M, parameters: Methods[M][0]): Promise<Methods[M][1]> {
        try {
            if (this.editor && !this.editor.isOver) return await this.editor.ask(method, parameters);
            this.starting ??= this.start();
            return await (await this.starting).ask(method, parameters);
        } catch (error) {
            if (error instanceof Stopped) this.onFailed(error.message);
            throw error;
        }
    }

    /** Sends changes of the text. An instance that starts later receives the whole text. */
    edit(changes: Edit[]): void {
        const list = changes.map(({ from, to, insert }): [number, number, string] => [from, to, insert]);
        this.editor?.ask("edit", { changes: list }).catch(() => undefined);
    }

    /** Replaces the text, and forgets the files of launches. */
    open(text: string): void {
        this.files = [];
        this.editor?.ask("open", { text }).catch(() => undefined);
    }

    /** Keeps a file that launches read. */
    addFile(name: string, bytes: number[]): void {
        this.files = [...this.files.filter((file) => file.name !== name), { name, bytes }];
    }

    /** Runs a launch of the current text. `printed` receives what it prints meanwhile. */
    async run(parameters: Methods["run"][0], printed: (printed: Printed) => void): Promise<Ended> {
        const ended = await this.inRunner((runner) => {
            runner.onPrinted = printed;
            return runner.ask("run", parameters);
        });
        await this.ask("restoreRun", { run: ended.run });
        return ended;
    }

    /** Runs a launch of the current text again to record what its values hold. Gives up if that takes long. */
    async record(parameters: Methods["record"][0]): Promise<void> {
        const recording = this.inRunner((runner) => runner.ask("record", parameters), RECORDING_LIMIT);
        this.isRecording = true;
        const run = await recording.finally(() => (this.isRecording = false));
        await this.ask("restoreRun", { run });
    }

    /** The page of the elements of what is at a position, which needs a run. */
    view(at: number): Promise<Page> {
        return this.inRunner((runner) => runner.ask("view", { at }));
    }

    /** Stops what runs. */
    stop(why: string): void {
        this.runner?.end(why);
    }

    private async inRunner<T>(work: (runner: Instance) => Promise<T>, limit = LIMIT): Promise<T> {
        // Nobody waits for a recording.
        if (this.isRecording) this.stop("another run has begun");
        if (!this.runner || this.runner.isOver) this.runner = new Instance(await this.module);
        const runner = this.runner;
        const timer = setTimeout(() => runner.end(`the run was stopped after ${limit / 1000} s`), limit);
        try {
            await runner.ask("open", { text: this.text() });
            for (const file of this.files) await runner.ask("addFile", file);
            return await work(runner);
        } finally {
            clearTimeout(timer);
        }
    }
}

/** The text of an error for the user. */
export function explained(error: unknown): string {
    if (error instanceof Refused || error instanceof Stopped) return error.message;
    return `an internal error: ${String(error)}`;
}
