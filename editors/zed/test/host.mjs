// A replacement for Zed: the interfaces that an extension can use, and the programs that the extension's answers name.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const { SCRATCH } = process.env;

/** A folder that is open in Zed. `settings` are those of `lsp.tile`, `tile` is the location of the program on `PATH`. */
export class Worktree {
  constructor(tile, settings = {}) {
    Object.assign(this, { tile, settings });
  }
  id() {
    return 1n;
  }
  rootPath() {
    return SCRATCH;
  }
  readTextFile(path) {
    throw `no ${path} here`;
  }
  which(name) {
    return name === "tile" ? this.tile : undefined;
  }
  shellEnv() {
    return Object.entries(process.env);
  }
}

class Unused {}

/** Loads the extension as Zed does, for one open folder. */
export async function extension(worktree) {
  const { instantiate } = await import(join(SCRATCH, "extension", "extension.js"));
  const load = async (name) => WebAssembly.compile(await readFile(join(SCRATCH, "extension", name)));
  const getSettings = (location, category, key) => {
    if (category !== "lsp" || key !== "tile" || location?.worktreeId !== 1n) throw `no settings ${category}.${key}`;
    return JSON.stringify({ binary: null, settings: null, initialization_options: null, ...worktree.settings });
  };
  const zed = {
    worktree: { default: Worktree, Worktree },
    project: { default: Unused, Project: Unused },
    "key-value-store": { default: Unused, KeyValueStore: Unused },
    "get-settings": { default: getSettings },
  };
  const { WASIShim } = await import("@bytecodealliance/preview2-shim/instantiation");
  const loaded = await instantiate(load, { ...new WASIShim().getImportObject(), ...zed });
  loaded.initExtension();
  return loaded;
}

/** A server or an adapter that communicates in messages with `Content-Length`. */
export class Program {
  constructor(command, args, env) {
    this.process = spawn(command, args, { env: Object.fromEntries(env), stdio: ["pipe", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => this.process.on("exit", resolve));
    this.seen = [];
    this.waiting = [];
    let bytes = Buffer.alloc(0);
    this.process.stdout.on("data", (more) => {
      bytes = Buffer.concat([bytes, more]);
      for (;;) {
        const head = /Content-Length: (\d+)\r\n(?:[^\r\n]+\r\n)*\r\n/.exec(bytes.toString("latin1"));
        const end = head ? head.index + head[0].length + Number(head[1]) : Infinity;
        if (bytes.length < end) return;
        this.receive(JSON.parse(bytes.subarray(head.index + head[0].length, end).toString()));
        bytes = bytes.subarray(end);
      }
    });
  }
  receive(message) {
    this.seen.push(message);
    this.waiting = this.waiting.filter(({ matches, resolve }) => !matches(message) || resolve(message));
  }
  send(message) {
    const text = JSON.stringify(message);
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }
  /** The first matching message, received already or in the future. */
  message(matches) {
    const found = this.seen.find(matches);
    return found ? Promise.resolve(found) : new Promise((resolve) => this.waiting.push({ matches, resolve }));
  }
}
