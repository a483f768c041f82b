// In an untrusted workspace, reading works, and no program chosen by the workspace starts.
import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { closeAll, extension, fixture, lenses, open, position, until } from "./support";

const NOT_TRUSTED = "Kernels and compilers can be started only in a trusted workspace.";

/** Waits for the end of an action. Returns the warnings that it shows, which the user dismisses. */
async function warnings(act: () => Thenable<unknown>): Promise<string[]> {
    const shown: string[] = [];
    const { showWarningMessage } = vscode.window;
    Object.assign(vscode.window, {
        showWarningMessage: async (message: string) => void shown.push(message),
    });
    try {
        await act();
    } finally {
        Object.assign(vscode.window, { showWarningMessage });
    }
    return shown;
}

suite("an untrusted workspace", () => {
    teardown(closeAll);

    test("is not trusted", () => assert.equal(vscode.workspace.isTrusted, false));

    test("diagnostics and hover work", async () => {
        const { document } = await open("broken.tile");
        await until("activation", () => extension().isActive);
        await until("diagnostics", () => vscode.languages.getDiagnostics(document.uri).length > 0);
        const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
            "vscode.executeHoverProvider", document.uri, position(document, "%one, %one"));
        assert.ok(hovers.length > 0);
    });

    test("has no run lens, and the run command runs nothing", async () => {
        const { document } = await open("hello.tile");
        await until("the server's command", async () => (await vscode.commands.getCommands(true)).includes("tile.run"));
        const found = (await lenses(document.uri)) ?? [];
        assert.ok(found.every((lens) => !["tile.run", "tile.debug"].includes(lens.command?.command ?? "")));
        let wrote = false;
        const subscription = (await extension().activate()).onRunOutput(() => (wrote = true));
        const target = { uri: document.uri.toString(), entry: "hello", launch: "once" };
        assert.deepEqual(await warnings(() => vscode.commands.executeCommand("tile.run", target)), [NOT_TRUSTED]);
        subscription.dispose();
        assert.equal(wrote, false);
    });

    test("no command, and no button of the Test Explorer, runs anything", async () => {
        const { document } = await open("hello.tile");
        const { tests, profiles, onRunOutput } = await extension().activate();
        const item = await until("the launches", () => tests.items.get(document.uri.toString()));
        let wrote = false;
        const subscription = onRunOutput(() => (wrote = true));
        const token = new vscode.CancellationTokenSource().token;
        for (const profile of profiles) {
            const click = async (): Promise<void> => profile.runHandler(new vscode.TestRunRequest([item]), token);
            assert.deepEqual(await warnings(click), [NOT_TRUSTED], profile.label);
        }
        for (const command of ["tile.debug", "tile.testAll", "tile.showSass", "tile.runNearestSanitized"]) {
            assert.deepEqual(await warnings(() => vscode.commands.executeCommand(command)), [NOT_TRUSTED], command);
        }
        subscription.dispose();
        assert.equal(wrote, false);
        assert.equal(vscode.debug.activeDebugSession, undefined);
        assert.ok(vscode.workspace.textDocuments.every((each) => each.uri.scheme !== "tile-made"));
    });

    test("bytecode opens as text", async () => {
        await vscode.commands.executeCommand("vscode.open", fixture("hello.tileirbc"));
        const text = await until("the text", () => {
            const found = vscode.window.activeTextEditor?.document;
            return found?.uri.scheme === "tile-bytecode" && found.getText();
        });
        assert.match(text, /entry @hello/);
    });

    test("the workspace's settings do not choose the server", async () => {
        const before = vscode.workspace.getConfiguration("tile").get("server.path");
        const settings = fixture(".vscode/settings.json");
        await vscode.workspace.fs.writeFile(settings, Buffer.from(
            '{ "tile.server.path": "/no/such/tile", "tile.run.launcher": "/no/such", "tile.run.revealOutput": "never" }'));
        await until("the workspace's settings", () => vscode.workspace.getConfiguration("tile").get("run.revealOutput") === "never");
        assert.equal(vscode.workspace.getConfiguration("tile").get("server.path"), before);
        assert.equal(vscode.workspace.getConfiguration("tile").get("run.launcher"), "");
        await vscode.workspace.fs.delete(settings);
    });
});
