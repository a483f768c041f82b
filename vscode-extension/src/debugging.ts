// Debugging a launch: `tile debug-adapter` does the work; here it is started, and what there is to debug is found out.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { type Candidate, candidates, type EntryPlace, launchPath, type RunTarget } from "./nearest";

/** The type of debug configurations, as package.json contributes it. */
export const TYPE = "tile";

/** What a session is called before it is known what it debugs. */
const UNNAMED = "Debug";

/** What to start the adapter with, or why there is nothing. */
export type Adapter = { program: string; env: NodeJS.ProcessEnv } | { missing: string };

interface Configuration extends vscode.DebugConfiguration {
    program?: string;
    entry?: string;
    launch?: string;
}

/** A launch, by its names. */
type Names = Pick<RunTarget, "entry" | "launch">;

export class Debugging implements vscode.DebugConfigurationProvider, vscode.DebugAdapterDescriptorFactory, vscode.Disposable {
    private readonly registered: vscode.Disposable;
    /** What was debugged last in each file: a stop moves the cursor, and mostly the same is meant again. */
    private readonly last = new Map<string, string>();

    constructor(
        private readonly client: () => LanguageClient | undefined,
        private readonly adapter: () => Adapter,
        private readonly refuse: () => Promise<void>,
    ) {
        this.registered = vscode.Disposable.from(
            vscode.debug.registerDebugConfigurationProvider(TYPE, this),
            vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, this),
        );
    }

    /** Debugs what a lens says, else the launch at the cursor. */
    async start(target?: unknown): Promise<void> {
        if (!vscode.workspace.isTrusted) return this.refuse();
        const file = isTarget(target) ? vscode.Uri.parse(target.uri) : activeFile();
        if (!file) return tellWhatToOpen();
        await this.debug(file, isTarget(target) ? target : undefined);
    }

    /** Debugs a launch, or asks for one. */
    async debug(file: vscode.Uri, launch: Names | undefined): Promise<boolean> {
        const configuration: Configuration = { type: TYPE, request: "launch", name: UNNAMED, program: file.fsPath, ...named(launch) };
        return vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file), configuration);
    }

    /** F5 without a launch.json comes with nothing; a configuration that names no program means the open one. */
    async resolveDebugConfiguration(_: vscode.WorkspaceFolder | undefined, configuration: Configuration): Promise<Configuration | undefined> {
        if (!vscode.workspace.isTrusted) {
            void this.refuse();
            return undefined;
        }
        const file = activeFile();
        const empty = !configuration.type && !configuration.request;
        const whole = empty ? { type: TYPE, request: "launch", name: UNNAMED } : configuration;
        if (whole["program"]) return whole;
        if (file) return { ...whole, program: file.fsPath };
        tellWhatToOpen();
        return undefined;
    }

    /** Which launch, where the configuration does not say. */
    async resolveDebugConfigurationWithSubstitutedVariables(
        _: vscode.WorkspaceFolder | undefined,
        configuration: Configuration,
    ): Promise<Configuration | undefined> {
        if (configuration.entry || configuration.launch || !configuration.program) return configuration;
        const file = vscode.Uri.file(configuration.program);
        const found = await this.launches(file);
        // The adapter tells what is wrong with a file that cannot be asked for its launches.
        if (!found) return configuration;
        if (found.length === 0) {
            void vscode.window.showInformationMessage(
                "No launch stands above an entry in this file. Write one, for example: //@ launch grid=(1, 1, 1)",
            );
            return undefined;
        }
        const launch = found.length === 1 ? found[0] : await ask(found, this.last.get(file.fsPath));
        if (!launch) return undefined;
        const { name } = configuration;
        return { ...configuration, ...named(launch), ...(name === UNNAMED ? {} : { name }) };
    }

    createDebugAdapterDescriptor({ configuration }: vscode.DebugSession): vscode.DebugAdapterDescriptor {
        if (!vscode.workspace.isTrusted) throw new Error("Kernels are debugged only in a trusted workspace.");
        const adapter = this.adapter();
        if ("missing" in adapter) throw new Error(adapter.missing);
        const { program, entry, launch } = configuration as Configuration;
        if (program && entry) this.last.set(program, launchPath({ entry, launch: launch ?? null }));
        // VS Code lays these variables over its own: one that is to be missing must be named too.
        const names = new Set([...Object.keys(process.env), ...Object.keys(adapter.env)]);
        const env = Object.fromEntries([...names].map((name) => [name, adapter.env[name]])) as Record<string, string>;
        return new vscode.DebugAdapterExecutable(adapter.program, ["debug-adapter", ...reach()], { env });
    }

    /** The launches that the cursor leaves to choose from; none is known where the server does not answer. */
    private async launches(file: vscode.Uri): Promise<Candidate[] | undefined> {
        const client = this.client();
        if (!client?.isRunning()) return undefined;
        try {
            const document = await vscode.workspace.openTextDocument(file);
            const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
            const entries = (await client.sendRequest<EntryPlace[] | null>("tile/launches", { textDocument })) ?? [];
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

/** Which files a launch may read: as for a run, those of the opened folders, or all where the setting says so. */
function reach(): string[] {
    const everywhere = vscode.workspace.getConfiguration("tile").get("run.filesOutsideFolder", false);
    const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === "file");
    return [...(everywhere ? ["--files-outside-folder"] : []), ...folders.flatMap((folder) => ["--folder", folder.uri.fsPath])];
}

/** What a configuration says of a launch. */
function named(launch: Names | undefined): { name?: string; entry?: string; launch?: string } {
    if (!launch) return {};
    return { name: launchPath(launch), entry: launch.entry, ...(launch.launch ? { launch: launch.launch } : {}) };
}

function isTarget(target: unknown): target is RunTarget {
    const { uri, entry } = (target ?? {}) as Partial<RunTarget>;
    return typeof uri === "string" && typeof entry === "string";
}

/** The program in the active editor, if it is a file: the debugger reads it. */
function activeFile(): vscode.Uri | undefined {
    const document = vscode.window.activeTextEditor?.document;
    return document?.languageId === "tile" && document.uri.scheme === "file" ? document.uri : undefined;
}

function tellWhatToOpen(): void {
    const unsaved = vscode.window.activeTextEditor?.document.isUntitled;
    void vscode.window.showInformationMessage(unsaved ? "Save this program to debug it." : "Open a .tile file to debug a kernel.");
}

/** Asks for a launch; that of the last time stands first. */
async function ask(found: readonly Candidate[], last: string | undefined): Promise<Candidate | undefined> {
    const items = found.map((candidate) => ({ label: launchPath(candidate), description: candidate.grid.join("×"), candidate }));
    items.sort((a, b) => Number(b.label === last) - Number(a.label === last));
    return (await vscode.window.showQuickPick(items, { title: "Which launch to debug" }))?.candidate;
}
