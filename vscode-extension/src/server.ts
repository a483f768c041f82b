// Finds the server program: the one in the setting, in the extension, or on PATH, in this order.
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";

export interface Place {
    /** What the user wrote in `tile.server.path`. */
    setting: string;
    /** The folder of the extension. */
    extension: string;
    /** The first workspace folder, if one is open. */
    workspace: string | undefined;
    env: NodeJS.ProcessEnv;
    platform: NodeJS.Platform;
}

export type Search = { program: string; from: "setting" | "extension" | "PATH" } | { missing: string };

export function findServer(place: Place): Search {
    const setting = place.setting.trim();
    if (setting) {
        const program = named(setting, place);
        if (program) return { program, from: "setting" };
        const why = setting.includes("${workspaceFolder}") && !place.workspace ? "no folder is open" : "no such program";
        return { missing: `The Tile language server in the setting tile.server.path was not found: ${setting} (${why}).` };
    }
    const bundled = path.join(place.extension, "server", place.platform === "win32" ? "tile.exe" : "tile");
    if (runnable(bundled, place.platform)) return { program: bundled, from: "extension" };
    const program = onPath("tile", place);
    if (program) return { program, from: "PATH" };
    return {
        missing: "The Tile language server was not found: this package does not include it, and no tile was found on PATH. "
            + "Install it, or set tile.server.path.",
    };
}

function named(setting: string, place: Place): string | undefined {
    if (!/[\\/]/.test(setting)) return onPath(setting, place);
    let file = setting.replace(/^~(?=[\\/])/, () => homedir());
    if (file.includes("${workspaceFolder}")) {
        const { workspace } = place;
        if (!workspace) return undefined;
        file = file.replaceAll("${workspaceFolder}", () => workspace);
    }
    file = path.resolve(place.workspace ?? "", file);
    return candidates(file, place.platform).find((each) => runnable(each, place.platform));
}

function onPath(name: string, place: Place): string | undefined {
    const folders = (place.env["PATH"] ?? place.env["Path"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
    for (const folder of folders) {
        const found = candidates(path.join(folder, name), place.platform).find((each) => runnable(each, place.platform));
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
