import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { closeAll, fixture, position, until } from "./support";

suite("bytecode", () => {
    teardown(closeAll);

    const shown = (): vscode.TextDocument | undefined => {
        const document = vscode.window.activeTextEditor?.document;
        return document?.uri.scheme === "tile-bytecode" ? document : undefined;
    };

    test("a .tileirbc file opens as text with language features", async () => {
        await vscode.commands.executeCommand("vscode.open", fixture("hello.tileirbc"));
        const document = await until("the text", shown);
        assert.equal(document.languageId, "tile");
        assert.match(document.getText(), /entry @hello/);
        const hovers = await until("a hover", async () => {
            const at = position(document, "print_tko").translate(0, 2);
            const all = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", document.uri, at);
            return all.length > 0 && all;
        });
        const [content] = hovers[0]!.contents;
        assert.match(typeof content === "string" ? content : content!.value, /print_tko/);
        assert.deepEqual(vscode.languages.getDiagnostics(document.uri).filter((each) => each.severity === 0), []);
    });

    test("the text is read-only, and the file does not change", async () => {
        const before = await vscode.workspace.fs.readFile(fixture("hello.tileirbc"));
        await vscode.commands.executeCommand("vscode.open", fixture("hello.tileirbc"));
        const document = await until("the text", shown);
        await vscode.commands.executeCommand("type", { text: "x" });
        assert.equal(document.isDirty, false);
        assert.deepEqual(await vscode.workspace.fs.readFile(fixture("hello.tileirbc")), before);
    });

    test("the text follows changes of the file", async () => {
        const copy = fixture("copy.tileirbc");
        await vscode.workspace.fs.copy(fixture("hello.tileirbc"), copy, { overwrite: true });
        await vscode.commands.executeCommand("vscode.open", copy);
        const document = await until("the text", shown);
        const bytes = await vscode.workspace.fs.readFile(copy);
        const at = Buffer.from(bytes).indexOf("hello from block");
        assert.ok(at > 0);
        bytes.set(Buffer.from("HELLO"), at);
        await vscode.workspace.fs.writeFile(copy, bytes);
        await until("the new text", () => document.getText().includes("HELLO from block"));
        await vscode.workspace.fs.delete(copy);
    });

    test("a file that is not bytecode shows an error", async () => {
        await vscode.commands.executeCommand("vscode.open", fixture("garbage.tileirbc"));
        await until("the custom editor", () => {
            const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
            return input instanceof vscode.TabInputCustom && input.viewType === "tile.bytecode";
        });
        assert.equal(shown(), undefined);
    });
});
