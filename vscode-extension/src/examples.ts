// The examples included in the extension: each one opens as a new, untitled file.
import * as vscode from "vscode";

interface Example extends vscode.QuickPickItem {
    uri: vscode.Uri;
}

/** The examples listed first; the others follow by name. */
const FIRST = ["hello_world", "hello_grid", "vector_add", "saxpy", "softmax"];

export async function openExample(extension: vscode.Uri, name?: unknown): Promise<void> {
    const all = await examples(extension);
    if (all.length === 0) {
        void vscode.window.showInformationMessage("This package contains no examples.");
        return;
    }
    const named = typeof name === "string" ? all.find((each) => each.label === name) : undefined;
    const chosen = named ?? (await vscode.window.showQuickPick(all, { title: "Open example", matchOnDescription: true }));
    if (!chosen) return;
    const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(chosen.uri));
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "tile", content }));
}

async function examples(extension: vscode.Uri): Promise<Example[]> {
    const folder = vscode.Uri.joinPath(extension, "examples");
    const rank = ({ label }: Example): number => (FIRST.indexOf(label) + FIRST.length + 1) % (FIRST.length + 1);
    const depth = ({ label }: Example): number => label.split("/").length;
    const before = (a: Example, b: Example): number => rank(a) - rank(b) || depth(a) - depth(b) || a.label.localeCompare(b.label);
    const all = (await files(folder)).map(async (file) => {
        const uri = vscode.Uri.joinPath(folder, file);
        const [title = ""] = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)).split("\n", 1);
        return { label: file.replace(/\.tile$/, ""), description: title.replace(/^\/\/\s*/, ""), uri };
    });
    return (await Promise.all(all)).sort(before);
}

/** The programs in a folder and the folders in it, by their paths; none if the folder does not exist. */
async function files(folder: vscode.Uri): Promise<string[]> {
    let entries: [string, vscode.FileType][];
    try {
        entries = await vscode.workspace.fs.readDirectory(folder);
    } catch {
        return [];
    }
    const found = entries.map(async ([name, type]) => {
        if (type !== vscode.FileType.Directory) return name.endsWith(".tile") ? [name] : [];
        return (await files(vscode.Uri.joinPath(folder, name))).map((file) => `${name}/${file}`);
    });
    return (await Promise.all(found)).flat();
}
