import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { closeAll, extension, lenses, open, position, until } from "./support";

suite("pages about an entry", () => {
    teardown(closeAll);
    const at = (editor: vscode.TextEditor, text: string): void => {
        const place = position(editor.document, text);
        editor.selection = new vscode.Selection(place, place);
    };
    const ready = async (): Promise<vscode.TextEditor> => {
        const editor = await open("scale.tile");
        await until("the lenses", async () => (await lenses(editor.document.uri))?.length);
        return editor;
    };
    const titles = (): string[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs).map((tab) => tab.label);

    test("the graph shows the flow of data, and a click on a node its line", async () => {
        const editor = await ready();
        const { graph } = extension().exports;
        at(editor, "entry @");
        await vscode.commands.executeCommand("tile.showGraph");
        await until("the graph", () => graph.html?.includes("<svg"));
        await until("the tab", () => titles().some((title) => title.startsWith("Data flow: @scale")));
        const [, line] = /data-line="(\d+)"/.exec(graph.html ?? "") ?? [];
        assert.ok(line, graph.html);
        await graph.receive({ line: Number(line) });
        assert.equal(vscode.window.activeTextEditor?.selection.active.line, Number(line) - 1);
    });

    test("accesses are drawn for a launch", async () => {
        const editor = await ready();
        const { accesses } = extension().exports;
        at(editor, "entry @");
        await vscode.commands.executeCommand("tile.showAccesses");
        await until("the page", () => accesses.html?.includes("canvas"));
        await until("the tab", () => titles().some((title) => title.startsWith("Accesses: @scale")));
    });
});
