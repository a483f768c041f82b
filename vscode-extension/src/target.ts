// What kernels run on: the setting `tile.run.target`, chosen in the status bar. The server knows what there is to choose.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

export const DEFAULT = "cpu";

/** An entry in the answer to `tile/targets`. */
interface Listed {
    target: string;
    description: string;
}

/** The words that `tile run --target` takes; the user's own names are in `tile/targets` of the configuration. */
export function target(): string {
    return vscode.workspace.getConfiguration("tile").get("run.target", DEFAULT).trim() || DEFAULT;
}

/** The command that starts workers on another machine; mostly none. */
export function launcher(): string {
    return vscode.workspace.getConfiguration("tile").get("run.launcher", "").trim();
}

/** Asks for the target and keeps it where it was set before, else with the user's settings. */
export async function chooseTarget(client: LanguageClient | undefined): Promise<void> {
    const now = target();
    const listed = client?.isRunning() ? await client.sendRequest<Listed[]>("tile/targets", {}) : [{ target: DEFAULT, description: "the CPU engine" }];
    const items: vscode.QuickPickItem[] = listed.map(
        ({ target, description }) => ({ label: target, description: target === now ? `${description} $(check)` : description }));
    const number: vscode.QuickPickItem = { label: "another GPU of this machine…" };
    const own: vscode.QuickPickItem = {
        label: "a machine of yours…",
        description: "names from the file tile/targets of your configuration, such as: gpubox = ssh gpubox",
    };
    const choice = await vscode.window.showQuickPick([...items, number, own], { title: "What kernels run on", placeHolder: `now: ${now}` });
    const label = choice === number ? await askForNumber() : choice === own ? await askForName(now) : choice?.label;
    if (!label) return;
    const settings = vscode.workspace.getConfiguration("tile");
    const isOfWorkspace = settings.inspect("run.target")?.workspaceValue !== undefined;
    const level = isOfWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await settings.update("run.target", label, level);
}

async function askForNumber(): Promise<string | undefined> {
    const number = await vscode.window.showInputBox({
        title: "The number of the GPU",
        value: "1",
        validateInput: (text) => (/^\d{1,3}$/.test(text) ? undefined : "a number, as nvidia-smi counts them"),
    });
    return number === undefined ? undefined : `cuda:${number}`;
}

function askForName(now: string): Thenable<string | undefined> {
    return vscode.window.showInputBox({
        title: "What to run on, as tile run --target takes it",
        value: now,
        prompt: "gpubox is the first GPU there, gpubox:cuda:1 the second, gpubox:cpu its CPU",
        validateInput: (text) => (text.trim() ? undefined : "a name"),
    });
}
