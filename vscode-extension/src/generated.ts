// Texts that the server generates from a document: its bytecode, PTX or SASS. Each is a read-only document, replaced
// when it is generated again.
import { basename } from "node:path";
import * as vscode from "vscode";
import type { ListedLine } from "./listings";

/** The scheme of these documents. */
export const SCHEME = "tile-made";

/** The server's commands that generate such a text. */
export const GENERATING = ["tile.showBytecode", "tile.showPtx", "tile.showSass"];

/** The server's answer: the text, and the path of the file with the text for editors that open files. */
export interface Answer {
    path: string;
    text: string;
    /** For PTX and SASS, the rows that come from each line of the program. */
    lines?: ListedLine[];
}

export class GeneratedCode implements vscode.TextDocumentContentProvider, vscode.Disposable {
    private readonly texts = new Map<string, string>();
    private readonly changed = new vscode.EventEmitter<vscode.Uri>();
    readonly onDidChange = this.changed.event;
    private readonly registered = vscode.Disposable.from(
        vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
        vscode.workspace.onDidCloseTextDocument((document) => this.texts.delete(document.uri.toString())),
    );

    /** Shows a generated text next to its source, and returns its document. */
    async show(source: string, { path, text }: Answer): Promise<vscode.Uri> {
        const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${basename(path)}`, query: source });
        this.texts.set(uri.toString(), text);
        this.changed.fire(uri);
        const document = await vscode.workspace.openTextDocument(uri);
        const viewColumn = shownIn(uri) ?? vscode.ViewColumn.Beside;
        await vscode.window.showTextDocument(document, { viewColumn, preview: false });
        return uri;
    }

    provideTextDocumentContent(uri: vscode.Uri): string {
        return this.texts.get(uri.toString()) ?? "// This text is no longer available. Run the command again.\n";
    }

    dispose(): void {
        this.registered.dispose();
        this.changed.dispose();
    }
}

/** The column that already shows a document. */
function shownIn(uri: vscode.Uri): vscode.ViewColumn | undefined {
    const shows = ({ input }: vscode.Tab): boolean => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
    return vscode.window.tabGroups.all.find((group) => group.tabs.some(shows))?.viewColumn;
}
