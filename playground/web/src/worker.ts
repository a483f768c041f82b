// Runs an instance of the engine in a worker, so that a kernel does not block the page and can be stopped with it.

import type { FromWorker, ToWorker } from "./instance";

interface Exports extends WebAssembly.Exports {
    memory: WebAssembly.Memory;
    start(): void;
    allocate(length: number): number;
    answer(request: number, length: number): void;
}

let exports: Exports;
let current = 0;

const post = (message: FromWorker) => self.postMessage(message);

function text(address: number, length: number): string {
    return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, address, length));
}

const page = {
    now: () => performance.now(),
    respond: (address: number, length: number) => post({ kind: "answer", id: current, answer: text(address, length) }),
    event: (address: number, length: number) => post({ kind: "event", event: text(address, length) }),
    panicked: (address: number, length: number) => post({ kind: "failed", why: text(address, length) }),
};

async function load(module: WebAssembly.Module): Promise<void> {
    const instance = await WebAssembly.instantiate(module, { page });
    exports = instance.exports as Exports;
    exports.start();
}

function answer(id: number, request: string): void {
    current = id;
    const bytes = new TextEncoder().encode(request);
    const address = exports.allocate(bytes.length);
    new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
    exports.answer(address, bytes.length);
}

let ready: Promise<void>;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
    if (data.kind === "load") ready = load(data.module);
    const work = data.kind === "load" ? ready : ready.then(() => answer(data.id, data.request));
    // The module is unusable after a trap. A panic has been reported before it.
    work.catch((error: unknown) => post({ kind: "failed", why: `the engine has failed, probably for lack of memory (${String(error)})` }));
};
