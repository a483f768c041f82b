// Runs the `tile` program for tasks that do not concern an open document: `tile dis`, `tile explain`.
import { spawn } from "node:child_process";

export interface Output {
    status: number | null;
    stdout: string;
    stderr: string;
}

/** The time limit of the program, in milliseconds. */
const LIMIT = 60_000;

/** Starts the program without a shell, writes `input` to it, and waits for it to end. */
export function runProgram(program: string, args: readonly string[], env: NodeJS.ProcessEnv, input?: Uint8Array): Promise<Output> {
    return new Promise((done, failed) => {
        const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "pipe"], timeout: LIMIT });
        const out: Buffer[] = [];
        const errors: Buffer[] = [];
        child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
        child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
        child.on("error", failed);
        child.on("close", (status) =>
            done({ status, stdout: Buffer.concat(out).toString("utf8"), stderr: Buffer.concat(errors).toString("utf8") }));
        // A program that rejects its arguments does not read its input. Its output says why.
        child.stdin.on("error", () => undefined);
        child.stdin.end(input ?? new Uint8Array());
    });
}
