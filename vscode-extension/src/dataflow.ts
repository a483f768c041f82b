// Pages about the entry at the cursor, from the server: its data flow graph, and the accesses of a launch. They follow
// the cursor. A click on a node of the graph shows its line, and the nodes of the current line are marked.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

/** The answer to `tile/graph` and `tile/accesses`. */
interface Page {
    title: string;
    html: string;
}

/** How long the cursor rests before a page follows it, in milliseconds. */
const REST = 150;

/** One kind of page, with at most one panel. */
export class EntryPage implements vscode.Disposable {
    private panel: vscode.WebviewPanel | undefined;
    /** The document of the page, and the last position in it. */
    private place: { document: vscode.TextDocument; position: vscode.Position } | undefined;
    private timer: NodeJS.Timeout | undefined;
    private readonly registered: vscode.Disposable;

    constructor(
        private readonly kind: "graph" | "accesses",
        private readonly name: string,
        private readonly client: () => LanguageClient | undefined,
    ) {
        this.registered = vscode.Disposable.from(
            vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow(textEditor)),
            vscode.workspace.onDidChangeTextDocument(({ document }) => {
                if (document === this.place?.document) this.refreshSoon();
            }),
        );
    }

    /** The page that is shown. */
    get html(): string | undefined {
        return this.panel?.webview.html;
    }

    /** Shows the page of the entry at the cursor, beside the editor. */
    async show(): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        if (editor?.document.languageId !== "tile") return;
        this.place = { document: editor.document, position: editor.selection.active };
        const page = await this.request();
        if (!page) {
            const why = this.kind === "accesses" ? "The accesses are those of a launch: add a `//@ launch` above the entry." : "There is no entry at the cursor.";
            void vscode.window.showInformationMessage(why);
            return;
        }
        this.panel ??= this.create();
        this.panel.reveal(undefined, true);
        this.display(page);
    }

    /** Handles a message of the page: a click on a node. */
    async receive({ line }: { line: number }): Promise<void> {
        if (!this.place) return;
        const { document } = this.place;
        const start = new vscode.Position(line - 1, document.lineAt(line - 1).firstNonWhitespaceCharacterIndex);
        const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
        const column = shown?.viewColumn ?? vscode.ViewColumn.One;
        await vscode.window.showTextDocument(document, { viewColumn: column, selection: new vscode.Range(start, start) });
    }

    private create(): vscode.WebviewPanel {
        const columns = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
        const panel = vscode.window.createWebviewPanel(`tile.${this.kind}`, this.name, columns, { enableScripts: true });
        panel.webview.onDidReceiveMessage((message: { line: number }) => this.receive(message));
        panel.onDidDispose(() => {
            this.panel = undefined;
            this.place = undefined;
        });
        return panel;
    }

    private follow({ document, selection }: vscode.TextEditor): void {
        if (!this.panel || document.languageId !== "tile") return;
        this.place = { document, position: selection.active };
        this.refreshSoon();
    }

    private refreshSoon(): void {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.refresh(), REST);
    }

    /** Updates the page if its content differs. While the text has errors, the last page stays. */
    private async refresh(): Promise<void> {
        const page = await this.request();
        if (page) this.display(page);
    }

    private display({ title, html }: Page): void {
        if (!this.panel) return;
        this.panel.title = `${this.name}: ${title}`;
        if (this.panel.webview.html !== html) this.panel.webview.html = html;
        if (this.place) void this.panel.webview.postMessage({ line: this.place.position.line + 1 });
    }

    private async request(): Promise<Page | undefined> {
        const client = this.client();
        if (!this.place || !client?.isRunning()) return undefined;
        const { document, position } = this.place;
        const params = client.code2ProtocolConverter.asTextDocumentPositionParams(document, position);
        return (await client.sendRequest<Page | null>(`tile/${this.kind}`, params)) ?? undefined;
    }

    dispose(): void {
        clearTimeout(this.timer);
        this.registered.dispose();
        this.panel?.dispose();
    }
}
