import * as assert from "node:assert/strict";
import { candidates, type EntryLaunches, launchPath, nearest } from "../../src/nearest";

suite("nearest launch", () => {
    const at = (line: number) => ({ range: { start: { line } } });
    const launches = [at(20), at(2), at(8)];

    test("the last launch at or above the cursor", () => {
        assert.equal(nearest(launches, 2), launches[1]);
        assert.equal(nearest(launches, 7), launches[1]);
        assert.equal(nearest(launches, 8), launches[2]);
        assert.equal(nearest(launches, 99), launches[0]);
    });
    test("or else the first one below", () => assert.equal(nearest(launches, 0), launches[1]));
    test("undefined without launches", () => assert.equal(nearest([], 3), undefined));
});

suite("launches to debug", () => {
    const at = (line: number) => ({ range: { start: { line } } });
    const launch = (line: number, launch: string | null) => ({ ...at(line), launch, grid: [1, 1, 1] as [number, number, number] });
    const entries: EntryLaunches[] = [
        { entry: "a", ...at(5), launches: [launch(1, "x"), launch(3, "y")] },
        { entry: "b", ...at(11), launches: [launch(10, null)] },
    ];
    const found = (line?: number): string[] => candidates(entries, line).map(launchPath);

    test("the launch of the directive at the cursor", () => {
        assert.deepEqual(found(2), ["a/x"]);
        assert.deepEqual(found(4), ["a/y"]);
    });
    test("the launches of the entry around the cursor", () => {
        assert.deepEqual(found(7), ["a/x", "a/y"]);
        assert.deepEqual(found(30), ["b"]);
    });
    test("all launches if the cursor is above them, or without a cursor", () => {
        assert.deepEqual(found(0), ["a/x", "a/y", "b"]);
        assert.deepEqual(found(), ["a/x", "a/y", "b"]);
    });
});
