// test.mjs COMPILER_EXPLORER: tests the language `tile` in a checkout of Compiler Explorer that `install.py` has changed
// and whose packages are installed. Starts its server, and asks it through its API, as its page does.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";

const explorer = resolve(process.argv[2] ?? ".");
const properties = readFileSync(join(explorer, "etc/config/tile.defaults.properties"), "utf8");
const tile = /^group\.tile\.exe=(.*)$/m.exec(properties)[1];
const compiles = /^ok +tileiras:/m.test(spawnSync(tile, ["doctor"], { encoding: "utf8" }).stdout);

const PROGRAM = `cuda_tile.module @m {
  //@ launch
  //@   %x = i32[4] zeros
  //@ expect %x == arange(4)
  entry @k(%x: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %one = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %all = broadcast %one : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %p = offset %all, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t = print_tko "%i\\n", %i : tile<4xi32> -> token
    store_ptr_tko weak %p, %i token = %t : tile<4xptr<i32>>, tile<4xi32> -> token
  }
}
`;
const WRONG = PROGRAM.replace("iota :", "iotaa :");

const port = await new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
        const { port } = probe.address();
        probe.close(() => done(port));
    });
});
const options = ["--no-warnings=ExperimentalWarning", "--import=tsx", "app.ts", "--language", "tile", "--port", `${port}`];
const server = spawn(process.execPath, options, { cwd: explorer, env: { ...process.env, NODE_ENV: "LOCAL" } });
let log = "";
await new Promise((done, failed) => {
    const listen = (chunk) => {
        log += chunk;
        if (log.includes("Listening on")) done();
    };
    server.stdout.on("data", listen);
    server.stderr.on("data", listen);
    server.on("exit", (code) => failed(new Error(`Compiler Explorer ended with ${code}:\n${log}`)));
});

const api = async (path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/${path}`, {
        method: body ? "POST" : "GET",
        headers: { accept: "application/json", "content-type": "application/json" },
        body: body && JSON.stringify(body),
    });
    assert.ok(response.ok, `${path}: ${response.status}`);
    return response.json();
};
/** Compiles with a compiler, or runs with an executor. */
const compile = (compiler, source, { execute = false, userArguments = "", commentOnly = false } = {}) =>
    api(`compiler/${compiler}/compile`, {
        source,
        lang: "tile",
        options: {
            userArguments,
            compilerOptions: { executorRequest: execute },
            filters: { execute, commentOnly, directives: false, labels: false },
            executeParameters: { args: [], stdin: "" },
        },
        bypassCache: 3,
    });
const text = (lines) => lines.map((line) => `${line.text}\n`).join("");

const tests = {
    "the language has a compiler for each command": async () => {
        const [language] = (await api("languages")).filter(({ id }) => id === "tile");
        assert.deepEqual([language.name, language.extensions], ["CUDA Tile IR", [".tile"]]);
        const names = (await api("compilers/tile")).map(({ name }) => name);
        for (const name of ["tile check", "tile fmt", "tile run", "tile test"]) assert.ok(names.includes(name), `${names}`);
    },
    "check reports diagnostics at their places": async () => {
        const fine = await compile("tilecheck", PROGRAM);
        assert.equal(fine.code, 0);
        assert.match(text(fine.asm), /^1 file checked/);
        const wrong = await compile("tilecheck", WRONG);
        assert.equal(wrong.code, 1);
        const [tag] = wrong.stderr.flatMap((line) => line.tag ?? []);
        assert.deepEqual([tag.line, tag.column, tag.severity], [6, 10, 3]);
        assert.match(tag.text, /unknown op `iotaa`/);
    },
    "fmt shows the formatted program, and formats the editor": async () => {
        const ragged = PROGRAM.replaceAll("    %", " %");
        const shown = await compile("tilefmt", ragged);
        assert.equal(text(shown.asm), PROGRAM);
        const formatted = await api("format/tilefmt", { source: ragged, base: "", tabWidth: 4, useSpaces: true });
        assert.deepEqual([formatted.exit, formatted.answer], [0, PROGRAM]);
    },
    "opt shows the cleaned program": async () => {
        const unused = PROGRAM.replace("    %one", "    %unused = iota : tile<8xi32>\n    %one");
        assert.doesNotMatch(text((await compile("tileopt", unused)).asm), /unused/);
    },
    "build shows code with the lines of the program": async () => {
        if (!compiles) return console.log("skipped: PTX and SASS, because NVIDIA's compiler is not installed");
        for (const [compiler, instruction] of [["tileptx90", /st\.global/], ["tilesass90", /STG/]]) {
            const built = await compile(compiler, PROGRAM);
            assert.equal(built.code, 0, text(built.stderr));
            const stores = built.asm.filter((line) => instruction.test(line.text) && !/^\s*\/\//.test(line.text));
            assert.ok(stores.length > 0, text(built.asm));
            // Line 10 prints, and line 11 stores.
            const lines = new Set(stores.map(({ source }) => source.line));
            assert.ok(lines.has(11) && lines.isSubsetOf(new Set([10, 11])), JSON.stringify(stores));
            const short = await compile(compiler, PROGRAM, { commentOnly: true });
            assert.doesNotMatch(text(short.asm), /\/\/ line/);
        }
        const wrong = await compile("tileptx90", WRONG);
        assert.equal(wrong.stderr.flatMap((line) => line.tag ?? [])[0].line, 6);
    },
    "arguments of the user are passed on": async () => {
        const shown = await compile("tilecheck", PROGRAM, { userArguments: "--statistics --output-format json" });
        assert.equal(shown.code, 0, text(shown.stderr));
    },
    "run and test execute kernels": async () => {
        const ran = await compile("tilerun", PROGRAM, { execute: true });
        assert.deepEqual([ran.code, ran.didExecute, text(ran.stdout)], [0, true, "[0, 1, 2, 3]\n"]);
        const tested = await compile("tiletest", PROGRAM, { execute: true });
        assert.match(text(tested.stdout), /^ok +.*@k/);
        const race = await compile("tilerun", PROGRAM.replace("launch", "launch grid=(2, 1, 1)"), { execute: true });
        assert.equal(race.code, 1);
        assert.match(text(race.stderr), /R0107/);
    },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
    try {
        await test();
        console.log(`ok   ${name}`);
    } catch (error) {
        failed++;
        console.log(`FAIL ${name}\n${error.stack}`);
    }
}
server.removeAllListeners("exit");
server.kill();
process.exit(failed ? 1 : 0);
