// One running language server and its client: start, stop, restart, and what state it is in.
import * as vscode from "vscode";
import { LanguageClient, RevealOutputChannelOn, State } from "vscode-languageclient/node";
import type { Runs } from "./runs";
import { findServer } from "./server";

export type SessionState =
    | { kind: "starting" }
    | { kind: "running"; program: string; version: string | undefined }
    | { kind: "stopped" }
    | { kind: "failed"; reason: string };

export class Session {
    client: LanguageClient | undefined;
    /** Starts and stops wait for one another. */
    private queue: Promise<void> = Promise.resolve();

    constructor(
        private readonly extensionPath: string,
        private readonly log: vscode.LogOutputChannel,
        private readonly runs: Runs,
        private readonly report: (state: SessionState) => void,
    ) {}

    start(): Promise<void> {
        return this.enqueue(() => this.startNow());
    }

    stop(): Promise<void> {
        return this.enqueue(() => this.stopNow());
    }

    restart(): Promise<void> {
        return this.enqueue(async () => {
            await this.stopNow();
            await this.startNow();
        });
    }

    private enqueue(step: () => Promise<void>): Promise<void> {
        this.queue = this.queue.then(step, step);
        return this.queue;
    }

    private async startNow(): Promise<void> {
        const settings = vscode.workspace.getConfiguration("tile");
        const search = findServer({
            setting: settings.get("server.path", ""),
            extension: this.extensionPath,
            workspace: vscode.workspace.workspaceFolders?.find((folder) => folder.uri.scheme === "file")?.uri.fsPath,
            env: process.env,
            platform: process.platform,
        });
        if ("missing" in search) {
            this.fail(search.missing);
            return;
        }
        const { program } = search;
        this.log.info(`Starting ${program} lsp (from ${search.from})`);
        this.report({ kind: "starting" });
        const client = new LanguageClient(
            "tile",
            "Tile IR",
            { command: program, args: ["lsp"], options: { env: environment(settings.get("server.extraEnv", {})) } },
            {
                documentSelector: [
                    { scheme: "file", language: "tile" },
                    { scheme: "untitled", language: "tile" },
                ],
                outputChannel: this.log,
                revealOutputChannelOn: RevealOutputChannelOn.Never,
                initializationOptions: {
                    trusted: vscode.workspace.isTrusted,
                    filesOutsideFolder: settings.get("run.filesOutsideFolder", false),
                },
                middleware: this.runs.middleware,
            },
        );
        client.onDidChangeState(({ newState }) => {
            if (client !== this.client) return;
            if (newState === State.Running) {
                this.report({ kind: "running", program, version: client.initializeResult?.serverInfo?.version });
            } else {
                this.report({ kind: newState === State.Starting ? "starting" : "stopped" });
            }
        });
        this.runs.listen(client);
        this.client = client;
        try {
            await client.start();
        } catch (error) {
            this.client = undefined;
            this.fail(`The Tile language server did not start: ${program} lsp: ${error instanceof Error ? error.message : error}`);
        }
    }

    private async stopNow(): Promise<void> {
        const client = this.client;
        this.client = undefined;
        if (!client) return;
        try {
            await client.dispose();
        } catch (error) {
            this.log.warn(`The server did not stop in order: ${error}`);
        }
        this.report({ kind: "stopped" });
    }

    private fail(reason: string): void {
        this.log.error(reason);
        this.report({ kind: "failed", reason });
        void vscode.window.showErrorMessage(reason, "Open settings", "Show server log").then((choice) => {
            if (choice === "Open settings") return openSettings("@id:tile.server.path");
            if (choice === "Show server log") this.log.show();
            return undefined;
        });
    }
}

/** Settings of the machine where the server runs, which is not where the window is when VS Code works remotely. */
function openSettings(query: string): Thenable<unknown> {
    return vscode.env.remoteName
        ? vscode.commands.executeCommand("workbench.action.openRemoteSettings", { query })
        : vscode.commands.executeCommand("workbench.action.openSettings", query);
}

function environment(extra: Record<string, string | null>): NodeJS.ProcessEnv {
    const env = { ...process.env };
    for (const [name, value] of Object.entries(extra)) {
        if (value === null) delete env[name];
        else env[name] = value;
    }
    return env;
}
