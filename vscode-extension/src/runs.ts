// Running kernels: the commands, the output, and the check of Workspace Trust.
import * as vscode from "vscode";
import {
    ExecuteCommandRequest,
    type LanguageClient,
    type Middleware,
    WorkDoneProgress,
} from "vscode-languageclient/node";
import { type Answer as GeneratedText, GENERATING, type GeneratedCode } from "./generated";
import type { Listings } from "./listings";
import { nearest, type RunTarget } from "./nearest";
import { target as chosenTarget } from "./target";

/** The server's run command, used by its code lenses. */
const RUN = "tile.run";

/** The same with the sanitizer. */
const RUN_SANITIZED = "tile.runSanitized";

/** The server's commands that run a launch, and what they add to its argument. */
const RUNNING: Readonly<Record<string, Partial<RunTarget>>> = {
    [RUN]: {},
    [RUN_SANITIZED]: { sanitize: true },
    "tile.profile": { observe: "profile", target: "cpu" },
    "tile.trace": { observe: "trace", target: "cpu" },
    "tile.bench": { observe: "bench" },
};

/** Searches for the fastest hints of a kernel. */
const TUNE = "tile.tune";

/** Runs all launches of a document. */
const TEST_ALL = "tile.testAll";

const COPY_BYTECODE = "tile.copyBytecode";

/** Shows what NVIDIA's compiler did not optimize, as diagnostics. */
const REMARKS = "tile.remarks";

/** The server's commands for a document, which defaults to the one in the editor. */
const DOCUMENT_COMMANDS = [TEST_ALL, COPY_BYTECODE, REMARKS, ...GENERATING];

/** Commands that start programs: kernels, the debugger, and NVIDIA's compiler. */
const STARTING = [...Object.keys(RUNNING), TUNE, TEST_ALL, "tile.debug", "tile.showPtx", "tile.showSass", REMARKS];

/** Runs that take longer than this many milliseconds show a notification with a button to stop them. */
const LONG_RUN = 2_000;

/** The parameters of the server's notification `tile/runOutput`. */
export interface RunOutput extends RunTarget {
    stream: "stdout" | "stderr";
    text: string;
}

/** Why a run failed. */
export interface Failure {
    range: { start: { line: number; character: number }; end: { line: number; character: number } };
    code: string | null;
    message: string;
}

interface Ended {
    passed: boolean;
    seconds: number;
    verdict: string;
    /** Why the launch was skipped, if it was. */
    skipped?: string | null;
    failures: Failure[];
}

export type RunResult = ({ kind: "ended" } & Ended) | { kind: "stopped" } | { kind: "refused"; reason: string };

export class Runs implements vscode.Disposable {
    private readonly output = vscode.window.createOutputChannel("Tile");
    private readonly written = new vscode.EventEmitter<RunOutput>();
    readonly onOutput = this.written.event;
    private count = 0;

    constructor(
        private readonly client: () => LanguageClient | undefined,
        private readonly generated: GeneratedCode,
        private readonly listings: Listings,
    ) {}

    readonly middleware: Middleware = {
        provideCodeLenses: async (document, token, next) => {
            const lenses = await next(document, token);
            return vscode.workspace.isTrusted ? lenses : lenses?.filter((lens) => !STARTING.includes(lens.command?.command ?? ""));
        },
        executeCommand: (command, args, next) => {
            const added = RUNNING[command];
            if (added) {
                const [target] = args as (RunTarget | undefined)[];
                return target ? this.run({ sanitize: false, ...target, ...added }) : this.runNearest(added);
            }
            if (command === TUNE) return this.tune(args[0] as RunTarget | undefined, next);
            if (!DOCUMENT_COMMANDS.includes(command)) return next(command, args);
            const [document] = args as ({ uri: string } | undefined)[];
            return this.executeForDocument(command, document?.uri ? document : this.activeDocument(), next);
        },
    };

    listen(client: LanguageClient): void {
        client.onNotification("tile/runOutput", (part: RunOutput) => {
            this.output.append(part.text);
            this.written.fire(part);
            const reveal = vscode.workspace.getConfiguration("tile").get("run.revealOutput", "onError");
            if (reveal === "onError" && part.stream === "stderr") this.show();
        });
    }

    show(): void {
        this.output.show(true);
    }

    /** Runs the launch nearest to the cursor. */
    async runNearest(added: Partial<RunTarget> = {}): Promise<void> {
        const target = await this.nearestTarget();
        if (target) await this.run({ ...target, sanitize: false, ...added });
    }

