// Connects the parts of the extension. It contains no rules of the language: all facts about a file come from the
// server.
import * as vscode from "vscode";
import { Bytecode } from "./bytecode";
import { Comparison } from "./compare";
import { EntryPage } from "./dataflow";
import { Debugging } from "./debugging";
import { detectPrograms } from "./detection";
import { Doc } from "./doc";
import { openExample } from "./examples";
import { Explain } from "./explain";
import { GeneratedCode } from "./generated";
import { applyIndentation } from "./indentation";
import { Listings } from "./listings";
import { extendMarkdownIt } from "./markdown";
import { type RunOutput, Runs } from "./runs";
import { Session } from "./session";
import { StatusItem } from "./status";
import { chooseTarget } from "./target";
import { Tests } from "./testing";
import { Viewer } from "./viewer";

/** The API for other extensions and for the tests. */
export interface Api {
    /** The output of running kernels. */
    readonly onRunOutput: vscode.Event<RunOutput>;
    /** The launches in the Test Explorer. */
    readonly tests: vscode.TestController;
    readonly profiles: readonly vscode.TestRunProfile[];
    /** The data flow graph of the entry at the cursor. */
    readonly graph: EntryPage;
    /** The accesses of a launch of that entry. */
    readonly accesses: EntryPage;
    /** The elements of a value, a buffer or an expectation. */
    readonly viewer: Viewer;
    /** The listings beside programs. */
    readonly listings: Listings;
    /** Called by the Markdown preview. */
    readonly extendMarkdownIt: typeof extendMarkdownIt;
}

/** The settings that require a restart of the server. */
const AT_START = ["tile.server", "tile.tools", "tile.run.filesOutsideFolder"];

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<Api> {
    const log = vscode.window.createOutputChannel("Tile Server", { log: true });
    const generated = new GeneratedCode();
    const listings = new Listings();
    const runs = new Runs(() => session?.client, generated, listings);
    const status = new StatusItem();
    const debugging = new Debugging(() => session?.client, () => current.program(), () => runs.showNotTrusted());
    const tests = new Tests(runs, debugging, () => session?.client);
    const viewer = new Viewer(() => session?.client, () => runs.showNotTrusted());
    const current = new Session(context.extensionPath, log, { ...runs.middleware, ...viewer.middleware }, (client) => runs.listen(client), (state) => {
        status.show(state);
        if (state.kind === "running") tests.started();
    });
    session = current;
    applyIndentation();
    const explain = new Explain((args) => current.runProgram(args));
    const doc = new Doc((args) => current.runProgram(args));
    const comparison = new Comparison((args) => current.runProgram(args));
    const graph = new EntryPage("graph", "Data flow", () => session?.client);
    const accesses = new EntryPage("accesses", "Accesses", () => session?.client);
    const command = (name: string, act: (...args: unknown[]) => unknown): vscode.Disposable =>
        vscode.commands.registerCommand(`tile.${name}`, act);
    context.subscriptions.push(
        log,
        detectPrograms(),
        generated,
        listings,
        runs,
        debugging,
        status,
        tests,
        explain,
        doc,
        comparison,
        graph,
        accesses,
        viewer,
        new Bytecode((bytes) => current.runProgram(["dis", "-"], bytes)),
        command("runNearest", () => runs.runNearest()),
        command("runNearestSanitized", () => runs.runNearest({ sanitize: true })),
        command("debug", (target) => debugging.start(target)),
        command("goToBlock", (block) => debugging.goToBlock(block)),
        command("selectTarget", () => chooseTarget(session?.client)),
        command("openExample", (name) => openExample(context, name)),
        command("explain", (code) => explain.show(code)),
        command("doc", (term) => doc.show(term)),
        command("compare", (clicked, selected) => comparison.show(clicked as vscode.Uri | undefined, selected as vscode.Uri[] | undefined)),
        command("showGraph", () => graph.show()),
        command("showAccesses", () => accesses.show()),
        command("view", (target) => viewer.show(target)),
        command("viewVariable", (variable) => viewer.showVariable(variable)),
        command("install", () => vscode.commands.executeCommand("markdown.showPreview", installation(context.extensionUri))),
        command("showOutput", () => runs.show()),
        command("showServerLog", () => log.show()),
        command("restartServer", () => current.restart()),
        vscode.workspace.onDidChangeConfiguration((event) => {
            if (AT_START.some((name) => event.affectsConfiguration(name))) void current.restart();
        }),
        // Granting trust enables running kernels and the settings of the workspace.
        vscode.workspace.onDidGrantWorkspaceTrust(() => current.restart()),
    );
    await current.start();
    return { onRunOutput: runs.onOutput, tests: tests.controller, profiles: tests.profiles, graph, accesses, viewer, listings, extendMarkdownIt };
}

/** The section of the extension's README about installing the program. */
function installation(extension: vscode.Uri): vscode.Uri {
    return vscode.Uri.joinPath(extension, "README.md").with({ fragment: "the-language-server" });
}

export async function deactivate(): Promise<void> {
    await session?.stop();
}
