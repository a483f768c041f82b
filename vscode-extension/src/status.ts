// The status bar item: the state of the server and the target of kernels. Clicking it selects the target.
import * as vscode from "vscode";
import type { SessionState } from "./session";
import { launcher, target } from "./target";

const COMMANDS = ["tile.install", "tile.selectTarget", "tile.restartServer", "tile.showOutput", "tile.showServerLog", "workbench.trust.manage"];

export class StatusItem implements vscode.Disposable {
    private readonly item = vscode.window.createStatusBarItem("tile.server", vscode.StatusBarAlignment.Right, 90);
    private readonly subscriptions: vscode.Disposable;
    private state: SessionState = { kind: "stopped" };

    constructor() {
        this.item.name = "Tile language server";
        this.subscriptions = vscode.Disposable.from(
            vscode.window.onDidChangeActiveTextEditor(() => this.updateVisibility()),
            vscode.workspace.onDidChangeConfiguration((event) => {
                if (event.affectsConfiguration("tile.run")) this.show(this.state);
            }),
        );
        this.updateVisibility();
    }

    show(state: SessionState): void {
        this.state = state;
        const failed = state.kind === "failed";
        const isMissing = failed && state.isMissing;
        const { icon, text } = describe(state);
        const runs = vscode.workspace.isTrusted ? target() : "checking only";
        this.item.text = state.kind === "running" ? `$(${icon}) Tile: ${runs}` : `$(${icon}) Tile`;
        this.item.backgroundColor = failed ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
        this.item.command = isMissing ? "tile.install" : failed ? "tile.restartServer" : "tile.selectTarget";
        this.item.tooltip = tooltip(text, isMissing);
        void vscode.commands.executeCommand("setContext", "tile.serverRunning", state.kind === "running");
    }

    private updateVisibility(): void {
        if (vscode.window.activeTextEditor?.document.languageId === "tile") this.item.show();
        else this.item.hide();
    }

    dispose(): void {
        this.subscriptions.dispose();
        this.item.dispose();
    }
}

function tooltip(text: string, isMissing: boolean): vscode.MarkdownString {
    const tooltip = new vscode.MarkdownString("", true);
    tooltip.isTrusted = { enabledCommands: COMMANDS };
    tooltip.appendText(text);
    if (isMissing) tooltip.appendMarkdown("\n\n[How to install](command:tile.install)");
    tooltip.appendMarkdown(
        vscode.workspace.isTrusted
            ? `\n\nKernels run on ${code(target())}${launcher() ? ` through ${code(launcher())}` : ""}. [Change](command:tile.selectTarget)`
            : "\n\nKernels cannot run because this workspace is not trusted. [Manage trust](command:workbench.trust.manage)",
    );
    tooltip.appendMarkdown(
        "\n\n[Show output](command:tile.showOutput) · [Server log](command:tile.showServerLog) · [Restart server](command:tile.restartServer)",
    );
    return tooltip;
}

/** Formats a text as inline code. */
function code(text: string): string {
    return `\`\` ${text.replace(/`/g, "'")} \`\``;
}

function describe(state: SessionState): { icon: string; text: string } {
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
