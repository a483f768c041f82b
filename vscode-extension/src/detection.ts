// Recognizes Tile IR in `.mlir` files. The manifest does so by their first line, which can be a comment.
import * as vscode from "vscode";

/** How many lines are searched for a module. */
const MAX_LINES = 500;

/** The languages that a `.mlir` file can have: without an extension for MLIR it is plain text. */
const LANGUAGES = ["mlir", "plaintext"];

/** Sets the language of open documents, and of those that are opened later. */
export function detectPrograms(): vscode.Disposable {
    vscode.workspace.textDocuments.forEach(detect);
    return vscode.workspace.onDidOpenTextDocument(detect);
}

function detect(document: vscode.TextDocument): void {
    if (!LANGUAGES.includes(document.languageId) || !document.uri.path.endsWith(".mlir")) return;
    const start = document.getText(new vscode.Range(0, 0, MAX_LINES, 0));
    if (/^\s*cuda_tile\.module\b/m.test(start)) void vscode.languages.setTextDocumentLanguage(document, "tile");
}
