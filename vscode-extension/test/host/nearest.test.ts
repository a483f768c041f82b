import * as assert from "node:assert/strict";
import { nearest } from "../../src/nearest";

suite("nearest launch", () => {
    const at = (line: number) => ({ range: { start: { line } } });
    const launches = [at(20), at(2), at(8)];

    test("the last one at or above the cursor", () => {
        assert.equal(nearest(launches, 2), launches[1]);
        assert.equal(nearest(launches, 7), launches[1]);
        assert.equal(nearest(launches, 8), launches[2]);
        assert.equal(nearest(launches, 99), launches[0]);
    });
    test("else the first one below", () => assert.equal(nearest(launches, 0), launches[1]));
    test("none without launches", () => assert.equal(nearest([], 3), undefined));
});
