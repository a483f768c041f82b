import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { closeAll, extension, fixture, open, position, until } from "./support";

/** A program that prints a line and never ends. */
const ENDLESS = `cuda_tile.module @endless {
  //@ launch
  entry @endless() {
    %t = print_tko "begun\\n" -> token
    %one = constant <i64: 1> : tile<i64>
    loop iter_values(%i = %one) : tile<i64> {
      %past = cmpi less_than %i, %one, signed : tile<i64> -> tile<i1>
      if %past {
        break
      }
      %n = addi %i, %one : tile<i64>
      continue %n : tile<i64>
    }
    return
  }
}
`;

/** The end of a module with an entry that ends at once. */
const SHORT = `  //@ launch "short"
  entry @short() {
    return
  }
}
`;

/** The children of an item of the Test Explorer. */
const children = (items: vscode.TestItemCollection): vscode.TestItem[] => [...items].map(([, item]) => item);

suite("the Test Explorer", () => {
    teardown(closeAll);
    const controller = async (): Promise<vscode.TestController> => (await extension().activate()).tests;
    const file = async (name: string): Promise<vscode.TestItem> =>
        until(`the launches of ${name}`, async () => {
            const item = (await controller()).items.get(fixture(name).toString());
            return item && item.children.size > 0 && item;
        });

    /** Runs a profile as a click on its button does, and returns the outcome of each launch. */
    const run = async (
        label: string,
        include: vscode.TestItem[],
        token = new vscode.CancellationTokenSource().token,
    ): Promise<Map<string, Outcome>> => {
        const tests = await controller();
        const outcomes = new Map<string, Outcome>();
        const [create, profile] = [tests.createTestRun, profiles.get(label)];
        assert.ok(profile, `no profile ${label}`);
        tests.createTestRun = (request, name, persist) => recorded(create.call(tests, request, name, persist), outcomes);
        try {
            await profile.runHandler(new vscode.TestRunRequest(include, undefined, profile), token);
        } finally {
            tests.createTestRun = create;
        }
        return outcomes;
    };
    const profiles = new Map<string, vscode.TestRunProfile>();
    suiteSetup(async () => {
        for (const profile of (await extension().activate()).profiles) profiles.set(profile.label, profile);
    });

    test("lists entries and launches of an open file with their locations", async () => {
        const { document } = await open("expects.tile");
        const entries = children((await file("expects.tile")).children);
        assert.deepEqual(entries.map((each) => each.label), ["@seven", "@unordered"]);
        const launches = children(entries[0]!.children);
        assert.deepEqual(launches.map((each) => each.label), ["met", "missed"]);
        assert.equal(launches[1]!.description, "1×1×1 · 1 expectation");
        assert.equal(launches[1]!.range?.start.line, position(document, "launch \"missed\"").line);
    });

    test("lists closed files of the folder", async () => {
        const tests = await controller();
        await tests.resolveHandler?.(undefined);
        const hello = await until("hello.tile", () => tests.items.get(fixture("hello.tile").toString()));
        assert.equal(tests.items.get(fixture("ragged.tile").toString()), undefined, "it has no launch");
        await tests.resolveHandler?.(hello);
        assert.deepEqual(children(hello.children).map((each) => each.label), ["@hello"]);
    });

    test("Run reports which launches pass, and why others fail, at the directive", async () => {
        const { document } = await open("expects.tile");
        const outcomes = await run("Run", [await file("expects.tile")]);
        assert.deepEqual([...outcomes].map(([label, { kind }]) => [label, kind]), [["met", "passed"], ["missed", "failed"], ["launch", "passed"]]);
        assert.match(outcomes.get("met")!.output, /^▶ seven · met\r\n7\r\n/);
        const [message] = outcomes.get("missed")!.messages;
        assert.equal(message?.location?.range.start.line, position(document, "expect print \"8").line);
        assert.match(`${message?.message}`, /8/);
    });

    test("Run with sanitizer finds unordered accesses, at the op", async () => {
        const { document } = await open("expects.tile");
        const outcomes = await run("Run with sanitizer", [await file("expects.tile")]);
        const [message] = outcomes.get("launch")!.messages;
        assert.match(`${message?.message}`, /^R0106/);
        assert.equal(message?.location?.range.start.line, position(document, "%b = store").line);
    });

    test("a program with an error is not run, and the error is shown", async () => {
        const editor = await open("hello.tile");
        const item = await file("hello.tile");
        const end = editor.document.lineAt(position(editor.document, "return").line).range.start;
        await editor.edit((edit) => edit.insert(end, "    %a = negf %nothing : tile<f32>\n"));
        const outcomes = await run("Run", [item]);
        assert.equal(outcomes.get("once")?.kind, "errored");
        assert.match(`${outcomes.get("once")?.messages[0]?.message}`, /%nothing/);
    });

    test("an endless launch fails at its time limit, and the others run", async function () {
        this.timeout(300_000);
        const settings = vscode.workspace.getConfiguration("tile");
        const limit = (seconds: number | undefined): Thenable<void> =>
            settings.update("test.timeout", seconds, vscode.ConfigurationTarget.Workspace);
        await limit(1);
        const uri = fixture("limited.tile");
        await vscode.workspace.fs.writeFile(uri, Buffer.from(ENDLESS.replace(/\}\n$/, SHORT)));
        await open("limited.tile");
        const item = await file("limited.tile");
        let outcomes = await run("Run", [item]);
        // The short launch has the same limit, which a loaded machine may exceed.
        for (const longer of [10, 100]) {
            if (outcomes.get("short")?.kind === "passed") break;
            await limit(longer);
            outcomes = await run("Run", [item]);
        }
        assert.deepEqual([...outcomes].map(([label, { kind }]) => [label, kind]), [["launch", "failed"], ["short", "passed"]]);
        assert.match(`${outcomes.get("launch")?.messages[0]?.message}`, /^R0402/);
        await limit(undefined);
        await closeAll();
        await vscode.workspace.fs.delete(uri);
    });

    test("an endless run can be stopped", async () => {
        // The files are watched once the explorer is shown.
        await (await controller()).resolveHandler?.(undefined);
        const uri = fixture("endless.tile");
        await vscode.workspace.fs.writeFile(uri, Buffer.from(ENDLESS));
        const editor = await open("endless.tile");
        const item = await file("endless.tile");
        const stop = new vscode.CancellationTokenSource();
        const subscription = (await extension().activate()).onRunOutput((part) => part.text.includes("begun") && stop.cancel());
        const outcomes = await run("Run", [item], stop.token);
        subscription.dispose();
        assert.deepEqual([...outcomes.values()].map(({ kind }) => kind), ["skipped"]);
        assert.equal(editor.document.isDirty, false);
        await closeAll();
        await vscode.workspace.fs.delete(uri);
        await until("the end of its launches", async () => !(await controller()).items.get(uri.toString()));
    });

    test("follows the text", async () => {
        const editor = await open("launches.tile");
        const item = await file("launches.tile");
        assert.equal(item.children.size, 2);
        await editor.edit((edit) => edit.replace(new vscode.Range(position(editor.document, "@b"), position(editor.document, "@b").translate(0, 2)), "@renamed"));
        await until("the new name", () => children(item.children).some((each) => each.label === "@renamed"));
    });
});

interface Outcome {
    kind: string;
    messages: vscode.TestMessage[];
    output: string;
}

/** Records the outcomes of a test run. */
function recorded(run: vscode.TestRun, outcomes: Map<string, Outcome>): vscode.TestRun {
    const of = (item: vscode.TestItem): Outcome => {
        const known = outcomes.get(item.label) ?? { kind: "enqueued", messages: [], output: "" };
        outcomes.set(item.label, known);
        return known;
    };
    return new Proxy(run, {
        get(target, name) {
            const value = target[name as keyof vscode.TestRun];
            if (typeof value !== "function") return value;
            return (...args: unknown[]) => {
                if (name === "enqueued") of(args[0] as vscode.TestItem);
                if (["passed", "failed", "errored", "skipped"].includes(name as string)) {
                    const outcome = of(args[0] as vscode.TestItem);
                    outcome.kind = name as string;
                    if (name === "failed" || name === "errored") outcome.messages = [args[1]].flat() as vscode.TestMessage[];
                }
                if (name === "appendOutput" && args[2]) of(args[2] as vscode.TestItem).output += args[0] as string;
                return (value as (...args: unknown[]) => unknown).apply(target, args);
            };
        },
    });
}
