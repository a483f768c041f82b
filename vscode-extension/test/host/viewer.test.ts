import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { closeAll, extension, lenses, open, position, until } from "./support";

suite("the tile viewer", () => {
    teardown(closeAll);
    const ready = async (name: string): Promise<vscode.TextEditor> => {
        const editor = await open(name);
        await until("the lenses", async () => (await lenses(editor.document.uri))?.length);
        return editor;
    };
    const run = async (editor: vscode.TextEditor): Promise<void> => {
        const all = (await lenses(editor.document.uri)) ?? [];
        const lens = all.find((each) => each.command?.command === "tile.run");
        await vscode.commands.executeCommand("tile.run", ...(lens?.command?.arguments ?? []));
    };

    test("the value at the cursor is shown", async () => {
        const editor = await ready("scale.tile");
        const place = position(editor.document, "%out = ").translate(0, 1);
        editor.selection = new vscode.Selection(place, place);
        await vscode.commands.executeCommand("tile.view");
        const { viewer } = extension().exports;
        await until("the page", () => viewer.html?.includes('"name":"%out"') && viewer.html.includes('"type":"tile\\u003c4xf32>"'));
        const titles = (): string[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs).map((tab) => tab.label);
        await until("the tab", () => titles().some((title) => title.startsWith("%out in @scale")));
    });

    test("a hover after a run links to the viewer", async () => {
        const editor = await ready("scale.tile");
        await run(editor);
        const place = position(editor.document, "%in, ").translate(0, 1);
        const hovers = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", editor.document.uri, place);
        const parts = hovers.flatMap((hover) => hover.contents as vscode.MarkdownString[]);
        const link = parts.map((part) => /command:tile\.view\?([^)]*)/.exec(part.value)?.[1]).find(Boolean);
        assert.ok(link, parts.map((part) => part.value).join());
        await vscode.commands.executeCommand("tile.view", ...(JSON.parse(decodeURIComponent(link)) as unknown[]));
        await until("the page", () => extension().exports.viewer.html?.includes('"name":"%in"'));
    });

    test("a failed expectation is shown as an error map", async () => {
        const editor = await ready("scale.tile");
        const line = position(editor.document, "expect %y == 2 * %x").line;
        await editor.edit((edit) => edit.replace(editor.document.lineAt(line).range, "  //@ expect %y == 3 * %x"));
        await run(editor);
        const failed = await until("the diagnostic", () =>
            vscode.languages.getDiagnostics(editor.document.uri).find((each) => each.source === "tile run"));
        const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>("vscode.executeCodeActionProvider", editor.document.uri, failed.range);
        const action = actions.find((each) => each.title === "Show the differences");
        assert.ok(action?.command, actions.map((each) => each.title).join());
        await vscode.commands.executeCommand(action.command.command, ...(action.command.arguments ?? []));
        await until("the page", () => extension().exports.viewer.html?.includes('"name":"expect %y == 3 * %x"'));
    });

    test("a name without elements is explained", async () => {
        const editor = await ready("scale.tile");
        const before = extension().exports.viewer.html;
        const place = position(editor.document, "%target = ").translate(0, 1);
        editor.selection = new vscode.Selection(place, place);
        await vscode.commands.executeCommand("tile.view");
        assert.equal(extension().exports.viewer.html, before, "nothing is shown");
    });
});
