// Compares two programs by meaning: `tile diff` reprints both so that only differences in meaning remain, and the diff
// editor shows the texts.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import * as vscode from "vscode";
import { SCHEME as BYTECODE } from "./bytecode";
import type { Output } from "./program";

/** The scheme of the reprinted programs. */
const SCHEME = "tile-compared";

type Run = (args: readonly string[]) => Promise<Output>;

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
        const { verdict, normalized } = await this.report(a, b);
        const [left, right] = [basename(a.path), basename(b.path)];
        if (verdict === "same") {
            void vscode.window.showInformationMessage(`${left} and ${right} do not differ in meaning.`);
            return;
        }
        const uris = [this.document(a, normalized.a), this.document(b, normalized.b)] as const;
        await vscode.commands.executeCommand("vscode.diff", ...uris, `${left} ↔ ${right} (meaning)`, { preview: false });
    }

    /** A program with unsaved changes is compared as it is in the editor, through a temporary file. */
    private async report(a: vscode.Uri, b: vscode.Uri): Promise<Report> {
        const folder = await mkdtemp(join(tmpdir(), "tile-"));
        try {
            const files = await Promise.all([saved(a, join(folder, "a")), saved(b, join(folder, "b"))]);
            const { status, stdout, stderr } = await this.run(["diff", "--json", "--", ...files]);
            // Temporary files are unknown to the user.
            const message = stderr.trim().replaceAll(join(folder, "a", "/"), "").replaceAll(join(folder, "b", "/"), "");
            if (status !== 0) throw new Error(message || "the programs cannot be compared");
            return JSON.parse(stdout) as Report;
        } finally {
            await rm(folder, { recursive: true, force: true });
        }
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

/** The path of a file with the text that the editor has for a document. */
async function saved(uri: vscode.Uri, folder: string): Promise<string> {
    const open = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (uri.scheme === "file" && !open?.isDirty) return uri.fsPath;
    const document = open ?? (await vscode.workspace.openTextDocument(uri));
    const path = join(folder, basename(uri.path));
    await mkdir(folder);
    await writeFile(path, document.getText());
    return path;
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
