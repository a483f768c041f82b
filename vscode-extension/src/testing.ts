// The Test Explorer: file → entry → launch. The server provides the launches and their results.
import { availableParallelism } from "node:os";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { type Debugging, TYPE } from "./debugging";
import type { RunTarget } from "./nearest";
import type { Runs } from "./runs";
import { target as chosenTarget } from "./target";

interface Range {
    start: { line: number; character: number };
    end: { line: number; character: number };
}

/** An entry in the answer to `tile/launches`. */
interface Entry {
    entry: string;
    range: Range;
    launches: { launch: string | null; range: Range; grid: [number, number, number]; expectations: Range[] }[];
}

/** How long a text must be unchanged before its launches are updated, in milliseconds. */
const UPDATE_DELAY = 300;

/** Larger files are dumps; their launches are listed only while they are open. */
const MAX_BYTES = 4 << 20;

const MAX_FILES = 2_000;

export class Tests implements vscode.Disposable {
    readonly controller = vscode.tests.createTestController("tile", "Tile IR");
    /** Run, run with the sanitizer, and debug. */
    readonly profiles: readonly vscode.TestRunProfile[];
    private readonly launches = new WeakMap<vscode.TestItem, RunTarget>();
    private readonly waiting = new Map<string, NodeJS.Timeout>();
    private readonly registered: vscode.Disposable[] = [];
    private watcher: vscode.Disposable | undefined;

    constructor(
        private readonly runs: Runs,
        private readonly debugging: Debugging,
        private readonly client: () => LanguageClient | undefined,
    ) {
        const profile = (name: string, sanitize: boolean): vscode.TestRunProfile =>
            this.controller.createRunProfile(
                name,
                vscode.TestRunProfileKind.Run,
                (request, token) => this.run(request, sanitize, token),
                !sanitize,
            );
        this.controller.resolveHandler = (item) => (item ? this.refresh(item) : this.discover());
        this.controller.refreshHandler = () => this.discover();
        const debug = this.controller.createRunProfile(
            "Debug",
            vscode.TestRunProfileKind.Debug,
            (request, token) => this.debug(request, token),
            true,
        );
        this.profiles = [profile("Run", false), profile("Run with sanitizer", true), debug];
        this.registered.push(
            vscode.workspace.onDidOpenTextDocument((document) => this.scheduleUpdate(document)),
            vscode.workspace.onDidChangeTextDocument(({ document }) => this.scheduleUpdate(document)),
            vscode.workspace.onDidCloseTextDocument((document) => {
                if (document.isUntitled) this.controller.items.delete(document.uri.toString());
            }),
        );
    }

    /** Lists the launches of the open documents after the server has started. */
    started(): void {
        for (const document of vscode.workspace.textDocuments) this.scheduleUpdate(document);
    }

    /** Lists the files of the workspace that have launches. The launches of a file are listed when the user expands it. */
    private async discover(): Promise<void> {
        const files = await vscode.workspace.findFiles("**/*.tile", undefined, MAX_FILES);
        await Promise.all(files.map((file) => this.scan(file)));
        this.watcher ??= this.watch();
    }

    private watch(): vscode.Disposable {
        const watcher = vscode.workspace.createFileSystemWatcher("**/*.tile");
        watcher.onDidCreate((file) => this.scan(file));
        watcher.onDidChange((file) => this.scan(file));
        watcher.onDidDelete((file) => this.controller.items.delete(file.toString()));
        this.registered.push(watcher);
        return watcher;
    }

    /** Lists a closed file if it has launches. */
    private async scan(file: vscode.Uri): Promise<void> {
        if (vscode.workspace.textDocuments.some((document) => document.uri.toString() === file.toString())) return;
        try {
            if ((await vscode.workspace.fs.stat(file)).size > MAX_BYTES) return;
            const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
            const listed = this.controller.items.get(file.toString());
            if (!/^\s*\/\/@\s*launch\b/m.test(text)) this.controller.items.delete(file.toString());
            else if (listed) await this.refresh(listed);
            else this.file(file);
        } catch {
            this.controller.items.delete(file.toString());
        }
    }

    private file(uri: vscode.Uri): vscode.TestItem {
        const known = this.controller.items.get(uri.toString());
        if (known) return known;
        const item = this.controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
        item.canResolveChildren = true;
        this.controller.items.add(item);
        return item;
    }

    private scheduleUpdate(document: vscode.TextDocument): void {
        if (document.languageId !== "tile" || !["file", "untitled"].includes(document.uri.scheme)) return;
        const key = document.uri.toString();
        clearTimeout(this.waiting.get(key));
        this.waiting.set(key, setTimeout(() => {
            this.waiting.delete(key);
            void this.list(document);
        }, UPDATE_DELAY));
    }

    /** Updates the launches of a file, which requires opening it. */
    private async refresh(item: vscode.TestItem): Promise<void> {
        if (!item.uri || item.parent) return;
        await this.list(await vscode.workspace.openTextDocument(item.uri));
    }

    private async list(document: vscode.TextDocument): Promise<void> {
        const client = this.client();
        if (!client?.isRunning() || document.isClosed) return;
        const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
        const entries = await client.sendRequest<Entry[] | null>("tile/launches", { textDocument }).catch(() => undefined);
        if (entries === undefined) return;
        if (!entries?.length) {
            this.controller.items.delete(document.uri.toString());
            return;
        }
        const file = this.file(document.uri);
        file.children.replace(entries.map((entry) => this.entry(document.uri, entry)));
    }

