// What kernels run on: the setting `tile.run.target`, chosen in the status bar.
import * as vscode from "vscode";

export const DEFAULT = "cpu";

/** The words that `tile run --target` takes. */
const TARGET = /^(?:cpu|cuda(?::\d{1,3})?)$/;

export function target(): string {
    const set = vscode.workspace.getConfiguration("tile").get("run.target", DEFAULT);
    return TARGET.test(set) ? set : DEFAULT;
}

/** Asks for the target and keeps it where it was set before, else with the user's settings. */
export async function chooseTarget(): Promise<void> {
    const now = target();
    const other = "another GPU…";
    const items: vscode.QuickPickItem[] = [
        { label: "cpu", description: "the CPU engine: needs no GPU, follows the language exactly, finds what goes wrong" },
        { label: "cuda", description: "the first GPU, through NVIDIA's compiler and driver" },
        { label: "cuda:1", description: "the second GPU" },
        { label: other },
    ];
    for (const item of items) if (item.label === now) item.description = `${item.description ?? ""} $(check)`;
    const choice = await vscode.window.showQuickPick(items, { title: "What kernels run on", placeHolder: `now: ${now}` });
    const label = choice?.label === other ? await askForNumber() : choice?.label;
    if (!label) return;
    const settings = vscode.workspace.getConfiguration("tile");
    const isOfWorkspace = settings.inspect("run.target")?.workspaceValue !== undefined;
    const level = isOfWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await settings.update("run.target", label, level);
}

async function askForNumber(): Promise<string | undefined> {
    const number = await vscode.window.showInputBox({
        title: "The number of the GPU",
        value: "2",
        validateInput: (text) => (/^\d{1,3}$/.test(text) ? undefined : "a number, as nvidia-smi counts them"),
    });
    return number === undefined ? undefined : `cuda:${number}`;
}
