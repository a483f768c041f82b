// A running language server and its client: start, stop, restart, and their state.
import { homedir } from "node:os";
import * as vscode from "vscode";
import { LanguageClient, type Middleware, RevealOutputChannelOn, State } from "vscode-languageclient/node";
import { SCHEME as BYTECODE } from "./bytecode";
import { linking } from "./explain";
import { SCHEME as GENERATED } from "./generated";
import { type Output, runProgram } from "./program";
import { findServer, type Search } from "./server";

export type SessionState =
    | { kind: "starting" }
    | { kind: "running"; program: string; version: string | undefined }
    | { kind: "stopped" }
    | { kind: "failed"; reason: string; isMissing: boolean };

/** The choice in the message about a missing program that opens the page about its installation. */
export const INSTALL = "How to install";

export class Session {
    client: LanguageClient | undefined;
    /** Serializes starts and stops. */
    private queue: Promise<void> = Promise.resolve();

    constructor(
        private readonly extensionPath: string,
        private readonly log: vscode.LogOutputChannel,
        private readonly middleware: Middleware,
        private readonly listen: (client: LanguageClient) => void,
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

    /** Runs the server's program with other arguments. */
    async runProgram(args: readonly string[], input?: Uint8Array): Promise<Output> {
        const search = this.find();
        if ("missing" in search) throw new Error(search.missing);
        return runProgram(search.program, args, environment(), input);
    }

    /** The server's program, to be started for other purposes, and its environment. */
    program(): { program: string; env: NodeJS.ProcessEnv } | { missing: string } {
        const search = this.find();
        return "missing" in search ? search : { program: search.program, env: environment() };
    }

    private find(): Search {
        return findServer({
            setting: vscode.workspace.getConfiguration("tile").get("server.path", ""),
            extension: this.extensionPath,
            workspace: vscode.workspace.workspaceFolders?.find((folder) => folder.uri.scheme === "file")?.uri.fsPath,
            env: process.env,
            platform: process.platform,
        });
    }

    private enqueue(step: () => Promise<void>): Promise<void> {
        this.queue = this.queue.then(step, step);
        return this.queue;
    }

    private async startNow(): Promise<void> {
        const search = this.find();
        if ("missing" in search) {
            this.fail(search.missing, true);
            return;
        }
        const { program } = search;
        this.log.info(`Starting ${program} lsp (from ${search.from})`);
        this.report({ kind: "starting" });
        const client = new LanguageClient(
            "tile",
            "Tile IR",
            { command: program, args: ["lsp"], options: { env: environment() } },
            {
                documentSelector: [
                    { scheme: "file", language: "tile" },
                    { scheme: "untitled", language: "tile" },
                    { scheme: BYTECODE, language: "tile" },
                    { scheme: GENERATED, language: "tile" },
                ],
                outputChannel: this.log,
                revealOutputChannelOn: RevealOutputChannelOn.Never,
                initializationOptions: {
                    trusted: vscode.workspace.isTrusted,
                    // Commands that the client implements; the server offers them in lenses.
                    commands: ["tile.debug", "tile.view"],
                    filesOutsideFolder: vscode.workspace.getConfiguration("tile").get("run.filesOutsideFolder", false),
                },
                middleware: { ...this.middleware, ...linking },
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
        this.listen(client);
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
            this.log.warn(`The server did not shut down cleanly: ${error}`);
        }
        this.report({ kind: "stopped" });
    }

    private fail(reason: string, isMissing = false): void {
        this.log.error(reason);
        this.report({ kind: "failed", reason, isMissing });
        const choices = isMissing ? [INSTALL, "Open settings"] : ["Open settings", "Show server log"];
        void vscode.window.showErrorMessage(reason, ...choices).then((choice) => {
            if (choice === INSTALL) return vscode.commands.executeCommand("tile.install");
            if (choice === "Open settings") return openSettings("@id:tile.server.path");
            if (choice === "Show server log") this.log.show();
            return undefined;
        });
    }
}

/** Opens the settings of the machine that runs the server, which differs from that of the window in a remote session. */
function openSettings(query: string): Thenable<unknown> {
    return vscode.env.remoteName
        ? vscode.commands.executeCommand("workbench.action.openRemoteSettings", { query })
        : vscode.commands.executeCommand("workbench.action.openSettings", query);
}

/** The environment of the server and of the kernels it runs. */
function environment(): NodeJS.ProcessEnv {
    const settings = vscode.workspace.getConfiguration("tile");
    const env = { ...process.env };
    const tileiras = settings.get<string>("tools.tileiras", "");
    if (tileiras) env["TILE_TILEIRAS"] = tileiras.replace(/^~(?=[\\/])/, () => homedir());
    for (const [name, value] of Object.entries(settings.get<Record<string, string | null>>("server.extraEnv", {}))) {
        if (value === null) delete env[name];
        else env[name] = value;
    }
    return env;
}
