import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import type { RunOutput } from "../../src/runs";
import { closeAll, extension, lenses, open, position, until } from "./support";

suite("commands", () => {
    teardown(closeAll);
    const ready = async (name: string): Promise<vscode.TextEditor> => {
        const editor = await open(name);
        await until("the lenses", async () => (await lenses(editor.document.uri))?.length);
        return editor;
    };

    test("Copy as bytecode fills the clipboard", async () => {
        await ready("hello.tile");
        await vscode.env.clipboard.writeText("");
        const answer = await vscode.commands.executeCommand<{ base64: string }>("tile.copyBytecode");
        assert.equal(Buffer.from(answer.base64, "base64").subarray(1, 7).toString(), "TileIR");
        await until("the clipboard", async () => (await vscode.env.clipboard.readText()) === answer.base64);
    });

    test("Show bytecode opens its text", async () => {
        await ready("hello.tile");
        await vscode.commands.executeCommand("tile.showBytecode");
        await until("the text", () => vscode.window.activeTextEditor?.document.getText().includes("bytes of bytecode"));
    });

    test("Test all launches of this file runs each once, with the sanitizer", async () => {
        await ready("expects.tile");
        const written: RunOutput[] = [];
        const follows = (await extension().activate()).onRunOutput((part) => written.push(part));
        await vscode.commands.executeCommand("tile.testAll");
        await until("the finding", () => written.some((part) => part.stream === "stderr" && part.text.includes("R0106")));
        follows.dispose();
        const printed = written.filter((part) => part.stream === "stdout").map((part) => [part.launch, part.text]);
        assert.deepEqual(printed, [["met", "7\n"], ["missed", "7\n"]]);
    });

    test("Run kernel with sanitizer finds what a plain run does not", async () => {
        const editor = await ready("expects.tile");
        const at = position(editor.document, "%b = store");
        editor.selection = new vscode.Selection(at, at);
        const found = (): boolean => vscode.languages.getDiagnostics(editor.document.uri)
            .some((each) => each.source === "tile run" && each.range.start.line === at.line);
        await vscode.commands.executeCommand("tile.runNearest");
        assert.equal(found(), false);
        await vscode.commands.executeCommand("tile.runNearestSanitized");
        await until("the finding", found);
    });

    test("a run on a GPU that is not there says so, and the CPU is back when it is chosen", async () => {
        const settings = vscode.workspace.getConfiguration("tile");
        await settings.update("run.target", "cuda:99", vscode.ConfigurationTarget.Workspace);
        await ready("hello.tile");
        const result = await vscode.commands.executeCommand<{ kind: string; passed?: boolean }>(
            "tile.run", { uri: vscode.window.activeTextEditor!.document.uri.toString(), entry: "hello", launch: "once" });
        assert.ok(result.kind === "refused" || result.passed === false, JSON.stringify(result));
        await settings.update("run.target", undefined, vscode.ConfigurationTarget.Workspace);
        const again = await vscode.commands.executeCommand<{ kind: string; passed?: boolean }>(
            "tile.run", { uri: vscode.window.activeTextEditor!.document.uri.toString(), entry: "hello", launch: "once" });
        assert.equal(again.passed, true);
    });

    test("Open an example opens one that runs", async () => {
        await vscode.commands.executeCommand("tile.openExample", "hello_world");
        const document = await until("the example", () => {
            const found = vscode.window.activeTextEditor?.document;
            return found?.isUntitled && found;
        });
        assert.equal(document.languageId, "tile");
        const lens = await until("its lens", async () =>
            ((await lenses(document.uri)) ?? []).find((each) => each.command?.command === "tile.run"));
        const result = await vscode.commands.executeCommand<{ passed: boolean }>("tile.run", ...lens.command!.arguments!);
        assert.equal(result.passed, true);
    });

    test("the code of a diagnostic opens its page", async () => {
        const { document } = await open("broken.tile");
        const code = await until("a code with a page", () => {
            const [found] = vscode.languages.getDiagnostics(document.uri);
            return typeof found?.code === "object" && found.code;
        });
        assert.deepEqual([code.value, code.target.scheme, code.target.path], ["E0101", "tile-explain", "/E0101.md"]);
        const page = await vscode.workspace.openTextDocument(code.target);
        assert.match(page.getText(), /^# E0101: undeclared-value/);
        const input = (): unknown => vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        await vscode.commands.executeCommand("vscode.open", code.target);
        await until("the page, as a preview", () => input() instanceof vscode.TabInputCustom);
        await closeAll();
        await vscode.commands.executeCommand("tile.explain", "E0101");
        await until("the page", () => input() instanceof vscode.TabInputWebview);
    });
});
