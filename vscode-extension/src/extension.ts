// Wires the parts together. Knows no rule of the language: everything it says about a file comes from the server.
import * as vscode from "vscode";
import { type RunOutput, Runs } from "./runs";
import { Session } from "./session";
import { StatusItem } from "./status";

/** What other extensions, and the tests, get. */
export interface Api {
    /** What kernels write while they run. */
    readonly onRunOutput: vscode.Event<RunOutput>;
}

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<Api> {
    const log = vscode.window.createOutputChannel("Tile Server", { log: true });
    const runs = new Runs(() => session?.client);
    const status = new StatusItem();
    const current = new Session(context.extensionPath, log, runs, (state) => status.show(state));
    session = current;
    context.subscriptions.push(
        log,
        runs,
        status,
        vscode.commands.registerCommand("tile.runNearest", () => runs.runNearest()),
        vscode.commands.registerCommand("tile.showOutput", () => runs.show()),
        vscode.commands.registerCommand("tile.showServerLog", () => log.show()),
        vscode.commands.registerCommand("tile.restartServer", () => current.restart()),
        vscode.workspace.onDidChangeConfiguration((event) => {
            if (event.affectsConfiguration("tile.server")) void current.restart();
        }),
        // The settings of a workspace count from here on, and so does running.
        vscode.workspace.onDidGrantWorkspaceTrust(() => current.restart()),
    );
    await current.start();
    return { onRunOutput: runs.onOutput };
}

export async function deactivate(): Promise<void> {
    await session?.stop();
}
