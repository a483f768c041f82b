import * as assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { findServer, type SearchOptions } from "../../src/server";

suite("finding the server", () => {
    let folder: string;
    const program = (...path: string[]): string => {
        const file = join(folder, ...path);
        mkdirSync(join(file, ".."), { recursive: true });
        writeFileSync(file, "");
        chmodSync(file, 0o755);
        return file;
    };
    const options = (more: Partial<SearchOptions>): SearchOptions => ({
        setting: "",
        extension: join(folder, "extension"),
        workspace: undefined,
        env: { PATH: join(folder, "bin") },
        platform: "linux",
        ...more,
    });

    setup(() => {
        folder = mkdtempSync(join(tmpdir(), "tile-find-"));
    });
    teardown(() => rmSync(folder, { recursive: true }));

    test("the setting comes first, then the bundled program, then PATH", () => {
        const onPath = program("bin", "tile");
        assert.deepEqual(findServer(options({})), { program: onPath, from: "PATH" });
        const bundled = program("extension", "server", "tile");
        assert.deepEqual(findServer(options({})), { program: bundled, from: "extension" });
        const set = program("mine", "tile");
        assert.deepEqual(findServer(options({ setting: set })), { program: set, from: "setting" });
    });
    test("the setting can be a name on PATH, or start with the workspace folder", () => {
        const other = program("bin", "tile-nightly");
        assert.deepEqual(findServer(options({ setting: "tile-nightly" })), { program: other, from: "setting" });
        const inside = program("work", "target", "tile");
        const found = findServer(options({ setting: "${workspaceFolder}/target/tile", workspace: join(folder, "work") }));
        assert.deepEqual(found, { program: inside, from: "setting" });
    });
    test("a setting with a missing program is an error, not a fallback to another program", () => {
        program("bin", "tile");
        const found = findServer(options({ setting: "~/no/such/tile" }));
        assert.ok("missing" in found && found.missing.includes("tile.server.path") && found.missing.includes("~/no/such/tile"));
        const closed = findServer(options({ setting: "${workspaceFolder}/tile" }));
        assert.ok("missing" in closed && closed.missing.includes("no folder is open"));
    });
    test("without any program the error says what to do", () => {
        const found = findServer(options({}));
        assert.ok("missing" in found && found.missing.includes("tile.server.path"));
    });
    test("a file that is not executable is ignored", () => {
        chmodSync(program("bin", "tile"), 0o644);
        assert.ok("missing" in findServer(options({})));
    });
    test("on Windows the program ends in .exe", () => {
        const exe = program("extension", "server", "tile.exe");
        assert.deepEqual(findServer(options({ platform: "win32" })), { program: exe, from: "extension" });
    });
    test("~ is the home folder", () => {
        const found = findServer(options({ setting: "~/surely-not-there/tile" }));
        assert.ok("missing" in found && homedir().length > 0);
    });
});
