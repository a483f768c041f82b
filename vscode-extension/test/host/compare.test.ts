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

    test("an unsaved program is compared as it is shown", async () => {
        await copy((text) => text);
        const editor = await open("scale.tile");
        const at = editor.document.getText().indexOf("addf");
        await editor.edit((edit) => edit.replace(new vscode.Range(editor.document.positionAt(at), editor.document.positionAt(at + 4)), "mulf"));
        await vscode.commands.executeCommand("tile.compare", changed, [fixture("scale.tile"), changed]);
        const [a, b] = await until("the diff editor", shown);
        assert.match(a!, /mulf/);
        assert.match(b!, /addf/);
        await vscode.window.showTextDocument(editor.document);
    });
});