    /** The launch nearest to the cursor. If there is none, says why. */
    private async nearestTarget(): Promise<RunTarget | undefined> {
        const editor = vscode.window.activeTextEditor;
        if (editor?.document.languageId !== "tile") {
            void vscode.window.showInformationMessage("Open a .tile file to run a kernel.");
            return undefined;
        }
        const client = this.running();
        if (!client) return undefined;
        const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(editor.document);
        const entries = (await client.sendRequest<{ launches: Listed[]; entry: string }[] | null>("tile/launches", { textDocument })) ?? [];
        const launches = entries.flatMap(({ entry, launches }) => launches.map((each) => ({ ...each, entry })));
        const found = nearest(launches, editor.selection.active.line);
        if (!found) {
            void vscode.window.showInformationMessage(
                "This file has no launches. Write one above an entry, for example: //@ launch grid=(1, 1, 1)",
            );
            return undefined;
        }
        const { entry, launch } = found;
        return { uri: textDocument.uri, entry, launch };
    }

    /** Tunes the kernel of a lens, or the one nearest to the cursor. The server shows the progress and the table, and asks whether to write the hints. */
    private async tune(lens: RunTarget | undefined, next: (command: string, args: unknown[]) => unknown): Promise<unknown> {
        if (!vscode.workspace.isTrusted) return this.showNotTrusted();
        const target = lens ?? (await this.nearestTarget());
        if (!target) return undefined;
        try {
            return await next(TUNE, [withTarget(target)]);
        } catch (error) {
            void vscode.window.showErrorMessage(reason(error));
            return undefined;
        }
    }

    /** Runs a launch for the Test Explorer and passes on its output. */
    async test(target: RunTarget, token: vscode.CancellationToken, write: (text: string) => void): Promise<RunResult> {
        const matches = (part: RunOutput): boolean =>
            part.uri === target.uri && part.entry === target.entry && part.launch === target.launch;
        const subscription = this.written.event((part) => matches(part) && write(part.text));
        try {
            return await this.send({ ...target, test: true }, token);
        } finally {
            subscription.dispose();
        }
    }

    /** Shows that the workspace is not trusted. */
    async showNotTrusted(): Promise<void> {
        const choice = await vscode.window.showWarningMessage("Kernels and compilers can be started only in a trusted workspace.", "Manage trust");
        if (choice) await vscode.commands.executeCommand("workbench.trust.manage");
    }

    private running(): LanguageClient | undefined {
        const client = this.client();
        if (client?.isRunning()) return client;
        void vscode.window.showErrorMessage("The Tile language server is not running.", "Restart server").then((choice) => {
            if (choice) return vscode.commands.executeCommand("tile.restartServer");
            return undefined;
        });
        return undefined;
    }

    private activeDocument(): { uri: string } | undefined {
        const document = vscode.window.activeTextEditor?.document;
        const client = this.client();
        if (document?.languageId !== "tile" || !client) {
            void vscode.window.showInformationMessage("Open a .tile file first.");
            return undefined;
        }
        return client.code2ProtocolConverter.asTextDocumentIdentifier(document);
    }

    private async executeForDocument(command: string, document: { uri: string } | undefined, next: (command: string, args: unknown[]) => unknown): Promise<unknown> {
        if (!document) return undefined;
        if (STARTING.includes(command) && !vscode.workspace.isTrusted) return this.showNotTrusted();
        if (command === TEST_ALL) return this.testAll(document.uri);
        try {
            if (GENERATING.includes(command)) return await this.generate(command, document, next);
            if (command === REMARKS) return await whileCompiling(async () => next(command, [document]));
            const answer = (await next(command, [document])) as { base64?: string; bytes?: number } | undefined;
            if (command === COPY_BYTECODE && answer?.base64 !== undefined) {
                await vscode.env.clipboard.writeText(answer.base64);
                vscode.window.setStatusBarMessage(`$(clippy) Copied ${answer.bytes} bytes of bytecode as base64`, 5_000);
            }
            return answer;
        } catch (error) {
            void vscode.window.showErrorMessage(reason(error));
            return undefined;
        }
    }

    /** Shows a text that the server generates from a document, and progress, since the compiler takes a while. */
    private async generate(command: string, document: { uri: string }, next: (command: string, args: unknown[]) => unknown): Promise<unknown> {
        const work = async (): Promise<GeneratedText> => (await next(command, [{ ...document, show: false }])) as GeneratedText;
        const source = vscode.Uri.parse(document.uri).toString();
        const version = vscode.workspace.textDocuments.find((each) => each.uri.toString() === source)?.version;
        const answer = await whileCompiling(work);
        const uri = await this.generated.show(document.uri, answer);
        if (answer.lines) this.listings.relate(command, uri, document.uri, version, answer.lines);
        return answer;
    }

