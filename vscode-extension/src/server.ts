// Finds the server program: the one in the setting, in the extension, or on PATH, in this order.
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";

export interface SearchOptions {
    /** The setting `tile.server.path`. */
    setting: string;
    /** The folder of the extension. */
    extension: string;
    /** The first workspace folder, if one is open. */
    workspace: string | undefined;
    env: NodeJS.ProcessEnv;
    platform: NodeJS.Platform;
}

export type Search = { program: string; from: "setting" | "extension" | "PATH" } | { missing: string };

export function findServer(options: SearchOptions): Search {
    const setting = options.setting.trim();
    if (setting) {
        const program = resolveSetting(setting, options);
        if (program) return { program, from: "setting" };
        const reason = setting.includes("${workspaceFolder}") && !options.workspace ? "no folder is open" : "no such program";
        return { missing: `The Tile language server in the setting tile.server.path was not found: ${setting} (${reason}).` };
    }
    const bundled = path.join(options.extension, "server", options.platform === "win32" ? "tile.exe" : "tile");
    if (runnable(bundled, options.platform)) return { program: bundled, from: "extension" };
    const program = onPath("tile", options);
    if (program) return { program, from: "PATH" };
    return {
        missing: "The Tile language server was not found: this package does not include it, and no tile was found on PATH. "
            + "Install the program tile, or set its path in tile.server.path.",
    };
}

function resolveSetting(setting: string, options: SearchOptions): string | undefined {
    if (!/[\\/]/.test(setting)) return onPath(setting, options);
    let file = setting.replace(/^~(?=[\\/])/, () => homedir());
    if (file.includes("${workspaceFolder}")) {
        const { workspace } = options;
        if (!workspace) return undefined;
        file = file.replaceAll("${workspaceFolder}", () => workspace);
    }
    file = path.resolve(options.workspace ?? "", file);
    return candidates(file, options.platform).find((each) => runnable(each, options.platform));
}

function onPath(name: string, options: SearchOptions): string | undefined {
    const folders = (options.env["PATH"] ?? options.env["Path"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
    for (const folder of folders) {
        const found = candidates(path.join(folder, name), options.platform).find((each) => runnable(each, options.platform));
        if (found) return found;
    }
    return undefined;
}

function candidates(file: string, platform: NodeJS.Platform): string[] {
    return platform === "win32" && !path.extname(file) ? [`${file}.exe`] : [file];
}

function runnable(file: string, platform: NodeJS.Platform): boolean {
    try {
        if (platform !== "win32") accessSync(file, constants.X_OK);
        return statSync(file).isFile();
    } catch {
        return false;
    }
}
