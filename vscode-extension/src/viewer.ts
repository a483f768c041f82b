// The tile viewer: shows the elements of a value, a buffer or an expectation in a page of the server, which runs the
// launch for it. Opened at the cursor, from a hover after a run, from a failed expectation, or from a variable of the
// debugger.
import * as vscode from "vscode";
import type { LanguageClient, Middleware } from "vscode-languageclient/node";

/** The command that shows the elements at a position. */
const VIEW = "tile.view";

/** The beginning of the section of a hover about the last run. */
const LAST_RUN = "**In the last run**";

/** The answer to `tile/view`. */
interface Page {
    title: string;
    html: string;
}

/** The parameters of `tile/view`, besides the document. */
interface Subject {
    position?: { line: number; character: number };
    entry?: string | undefined;
    launch?: string | undefined;
    value?: string;
    at?: { block: number[]; iterations: number[] } | undefined;
}

/** A file that the page saves. */
interface Save {
    save: { name: string; bytes: Uint8Array };
}

/** The argument of commands in the menu of a variable. */
interface VariableContext {
    variable?: { name?: string; evaluateName?: string };
}

export class Viewer implements vscode.Disposable {
    private panel: vscode.WebviewPanel | undefined;

    constructor(
        private readonly client: () => LanguageClient | undefined,
        private readonly showNotTrusted: () => Promise<void>,
    ) {}

    /** Adds a link to hovers that show what a value or a buffer held. */
    readonly middleware: Middleware = {
        provideHover: async (document, position, token, next) => {
            const hover = await next(document, position, token);
            const isOfRun = hover?.contents.some((part) => part instanceof vscode.MarkdownString && part.value.includes(LAST_RUN));
            if (!hover || !isOfRun || !vscode.workspace.isTrusted) return hover;
            const target = { uri: document.uri.toString(), position: { line: position.line, character: position.character } };
            const link = new vscode.MarkdownString(`[Show all elements](command:${VIEW}?${encodeURIComponent(JSON.stringify([target]))})`);
            link.isTrusted = { enabledCommands: [VIEW] };
            hover.contents.push(link);
            return hover;
        },
    };

    /** The page that is shown. */
    get html(): string | undefined {
        return this.panel?.webview.html;
    }

    /** Shows the elements at a position: that of the argument, or else the cursor. */
    async show(argument?: unknown): Promise<void> {
        const target = argument as { uri?: string; position?: Subject["position"] } | undefined;
        if (target?.uri && target.position) return this.display(target.uri, { position: target.position });
        const editor = vscode.window.activeTextEditor;
        if (editor?.document.languageId !== "tile") return;
        const { line, character } = editor.selection.active;
        await this.display(this.uri(editor.document), { position: { line, character } });
    }

    /** Shows a variable of the debugger, in the tile block where it stopped. */
    async showVariable(argument?: unknown): Promise<void> {
        const { variable } = (argument ?? {}) as VariableContext;
        const session = vscode.debug.activeDebugSession;
        // An element of a tile has the name of the tile and its index.
        const value = (variable?.evaluateName ?? variable?.name)?.replace(/\[.*$/s, "");
        if (!session || !value) return;
        const { program, entry, launch } = session.configuration as Record<string, string | undefined>;
        if (!program) return;
        const document = await vscode.workspace.openTextDocument(program);
        const position = vscode.window.activeTextEditor?.document === document ? vscode.window.activeTextEditor.selection.active : new vscode.Position(0, 0);
        const { line, character } = position;
        await this.display(this.uri(document), { value, entry, launch, at: await stoppedAt(session), position: { line, character } });
    }

    /** Writes a file that the page saves. */
    async save({ save }: Save): Promise<void> {
        const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
        const proposed = folder ? vscode.Uri.joinPath(folder, save.name) : vscode.Uri.file(save.name);
        const file = await vscode.window.showSaveDialog({ defaultUri: proposed });
        if (file) await vscode.workspace.fs.writeFile(file, save.bytes);
    }

    private uri(document: vscode.TextDocument): string {
        return this.client()?.code2ProtocolConverter.asUri(document.uri) ?? document.uri.toString();
    }

    private async display(uri: string, subject: Subject): Promise<void> {
        if (!vscode.workspace.isTrusted) return this.showNotTrusted();
        const client = this.client();
        if (!client?.isRunning()) return;
        const work = async (_: unknown, token: vscode.CancellationToken): Promise<Page | null> =>
            client.sendRequest<Page | null>("tile/view", { textDocument: { uri }, ...subject }, token);
        try {
            const page = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: "Tile: Running for the viewer" }, work);
            if (!page) return;
            this.panel ??= this.create();
            this.panel.reveal(undefined, true);
            this.panel.title = page.title;
            this.panel.webview.html = page.html;
        } catch (error) {
            void vscode.window.showErrorMessage(error instanceof Error ? error.message : `${error}`);
        }
    }

    private create(): vscode.WebviewPanel {
        const columns = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
        const options = { enableScripts: true, retainContextWhenHidden: true };
        const panel = vscode.window.createWebviewPanel("tile.view", "Values", columns, options);
        panel.webview.onDidReceiveMessage((message: Save) => this.save(message));
        panel.onDidDispose(() => {
            this.panel = undefined;
        });
        return panel;
    }

    dispose(): void {
        this.panel?.dispose();
    }
}

/** The tile block where a session has stopped, from the name of its thread. */
async function stoppedAt(session: vscode.DebugSession): Promise<Subject["at"]> {
    const { threads } = (await session.customRequest("threads")) as { threads: { name: string }[] };
    const [, ...block] = /\((\d+), (\d+), (\d+)\)/.exec(threads[0]?.name ?? "") ?? [];
    return block.length === 3 ? { block: block.map(Number), iterations: [] } : undefined;
}
