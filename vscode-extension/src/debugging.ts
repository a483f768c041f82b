// Debugging a launch: starts `tile debug-adapter`, and finds out which launch to debug.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { type Candidate, candidates, type EntryLaunches, launchPath, type RunTarget } from "./nearest";

/** The type of debug configurations, as package.json contributes it. */
export const TYPE = "tile";

/** The name of a session whose launch is not known yet. */
const UNNAMED = "Debug";

/** How to start the adapter, or why that is impossible. */
export type Adapter = { program: string; env: NodeJS.ProcessEnv } | { missing: string };

interface Configuration extends vscode.DebugConfiguration {
    program?: string;
    entry?: string;
    launch?: string;
}

/** The names of a launch. */
type Names = Pick<RunTarget, "entry" | "launch">;

export class Debugging implements vscode.DebugConfigurationProvider, vscode.DebugAdapterDescriptorFactory, vscode.Disposable {
    private readonly registered: vscode.Disposable;
    /** The last launch debugged in each file: a stop moves the cursor, and users usually debug the same launch again. */
    private readonly last = new Map<string, string>();
    /** Whether the debug view was opened. */
    private isViewReady = false;

    constructor(
        private readonly client: () => LanguageClient | undefined,
        private readonly adapter: () => Adapter,
        private readonly showNotTrusted: () => Promise<void>,
    ) {
        this.registered = vscode.Disposable.from(
            vscode.debug.registerDebugConfigurationProvider(TYPE, this),
            vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, this),
            vscode.languages.registerEvaluatableExpressionProvider("tile", { provideEvaluatableExpression: valueAt }),
        );
    }

    /** Debugs the launch of a lens, or else the one at the cursor. */
    async start(target?: unknown): Promise<void> {
        if (!vscode.workspace.isTrusted) return this.showNotTrusted();
        const file = isTarget(target) ? vscode.Uri.parse(target.uri) : activeFile();
        if (!file) return showWhatToOpen();
        await this.debug(file, isTarget(target) ? target : undefined);
    }

    /** Runs to the start of a tile block, which the user names unless it is given. */
    async goToBlock(block?: unknown): Promise<void> {
        const session = vscode.debug.activeDebugSession;
        if (session?.type !== TYPE) return;
        const target = Array.isArray(block) ? block : await askForBlock();
        if (!target) return;
        try {
            await session.customRequest("goToBlock", { block: target });
        } catch (error) {
            void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
        }
    }

    /** Debugs a launch, or lets the user choose one. */
    async debug(file: vscode.Uri, launch: Names | undefined): Promise<boolean> {
        const configuration: Configuration = { type: TYPE, request: "launch", name: UNNAMED, program: file.fsPath, ...launchFields(launch) };
        return vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file), configuration);
    }

    /** F5 without a launch.json passes an empty configuration; one without a program means the open file. */
    async resolveDebugConfiguration(_: vscode.WorkspaceFolder | undefined, configuration: Configuration): Promise<Configuration | undefined> {
        if (!vscode.workspace.isTrusted) {
            void this.showNotTrusted();
            return undefined;
        }
        const file = activeFile();
        const empty = !configuration.type && !configuration.request;
        const complete = empty ? { type: TYPE, request: "launch", name: UNNAMED } : configuration;
        if (complete["program"]) return complete;
        if (file) return { ...complete, program: file.fsPath };
        showWhatToOpen();
        return undefined;
    }

    /** Finds the launch if the configuration does not name one. */
    async resolveDebugConfigurationWithSubstitutedVariables(
        _: vscode.WorkspaceFolder | undefined,
        configuration: Configuration,
    ): Promise<Configuration | undefined> {
        if (configuration.entry || configuration.launch || !configuration.program) {
            await this.prepareView();
            return configuration;
        }
        const file = vscode.Uri.file(configuration.program);
        const found = await this.launches(file);
        // Without the launches, the adapter reports what is wrong with the file.
        if (!found) return configuration;
        if (found.length === 0) {
            void vscode.window.showInformationMessage(
                "This file has no launches. Write one above an entry, for example: //@ launch grid=(1, 1, 1)",
            );
            return undefined;
        }
        const launch = found.length === 1 ? found[0] : await chooseLaunch(found, this.last.get(file.fsPath));
        if (!launch) return undefined;
        await this.prepareView();
        const { name } = configuration;
        return { ...configuration, ...launchFields(launch), ...(name === UNNAMED ? {} : { name }) };
    }

    createDebugAdapterDescriptor({ configuration }: vscode.DebugSession): vscode.DebugAdapterDescriptor {
        if (!vscode.workspace.isTrusted) throw new Error("Kernels are debugged only in a trusted workspace.");
        const adapter = this.adapter();
        if ("missing" in adapter) throw new Error(adapter.missing);
        const { program, entry, launch } = configuration as Configuration;
        if (program && entry) this.last.set(program, launchPath({ entry, launch: launch ?? null }));
        // VS Code merges these variables with its own, so a removed one must be listed as undefined.
        const names = new Set([...Object.keys(process.env), ...Object.keys(adapter.env)]);
        const env = Object.fromEntries([...names].map((name) => [name, adapter.env[name]])) as Record<string, string>;
        return new vscode.DebugAdapterExecutable(adapter.program, ["debug-adapter", ...fileOptions()], { env });
    }

    /**
     * Opens the debug view before the first session that can stop at a breakpoint. VS Code opens it at the stop, but
     * expands the values only in a view that was open before.
     */
    private async prepareView(): Promise<void> {
        const opens = vscode.workspace.getConfiguration("debug").get("openDebug") === "openOnDebugBreak";
        if (this.isViewReady || !opens || !vscode.debug.breakpoints.some((each) => each.enabled)) return;
        this.isViewReady = true;
        await vscode.commands.executeCommand("workbench.view.debug");
        await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
    }

    /** The launches to choose from at the cursor; undefined if the server does not answer. */
    private async launches(file: vscode.Uri): Promise<Candidate[] | undefined> {
        const client = this.client();
        if (!client?.isRunning()) return undefined;
        try {
            const document = await vscode.workspace.openTextDocument(file);
            const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
            const entries = (await client.sendRequest<EntryLaunches[] | null>("tile/launches", { textDocument })) ?? [];
            const editor = vscode.window.activeTextEditor;
            const isOpen = editor?.document.uri.toString() === document.uri.toString();
            return candidates(entries, isOpen ? editor.selection.active.line : undefined);
        } catch {
            return undefined;
        }
    }

    dispose(): void {
        this.registered.dispose();
    }
}

