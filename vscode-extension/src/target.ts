// The target of kernels: the setting `tile.run.target`, selected in the status bar from the server's list.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

export const DEFAULT = "cpu";

/** An entry in the answer to `tile/targets`. */
interface Listed {
    target: string;
    description: string;
}

/** The target, as for `tile run --target`; the user's own names are in `tile/targets` of the configuration directory. */
export function target(): string {
    return vscode.workspace.getConfiguration("tile").get("run.target", DEFAULT).trim() || DEFAULT;
}

/** The command that starts workers on another machine; empty for none. */
export function launcher(): string {
    return vscode.workspace.getConfiguration("tile").get("run.launcher", "").trim();
}

/** Lets the user select the target, and saves it at the level where it is set, or else in the user settings. */
export async function chooseTarget(client: LanguageClient | undefined): Promise<void> {
    const now = target();
    const listed = client?.isRunning() ? await client.sendRequest<Listed[]>("tile/targets", {}) : [{ target: DEFAULT, description: "the CPU engine" }];
    const items: vscode.QuickPickItem[] = listed.map(
        ({ target, description }) => ({ label: target, description: target === now ? `${description} $(check)` : description }));
    const otherGpu: vscode.QuickPickItem = { label: "Another GPU of this machine…" };
    const otherMachine: vscode.QuickPickItem = {
        label: "Another machine…",
        description: "A name from the file tile/targets in your configuration directory, which contains lines such as: gpubox = ssh gpubox",
    };
    const choice = await vscode.window.showQuickPick([...items, otherGpu, otherMachine], { title: "Select target", placeHolder: `Current target: ${now}` });
    const label = choice === otherGpu ? await askForNumber() : choice === otherMachine ? await askForName(now) : choice?.label;
    if (!label) return;
    const settings = vscode.workspace.getConfiguration("tile");
    const isWorkspaceSetting = settings.inspect("run.target")?.workspaceValue !== undefined;
    const level = isWorkspaceSetting ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await settings.update("run.target", label, level);
}

async function askForNumber(): Promise<string | undefined> {
    const number = await vscode.window.showInputBox({
        title: "GPU number",
        value: "1",
        validateInput: (text) => (/^\d{1,3}$/.test(text) ? undefined : "Enter a number from the list of nvidia-smi"),
    });
    return number === undefined ? undefined : `cuda:${number}`;
}

function askForName(now: string): Thenable<string | undefined> {
    return vscode.window.showInputBox({
        title: "Target, as for tile run --target",
        value: now,
        prompt: "gpubox is the first GPU of that machine, gpubox:cuda:1 the second one, and gpubox:cpu its CPU",
        validateInput: (text) => (text.trim() ? undefined : "Enter a name"),
    });
}
