// The interface of the engine: requests and answers, as in playground/src/request.rs. Positions are UTF-16 code units.

export type Range = [from: number, to: number];

export interface Edit {
    from: number;
    to: number;
    insert: string;
}

export interface Change {
    title: string;
    edits: Edit[];
}

export interface Diagnostic {
    range: Range;
    severity: "error" | "warning" | "info" | "hint";
    code: string;
    message: string;
    notes: string[];
    related: { range: Range; message: string }[];
    fixes: Change[];
    unnecessary: boolean;
}

export interface Hover {
    range: Range | null;
    text: string;
}

export interface Completions {
    range: Range;
    items: {
        label: string;
        kind: string;
        detail: string;
        snippet: string | null;
        insertion: [at: number, text: string] | null;
        topic: string | null;
    }[];
}

export interface Tokens {
    classes: string[];
    tokens: number[];
}

export interface Inlay {
    at: number;
    label: string;
    tooltip: string;
    after: boolean;
}

export interface Launch {
    entry: string;
    launch: number;
    title: string;
    range: Range;
    bench: boolean;
    files: string[];
}

export interface Finding {
    code: string;
    message: string;
    range: Range | null;
    notes: string[];
    related: [range: Range, message: string][];
    page: string | null;
}

export interface Expectation {
    passed: boolean;
    summary: string;
    range: Range;
}

export interface Outcome {
    passed: boolean;
    summary: string;
    findings: Finding[];
    expectations: Expectation[];
    left_out: [at: number, bytes: number][];
}

/** What the values held in a run, which only the engine reads. */
export type LastRun = string;

export interface Ended {
    outcome: Outcome;
    run: LastRun;
    /** Whether `run` contains the values, which are recorded with another request otherwise. */
    recorded: boolean;
}

export interface Page {
    title: string;
    html: string;
}

export interface Decoded {
    text: string;
    warnings: string[];
}

/** What a run reports while it runs. */
export interface Printed {
    printed: string;
    at: number;
}

/** The parameters and the result of each method. */
export interface Methods {
    open: [{ text: string }, null];
    edit: [{ changes: [from: number, to: number, insert: string][] }, null];
    diagnostics: [object, Diagnostic[]];
    fixAll: [object, Edit[]];
    refactorings: [{ range: Range }, Change[]];
    hover: [{ at: number }, Hover | null];
    completions: [{ at: number }, Completions];
    documentation: [{ op?: string | null; topic?: string | null }, string | null];
    explain: [{ code: string }, string | null];
    tokens: [{ range: Range }, Tokens];
    inlays: [{ range: Range }, Inlay[]];
    format: [object, string];
    definition: [{ at: number }, Range | null];
    launches: [object, Launch[]];
    addFile: [{ name: string; bytes: number[] }, null];
    run: [{ entry: string; launch: number; sanitize: boolean }, Ended];
    record: [{ entry: string; launch: number }, LastRun];
    restoreRun: [{ run: LastRun }, null];
    graph: [{ at: number }, Page];
    accesses: [{ at: number }, Page];
    view: [{ at: number }, Page];
    decode: [{ bytes: number[] }, Decoded];
}