    /** Runs all launches of a document, one after the other: on the CPU with the sanitizer, or on the chosen GPU. Continues after a failure. */
    private async testAll(uri: string): Promise<void> {
        const client = this.running();
        if (!client) return;
        const sanitize = chosenTarget() === "cpu";
        const entries = (await client.sendRequest<{ launches: Listed[]; entry: string }[] | null>("tile/launches", { textDocument: { uri } })) ?? [];
        const all = entries.flatMap(({ entry, launches }) => launches.map(({ launch }) => ({ uri, entry, launch, sanitize, test: true })));
        let [passed, skipped] = [0, 0];
        const work = async (progress: vscode.Progress<{ message?: string; increment?: number }>, token: vscode.CancellationToken): Promise<void> => {
            for (const target of all) {
                if (token.isCancellationRequested) return;
                progress.report({ message: title(target), increment: 100 / all.length });
                this.output.appendLine(`▶ ${title(target)}`);
                const result = await this.send(target, token);
                this.conclude(target, result);
                if (result.kind !== "ended") continue;
                if (result.skipped) skipped += 1;
                else if (result.passed) passed += 1;
            }
        };
        const location = vscode.ProgressLocation.Notification;
        await vscode.window.withProgress({ location, title: "Testing launches", cancellable: true }, work);
        const summary = `${passed} of ${all.length} launches passed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
        this.output.appendLine(summary);
        const show = passed + skipped === all.length ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
        void show(summary, "Show output").then((choice) => choice && this.show());
    }

    private async run(target: RunTarget): Promise<RunResult | undefined> {
        if (!vscode.workspace.isTrusted) {
            await this.showNotTrusted();
            return undefined;
        }
        this.output.appendLine(`▶ ${title(target)}`);
        if (vscode.workspace.getConfiguration("tile").get("run.revealOutput") === "always") this.show();

        const stop = new vscode.CancellationTokenSource();
        const heading = `Running ${title(target)}`;
        let report = (_message: string): void => undefined;
        const work = this.send(target, stop.token, (message) => report(message));
        void vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: heading }, () => work);
        const long = setTimeout(() => {
            void vscode.window.withProgress(
                { location: vscode.ProgressLocation.Notification, title: heading, cancellable: true },
                (progress, token) => {
                    report = (message) => progress.report({ message });
                    token.onCancellationRequested(() => stop.cancel());
                    return work;
                },
            );
        }, LONG_RUN);
        const result = await work;
        clearTimeout(long);
        stop.dispose();
        this.conclude(target, result);
        if (result.kind === "refused") {
            void this.showRefused(target, result.reason);
        }
        return result;
    }

    /** Shows why a launch did not run. On a GPU, another target is the usual way out. */
    private async showRefused(target: RunTarget, reason: string): Promise<void> {
        const choices = withTarget(target).target === "cpu" ? ["Show output"] : ["Select target", "Show output"];
        const choice = await vscode.window.showErrorMessage(`${title(target)} did not run: ${reason}`, ...choices);
        if (choice === "Select target") await vscode.commands.executeCommand("tile.selectTarget");
        else if (choice) this.show();
    }

    private async send(target: RunTarget, token: vscode.CancellationToken, report?: (message: string) => void): Promise<RunResult> {
        const client = this.client();
        if (!client?.isRunning()) return { kind: "refused", reason: "the language server is not running" };
        const workDoneToken = `tile-run-${++this.count}`;
        // With this token, the server reports the progress here instead of in a separate notification.
        const progress = client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
            if (value.kind === "report" && value.message) report?.(value.message);
        });
        try {
            const params = { command: RUN, arguments: [withTarget(target)], workDoneToken };
            const answer = (await client.sendRequest(ExecuteCommandRequest.type, params, token)) as { stopped?: boolean } & Ended;
            return answer?.stopped ? { kind: "stopped" } : { kind: "ended", ...answer };
        } catch (error) {
            return token.isCancellationRequested ? { kind: "stopped" } : { kind: "refused", reason: reason(error) };
        } finally {
            progress.dispose();
        }
    }

    private conclude(target: RunTarget, result: RunResult): void {
        const name = title(target);
        switch (result.kind) {
            case "stopped":
                return this.output.appendLine(`■ ${name} was stopped`);
            case "refused":
                return this.output.appendLine(`■ ${name}: ${result.reason}`);
            case "ended":
                return this.output.appendLine(result.verdict);
        }
    }

    dispose(): void {
        this.written.dispose();
        this.output.dispose();
    }
}

interface Listed {
    launch: string | null;
    range: { start: { line: number } };
}

/** Shows progress in the status bar while NVIDIA's compiler runs. */
function whileCompiling<T>(work: () => Promise<T>): Thenable<T> {
    return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: "Tile: Compiling" }, work);
}

/** Adds the target. Only the CPU engine has a sanitizer. */
function withTarget(target: RunTarget): RunTarget {
    return { ...target, target: target.target ?? (target.sanitize ? "cpu" : chosenTarget()) };
}

function title({ entry, launch }: RunTarget): string {
    return launch ? `${entry} · ${launch}` : entry;
}

function reason(error: unknown): string {
    return error instanceof Error ? error.message : `${error}`;
}
