// The examples included in the extension. Each one opens as a copy in the storage of the extension: a file with its own
// name, which can be changed, run and debugged.
import * as vscode from "vscode";

interface Example extends vscode.QuickPickItem {
    uri: vscode.Uri;
}

/** The examples listed first; the others follow by name. */
const FIRST = ["hello_world", "hello_grid", "vector_add", "saxpy", "softmax"];

export async function openExample({ extensionUri, globalStorageUri, extension }: vscode.ExtensionContext, name?: unknown): Promise<void> {
    const all = await examples(extensionUri);
    if (all.length === 0) {
        void vscode.window.showInformationMessage("This package contains no examples.");
        return;
    }
    const named = typeof name === "string" ? all.find((each) => each.label === name) : undefined;
    const chosen = named ?? (await vscode.window.showQuickPick(all, { title: "Open example", matchOnDescription: true }));
    if (!chosen) return;
    const version = String(extension.packageJSON.version);
    const copy = vscode.Uri.joinPath(globalStorageUri, "examples", version, `${chosen.label}.tile`);
    const isChanged = await prepare(chosen.uri, copy);
    await vscode.window.showTextDocument(copy);
    if (isChanged) void offerOriginal(chosen, copy);
}

/** Copies an example unless there is a copy already. Returns whether that copy was changed. */
async function prepare(original: vscode.Uri, copy: vscode.Uri): Promise<boolean> {
    const files = vscode.workspace.fs;
    const existing = await files.readFile(copy).then((bytes) => bytes, () => undefined);
    if (existing) return Buffer.compare(existing, await files.readFile(original)) !== 0;
    await files.copy(original, copy);
    return false;
}

/** Offers to undo the user's changes of an example. */
async function offerOriginal({ label, uri }: Example, copy: vscode.Uri): Promise<void> {
    const choice = await vscode.window.showInformationMessage(`You have changed the example ${label}.`, "Restore original");
    if (!choice) return;
    // An edit, which can be undone.
    const document = await vscode.workspace.openTextDocument(copy);
    const original = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(copy, new vscode.Range(0, 0, document.lineCount, 0), original);
    await vscode.workspace.applyEdit(edit);
    await document.save();
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
