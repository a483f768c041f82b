// Which launch the cursor means.

/** The argument of the server's run command. */
export interface RunTarget {
    uri: string;
    entry: string;
    launch: string | null;
    sanitize?: boolean;
    target?: string;
}

interface Placed {
    range: { start: { line: number } };
}

/** The last one at or above the line (its body follows it), else the first one below. */
export function nearest<T extends Placed>(lenses: readonly T[], line: number): T | undefined {
    const sorted = [...lenses].sort((a, b) => a.range.start.line - b.range.start.line);
    return sorted.findLast((lens) => lens.range.start.line <= line) ?? sorted[0];
}
