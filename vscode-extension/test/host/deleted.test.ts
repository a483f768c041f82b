import * as vscode from "vscode";
import { closeAll, fixture, open, until } from "./support";

const BROKEN = "cuda_tile.module @m {\n  entry @k() {\n    %x = negf %no : tile<f32>\n  }\n}\n";

suite("diagnostics of deleted files", () => {
    teardown(closeAll);
    const isReported = (uri: vscode.Uri) => (): boolean => vscode.languages.getDiagnostics(uri).length > 0;
    const isForgotten = (uri: vscode.Uri) => (): boolean => vscode.languages.getDiagnostics(uri).length === 0;

    /** Creates a broken program and waits until it is reported. */
    const broken = async (name: string): Promise<vscode.Uri> => {
        const uri = fixture(name);
        await vscode.workspace.fs.writeFile(uri, Buffer.from(BROKEN));
        await until(`the diagnostics of ${name}`, isReported(uri));
        return uri;
    };

    test("go with a closed file", async () => {
        const uri = await broken("deleted.tile");
        await vscode.workspace.fs.delete(uri);
        await until("the end of its diagnostics", isForgotten(uri));
    });

    test("go with an open file", async () => {
        const uri = await broken("deleted_open.tile");
        await open("deleted_open.tile");
        await until("the pulled diagnostics", isReported(uri));
        await vscode.workspace.fs.delete(uri);
        await vscode.commands.executeCommand("workbench.action.closeAllEditors");
        await until("the end of its diagnostics", isForgotten(uri));
        await until("the end of its diagnostics", isForgotten(uri));
    });

    test("go with a folder", async () => {
        const uri = await broken("deleted/inside.tile");
        await vscode.workspace.fs.delete(fixture("deleted"), { recursive: true });
        await until("the end of its diagnostics", isForgotten(uri));
    });
});
