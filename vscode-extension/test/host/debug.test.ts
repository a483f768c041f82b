import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { TYPE } from "../../src/debugging";
import { closeAll, extension, fixture, lenses, open, position, until } from "./support";

interface Message {
    type: string;
    event?: string;
    // The content of an event depends on its kind.
    body?: Record<string, any>;
}

/** Records the messages of the debug adapter, and sends it requests. */
class Adapter implements vscode.Disposable {
    readonly messages: Message[] = [];
    session: vscode.DebugSession | undefined;
    isOver = false;
    private seen = 0;
    private readonly subscription = vscode.Disposable.from(
        vscode.debug.registerDebugAdapterTrackerFactory(TYPE, {
            createDebugAdapterTracker: (session) => {
                this.session = session;
                return { onDidSendMessage: (message: Message) => this.messages.push(message) };
            },
        }),
        vscode.debug.onDidTerminateDebugSession((session) => {
            this.isOver ||= session === this.session;
        }),
    );

    private events(name: string): Record<string, any>[] {
        return this.messages.filter((each) => each.event === name).map((each) => each.body ?? {});
    }

    /** Waits for the next stop and returns its reason. */
    async stop(): Promise<string> {
        const body = await until("the next stop", () => this.events("stopped")[this.seen]);
        this.seen += 1;
        return body["reason"];
    }

    async end(): Promise<void> {
        await until("the end of the session", () => this.isOver);
    }

    ask(command: string, args: object = {}): Thenable<any> {
        return this.session!.customRequest(command, args);
    }

    async threadId(): Promise<number> {
        return this.events("stopped").at(-1)!["threadId"] ?? (await this.ask("threads")).threads[0].id;
    }

    async frames(): Promise<{ id: number; line: number; name: string }[]> {
        return (await this.ask("stackTrace", { threadId: await this.threadId() })).stackFrames;
    }

    async evaluate(expression: string, context = "watch"): Promise<{ result: string; variablesReference: number }> {
        const [frame] = await this.frames();
        return this.ask("evaluate", { expression, frameId: frame!.id, context });
    }

    /** Continues with a stepping request. */
    async resume(command: string): Promise<void> {
        await this.ask(command, { threadId: await this.threadId() });
    }

    output(category: string): string {
        return this.events("output").filter((each) => each["category"] === category).map((each) => each["output"]).join("");
    }

    dispose(): void {
        this.subscription.dispose();
    }
}

