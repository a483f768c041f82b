import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import manifest from "../../package.json";
import { closeAll, hints, labelText, lenses, open, until } from "./support";

const set = (name: string, value: unknown): Thenable<void> =>
    vscode.workspace.getConfiguration("tile").update(name, value, vscode.ConfigurationTarget.Workspace);

suite("settings", () => {
    teardown(closeAll);

    test("every setting has documentation and a default", () => {
        const all = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
        assert.ok(all.length >= 15);
        for (const [name, property] of all) {
            assert.ok(property.markdownDescription.length > 20, name);
            assert.notEqual(property.default, undefined, name);
        }
    });

    test("the editor's settings suit the language", async () => {
        // The continuation lines of this program are indented by four.
        await vscode.commands.executeCommand("tile.openExample", "saxpy");
        const { options } = vscode.window.activeTextEditor!;
        assert.deepEqual([options.tabSize, options.insertSpaces], [2, true]);
        const editor = vscode.workspace.getConfiguration("editor", { languageId: "tile" });
        const names = ["detectIndentation", "formatOnType", "inlayHints.maximumLength", "tabSize"];
        assert.deepEqual(names.map((name) => editor.get(name)), [false, true, 120, 2]);
    });

    test("hints and lenses can be switched while the server runs", async () => {
        const { document } = await open("launches.tile");
        const everything = new vscode.Range(0, 0, document.lineCount, 0);
        const bytecode = async (): Promise<boolean> =>
            ((await lenses(document.uri)) ?? []).some((lens) => lens.command?.command === "tile.showBytecode");
        await until("the lens", bytecode);
        await set("codeLens.bytecode", false);
        await until("no lens", async () => !(await bytecode()));
        await set("codeLens.bytecode", undefined);
        await until("the lens again", bytecode);

        await vscode.commands.executeCommand("tile.runNearest");
        const verdict = async (): Promise<boolean> =>
            ((await hints(document.uri, everything)) ?? []).some((hint) => labelText(hint.label).includes("✓"));
        await until("the verdict next to the launch", verdict);
        await set("inlayHints.runs", false);
        await until("no verdict", async () => !(await verdict()));
        await set("inlayHints.runs", undefined);
        await until("the verdict again", verdict);
    });

    test("a program is checked against the selected version", async () => {
        const { document } = await open("newer.tile");
        const errors = (): vscode.Diagnostic[] =>
            vscode.languages.getDiagnostics(document.uri).filter((each) => each.severity === vscode.DiagnosticSeverity.Error);
        await until("the lens", async () => (await lenses(document.uri))?.length);
        assert.deepEqual(errors(), []);
        await set("check.targetVersion", "13.1");
        await until("an error", () => errors().length > 0);
        await set("check.targetVersion", undefined);
        await until("no error", () => errors().length === 0);
    });

    test("closed files are checked unless the setting is off", async () => {
        const { document } = await open("hello.tile");
        const broken = vscode.Uri.joinPath(document.uri, "..", "unopened.tile");
        await vscode.workspace.fs.copy(vscode.Uri.joinPath(broken, "..", "broken.tile"), broken);
        await until("the error of unopened.tile", () => vscode.languages.getDiagnostics(broken).length > 0);
        await set("diagnostics.workspace", false);
        await until("no error", () => vscode.languages.getDiagnostics(broken).length === 0);
        await set("diagnostics.workspace", undefined);
        await until("the error again", () => vscode.languages.getDiagnostics(broken).length > 0);
        await vscode.workspace.fs.delete(broken);
    });
});
