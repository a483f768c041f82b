// Compares two programs by meaning: `tile diff` reprints both so that only differences in meaning remain, and the diff
// editor shows the texts.
import { basename } from "node:path";
import * as vscode from "vscode";
import { SCHEME as BYTECODE } from "./bytecode";
import type { Output } from "./program";

/** The scheme of the reprinted programs. */
const SCHEME = "tile-compared";

type Run = (args: readonly string[], input?: Uint8Array) => Promise<Output>;

/** The part of the output of `tile diff --json` that is shown. */
interface Report {
    verdict: string;
    normalized: { a: string; b: string };
}

export class Comparison implements vscode.TextDocumentContentProvider, vscode.Disposable {
    private readonly texts = new Map<string, string>();
    private count = 0;
    private readonly registered = vscode.Disposable.from(
        vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
        vscode.workspace.onDidCloseTextDocument((document) => this.texts.delete(document.uri.toString())),
    );

    constructor(private readonly run: Run) {}

    /** Compares the files selected in the explorer, or else a file with one that the user chooses. */
    async show(clicked?: vscode.Uri, selected: readonly vscode.Uri[] = []): Promise<void> {
        const [first, second] = selected.length > 1 ? selected : [clicked ?? vscode.window.activeTextEditor?.document.uri];
        const a = first && fileOf(first);
        const b = second ?? (a && (await choose(a)));
        if (!a || !b) return;
        try {
            await this.compare(a, fileOf(b));
        } catch (error) {
            void vscode.window.showErrorMessage(error instanceof Error ? error.message : `${error}`);
        }
    }

    private async compare(a: vscode.Uri, b: vscode.Uri): Promise<void> {
        // A program with unsaved changes is compared as it is in the editor. Only one can be standard input.
        const edited = vscode.workspace.textDocuments.find((each) => each.isDirty && [a, b].some((uri) => uri.toString() === each.uri.toString()));
        const isEdited = (uri: vscode.Uri): boolean => uri.toString() === edited?.uri.toString();
        const names = [a, b].map((uri) => (isEdited(uri) ? "-" : uri.fsPath));
        const { status, stdout, stderr } = await this.run(["diff", "--json", "--", ...names], edited && Buffer.from(edited.getText()));
        if (status !== 0) throw new Error(stderr.trim() || "the programs cannot be compared");
        const { verdict, normalized } = JSON.parse(stdout) as Report;
        const [left, right] = [basename(a.path), basename(b.path)];
        if (verdict === "same") {
            void vscode.window.showInformationMessage(`${left} and ${right} do not differ in meaning.`);
            return;
        }
        const uris = [this.document(a, normalized.a), this.document(b, normalized.b)] as const;
        await vscode.commands.executeCommand("vscode.diff", ...uris, `${left} ↔ ${right} (meaning)`, { preview: false });
    }

    private document(file: vscode.Uri, text: string): vscode.Uri {
        this.count += 1;
        const path = file.path.endsWith(".tile") ? file.path : `${file.path}.tile`;
        const uri = vscode.Uri.from({ scheme: SCHEME, path, query: `${this.count}` });
        this.texts.set(uri.toString(), text);
        return uri;
    }

    provideTextDocumentContent(uri: vscode.Uri): string {
        return this.texts.get(uri.toString()) ?? "// This text is no longer available. Compare the programs again.\n";
    }

    dispose(): void {
        this.registered.dispose();
    }
}

/** The file of a document: that of the bytecode for a document with its text. */
function fileOf(uri: vscode.Uri): vscode.Uri {
    return uri.scheme === BYTECODE ? vscode.Uri.parse(uri.query, true) : uri;
}

async function choose(a: vscode.Uri): Promise<vscode.Uri | undefined> {
    const found = await vscode.window.showOpenDialog({
        title: `Compare ${basename(a.path)} with`,
        openLabel: "Compare",
        defaultUri: vscode.Uri.joinPath(a, ".."),
        filters: { "Tile IR": ["tile", "tileirbc", "mlir"], "All files": ["*"] },
    });
    return found?.[0];
}
