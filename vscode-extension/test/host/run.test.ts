import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import type { RunOutput } from "../../src/runs";
import { INSTALL } from "../../src/session";
import { closeAll, extension, hints, labelText, lenses, open, position, until } from "./support";

const runs = async (uri: vscode.Uri): Promise<vscode.CodeLens[]> =>
    ((await lenses(uri)) ?? []).filter((lens) => lens.command?.command === "tile.run");

suite("running kernels", () => {
    teardown(closeAll);

    test("nothing runs when a file is opened", async () => {
        const { document } = await open("hello.tile");
        await until("the run lens", async () => (await runs(document.uri))[0]);
        const shown = (await hints(document.uri, new vscode.Range(0, 0, document.lineCount, 0))) ?? [];
        assert.ok(shown.every((hint) => !labelText(hint.label).includes("hello from block")));
    });

    test("the lens above a launch runs it; the output is shown next to its line", async () => {
        const { document } = await open("hello.tile");
        const lens = await until("the run lens", async () => (await runs(document.uri))[0]);
        assert.match(lens.command?.title ?? "", /Run "once"/);
        assert.equal(lens.range.start.line, position(document, "//@ launch").line);
        assert.deepEqual(
            { ...lens.command?.arguments?.[0], uri: undefined },
            { uri: undefined, entry: "hello", launch: "once", sanitize: false },
        );
        await vscode.commands.executeCommand("tile.run", ...(lens.command?.arguments ?? []));
        const hint = await until("the printed text next to its line", async () => {
            const all = (await hints(document.uri, new vscode.Range(0, 0, document.lineCount, 0))) ?? [];
            return all.find((each) => labelText(each.label).includes("hello from block 0"));
        });
        assert.equal(hint.position.line, position(document, "print_tko").line);
    });

    test("after a run, a hover shows what a value and a buffer held, and everything that a line printed", async () => {
        const { document } = await open("scale.tile");
        const lens = await until("the run lens", async () => (await runs(document.uri))[0]);
        await vscode.commands.executeCommand("tile.run", ...(lens.command?.arguments ?? []));
        const hover = async (text: string): Promise<string> => {
            const at = position(document, text).translate(0, 1);
            const found = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", document.uri, at);
            return found.flatMap((each) => each.contents.map((part) => (part as vscode.MarkdownString).value)).join("\n");
        };
        assert.match(await hover("%out = "), /In the last run\*\* of "two tiles", `%out` was computed 2 times, with min 0, max 14/);
        assert.match(await hover("%y = f32"), /- before: all 0.*\n- after: /);
    });

    test("the lens Profile shows the costs in a column beside the lines", async () => {
        const { document } = await open("scale.tile");
        const profile = async (): Promise<vscode.CodeLens | undefined> =>
            ((await lenses(document.uri)) ?? []).find((lens) => lens.command?.command === "tile.profile");
        const lens = await until("the lens", profile);
        assert.equal(lens.command?.title, "Profile");
        await vscode.commands.executeCommand("tile.profile", ...(lens.command?.arguments ?? []));
        const line = position(document, "load_view_tko").line;
        const hint = await until("the cost of the load", async () => {
            const all = (await hints(document.uri, new vscode.Range(0, 0, document.lineCount, 0))) ?? [];
            return all.find((each) => each.position.line === line && each.position.character === 0);
        });
        assert.match(labelText(hint.label), /s +←\d/);
        // A plain run drops the column.
        const run = await until("the run lens", async () => (await runs(document.uri))[0]);
        await vscode.commands.executeCommand("tile.run", ...(run.command?.arguments ?? []));
    });

    test("the output of a run reaches the output channel", async () => {
        const { document } = await open("hello.tile");
        const lens = await until("the run lens", async () => (await runs(document.uri))[0]);
        const parts: RunOutput[] = [];
        const subscription = (await extension().activate()).onRunOutput((part) => parts.push(part));
        try {
            await vscode.commands.executeCommand("tile.run", ...(lens.command?.arguments ?? []));
            const printed = (): string => parts.filter((each) => each.stream === "stdout").map((each) => each.text).join("");
            await until("the printed text", () => printed() === "hello from block 0\n");
            assert.ok(parts.every((each) => each.entry === "hello" && each.launch === "once" && each.uri === document.uri.toString()));
        } finally {
            subscription.dispose();
        }
        await vscode.commands.executeCommand("tile.showOutput");
        await until("the output panel", () => vscode.workspace.textDocuments.some((each) => each.uri.scheme === "output"));
    });

    test("Tile: Run kernel runs the launch above the cursor", async () => {
        const editor = await open("launches.tile");
        const { document } = editor;
        await until("both run lenses", async () => (await runs(document.uri)).length === 2);
        const inside = position(document, "from b");
        editor.selection = new vscode.Selection(inside, inside);
        await vscode.commands.executeCommand("tile.runNearest");
        const hint = await until("the hint of @b", async () => {
            const all = (await hints(document.uri, new vscode.Range(0, 0, document.lineCount, 0))) ?? [];
            return all.find((each) => labelText(each.label).includes("from b"));
        });
        assert.equal(hint.position.line, inside.line);
    });

    test("Tile: Restart server starts a server that answers", async () => {
        const { document } = await open("hello.tile");
        await vscode.commands.executeCommand("tile.restartServer");
        await until("the run lens", async () => (await runs(document.uri))[0]);
    });

    test("a missing server program disables the features; a correct path enables them again", async () => {
        const settings = vscode.workspace.getConfiguration("tile");
        const right = settings.get("server.path");
        const served = async (): Promise<boolean> => (await vscode.commands.getCommands(true)).includes("tile.run");
        const { showErrorMessage } = vscode.window;
        // The message offers to open the page about installation.
        vscode.window.showErrorMessage = async (_: string, ...choices: any[]): Promise<any> => choices.find((each) => each === INSTALL);
        await settings.update("server.path", "/no/such/tile", vscode.ConfigurationTarget.Workspace);
        await until("the end of the server", async () => !(await served()));
        await until("the page about installation", () =>
            vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes("README"));
        vscode.window.showErrorMessage = showErrorMessage;
        await settings.update("server.path", undefined, vscode.ConfigurationTarget.Workspace);
        assert.equal(vscode.workspace.getConfiguration("tile").get("server.path"), right);
        await until("the server again", served);
    });

    test("the lens Add launch adds one, which the outline lists", async () => {
        const { document } = await open("ragged.tile");
        const lens = await until("the lens", async () =>
            ((await lenses(document.uri)) ?? []).find((each) => each.command?.command === "tile.addLaunch"));
        await vscode.commands.executeCommand("tile.addLaunch", ...lens.command!.arguments!);
        await until("the launch", () => document.getText().includes("//@ launch grid=(1, 1, 1)"));
        const names = await until("the outline", async () => {
            const [module] = (await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
                "vscode.executeDocumentSymbolProvider", document.uri)) ?? [];
            return module && module.children.length > 1 && module.children.map(({ name }) => name);
        });
        assert.match(names.join(), /^launch of @/);
    });
});