/** The options for the files that a launch may read: those in the opened folders, or all if the setting allows it. */
function fileOptions(): string[] {
    const everywhere = vscode.workspace.getConfiguration("tile").get("run.filesOutsideFolder", false);
    const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === "file");
    return [...(everywhere ? ["--files-outside-folder"] : []), ...folders.flatMap((folder) => ["--folder", folder.uri.fsPath])];
}

/** The fields of a configuration that name a launch. */
function launchFields(launch: Names | undefined): { name?: string; entry?: string; launch?: string } {
    if (!launch) return {};
    return { name: launchPath(launch), entry: launch.entry, ...(launch.launch ? { launch: launch.launch } : {}) };
}

function isTarget(target: unknown): target is RunTarget {
    const { uri, entry } = (target ?? {}) as Partial<RunTarget>;
    return typeof uri === "string" && typeof entry === "string";
}

/** The program in the active editor if it is saved to disk, where the debugger reads it. */
function activeFile(): vscode.Uri | undefined {
    const document = vscode.window.activeTextEditor?.document;
    return document?.languageId === "tile" && document.uri.scheme === "file" ? document.uri : undefined;
}

/** The value below the mouse, which the debugger evaluates. By default, VS Code leaves out the `%`. */
function valueAt(document: vscode.TextDocument, position: vscode.Position): vscode.EvaluatableExpression | undefined {
    const range = document.getWordRangeAtPosition(position, /%[\w$.-]+(#\d+)?/);
    return range && new vscode.EvaluatableExpression(range);
}

/** Asks for the coordinates of a tile block. */
async function askForBlock(): Promise<number[] | undefined> {
    const text = await vscode.window.showInputBox({
        title: "Go to tile block",
        prompt: "Coordinates x y z; those left out are 0",
        placeHolder: "1 0 0",
        validateInput: (value) => (parseBlock(value) ? undefined : "Enter one to three numbers, such as 1 0 0"),
    });
    return text === undefined ? undefined : parseBlock(text);
}

function parseBlock(text: string): number[] | undefined {
    const numbers = text.split(/[\s,()[\]]+/).filter((part) => part !== "");
    const valid = numbers.length >= 1 && numbers.length <= 3 && numbers.every((part) => /^\d+$/.test(part));
    return valid ? numbers.map(Number) : undefined;
}

function showWhatToOpen(): void {
    const unsaved = vscode.window.activeTextEditor?.document.isUntitled;
    void vscode.window.showInformationMessage(unsaved ? "Save this program to debug it." : "Open a .tile file to debug a kernel.");
}

/** Lets the user choose a launch; the last one comes first. */
async function chooseLaunch(found: readonly Candidate[], last: string | undefined): Promise<Candidate | undefined> {
    const items = found.map((candidate) => ({ label: launchPath(candidate), description: candidate.grid.join("×"), candidate }));
    items.sort((a, b) => Number(b.label === last) - Number(a.label === last));
    return (await vscode.window.showQuickPick(items, { title: "Select launch to debug" }))?.candidate;
}
