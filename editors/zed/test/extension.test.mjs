// Tests the extension's answers, and starts the programs that they name.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { extension, Program, Worktree } from "./host.mjs";

const { SCRATCH, TILE, ZED } = process.env;

const PROGRAM = `cuda_tile.module @m {
  //@ launch grid=(1, 1, 1)
  entry @k() {
    %one = constant <f32: 1.0> : tile<f32>
    %two = addf %one, %one : tile<f32>
    %bad = addf %two, %undefined : tile<f32>
    return
  }
}
`;

test("the server is the program on PATH, or the one in the settings", async () => {
  const plain = new Worktree("/bin/tile");
  const command = (await extension(plain)).languageServerCommand("tile", plain);
  assert.deepEqual([command.command, command.args], ["/bin/tile", ["lsp"]]);

  const set = new Worktree("/bin/tile", { binary: { path: "/opt/tile", arguments: ["lsp", "--x"], env: null } });
  const other = (await extension(set)).languageServerCommand("tile", set);
  assert.deepEqual([other.command, other.args], ["/opt/tile", ["lsp", "--x"]]);
});

test("without a program the error says what to do", async () => {
  const none = new Worktree(undefined);
  const loaded = await extension(none);
  assert.throws(() => loaded.languageServerCommand("tile", none), /install it, or set lsp\.tile\.binary\.path/);
});

test("settings reach the server in the section that it requests", async () => {
  const none = new Worktree(TILE);
  assert.equal((await extension(none)).languageServerWorkspaceConfiguration("tile", none), undefined);
  const set = new Worktree(TILE, { settings: { inlayHints: { types: false } } });
  const answer = (await extension(set)).languageServerWorkspaceConfiguration("tile", set);
  assert.deepEqual(JSON.parse(answer), { tile: { inlayHints: { types: false } } });
});

test("the server starts and works with Zed's handshake", async () => {
  const worktree = new Worktree(TILE);
  const { command, args, env } = (await extension(worktree)).languageServerCommand("tile", worktree);
  const server = new Program(command, args, env);
  const handshakes = join(ZED, "../../lsp/tests/handshakes/zed.json");
  const [initialize] = JSON.parse(await readFile(handshakes, "utf8"));
  server.send(initialize);
  const { result } = await server.message((message) => message.id === initialize.id);
  assert.ok(result.capabilities.hoverProvider);

  const textDocument = { uri: "file:///test/k.tile", languageId: "tile", version: 0, text: PROGRAM };
  server.send({ jsonrpc: "2.0", method: "initialized", params: {} });
  server.send({ jsonrpc: "2.0", method: "textDocument/didOpen", params: { textDocument } });
  const { uri } = textDocument;
  server.send({ jsonrpc: "2.0", id: 1, method: "textDocument/diagnostic", params: { textDocument: { uri } } });
  const report = await server.message((message) => message.id === 1 && !message.method);
  assert.deepEqual(report.result.items.map(({ range, message }) => [range.start.line, message.includes("%undefined")]), [[5, true]]);

  server.send({ jsonrpc: "2.0", id: 2, method: "shutdown" });
  await server.message((message) => message.id === 2 && !message.method);
  server.send({ jsonrpc: "2.0", method: "exit" });
  assert.equal(await server.ended, 0);
});

test("the debug adapter starts and stops at the first op", async () => {
  const worktree = new Worktree(TILE);
  const loaded = await extension(worktree);
  const program = join(SCRATCH, "k.tile");
  await writeFile(program, PROGRAM.replace("%undefined", "%one"));
  const scenario = loaded.dapConfigToScenario({
    label: "debug",
    adapter: "tile",
    request: { tag: "launch", val: { program, args: [], envs: [] } },
    stopOnEntry: true,
  });
  const task = { label: scenario.label, adapter: scenario.adapter, config: scenario.config };
  const found = loaded.getDapBinary("tile", task, undefined, worktree);
  assert.equal(found.requestArgs.request, "launch");
  assert.throws(() => loaded.getDapBinary("other", task, undefined, worktree), /unknown debug adapter `other`/);

  const adapter = new Program(found.command, found.arguments, found.envs);
  const ask = (seq, command, args) => adapter.send({ seq, type: "request", command, arguments: args });
  const answer = (seq) => adapter.message((message) => message.request_seq === seq);
  ask(1, "initialize", { adapterID: "tile", linesStartAt1: true, columnsStartAt1: true });
  assert.ok((await answer(1)).success);
  ask(2, "launch", JSON.parse(found.requestArgs.configuration));
  await adapter.message((message) => message.event === "initialized");
  ask(3, "configurationDone", {});
  const stopped = await adapter.message((message) => message.event === "stopped");
  assert.equal(stopped.body.reason, "entry");
  ask(4, "disconnect", { terminateDebuggee: true });
  await answer(4);
  adapter.process.stdin.end();
  assert.equal(await adapter.ended, 0);
});
