// Finds the launch at the cursor.

/** The argument of the server's run command. */
export interface RunTarget {
    uri: string;
    entry: string;
    launch: string | null;
    sanitize?: boolean;
    target?: string;
    /** Whether the time limit of tests applies. */
    test?: boolean;
    observe?: "profile" | "trace" | "bench";
}

interface Located {
    range: { start: { line: number } };
}

/** An entry in the answer to `tile/launches`. */
export interface EntryLaunches extends Located {
    entry: string;
    launches: (Located & { launch: string | null; grid: [number, number, number] })[];
}

/** A launch to choose from. */
export interface Candidate {
    entry: string;
    launch: string | null;
    grid: [number, number, number];
}

/** The last launch at or above the line (its body follows it), or else the first one below. */
export function nearest<T extends Located>(lenses: readonly T[], line: number): T | undefined {
    const sorted = [...lenses].sort((a, b) => a.range.start.line - b.range.start.line);
    return sorted.findLast((lens) => lens.range.start.line <= line) ?? sorted[0];
}

/** The launches to choose from at a cursor: the launch whose directive contains it, or else those of the entry around it.
    All launches if the cursor is above them, or without a cursor. */
export function candidates(entries: readonly EntryLaunches[], line: number | undefined): Candidate[] {
    const all = entries.flatMap(({ entry, range, launches }) =>
        launches.map(({ launch, grid, range: directive }) => ({ entry, launch, grid, range: directive, entryLine: range.start.line })));
    const above = line === undefined ? undefined : all.findLast((each) => each.range.start.line <= line);
    const selected = above === undefined ? all : line! < above.entryLine ? [above] : all.filter((each) => each.entry === above.entry);
    return selected.map(({ entry, launch, grid }) => ({ entry, launch, grid }));
}

/** The name of a launch, with its entry. */
export function launchPath({ entry, launch }: { entry: string; launch: string | null }): string {
    return launch ? `${entry}/${launch}` : entry;
}
