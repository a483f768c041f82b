// Entry point of the tests inside the extension host; VS Code calls `run`.
import { format } from "node:util";
import Mocha from "mocha";

export async function run(): Promise<void> {
    const mocha = new Mocha({
        ui: "tdd",
        reporter: "spec",
        color: false,
        timeout: 120_000,
        ...(process.env["TILE_TEST_GREP"] ? { grep: process.env["TILE_TEST_GREP"] } : {}),
    });
    // The console also contains messages of VS Code; the prefix marks the lines of the tests.
    Mocha.reporters.Base.consoleLog = (...args: unknown[]) => console.log(`tile-test:${format(...args)}`);
    mocha.suite.emit("pre-require", globalThis, "", mocha);
    if (process.env["TILE_TEST_SUITE"] === "untrusted") {
        await import("./untrusted.test");
    } else {
        await import("./nearest.test");
        await import("./server.test");
        await import("./language.test");
        await import("./run.test");
        await import("./settings.test");
        await import("./deleted.test");
        await import("./explorer.test");
        await import("./bytecode.test");
        await import("./commands.test");
        await import("./listings.test");
        await import("./dataflow.test");
        await import("./viewer.test");
        await import("./debug.test");
    }
    const failures = await new Promise<number>((done) => mocha.run(done));
    if (failures > 0) throw new Error(`${failures} of the tests failed`);
}
