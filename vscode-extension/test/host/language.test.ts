import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { closeAll, extension, fixture, open, position, until } from "./support";

const text = (content: vscode.MarkdownString | vscode.MarkedString): string =>
    typeof content === "string" ? content : content.value;

suite("language features", () => {
    suiteTeardown(closeAll);

    test("opening a .tile file starts the extension", async () => {
        const editor = await open("hello.tile");
        assert.equal(editor.document.languageId, "tile");
        await until("activation", () => extension().isActive);
        await until("the server's command", async () => (await vscode.commands.getCommands(true)).includes("tile.run"));
    });

    test("a .mlir file with a module is a program, also below a comment", async () => {
        const uri = fixture("dump.mlir");
        await vscode.workspace.fs.writeFile(uri, Buffer.from("// a dump\n\ncuda_tile.module @m {\n}\n"));
        await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
        // A change of the language closes the document and opens it again.
        await until("the language", () => vscode.window.activeTextEditor?.document.languageId === "tile");
        await closeAll();
        await vscode.workspace.fs.delete(uri);
    });

    test("a correct file has no errors", async () => {
        const { document } = await open("hello.tile");
        await vscode.commands.executeCommand("vscode.executeHoverProvider", document.uri, new vscode.Position(0, 0));
        const errors = vscode.languages.getDiagnostics(document.uri).filter((each) => each.severity === vscode.DiagnosticSeverity.Error);
        assert.deepEqual(errors.map((each) => each.message), []);
    });

    test("an error is shown at its line, and disappears when it is fixed", async () => {
        const editor = await open("broken.tile");
        const { document } = editor;
        const wrong = position(document, "%undefined");
        const errors = await until("diagnostics", () => {
            const all = vscode.languages.getDiagnostics(document.uri);
            return all.length > 0 && all;
        });
        assert.ok(errors.some((each) => each.range.start.line === wrong.line && each.message.includes("%undefined")), JSON.stringify(errors));
        const error = errors.find((each) => each.range.start.line === wrong.line);
        assert.ok(error?.code, "a diagnostic carries its code");

        await editor.edit((edit) => edit.replace(new vscode.Range(wrong, wrong.translate(0, "%undefined".length)), "%one"));
        await until("an empty list", () =>
            vscode.languages.getDiagnostics(document.uri).every((each) => each.severity !== vscode.DiagnosticSeverity.Error));
        await vscode.commands.executeCommand("undo");
        await until("the error again", () => vscode.languages.getDiagnostics(document.uri).length > 0);
    });

    test("hover on a value names its type, also next to a broken line", async () => {
        const { document } = await open("broken.tile");
        const hovers = await until("a hover", async () => {
            const all = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", document.uri, position(document, "%one, %one"));
            return all.length > 0 && all;
        });
        assert.match(hovers.flatMap((each) => each.contents).map(text).join("\n"), /tile<f32>/);
    });

    test("definition goes to the op that defines the value", async () => {
        const { document } = await open("broken.tile");
        const found = await until("a definition", async () => {
            const all = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>(
                "vscode.executeDefinitionProvider", document.uri, position(document, "%one, %one").translate(0, 1));
            return all[0];
        });
        const uri = "uri" in found ? found.uri : found.targetUri;
        const range = "uri" in found ? found.range : (found.targetSelectionRange ?? found.targetRange);
        assert.equal(uri.toString(), document.uri.toString());
        assert.ok(range.contains(position(document, "%one")), `${range.start.line}:${range.start.character}`);
    });

    test("formatting a document keeps comments", async () => {
        const { document } = await open("ragged.tile");
        await until("the formatter", async () => {
            await vscode.commands.executeCommand("editor.action.formatDocument");
            return document.isDirty;
        });
        assert.ok(document.getText().includes("// A comment that must stay."));
        assert.ok(document.getText().includes("    %one = constant <f32: 1.0> : tile<f32>\n"), document.getText());
        assert.ok(document.getText().includes("    %twice = addf %one, %one : tile<f32>\n"), document.getText());
    });

    test("the types of a statement are shown after the cursor, and Tab inserts them", async () => {
        const editor = await open("hello.tile");
        const { document } = editor;
        const at = position(document, "return");
        await editor.edit((edit) => edit.insert(at, "%sum = addi %x, %y\n    "));
        const end = document.lineAt(at.line).range.end;
        editor.selection = new vscode.Selection(end, end);
        await until("the types", async () => {
            await vscode.commands.executeCommand("editor.action.inlineSuggest.trigger");
            // The command that Tab is bound to while a suggestion is shown.
            await vscode.commands.executeCommand("editor.action.inlineSuggest.commit");
            return document.lineAt(at.line).text.endsWith("%x, %y : tile<i32>");
        });
    });

    test("completion works while the user types", async () => {
        const editor = await open("broken.tile");
        const { document } = editor;
        await until("diagnostics", () => vscode.languages.getDiagnostics(document.uri).length > 0);
        const { line } = position(document, "%twice");
        const end = document.lineAt(line).range.end;
        editor.selection = new vscode.Selection(end, end);
        await vscode.commands.executeCommand("type", { text: "\n" });
        for (const text of "%r = mul") {
            await vscode.commands.executeCommand("type", { text });
            await new Promise((done) => setTimeout(done, 30));
        }
        const written = async (): Promise<boolean> => {
            await vscode.commands.executeCommand("acceptSelectedSuggestion");
            return /%r = mul\w+ %\w+, %\w+ : tile</.test(document.lineAt(line + 1).text);
        };
        await until("the op with its operands", written);
    });

    test("words and brackets follow the language configuration", async () => {
        const { document } = await open("hello.tile");
        const at = position(document, "%x :").translate(0, 1);
        assert.equal(document.getText(document.getWordRangeAtPosition(at)), "%x");
        const editor = await open("hello.tile");
        const less = position(document, "<i32> -> token");
        editor.selection = new vscode.Selection(less, less);
        await vscode.commands.executeCommand("editor.action.jumpToBracket");
        assert.equal(editor.selection.active.character, less.character + "<i32".length);
    });

    test("Enter after a launch line continues the launch", async () => {
        const editor = await open("hello.tile");
        const line = position(editor.document, "//@ launch").line;
        const end = editor.document.lineAt(line).range.end;
        editor.selection = new vscode.Selection(end, end);
        await vscode.commands.executeCommand("type", { text: "\n" });
        assert.equal(editor.document.lineAt(line + 1).text, "  //@   ");
        await vscode.commands.executeCommand("undo");
        assert.equal(editor.document.uri.toString(), fixture("hello.tile").toString());
    });

    test("Enter after the types of a broken statement returns to its depth", async () => {
        const editor = await open("hello.tile");
        const { line } = position(editor.document, "get_tile_block_id");
        const end = editor.document.lineAt(line).range.end;
        editor.selection = new vscode.Selection(end, end);
        const depth = editor.document.lineAt(line).firstNonWhitespaceCharacterIndex;
        const statement = `\n${" ".repeat(depth)}%r = addi %x, %x\n${" ".repeat(depth + 4)}: tile<i32>`;
        await editor.edit((edit) => edit.insert(end, statement));
        const last = editor.document.lineAt(line + 2).range.end;
        editor.selection = new vscode.Selection(last, last);
        // VS Code drops a line break that is typed before the server can answer.
        const { uri } = editor.document;
        const options = { tabSize: 2, insertSpaces: true };
        const format = () => vscode.commands.executeCommand("vscode.executeFormatOnTypeProvider", uri, last, "\n", options);
        await until("the server to format", async () => (await format()) !== undefined);
        await vscode.commands.executeCommand("type", { text: "\n" });
        await until("the depth", () => editor.document.lineAt(line + 3).text === " ".repeat(depth));
        await vscode.commands.executeCommand("workbench.action.files.revert");
    });
});
