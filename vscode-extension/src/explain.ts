// The pages of diagnostic codes: `tile explain CODE` as a preview, opened by a command and by the code in a hover.
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { page, Pages, type RunProgram } from "./pages";

const CODE = /^[ELPR]\d{4}$/;

export class Explain extends Pages {
    constructor(runProgram: RunProgram) {
        super("explain", runProgram);
    }

    /** Opens the page of a code, or lets the user choose one, with those at the cursor first. */
    async show(code?: unknown): Promise<void> {
        const chosen = typeof code === "string" && CODE.test(code) ? code : await this.choose();
        if (chosen) await this.open(chosen);
    }

    private async choose(): Promise<string | undefined> {
        const here = codesAtCursor();
        const { stdout } = await this.runProgram(["explain"]);
        const listed = stdout.split("\n").map((line) => line.trim().split(/\s+/, 2)).filter(([code]) => CODE.test(code ?? ""));
        const items = listed.map(([code = "", name = ""]) => ({ label: code, description: name, here: here.has(code) }));
        items.sort((a, b) => Number(b.here) - Number(a.here));
        const placeHolder = here.size > 0 ? `At the cursor: ${[...here].join(", ")}` : "Code or name";
        return (await vscode.window.showQuickPick(items, { title: "Explain diagnostic code", placeHolder, matchOnDescription: true }))?.label;
    }
}

function codesAtCursor(): Set<string> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return new Set();
    const here = vscode.languages.getDiagnostics(editor.document.uri).filter((each) => each.range.intersection(editor.selection));
    return new Set(here.map(codeOf).filter((code) => CODE.test(code)));
}

export function codeOf({ code }: vscode.Diagnostic): string {
    return String(typeof code === "object" ? code.value : (code ?? ""));
}

/** Makes the code of a diagnostic open its page. */
function link(diagnostic: vscode.Diagnostic): vscode.Diagnostic {
    const value = codeOf(diagnostic);
    if (CODE.test(value)) {
        diagnostic.code = { value, target: page("explain", value) };
    }
    return diagnostic;
}

/** The three ways in which diagnostics arrive. */
export const linking: Middleware = {
    handleDiagnostics: (uri, diagnostics, next) => next(uri, diagnostics.map(link)),
    provideDiagnostics: async (document, previous, token, next) => {
        const report = await next(document, previous, token);
        if (report && "items" in report) report.items.forEach(link);
        return report;
    },
    provideWorkspaceDiagnostics: (previous, token, report, next) =>
        next(previous, token, (part) => {
            for (const report of part?.items ?? []) if ("items" in report) report.items.forEach(link);
            report(part);
        }),
};