suite("debugging", () => {
    let adapter: Adapter;
    setup(() => {
        adapter = new Adapter();
    });
    teardown(async () => {
        await vscode.debug.stopDebugging();
        vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
        adapter.dispose();
        await closeAll();
    });

    const breakAt = async (file: string, text: string): Promise<number> => {
        const { document } = await open(file);
        const at = position(document, text);
        vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(new vscode.Location(document.uri, at))]);
        return at.line + 1;
    };
    const moveCursor = (editor: vscode.TextEditor, text: string): void => {
        const at = position(editor.document, text);
        editor.selection = new vscode.Selection(at, at);
    };

    test("an example can be debugged", async () => {
        await vscode.commands.executeCommand("tile.openExample", "hello_world");
        moveCursor(vscode.window.activeTextEditor!, "launch \"one block\"");
        await vscode.commands.executeCommand("tile.debug");
        await adapter.end();
        assert.match(adapter.output("stdout"), /Hello World!/);
    });

    test("F5 without launch.json debugs the launch at the cursor: breakpoint, values, steps, output, end", async () => {
        const line = await breakAt("debugged.tile", "%after =");
        const editor = vscode.window.activeTextEditor!;
        moveCursor(editor, "launch \"one\"");
        await vscode.commands.executeCommand("workbench.action.debug.start");
        assert.equal(await adapter.stop(), "breakpoint");
        const { type, name, configuration } = adapter.session!;
        assert.equal(name, "debugged/one");
        assert.deepEqual([type, configuration["program"], configuration["entry"], configuration["launch"]],
            ["tile", editor.document.uri.fsPath, "debugged", "one"]);

        const frames = await adapter.frames();
        assert.equal(frames[0]!.line, line);
        // The loop around it.
        assert.equal(frames[1]!.line, position(editor.document, "%sum = for").line + 1);
        assert.match((await adapter.evaluate("%i", "hover")).result, /\b0\b/);
        const lanes = await adapter.evaluate("%lanes");
        assert.ok(lanes.variablesReference > 0, "a tile expands");
        const { variables } = await adapter.ask("variables", { variablesReference: lanes.variablesReference });
        assert.deepEqual(variables.map((each: { value: string }) => each.value), ["0", "1", "2", "3"]);
        const { scopes } = await adapter.ask("scopes", { frameId: frames[0]!.id });
        assert.ok(scopes.length > 1, JSON.stringify(scopes));
        const inner = await adapter.ask("variables", { variablesReference: scopes[0].variablesReference });
        assert.ok(inner.variables.some((each: { name: string }) => each.name === "%before"), JSON.stringify(inner));

        await adapter.resume("next");
        assert.equal(await adapter.stop(), "step");
        assert.equal((await adapter.frames())[0]!.line, line + 1);
        assert.match((await adapter.evaluate("%after")).result, /\b0\b/);
        await adapter.resume("continue");
        assert.equal(await adapter.stop(), "breakpoint");
        assert.match((await adapter.evaluate("%i")).result, /\b1\b/);
        vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
        await adapter.resume("continue");
        await adapter.end();
        assert.match(adapter.output("stdout"), /^block 0: 3$/m);
    });

    test("step over executes a whole loop, step out leaves it", async () => {
        const line = await breakAt("debugged.tile", "%sum = for");
        moveCursor(vscode.window.activeTextEditor!, "launch \"one\"");
        await vscode.commands.executeCommand("tile.debug");
        await adapter.stop();
        assert.equal((await adapter.frames())[0]!.line, line);
        await adapter.resume("next");
        await adapter.stop();
        const { document } = vscode.window.activeTextEditor!;
        const print = position(document, "%t = print").line + 1;
        assert.equal((await adapter.frames())[0]!.line, print);
        await adapter.resume("continue");
        await adapter.end();

        const previous = adapter;
        adapter = new Adapter();
        previous.dispose();
        await breakAt("debugged.tile", "%after =");
        vscode.debug.removeBreakpoints(vscode.debug.breakpoints.slice(0, 1));
        // The stop has moved the cursor.
        moveCursor(vscode.window.activeTextEditor!, "launch \"one\"");
        await vscode.commands.executeCommand("tile.debug");
        await adapter.stop();
        vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
        await adapter.resume("stepOut");
        await adapter.stop();
        assert.equal((await adapter.frames())[0]!.line, print);
        await adapter.resume("continue");
        await adapter.end();
    });

    test("the lens above a launch debugs that launch", async () => {
        await breakAt("debugged.tile", "%t = print");
        const { document } = vscode.window.activeTextEditor!;
        const all = await until("the lenses", async () => {
            const found = ((await lenses(document.uri)) ?? []).filter((lens) => lens.command?.command === "tile.debug");
            return found.length > 0 && found;
        });
        assert.deepEqual(all.map((lens) => [lens.command?.title, lens.range.start.line]), [["Debug", 1], ["Debug", 3]]);
        await vscode.commands.executeCommand("tile.debug", ...(all[0]!.command?.arguments ?? []));
        // It stops in each of its two tile blocks.
        for (const block of ["0", "1"]) {
            await adapter.stop();
            assert.equal(adapter.session!.configuration["launch"], "two");
            assert.match((await adapter.evaluate("%x")).result, new RegExp(`\\b${block}\\b`));
            await adapter.resume("continue");
        }
        await adapter.end();
    });

    test("a variable is shown as a table, in the tile block where the debugger stopped", async () => {
        await breakAt("debugged.tile", "%t = print");
        const { document } = vscode.window.activeTextEditor!;
        const lens = await until("the lens", async () =>
            ((await lenses(document.uri)) ?? []).find((each) => each.command?.command === "tile.debug"));
        await vscode.commands.executeCommand("tile.debug", ...(lens.command?.arguments ?? []));
        await adapter.stop();
        await adapter.resume("continue");
        await adapter.stop();
        const { viewer } = extension().exports;
        await vscode.commands.executeCommand("tile.viewVariable", { variable: { name: "%x", evaluateName: "%x" } });
        await until("the page", () => viewer.html?.includes('"name":"%x"'));
        assert.match(viewer.html ?? "", /"at":\{"block":\[1,0,0\],"iterations":\[\]\}/);
        await adapter.resume("continue");
        await adapter.end();
    });

    test("a configuration stops in one tile block only, at its first op", async () => {
        const program = fixture("debugged.tile").fsPath;
        const configuration = { type: TYPE, request: "launch", name: "one block", program, launch: "two", block: [1, 0, 0], stopOnEntry: true };
        assert.ok(await vscode.debug.startDebugging(undefined, configuration));
        assert.equal(await adapter.stop(), "entry");
        await adapter.resume("next");
        await adapter.stop();
        assert.match((await adapter.evaluate("%x")).result, /\b1\b/);
        await adapter.resume("continue");
        await adapter.end();
        assert.match(adapter.output("stdout"), /^block 1: 3$/m);
    });

    test("conditions, messages and formulas", async () => {
        const { document } = await open("debugged.tile");
        const location = new vscode.Location(document.uri, position(document, "%after ="));
        const next = new vscode.Location(document.uri, position(document, "continue %after"));
        vscode.debug.addBreakpoints([
            new vscode.SourceBreakpoint(location, true, "%before + %i == 3"),
            new vscode.SourceBreakpoint(next, true, undefined, "% 2", "after {%i}: {%after}"),
        ]);
        moveCursor(vscode.window.activeTextEditor!, "launch \"one\"");
        await vscode.commands.executeCommand("tile.debug");
        assert.equal(await adapter.stop(), "breakpoint");
        assert.equal((await adapter.evaluate("2 * %i + sum(%lanes[1:])")).result, "10");
        assert.equal((await adapter.evaluate("i", "hover")).result, "2");
        await adapter.resume("continue");
        await adapter.end();
        assert.match(adapter.output("console"), /^after 1: 1$/m);
    });

    test("Go to tile block, forwards and back, and a step back", async () => {
        await breakAt("debugged.tile", "%after =");
        moveCursor(vscode.window.activeTextEditor!, "launch \"two\"");
        await vscode.commands.executeCommand("tile.debug");
        assert.equal(await adapter.stop(), "breakpoint");
        await vscode.commands.executeCommand("tile.goToBlock", [1, 0, 0]);
        assert.equal(await adapter.stop(), "goto");
        const first = (await adapter.frames())[0]!.line;
        await vscode.commands.executeCommand("workbench.action.debug.stepOver");
        await adapter.stop();
        assert.equal((await adapter.evaluate("%x")).result, "1");
        await vscode.commands.executeCommand("workbench.action.debug.stepBack");
        await adapter.stop();
        assert.equal((await adapter.frames())[0]!.line, first);
        assert.match((await adapter.frames()).at(-1)!.name, /tile block \(1, 0, 0\)$/);
        await vscode.commands.executeCommand("tile.goToBlock", [0]);
        assert.equal(await adapter.stop(), "goto");
        assert.match(adapter.output("console"), /^now in tile block \(1, 0, 0\)\nnow in tile block \(0, 0, 0\)$/m);
        vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
        await adapter.resume("continue");
        await adapter.end();
    });

    test("a finding of the sanitizer stops the launch as an exception", async () => {
        const editor = await open("expects.tile");
        moveCursor(editor, "%b = store");
        await vscode.commands.executeCommand("tile.debug");
        assert.equal(await adapter.stop(), "exception");
        assert.equal((await adapter.frames())[0]!.line, position(editor.document, "%b = store").line + 1);
        const info = await adapter.ask("exceptionInfo", { threadId: await adapter.threadId() });
        assert.match(`${info.exceptionId} ${info.description}`, /R0106/);
        await adapter.resume("continue");
        await adapter.end();
    });

    test("if there are several launches at the cursor, the user can choose", async () => {
        await breakAt("debugged.tile", "%t = print");
        moveCursor(vscode.window.activeTextEditor!, "%lanes");
        const starting = vscode.commands.executeCommand("tile.debug");
        await until("the choice", async () => {
            await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
            return adapter.session;
        });
        await starting;
        await adapter.stop();
        assert.equal(adapter.session!.configuration["launch"], "two");
        await vscode.debug.stopDebugging();
        await adapter.end();
    });

    test("inline values are names that the debugger can evaluate", async () => {
        await breakAt("debugged.tile", "continue %after");
        const { document } = vscode.window.activeTextEditor!;
        moveCursor(vscode.window.activeTextEditor!, "launch \"one\"");
        await vscode.commands.executeCommand("tile.debug");
        await adapter.stop();
        const [frame] = await adapter.frames();
        const stopped = new vscode.Range(frame!.line - 1, 0, frame!.line - 1, 0);
        const everything = new vscode.Range(0, 0, document.lineCount, 0);
        const values = await vscode.commands.executeCommand<vscode.InlineValueEvaluatableExpression[]>(
            "vscode.executeInlineValueProvider", document.uri, everything, { frameId: frame!.id, stoppedLocation: stopped });
        const names = new Set(values.map((value) => value.expression!));
        for (const name of ["%lanes", "%three", "%i", "%before", "%after"]) {
            assert.ok(names.has(name), `${name} is not named: ${[...names].join()}`);
            assert.ok((await adapter.evaluate(name)).result, name);
        }
        assert.ok(!names.has("%t"));
        await vscode.debug.stopDebugging();
        await adapter.end();
    });

    test("the Debug button of the Test Explorer debugs, and reports whether the launch passed", async () => {
        await open("expects.tile");
        const { tests, profiles } = await extension().activate();
        const file = await until("the launches", () => {
            const item = tests.items.get(fixture("expects.tile").toString());
            return item && item.children.size > 0 && item;
        });
        const [seven] = [...file.children].map(([, item]) => item);
        const profile = profiles.find((each) => each.label === "Debug")!;
        assert.equal(profile.kind, vscode.TestRunProfileKind.Debug);
        const outcomes: [string, string][] = [];
        const create = tests.createTestRun;
        tests.createTestRun = (...args) => {
            const run = create.apply(tests, args);
            return new Proxy(run, {
                get: (target, name) => (...rest: unknown[]) => {
                    if (["passed", "failed", "skipped", "errored"].includes(name as string)) outcomes.push([(rest[0] as vscode.TestItem).label, name as string]);
                    return (target[name as keyof vscode.TestRun] as (...args: unknown[]) => unknown).apply(target, rest);
                },
            });
        };
        try {
            await profile.runHandler(new vscode.TestRunRequest([seven!], undefined, profile), new vscode.CancellationTokenSource().token);
        } finally {
            tests.createTestRun = create;
        }
        assert.deepEqual(outcomes, [["met", "passed"], ["missed", "failed"]]);
    });

    test("a file without launches does not start a session", async () => {
        await open("mistyped.tile");
        await vscode.commands.executeCommand("tile.debug");
        assert.equal(adapter.session, undefined);
    });
});
