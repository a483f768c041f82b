// Tests the grammar as WebAssembly, the capture names of the queries, and the references between files.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { parse as toml } from "smol-toml";
import { Language, Parser, Query } from "web-tree-sitter";

const { SCRATCH, ZED } = process.env;
const FOLDER = join(ZED, "languages/tile");

const PROGRAM = `cuda_tile.module @m {
  // One.
  entry @k(%p: tile<ptr<f32>>) {
    %a = get_global @g : tile<ptr<f32>>
    print "(%i)", %a : tile<i32>
    return
  }
  global @g <f32: [1.0]> : tile<1xf32>
}
`;

/** The captures that Zed supports in each query, and those that it requires. Highlights and overrides can have any names. */
const CAPTURES = {
  "brackets.scm": { known: ["open", "close"], required: ["open", "close"] },
  "indents.scm": { known: ["indent", "start", "end", "outdent"], required: ["indent"] },
  "outline.scm": { known: ["item", "name", "context", "context.extra", "open", "close", "annotation"], required: ["item", "name"] },
  "textobjects.scm": {
    known: ["function", "class", "comment"].flatMap((kind) => [`${kind}.inside`, `${kind}.around`]),
    required: [],
  },
};
const WITHOUT_LIST = ["highlights.scm", "overrides.scm", "runnables.scm"];

await Parser.init();
const language = await Language.load(join(SCRATCH, "tile.wasm"));
const parser = new Parser();
parser.setLanguage(language);
const tree = parser.parse(PROGRAM);
const read = (name) => readFile(join(FOLDER, name), "utf8");
const query = async (name) => new Query(language, await read(name));

/** The first lines of the texts that a query captures under a name. */
async function captured(name, capture) {
  const captures = (await query(name)).captures(tree.rootNode);
  return captures.filter((found) => found.name === capture).map((found) => found.node.text.split("\n")[0]);
}

test("the grammar runs as WebAssembly", () => {
  assert.equal(tree.rootNode.hasError, false, tree.rootNode.toString());
});

test("each query compiles and uses captures that Zed supports", async () => {
  const all = (await readdir(FOLDER)).filter((name) => name.endsWith(".scm"));
  assert.deepEqual(all.sort(), [...Object.keys(CAPTURES), ...WITHOUT_LIST].sort());
  for (const name of all) {
    const { captureNames } = await query(name);
    const { known = captureNames, required = [] } = CAPTURES[name] ?? {};
    assert.deepEqual(captureNames.filter((capture) => !known.includes(capture)), [], name);
    assert.deepEqual(required.filter((capture) => !captureNames.includes(capture)), [], name);
  }
});

test("the outline contains named ops", async () => {
  assert.deepEqual(await captured("outline.scm", "name"), ["@m", "@k", "@g"]);
  assert.deepEqual(await captured("outline.scm", "context"), ["cuda_tile.module", "entry", "global"]);
});

test("each opening bracket has a closing one", async () => {
  const opened = await captured("brackets.scm", "open");
  const closed = await captured("brackets.scm", "close");
  assert.equal(opened.length, 11);
  assert.equal(closed.length, opened.length);
});

test("regions end at their closing brackets", async () => {
  const captures = (await query("indents.scm")).captures(tree.rootNode);
  const ends = captures.filter(({ name, node }) => name === "end" && node.text === "}");
  assert.deepEqual(ends.map(({ node }) => node.startPosition.row), [6, 8]);
});

test("text objects are entries, modules and comments", async () => {
  assert.deepEqual(await captured("textobjects.scm", "function.around"), ["entry @k(%p: tile<ptr<f32>>) {"]);
  assert.deepEqual(await captured("textobjects.scm", "class.around"), ["cuda_tile.module @m {"]);
  assert.deepEqual(await captured("textobjects.scm", "comment.around"), ["// One."]);
});

test("the icon next to an entry has its tasks", async () => {
  assert.deepEqual(await captured("runnables.scm", "run"), ["@k"]);
  const [found] = (await query("runnables.scm")).matches(tree.rootNode);
  const tasks = JSON.parse(await read("tasks.json"));
  assert.ok(tasks.every((task) => task.tags.includes(found.setProperties.tag)));
  const used = JSON.stringify(tasks).match(/\$ZED_CUSTOM_\w+/g);
  assert.deepEqual([...new Set(used)], ["$ZED_CUSTOM_entry"]);
  assert.ok(found.captures.some(({ name }) => name === "entry"));
});

test("references between the files are valid", async () => {
  const config = toml(await read("config.toml"));
  const manifest = toml(await readFile(join(ZED, "extension.toml"), "utf8"));
  assert.ok(config.grammar in manifest.grammars);
  assert.deepEqual(manifest.language_servers.tile.languages, [config.name]);
  assert.deepEqual(Object.keys(manifest.language_servers.tile.language_ids), [config.name]);
  assert.ok(config.debuggers.every((name) => name in manifest.debug_adapters));
  JSON.parse(await readFile(join(ZED, "debug_adapter_schemas/tile.json"), "utf8"));

  // Zed rejects a language if its brackets name a scope that no query captures.
  const scopes = (await query("overrides.scm")).captureNames.map((name) => name.replace(/\.inclusive$/, ""));
  const named = config.brackets.flatMap((pair) => pair.not_in ?? []);
  assert.deepEqual(named.filter((name) => !scopes.includes(name)), []);
});
