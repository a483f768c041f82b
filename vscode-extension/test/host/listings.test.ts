import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { closeAll, extension, lenses, open, position, until } from "./support";

suite("listings", () => {
    teardown(closeAll);

    /** The editors of a program and of its SASS, beside each other. */
    const shown = async (): Promise<[vscode.TextEditor, vscode.TextEditor]> => {
        const program = await open("hello.tile");
        await until("the lenses", async () => (await lenses(program.document.uri))?.length);
        await vscode.commands.executeCommand("tile.showSass", { uri: program.document.uri.toString() });
        const visible = (path: string) => (): vscode.TextEditor | undefined =>
            vscode.window.visibleTextEditors.find((editor) => editor.document.uri.path.endsWith(path));
        return [await until("the program", visible("/hello.tile")), await until("the listing", visible("/hello.sass"))];
    };
    const moved = (editor: vscode.TextEditor, text: string): void => {
        const at = position(editor.document, text);
        editor.selection = new vscode.Selection(at, at);
    };
    const listings = () => extension().exports.listings;
    const marked = (from: vscode.TextEditor, in_: vscode.TextEditor): string[] =>
        listings().shown(from).marked.map((line) => in_.document.lineAt(line).text.trim());

    test("the cursor in the program selects its instructions, and the other way round", async () => {
        const [program, sass] = await shown();
        moved(program, "get_tile_block_id");
        assert.deepEqual(marked(program, sass), ["S2R R0, SR_CTAID.X", "IADD R0, R0, R0", "EXIT"]);
        moved(program, "print_tko");
        assert.deepEqual(marked(program, sass), ["STG.E.64 [R2], R4"]);
        moved(sass, "STG.E.64");
        assert.match(marked(sass, program).join(), /^%t = print_tko/);
        moved(sass, "// kernel");
        assert.deepEqual(marked(sass, program), []);
    });

    test("lines of the program end with their instruction mix until the program changes", async () => {
        const [program] = await shown();
        assert.deepEqual(listings().shown(program).mix, ["3 instructions", "1 STG.64"]);
        await program.edit((edit) => edit.insert(new vscode.Position(0, 0), "// edited\n"));
        assert.deepEqual(listings().shown(program).mix, []);
        await vscode.commands.executeCommand("tile.showSass", { uri: program.document.uri.toString() });
        assert.deepEqual(listings().shown(program).mix.length, 2);
    });

    test("closing the listing removes the mix", async () => {
        const [program, sass] = await shown();
        await vscode.window.showTextDocument(sass.document, sass.viewColumn ? { viewColumn: sass.viewColumn } : {});
        await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
        await until("no mix", () => listings().shown(program).mix.length === 0);
    });
});
