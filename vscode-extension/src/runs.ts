// Running kernels: the command, the output they write, and the gate of Workspace Trust.
import * as vscode from "vscode";
import { CodeLensRequest, ExecuteCommandRequest, type LanguageClient, type Middleware } from "vscode-languageclient/node";
import { nearest, type RunTarget } from "./nearest";

/** The server's command; its code lenses carry it. */
const RUN = "tile.run";

/** The same with the sanitizer looking on; its target says so. */
const RUN_SANITIZED = "tile.runSanitized";

/** Everything that runs kernels. */
const RUNNING = [RUN, RUN_SANITIZED, "tile.testAll"];

/** A run that takes longer than this many milliseconds shows how to stop it. */
const LONG = 2_000;

/** The parameters of the server's notification `tile/runOutput`. */
export interface RunOutput extends RunTarget {
    stream: "stdout" | "stderr";
    text: string;
}

export class Runs implements vscode.Disposable {
    private readonly output = vscode.window.createOutputChannel("Tile");
    private readonly written = new vscode.EventEmitter<RunOutput>();
    readonly onOutput = this.written.event;

    constructor(private readonly client: () => LanguageClient | undefined) {}

    readonly middleware: Middleware = {
        provideCodeLenses: async (document, token, next) => {
            const lenses = await next(document, token);
            return vscode.workspace.isTrusted ? lenses : lenses?.filter((lens) => !RUNNING.includes(lens.command?.command ?? ""));
        },
        executeCommand: (command, args, next) => {
            if (command !== RUN && command !== RUN_SANITIZED) return next(command, args);
            const [target] = args as (RunTarget | undefined)[];
            return target ? this.run(target) : this.runNearest();
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

    /** Runs the launch that stands nearest to the cursor. */
    async runNearest(): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        if (editor?.document.languageId !== "tile") {
            void vscode.window.showInformationMessage("Open a .tile file to run a kernel.");
            return;
        }
        const client = this.client();
        if (!client?.isRunning()) {
            void vscode.window.showErrorMessage("The Tile language server is not running.", "Restart server").then((choice) => {
                if (choice) return vscode.commands.executeCommand("tile.restartServer");
                return undefined;
            });
            return;
        }
        const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(editor.document);
        const lenses = (await client.sendRequest(CodeLensRequest.type, { textDocument })) ?? [];
        const lens = nearest(
            lenses.filter((each) => each.command?.command === RUN && each.command.arguments?.length),
            editor.selection.active.line,
        );
        if (!lens?.command?.arguments) {
            void vscode.window.showInformationMessage(
                "No launch stands above an entry in this file. Write one, for example: //@ launch grid=(1, 1, 1)",
            );
            return;
        }
        await vscode.commands.executeCommand(RUN, ...lens.command.arguments);
    }

    private async run(target: RunTarget): Promise<void> {
        if (!vscode.workspace.isTrusted) {
            const choice = await vscode.window.showWarningMessage("Kernels run only in a trusted workspace.", "Manage trust");
            if (choice) await vscode.commands.executeCommand("workbench.trust.manage");
            return;
        }
        const client = this.client();
        if (!client) return;
        const { entry, launch } = target;
        const name = launch ? `${entry} · ${launch}` : entry;
        this.output.appendLine(`▶ ${name}`);
        if (vscode.workspace.getConfiguration("tile").get("run.revealOutput") === "always") this.show();

        const stop = new vscode.CancellationTokenSource();
        const title = `Running ${name}`;
        const work = client.sendRequest(ExecuteCommandRequest.type, { command: RUN, arguments: [target] }, stop.token).then(
            () => undefined,
            (error: Error) => this.failed(name, stop.token.isCancellationRequested, error),
        );
        void vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () => work);
        const long = setTimeout(() => {
            void vscode.window.withProgress(
                { location: vscode.ProgressLocation.Notification, title, cancellable: true },
                (_progress, token) => {
                    token.onCancellationRequested(() => stop.cancel());
                    return work;
                },
            );
        }, LONG);
        await work;
        clearTimeout(long);
        stop.dispose();
    }

    private failed(name: string, stopped: boolean, error: Error): void {
        this.output.appendLine(stopped ? `■ ${name} was stopped` : `■ ${name}: ${error.message}`);
        if (stopped) return;
        void vscode.window.showErrorMessage(`${name} did not run: ${error.message}`, "Show output").then((choice) => {
            if (choice) this.show();
        });
    }

    dispose(): void {
        this.written.dispose();
        this.output.dispose();
    }
}
