// Helpers for the tests: opening fixtures, and waiting for the server.
import * as vscode from "vscode";
import type { Api } from "../../src/extension";
import manifest from "../../package.json";

export function fixture(name: string): vscode.Uri {
    const folder = vscode.workspace.workspaceFolders?.[0];
    if (!folder) throw new Error("the tests need the folder of fixtures open");
    return vscode.Uri.joinPath(folder.uri, name);
}

export function extension(): vscode.Extension<Api> {
    const { publisher, name } = manifest;
    const found = vscode.extensions.getExtension<Api>(`${publisher}.${name}`);
    if (!found) throw new Error("the extension is not installed");
    return found;
}

export async function open(name: string): Promise<vscode.TextEditor> {
    return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(fixture(name)));
}

export async function closeAll(): Promise<void> {
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
}

/** Polls until `poll` returns a value. `description` names it in the error if it never does. */
export async function until<T>(description: string, poll: () => T | undefined | false | null | Thenable<T | undefined | false | null>): Promise<T> {
    const end = Date.now() + 60_000;
    for (;;) {
        const answer = await poll();
        if (answer) return answer;
        if (Date.now() > end) throw new Error(`timed out waiting for ${description}`);
        await new Promise((done) => setTimeout(done, 50));
    }
}

/** The position of the `nth` occurrence of a text, counted from 1. */
export function position(document: vscode.TextDocument, text: string, nth = 1): vscode.Position {
    let offset = -1;
    for (let i = 0; i < nth; i++) {
        offset = document.getText().indexOf(text, offset + 1);
        if (offset < 0) throw new Error(`"${text}" is not in ${document.uri.path}`);
    }
    return document.positionAt(offset);
}

export function labelText(label: string | vscode.InlayHintLabelPart[]): string {
    return typeof label === "string" ? label : label.map((part) => part.value).join("");
}

export function hints(uri: vscode.Uri, range: vscode.Range): Thenable<vscode.InlayHint[] | undefined> {
    return vscode.commands.executeCommand<vscode.InlayHint[] | undefined>("vscode.executeInlayHintProvider", uri, range);
}

export function lenses(uri: vscode.Uri): Thenable<vscode.CodeLens[] | undefined> {
    return vscode.commands.executeCommand<vscode.CodeLens[] | undefined>("vscode.executeCodeLensProvider", uri, 100);
}
