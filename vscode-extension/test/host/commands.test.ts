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

    test("Copy bytecode fills the clipboard", async () => {
        await ready("hello.tile");
        await vscode.env.clipboard.writeText("");
        const answer = await vscode.commands.executeCommand<{ base64: string }>("tile.copyBytecode");
        assert.equal(Buffer.from(answer.base64, "base64").subarray(1, 7).toString(), "TileIR");
        await until("the clipboard", async () => (await vscode.env.clipboard.readText()) === answer.base64);
    });

    test("Show bytecode opens its text", async () => {
        await ready("hello.tile");
        await vscode.commands.executeCommand("tile.showBytecode");
        const { document } = await until("the text", () => {
            const found = vscode.window.activeTextEditor;
            return found?.document.getText().includes("bytes of bytecode") && found;
        });
        assert.deepEqual([document.uri.scheme, document.languageId], ["tile-made", "tile"]);
        const hover = async (): Promise<boolean> => (await vscode.commands.executeCommand<vscode.Hover[]>(
            "vscode.executeHoverProvider", document.uri, position(document, "print_tko"))).length > 0;
        await until("a hover", hover);
    });

    test("Show SASS opens the compiler's output, read-only; a second call replaces it", async () => {
        const { document } = await ready("hello.tile");
        const titles = ((await lenses(document.uri)) ?? []).map((lens) => lens.command?.title);
        assert.ok(titles.includes("Show PTX") && titles.includes("Show SASS"), titles.join());
        const text = (): vscode.TextDocument | undefined =>
            vscode.workspace.textDocuments.find((each) => each.uri.scheme === "tile-made" && each.uri.path === "/hello.sass");
        await vscode.commands.executeCommand("tile.showSass", { uri: document.uri.toString() });
        const sass = await until("the text", text);
        assert.match(sass.getText(), /^\/\/ SASS of hello.tile for sm_90, by tileiras 13.4.0[^]*EXIT/);
        await vscode.commands.executeCommand("type", { text: "x" });
        assert.ok(!sass.isDirty && !sass.getText().startsWith("x"));
        await vscode.commands.executeCommand("tile.showSass", { uri: document.uri.toString() });
        assert.equal(vscode.window.tabGroups.all.flatMap((group) => group.tabs).length, 2);
    });

    test("remarks of the compiler are diagnostics until their entry changes", async () => {
        const { document } = await ready("hello.tile");
        const remarks = (): vscode.Diagnostic[] =>
            vscode.languages.getDiagnostics(document.uri).filter(({ code }) => (typeof code === "object" ? code.value : code) === "P0104");
        assert.deepEqual(remarks(), []);
        await vscode.commands.executeCommand("tile.remarks");
        const [found] = await until("the remark", () => (remarks().length ? remarks() : undefined));
        assert.equal(found?.message.split("\n")[0], "high register usage");
        assert.equal(found?.severity, vscode.DiagnosticSeverity.Warning);
        const editor = await vscode.window.showTextDocument(document);
        await editor.edit((edit) => edit.insert(position(document, "print_tko"), " "));
        await until("no remark", () => remarks().length === 0);
    });

    test("a user-defined name is a valid target, and a launcher starts the worker", async () => {
        const settings = vscode.workspace.getConfiguration("tile");
        const { document } = await ready("hello.tile");
        const run = (): Thenable<{ kind: string; passed?: boolean; reason?: string }> =>
            vscode.commands.executeCommand("tile.run", { uri: document.uri.toString(), entry: "hello", launch: "once" });
        const set = (name: string, value?: string): Thenable<void> => settings.update(name, value, vscode.ConfigurationTarget.Workspace);
        await set("run.target", "box:cpu");
        const title = async (): Promise<boolean> =>
            ((await lenses(document.uri)) ?? []).some((lens) => lens.command?.title === '▶ Run "once" on box:cpu');
        await until("the lens with the target", title);
        assert.equal((await run()).passed, true);
        await set("run.target", "bax");
        assert.match((await run()).reason ?? "", /one of your hosts: `box`/);
        await set("run.target");
        await set("run.launcher", "/no/such/launcher");
        await until("the launcher", async () => /no\/such\/launcher/.test((await run()).reason ?? ""));
        await set("run.launcher");
        await until("a run without it", async () => (await run()).passed);
    });

    test("the target is selected from a list", async () => {
        await ready("hello.tile");
        const settings = vscode.workspace.getConfiguration("tile");
        await settings.update("run.target", "box", vscode.ConfigurationTarget.Workspace);
        const now = (): string | undefined => vscode.workspace.getConfiguration("tile").get("run.target");
        const choosing = vscode.commands.executeCommand("tile.selectTarget");
        // The list appears when the server has answered.
        const chosen = async (): Promise<boolean> => {
            await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
            return now() !== "box";
        };
        await until("another target", chosen);
        await choosing;
        assert.equal(now(), "cpu");
        await settings.update("run.target", undefined, vscode.ConfigurationTarget.Workspace);
    });

    test("Test all launches in this file runs each once, with the sanitizer", async () => {
        await ready("expects.tile");
        const written: RunOutput[] = [];
        const subscription = (await extension().activate()).onRunOutput((part) => written.push(part));
        await vscode.commands.executeCommand("tile.testAll");
        await until("the finding", () => written.some((part) => part.stream === "stderr" && part.text.includes("R0106")));
        subscription.dispose();
        const printed = written.filter((part) => part.stream === "stdout").map((part) => [part.launch, part.text]);
        assert.deepEqual(printed, [["met", "7\n"], ["missed", "7\n"]]);
    });

    test("Run kernel with sanitizer finds more than a plain run", async () => {
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

    test("a run on a missing GPU fails, and selecting the CPU works again", async () => {
        const settings = vscode.workspace.getConfiguration("tile");
        await settings.update("run.target", "cuda:99", vscode.ConfigurationTarget.Workspace);
        await ready("hello.tile");
        const result = await vscode.commands.executeCommand<{ kind: string; passed?: boolean; reason?: string }>(
            "tile.run", { uri: vscode.window.activeTextEditor!.document.uri.toString(), entry: "hello", launch: "once" });
        assert.ok(result.kind === "refused" || result.passed === false, JSON.stringify(result));
        // The reason says what to do, in the words of the editor.
        if (result.reason?.startsWith("no NVIDIA driver")) assert.match(result.reason, /install .*, or run on the target `cpu`/);
        await settings.update("run.target", undefined, vscode.ConfigurationTarget.Workspace);
        const again = await vscode.commands.executeCommand<{ kind: string; passed?: boolean }>(
            "tile.run", { uri: vscode.window.activeTextEditor!.document.uri.toString(), entry: "hello", launch: "once" });
        assert.equal(again.passed, true);
    });

    for (const [name, entry] of [["hello_world", "@hello_world"], ["warp/row_sum", "@row_sum"]] as const) {
        test(`Open example opens ${name}, which runs`, async () => {
            await vscode.commands.executeCommand("tile.openExample", name);
            const document = await until("the example", () => {
                const found = vscode.window.activeTextEditor?.document;
                return found?.uri.path.endsWith(`/${name}.tile`) && found.getText().includes(`entry ${entry}`) && found;
            });
            assert.equal(document.languageId, "tile");
            const lens = await until("its lens", async () =>
                ((await lenses(document.uri)) ?? []).find((each) => each.command?.command === "tile.run"));
            const result = await vscode.commands.executeCommand<{ passed: boolean }>("tile.run", ...lens.command!.arguments!);
            assert.equal(result.passed, true);
            assert.ok(((await lenses(document.uri)) ?? []).some((each) => each.command?.command === "tile.debug"), "it can be debugged");
        });
    }

    test("the bytecode of a program that is not saved has its name", async () => {
        const content = (await open("hello.tile")).document.getText();
        const document = await vscode.workspace.openTextDocument({ language: "tile", content });
        await vscode.window.showTextDocument(document);
        await until("the lenses", async () => (await lenses(document.uri))?.length);
        await vscode.commands.executeCommand("tile.showBytecode");
        const shown = vscode.window.activeTextEditor?.document.uri.path;
        assert.equal(shown, `/${document.uri.path}.bytecode.tile`);
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

    test("code in pages is colored", async () => {
        const html = await vscode.commands.executeCommand<string>(
            "markdown.api.render", "```tile\n%a = addf %b, %b : tile<f32> // <sum>\n```\n\n```json\n{}\n```\n");
        for (const part of ['<span class="hljs-variable">%a</span>', '<span class="hljs-keyword">addf</span>',
            '<span class="hljs-type">tile</span>', '<span class="hljs-comment">// &#60;sum&#62;</span>']) {
            assert.ok(html.includes(part), `${part} is not in ${html}`);
        }
    });

    test("a term opens its page", async () => {
        const page = vscode.Uri.from({ scheme: "tile-doc", path: "/view parameter dim_map.md" });
        const document = await vscode.workspace.openTextDocument(page);
        assert.match(document.getText(), /^\*\*`dim_map`\*\*/);
        await closeAll();
        await vscode.commands.executeCommand("tile.doc", "partition_view");
        await until("the page", () => vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview);
    });
});
