// What the server makes of a document, as text to read: its bytecode, PTX, the instructions of a GPU. Each is a document
// that nobody can write to; made again, it takes the place of the old one.
import { basename } from "node:path";
import * as vscode from "vscode";

/** The scheme of these documents. */
export const SCHEME = "tile-made";

/** Commands of the server that make such a text. */
export const MAKING = ["tile.showBytecode", "tile.showPtx", "tile.showSass"];

/** What the server answers: the text, and where it has put it for editors that open files. */
export interface Answer {
    path: string;
    text: string;
}

export class Made implements vscode.TextDocumentContentProvider, vscode.Disposable {
    private readonly texts = new Map<string, string>();
    private readonly changed = new vscode.EventEmitter<vscode.Uri>();
    readonly onDidChange = this.changed.event;
    private readonly registered = vscode.Disposable.from(
        vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
        vscode.workspace.onDidCloseTextDocument((document) => this.texts.delete(document.uri.toString())),
    );

    /** Shows a text that was made of a document, beside it. */
    async show(source: string, { path, text }: Answer): Promise<void> {
        const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${basename(path)}`, query: source });
        this.texts.set(uri.toString(), text);
        this.changed.fire(uri);
        const document = await vscode.workspace.openTextDocument(uri);
        const viewColumn = shownIn(uri) ?? vscode.ViewColumn.Beside;
        await vscode.window.showTextDocument(document, { viewColumn, preview: false });
    }

    provideTextDocumentContent(uri: vscode.Uri): string {
        return this.texts.get(uri.toString()) ?? "// This text is gone; have it made again.\n";
    }

    dispose(): void {
        this.registered.dispose();
        this.changed.dispose();
    }
}

/** The column that shows a document already. */
function shownIn(uri: vscode.Uri): vscode.ViewColumn | undefined {
    const shows = ({ input }: vscode.Tab): boolean => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
    return vscode.window.tabGroups.all.find((group) => group.tabs.some(shows))?.viewColumn;
}
