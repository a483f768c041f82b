// Bytecode as text: a `.tileirbc` file opens as a read-only document in the language Tile IR, so that all language
// features work on it. `tile dis` generates the text.
import * as vscode from "vscode";
import type { Output } from "./program";

/** The scheme of the documents with the text of a bytecode file. */
export const SCHEME = "tile-bytecode";

const VIEW = "tile.bytecode";

type Disassemble = (bytes: Uint8Array) => Promise<Output>;

/** The document for a bytecode file. Its query contains the file's URI. */
export function textOf(file: vscode.Uri): vscode.Uri {
    return vscode.Uri.from({ scheme: SCHEME, path: file.path, query: file.toString() });
}

export class Bytecode implements vscode.TextDocumentContentProvider, vscode.CustomReadonlyEditorProvider, vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<vscode.Uri>();
    readonly onDidChange = this.changed.event;
    private readonly registered: vscode.Disposable;

    constructor(private readonly disassemble: Disassemble) {
        const watcher = vscode.workspace.createFileSystemWatcher("**/*.tileirbc");
        const refresh = (file: vscode.Uri): void => this.changed.fire(textOf(file));
        this.registered = vscode.Disposable.from(
            watcher,
            watcher.onDidChange(refresh),
            watcher.onDidCreate(refresh),
            vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
            vscode.window.registerCustomEditorProvider(VIEW, this, { supportsMultipleEditorsPerDocument: true }),
        );
    }

    async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
        return this.text(vscode.Uri.parse(uri.query, true));
    }

    openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
        return { uri, dispose: () => undefined };
    }

    /** Opens the text in place of this editor, or shows the error. */
    async resolveCustomEditor(document: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
        try {
            await this.text(document.uri);
        } catch (error) {
            panel.webview.html = page(error instanceof Error ? error.message : `${error}`);
            return;
        }
        const { viewColumn, active } = panel;
        panel.dispose();
        const text = await vscode.workspace.openTextDocument(textOf(document.uri));
        await vscode.window.showTextDocument(text, { ...(viewColumn ? { viewColumn } : {}), preserveFocus: !active, preview: false });
    }

    private async text(file: vscode.Uri): Promise<string> {
        const { stdout, stderr } = await this.disassemble(await vscode.workspace.fs.readFile(file));
        // Well-formed bytecode that violates a rule is printed too, with a diagnostic at its line.
        if (!stdout) throw new Error(stderr.replace(/^error: /, "").replace(/^-, /, "").trim() || "the file is empty");
        return stdout;
    }

    dispose(): void {
        this.registered.dispose();
        this.changed.dispose();
    }
}

function page(reason: string): string {
    const safe = reason.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
    return `<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body { padding: 2em; font-size: var(--vscode-font-size); } pre { white-space: pre-wrap; }</style></head>
<body><h2>This file is not valid bytecode</h2><pre>${safe}</pre></body></html>`;
}