    private entry(uri: vscode.Uri, { entry, range, launches }: Entry): vscode.TestItem {
        const item = this.controller.createTestItem(`${uri}#${entry}`, `@${entry}`, uri);
        item.range = asRange(range);
        const children = launches.map(({ launch, range, grid, expectations }) => {
            const child = this.controller.createTestItem(`${uri}#${entry}#${launch ?? ""}`, launch ?? "launch", uri);
            const count = expectations.length;
            child.description = `${grid.join("×")}${count ? ` · ${count} expectation${count > 1 ? "s" : ""}` : ""}`;
            child.range = asRange(range);
            this.launches.set(child, { uri: uri.toString(), entry, launch });
            return child;
        });
        item.children.replace(children);
        return item;
    }

    private async run(request: vscode.TestRunRequest, sanitize: boolean, token: vscode.CancellationToken): Promise<void> {
        if (!vscode.workspace.isTrusted) return this.runs.showNotTrusted();
        const leaves = await this.leaves(request);
        const run = this.controller.createTestRun(request);
        for (const item of leaves) run.enqueued(item);
        const queue = leaves.values();
        const work = async (): Promise<void> => {
            for (const item of queue) {
                if (token.isCancellationRequested) run.skipped(item);
                else await this.runOne(run, item, sanitize, token);
            }
        };
        await Promise.all(Array.from({ length: workers(sanitize) }, work));
        run.end();
    }

    /** Debugs launches, one after the other. */
    private async debug(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
        if (!vscode.workspace.isTrusted) return this.runs.showNotTrusted();
        const leaves = await this.leaves(request);
        const run = this.controller.createTestRun(request);
        for (const item of leaves) {
            const target = this.launches.get(item);
            if (token.isCancellationRequested || item.uri?.scheme !== "file" || !target) run.skipped(item);
            else await this.debugOne(run, item, item.uri, target, token);
        }
        run.end();
    }

    /** Debugs a launch. It passes if the exit status of the run is 0. */
    private async debugOne(
        run: vscode.TestRun,
        item: vscode.TestItem,
        file: vscode.Uri,
        target: RunTarget,
        token: vscode.CancellationToken,
    ): Promise<void> {
        run.started(item);
        let status: number | undefined;
        const matches = ({ type, configuration }: vscode.DebugSession): boolean =>
            type === TYPE && configuration["program"] === file.fsPath
            && configuration["entry"] === target.entry && (configuration["launch"] ?? null) === target.launch;
        const subscriptions: vscode.Disposable[] = [];
        const ended = new Promise<void>((done) => {
            subscriptions.push(
                vscode.debug.registerDebugAdapterTrackerFactory(TYPE, {
                    createDebugAdapterTracker: (session) => (!matches(session) ? undefined : {
                        onDidSendMessage: ({ event, body }) => {
                            if (event === "exited") status = body?.exitCode;
                        },
                    }),
                }),
                vscode.debug.onDidTerminateDebugSession((session) => {
                    if (matches(session)) done();
                }),
                token.onCancellationRequested(() => vscode.debug.stopDebugging()),
            );
        });
        if (await this.debugging.debug(file, target)) await ended;
        vscode.Disposable.from(...subscriptions).dispose();
        if (status === undefined) run.skipped(item);
        else if (status === 0) run.passed(item);
        else run.failed(item, new vscode.TestMessage("The debugged run failed. See the debug console."));
    }

    private async runOne(run: vscode.TestRun, item: vscode.TestItem, sanitize: boolean, token: vscode.CancellationToken): Promise<void> {
        const target = this.launches.get(item);
        if (!target || !item.uri) return;
        // The server runs only open documents.
        await vscode.workspace.openTextDocument(item.uri);
        run.started(item);
        const write = (text: string): void => run.appendOutput(text.replace(/\r?\n/g, "\r\n"), undefined, item);
        write(`▶ ${target.entry} · ${item.label}\n`);
        const result = await this.runs.test({ ...target, sanitize }, token, write);
        const { uri } = item;
        if (result.kind === "stopped") {
            run.skipped(item);
        } else if (result.kind === "refused") {
            const message = new vscode.TestMessage(result.reason);
            if (item.range) message.location = new vscode.Location(uri, item.range);
            run.errored(item, message);
        } else if (result.skipped) {
            write(`${result.verdict}\n`);
            run.skipped(item);
        } else if (result.passed) {
            write(`${result.verdict}\n`);
            run.passed(item, result.seconds * 1_000);
        } else {
            write(`${result.verdict}\n`);
            const messages = result.failures.map(({ range, code, message }) => {
                const failure = new vscode.TestMessage(code ? `${code}: ${message}` : message);
                failure.location = new vscode.Location(uri, asRange(range));
                return failure;
            });
            run.failed(item, messages, result.seconds * 1_000);
        }
    }

    /** The launches of a request, in the order of the text. */
    private async leaves(request: vscode.TestRunRequest): Promise<vscode.TestItem[]> {
        const excluded = new Set(request.exclude);
        const found: vscode.TestItem[] = [];
        const walk = async (item: vscode.TestItem): Promise<void> => {
            if (excluded.has(item)) return;
            if (this.launches.has(item)) found.push(item);
            if (item.canResolveChildren && item.children.size === 0) await this.refresh(item);
            for (const [, child] of item.children) await walk(child);
        };
        const roots = request.include ?? [...this.controller.items].map(([, item]) => item);
        for (const item of roots) await walk(item);
        return found;
    }

    dispose(): void {
        for (const timer of this.waiting.values()) clearTimeout(timer);
        vscode.Disposable.from(...this.registered, this.controller).dispose();
    }
}

/** How many launches run at the same time, as in `tile test`: on the CPU as many as it has cores, so that an endless
    kernel does not hold up the others. */
function workers(sanitize: boolean): number {
    return sanitize || chosenTarget() === "cpu" ? availableParallelism() : 1;
}

function asRange({ start, end }: Range): vscode.Range {
    return new vscode.Range(start.line, start.character, end.line, end.character);
}
