// Pages that the program prints as Markdown, shown as previews: `tile explain CODE`, `tile doc TERM`.
import * as vscode from "vscode";
import type { Output } from "./program";

export type RunProgram = (args: readonly string[]) => Promise<Output>;

/** The pages of one subcommand of `tile`. */
export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
    private readonly registered: vscode.Disposable;

    constructor(private readonly subcommand: string, protected readonly runProgram: RunProgram) {
        this.registered = vscode.workspace.registerTextDocumentContentProvider(scheme(subcommand), this);
    }

    async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
        const name = uri.path.replace(/^\/|\.md$/g, "");
        const { status, stdout, stderr } = await this.runProgram([this.subcommand, name]);
        return status === 0 ? stdout : stderr;
    }

    async open(name: string): Promise<void> {
        await vscode.commands.executeCommand("markdown.showPreview", page(this.subcommand, name));
    }

    dispose(): void {
        this.registered.dispose();
    }
}

function scheme(subcommand: string): string {
    return `tile-${subcommand}`;
}

/** The document of a page. The manifest makes it open as a preview. */
export function page(subcommand: string, name: string): vscode.Uri {
    return vscode.Uri.from({ scheme: scheme(subcommand), path: `/${name}.md` });
}
