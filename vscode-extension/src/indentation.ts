// The indentation of files that are open when VS Code starts.
import * as vscode from "vscode";

/**
 * Applies the configured indentation to open programs. VS Code detects that of a file which it opens before it knows the
 * language, and keeps it although the language turns the detection off.
 */
export function applyIndentation(): void {
    for (const editor of vscode.window.visibleTextEditors.filter(({ document }) => document.languageId === "tile")) {
        const settings = vscode.workspace.getConfiguration("editor", editor.document);
        if (settings.get("detectIndentation")) continue;
        editor.options = { tabSize: settings.get("tabSize"), insertSpaces: settings.get("insertSpaces") };
    }
}
