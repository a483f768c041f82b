import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { closeAll, fixture, open, until } from "./support";

suite("comparison", () => {
    const changed = fixture("compared.tile");

    teardown(async () => {
        await closeAll();
        await vscode.workspace.fs.delete(changed);
    });

    /** Writes a copy of `scale.tile` with other names, and with the given changes. */
    async function copy(change: (text: string) => string): Promise<void> {
        const text = Buffer.from(await vscode.workspace.fs.readFile(fixture("scale.tile"))).toString();
        await vscode.workspace.fs.writeFile(changed, Buffer.from(change(text.replaceAll(/%(\w+)/g, "%other_$1"))));
    }

    const shown = async (): Promise<string[] | undefined> => {
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        if (!(input instanceof vscode.TabInputTextDiff)) return undefined;
        const documents = [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri));
        return (await Promise.all(documents)).map((document) => document.getText());
    };

    test("only differences in meaning remain", async () => {
        await copy((text) => text.replace("addf", "mulf"));
        await vscode.commands.executeCommand("tile.compare", changed, [fixture("scale.tile"), changed]);
        const [a, b] = await until("the diff editor", shown);
        assert.equal(a!.replace("addf", "mulf"), b);
        assert.notEqual(a, b);
    });

    test("unsaved programs are compared as they are shown", async () => {
        await copy((text) => text.replace("addf", "subf"));
        const editor = await open("scale.tile");
        const write = async ({ document }: vscode.TextEditor, old: string, name: string): Promise<void> => {
            const at = document.getText().indexOf(old);
            const edit = new vscode.WorkspaceEdit();
            edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + old.length)), name);
            await vscode.workspace.applyEdit(edit);
        };
        await write(editor, "addf", "mulf");
        await write(await vscode.window.showTextDocument(changed, { viewColumn: vscode.ViewColumn.Beside }), "subf", "addf");
        await vscode.commands.executeCommand("tile.compare", changed, [fixture("scale.tile"), changed]);
        const [a, b] = await until("the diff editor", shown);
        assert.match(a!, /mulf/);
        assert.match(b!, /addf/);
        await vscode.window.showTextDocument(editor.document);
    });
});
