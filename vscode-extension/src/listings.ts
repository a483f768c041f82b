// Relates PTX and SASS to the program: the cursor in one marks the matching lines in the other, and the ends of the
// program's lines show which instructions they became. Listings are documents of `generated.ts`; the server says which of
// their rows come from which lines.
import * as vscode from "vscode";

/** The instructions of a source line, as in the server's answer. Lines and rows are counted from 0. */
export interface ListedLine {
    kernel: string;
    /** The lines of the program; none for code without a source line. */
    lines: number[];
    /** The rows of the listing. */
    rows: number[];
    /** The instruction mix and the live registers. */
    summary: string;
}

/** A listing that is shown. */
interface Listing {
    command: string;
    uri: string;
    program: string;
    lines: readonly ListedLine[];
    /** Whether the program has changed since. Its lines no longer match. */
    isStale: boolean;
}

const STALE = "The program has changed since: run the command again";

export class Listings implements vscode.Disposable {
    /** The shown listings, the newest last. */
    private listings: Listing[] = [];
    private readonly marked = vscode.window.createTextEditorDecorationType({
        isWholeLine: true,
        backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
        overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.findMatchForeground"),
    });
    private readonly mix = noteType("editorCodeLens.foreground");
    private readonly stale = noteType("editorWarning.foreground");
    private readonly registered = vscode.Disposable.from(
        this.marked,
        this.mix,
        this.stale,
        vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow(textEditor)),
        vscode.window.onDidChangeVisibleTextEditors(() => this.annotate()),
        vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
            if (contentChanges.length > 0) this.edited(document);
        }),
        // The event for closed documents comes only later.
        vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
            for (const { input } of closed) if (input instanceof vscode.TabInputText) this.forget(input.uri.toString());
        }),
        vscode.workspace.onDidChangeConfiguration((event) => {
            if (event.affectsConfiguration("tile.build.gpu")) void this.repeat();
        }),
    );

    /** Relates a listing that is now shown to its program, and marks the lines at the cursor. `version` is that of the compiled text. */
    relate(command: string, uri: vscode.Uri, program: string, version: number | undefined, lines: readonly ListedLine[]): void {
        this.forget(uri.toString());
        const source = vscode.Uri.parse(program).toString();
        const isStale = version !== undefined && open(source)?.version !== version;
        this.listings.push({ command, uri: uri.toString(), program: source, lines, isStale });
        this.annotate();
        const editor = editorsOf(source)[0];
        if (editor) this.follow(editor);
    }

    /** The marked lines of an editor's document, and the texts at the ends of its lines, for the tests. */
    shown({ document, selection }: vscode.TextEditor): { marked: number[]; mix: string[] } {
        const uri = document.uri.toString();
        const listing = this.listings.find((each) => each.uri === uri);
        const others = listing ? [listing] : this.listings.filter((each) => each.program === uri);
        const [first] = others;
        const marked = first ? matching(first, uri, selection) : [];
        return { marked, mix: this.mixOf(uri).map(({ text }) => text) };
    }

    /** Marks what belongs to the selection of an editor in the documents beside it. */
    private follow({ document, selection }: vscode.TextEditor): void {
        const uri = document.uri.toString();
        for (const listing of this.listings.filter((each) => !each.isStale && (each.uri === uri || each.program === uri))) {
            const other = listing.uri === uri ? listing.program : listing.uri;
            const rows = matching(listing, uri, selection);
            for (const editor of editorsOf(other)) {
                editor.setDecorations(this.marked, rows.filter((row) => row < editor.document.lineCount).map(wholeLine));
                reveal(editor, rows);
            }
            for (const editor of editorsOf(uri)) editor.setDecorations(this.marked, []);
        }
    }

    /** Shows the mix at the ends of the lines of each program, and which listings are stale. */
    private annotate(): void {
        for (const editor of vscode.window.visibleTextEditors) {
            const uri = editor.document.uri.toString();
            editor.setDecorations(this.mix, this.mixOf(uri).filter(({ line }) => line < editor.document.lineCount).map(
                ({ line, text }) => note(editor.document.lineAt(line).range.end, text)));
            const listing = this.listings.find((each) => each.uri === uri);
            if (listing) editor.setDecorations(this.stale, listing.isStale ? [note(editor.document.lineAt(0).range.end, STALE)] : []);
        }
    }

    /** The mix of each line of a program in its newest listing. */
    private mixOf(program: string): { line: number; text: string }[] {
        const newest = this.listings.filter((each) => each.program === program).at(-1);
        if (!newest || newest.isStale) return [];
        return newest.lines.flatMap(({ lines, summary }) => lines.slice(0, 1).map((line) => ({ line, text: summary })));
    }

    private edited(document: vscode.TextDocument): void {
        const uri = document.uri.toString();
        const affected = this.listings.filter((each) => each.program === uri && !each.isStale);
        for (const listing of affected) {
            listing.isStale = true;
            for (const editor of editorsOf(listing.uri)) editor.setDecorations(this.marked, []);
        }
        if (affected.length === 0) return;
        for (const editor of editorsOf(uri)) editor.setDecorations(this.marked, []);
        this.annotate();
    }

    private forget(uri: string): void {
        const gone = this.listings.filter((each) => each.uri === uri);
        if (gone.length === 0) return;
        this.listings = this.listings.filter((each) => each.uri !== uri);
        for (const { program } of gone) for (const editor of editorsOf(program)) editor.setDecorations(this.marked, []);
        this.annotate();
    }

    /** Generates the listings again, for another GPU. */
    private async repeat(): Promise<void> {
        for (const { command, program } of [...this.listings]) await vscode.commands.executeCommand(command, { uri: program });
    }

    dispose(): void {
        this.registered.dispose();
    }
}

/** The lines of the other document that belong to the selected ones. */
function matching({ uri, lines }: Listing, selected: string, selection: vscode.Selection): number[] {
    const isSelected = (line: number): boolean => line >= selection.start.line && line <= selection.end.line;
    const isListing = selected === uri;
    const found = lines.filter((each) => (isListing ? each.rows : each.lines).some(isSelected));
    return [...new Set(found.flatMap((each) => (isListing ? each.lines : each.rows)))].sort((a, b) => a - b);
}

/** Scrolls to the first row, unless one of them is visible. */
function reveal(editor: vscode.TextEditor, rows: readonly number[]): void {
    const [first] = rows;
    const isVisible = rows.some((row) => editor.visibleRanges.some((range) => range.start.line <= row && row <= range.end.line));
    if (first !== undefined && !isVisible) editor.revealRange(wholeLine(first), vscode.TextEditorRevealType.InCenter);
}

function noteType(color: string): vscode.TextEditorDecorationType {
    return vscode.window.createTextEditorDecorationType({ after: { color: new vscode.ThemeColor(color), margin: "0 0 0 3em" } });
}

function note(at: vscode.Position, contentText: string): vscode.DecorationOptions {
    return { range: new vscode.Range(at, at), renderOptions: { after: { contentText } } };
}

function wholeLine(line: number): vscode.Range {
    return new vscode.Range(line, 0, line, 0);
}

function editorsOf(uri: string): vscode.TextEditor[] {
    return vscode.window.visibleTextEditors.filter((editor) => editor.document.uri.toString() === uri);
}

function open(uri: string): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri);
}
