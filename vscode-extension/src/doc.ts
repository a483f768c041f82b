// The documentation of ops, types, keywords and launch directives: `tile doc TERM` as a preview.
import * as vscode from "vscode";
import { Pages, type RunProgram } from "./pages";

interface Term extends vscode.QuickPickItem {
    /** The name with its heading, which distinguishes terms of the same name. */
    query: string;
}

export class Doc extends Pages {
    constructor(runProgram: RunProgram) {
        super("doc", runProgram);
    }

    /** Opens the page of a term, or lets the user choose one, with the word at the cursor first. */
    async show(term?: unknown): Promise<void> {
        const chosen = typeof term === "string" && term ? term : await this.choose();
        if (chosen) await this.open(chosen);
    }

    private async choose(): Promise<string | undefined> {
        const { stdout } = await this.runProgram(["doc"]);
        const here = wordAtCursor();
        const items = terms(stdout).sort((a, b) => Number(b.label === here) - Number(a.label === here));
        const options = { title: "Show documentation", placeHolder: "Op, type, keyword or launch directive", matchOnDetail: true };
        return (await vscode.window.showQuickPick(items, options))?.query;
    }
}

/** Parses the list that `tile doc` prints: headings, each with one line per term. */
function terms(list: string): Term[] {
    const found: Term[] = [];
    let heading = "";
    for (const line of list.split("\n")) {
        heading = /^## (.*)$/.exec(line)?.[1] ?? heading;
        const [, label, detail] = /^- `([^`]+)`: (.*)$/.exec(line) ?? [];
        if (label) found.push({ label, description: heading, detail, query: `${heading} ${label}` });
    }
    return found;
}

function wordAtCursor(): string {
    const editor = vscode.window.activeTextEditor;
    const range = editor?.document.getWordRangeAtPosition(editor.selection.active, /\w+/);
    return range ? editor?.document.getText(range) ?? "" : "";
}
