// The status bar item: whether the server runs, from where, and the commands one looks for when it does not.
import * as vscode from "vscode";
import type { SessionState } from "./session";

export class StatusItem implements vscode.Disposable {
    private readonly item = vscode.window.createStatusBarItem("tile.server", vscode.StatusBarAlignment.Right, 90);
    private readonly follows: vscode.Disposable;

    constructor() {
        this.item.name = "Tile language server";
        this.follows = vscode.window.onDidChangeActiveTextEditor(() => this.place());
        this.place();
    }

    show(state: SessionState): void {
        const { icon, text } = words(state);
        this.item.text = `$(${icon}) Tile`;
        this.item.backgroundColor = state.kind === "failed" ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
        this.item.command = state.kind === "failed" ? "tile.restartServer" : "tile.showOutput";
        const tooltip = new vscode.MarkdownString("", true);
        tooltip.isTrusted = { enabledCommands: ["tile.restartServer", "tile.showOutput", "tile.showServerLog", "workbench.trust.manage"] };
        tooltip.appendText(text);
        if (!vscode.workspace.isTrusted) {
            tooltip.appendMarkdown("\n\nKernels do not run: this workspace is not trusted. [Manage trust](command:workbench.trust.manage)");
        }
        tooltip.appendMarkdown(
            "\n\n[Show output](command:tile.showOutput) · [Server log](command:tile.showServerLog) · [Restart server](command:tile.restartServer)",
        );
        this.item.tooltip = tooltip;
    }

    private place(): void {
        if (vscode.window.activeTextEditor?.document.languageId === "tile") this.item.show();
        else this.item.hide();
    }

    dispose(): void {
        this.follows.dispose();
        this.item.dispose();
    }
}

function words(state: SessionState): { icon: string; text: string } {
    switch (state.kind) {
        case "starting":
            return { icon: "sync~spin", text: "Tile language server: starting" };
        case "running":
            return { icon: "check", text: `Tile language server ${state.version ?? ""}: running\n${state.program}` };
        case "stopped":
            return { icon: "circle-slash", text: "Tile language server: stopped" };
        case "failed":
            return { icon: "error", text: state.reason };
    }
}
