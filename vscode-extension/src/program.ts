// Asks the `tile` program something that is no matter of an open document: `tile dis`, `tile explain`.
import { spawn } from "node:child_process";

export interface Answer {
    status: number | null;
    stdout: string;
    stderr: string;
}

/** After how many milliseconds an answer is given up. */
const LIMIT = 60_000;

/** Starts the program without a shell, gives it `input`, and waits for its end. */
export function ask(program: string, args: readonly string[], env: NodeJS.ProcessEnv, input?: Uint8Array): Promise<Answer> {
    return new Promise((done, failed) => {
        const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "pipe"], timeout: LIMIT });
        const out: Buffer[] = [];
        const problems: Buffer[] = [];
        child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
        child.stderr.on("data", (chunk: Buffer) => problems.push(chunk));
        child.on("error", failed);
        child.on("close", (status) =>
            done({ status, stdout: Buffer.concat(out).toString("utf8"), stderr: Buffer.concat(problems).toString("utf8") }));
        // A program that has refused its arguments does not read: its answer says why.
        child.stdin.on("error", () => undefined);
        child.stdin.end(input ?? new Uint8Array());
    });
}
