// The page: connects its controls to the editor and the engine.

import { StateEffect, type Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { choose, showPage, showText } from "./dialogs";
import { button, get } from "./dom";
import { earlier, keep, kept, leave, save } from "./draft";
import { editor } from "./editor/editor";
import { apply, current } from "./editor/engine";
import { format } from "./editor/commands";
import { fixAll, fixesAt, onExplain } from "./editor/problems";
import { effects } from "./editor/results";
import { Engine, explained } from "./engine";
import * as examples from "./examples";
import keys from "./keys.md";
import { Panel, running } from "./panel";
import { Printer } from "./printer";
import type { Diagnostic, Launch, Page, Range } from "./protocol";
import { fragment, linked } from "./share";

/** The example that a new visitor sees. */
const FIRST = "hello_grid";

/** The event of replacing the program, which is not the user's own then. */
const OPENED = "open";

/** The first bytes of a bytecode file. */
const BYTECODE = [0x7f, ...new TextEncoder().encode("TileIR")];

const engine: Engine = new Engine(
    () => view.state.doc.toString(),
    (why) => panel.say(`The program could not be checked: ${why}. The next edit starts anew.`, "bad"),
);
const view = editor(get("editor", HTMLElement), engine, "");
const panel = new Panel(view);
// For scripts and tests.
Object.assign(get("editor", HTMLElement), { view });
const menu = get("examples", HTMLSelectElement);
const launchMenu = get("launches", HTMLSelectElement);
let sections: examples.Section[] = [];
let launches: Launch[] = [];
/** The text that the launches are of. */
let launchesOf: Text | undefined;

/** Replaces the program. `isKept`: whether the new one is the one that was kept last. */
function open(text: string, isKept = false): void {
    leave(isKept ? text : null);
    examples.fillEarlier(menu, earlier());
    panel.clear();
    const changes = { from: 0, to: view.state.doc.length, insert: text };
    view.dispatch({ changes, effects: effects.began.of(null), selection: { anchor: 0 }, userEvent: OPENED });
    // Also forgets the files of launches.
    engine.open(text);
}

/** Shows what a promise refuses. */
function report(work: Promise<unknown>): void {
    work.catch((error: unknown) => panel.say(explained(error), "bad"));
}

// Launches.

async function updateLaunches(): Promise<void> {
    const { doc } = view.state;
    const found = await current(view, (engine) => engine.ask("launches", {}));
    if (!found || launchesOf === doc) return;
    launchesOf = doc;
    const chosen = launchMenu.selectedIndex;
    launches = found;
    const options = found.map(({ title, bench }, index) => new Option(bench ? `${title} (benchmark)` : title, String(index)));
    launchMenu.replaceChildren(...(options.length ? options : [new Option("none", "")]));
    launchMenu.selectedIndex = Math.max(0, Math.min(chosen, options.length - 1));
}

/** Chooses the launch at the cursor, if there is one. */
function chooseLaunchAt(at: number): void {
    const index = launches.findIndex(({ range: [from, to] }) => from <= at && at <= to);
    if (index >= 0) launchMenu.selectedIndex = index;
}

async function run(): Promise<void> {
    running(true);
    try {
        if (launchesOf !== view.state.doc) await updateLaunches();
        const launch = launches[launchMenu.selectedIndex];
        if (launch) await runLaunch(launch);
        else panel.say("There is no launch. Put the cursor on the name of an entry, and add one with Fix…", "bad");
    } finally {
        running(false);
    }
}

async function runLaunch({ title, entry, launch }: Launch): Promise<void> {
    panel.clear();
    panel.say(`Running ${title}…`);
    view.dispatch({ effects: effects.began.of(null) });
    const asked = view.state.doc;
    const printer = new Printer((all, ops) => {
        panel.print(all);
        if (view.state.doc === asked) view.dispatch({ effects: ops.map(({ at, printed }) => effects.printed.of({ at, text: printed })) });
    });
    const sanitize = get("sanitize", HTMLInputElement).checked;
    try {
        const ended = await engine.run({ entry, launch, sanitize }, (printed) => printer.add(printed));
        printer.flush();
        panel.show(ended.outcome);
        if (view.state.doc !== asked) return;
        view.dispatch({ effects: effects.ended.of(ended.outcome) });
        // Without values, hovers show what is known without a run.
        if (!ended.recorded) void engine.record({ entry, launch }).catch(() => undefined);
    } finally {
        printer.flush();
    }
}

// Pages.

async function page(ask: (at: number) => Promise<Page>): Promise<void> {
    showPage(await ask(view.state.selection.main.head));
}

async function viewElements(): Promise<void> {
    running(true);
    panel.say("Running the launch…");
    try {
        await page((at) => engine.view(at));
        panel.say("");
    } finally {
        running(false);
    }
}

async function explain(code: string): Promise<void> {
    const text = await engine.ask("explain", { code });
    showText(code, text ?? `There is no page about ${code}.`);
}

async function offerFixes(): Promise<void> {
    const { from, to } = view.state.selection.main;
    const { from: start, to: end } = view.state.doc.lineAt(from);
    const range: Range = [from, to];
    const refactorings = (await current(view, (engine) => engine.ask("refactorings", { range }))) ?? [];
    const all = [...fixesAt([start, Math.max(end, to)]), ...refactorings];
    const choices = all.map(({ title, edits }) => ({ title, take: () => apply(view, edits, "input.fix") }));
    choose("Fixes and refactorings", [...choices, { title: "Apply all safe fixes", take: () => void fixAll(view) }]);
}

// Files.

async function openFile(file: File): Promise<void> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (file.name.endsWith(".npy")) {
        engine.addFile(file.name, Array.from(bytes));
        return panel.say(`Launches can read ${file.name}.`);
    }
    menu.value = "";
    if (!BYTECODE.every((byte, index) => bytes[index] === byte)) return open(new TextDecoder().decode(bytes));
    const decoded = await engine.ask("decode", { bytes: Array.from(bytes) });
    open(decoded.text);
    panel.say([`Decoded ${file.name}.`, ...decoded.warnings].join(" "));
}

async function share(): Promise<void> {
    const hash = await fragment(view.state.doc.toString());
    history.replaceState(null, "", hash);
    const copied = navigator.clipboard?.writeText(location.href).then(() => " and on the clipboard", () => "");
    panel.say(`The link to this program is in the address bar${(await copied) ?? ""}.`);
}

// Colors.

function setTheme(theme: string): void {
    if (theme) document.documentElement.dataset["theme"] = theme;
    else delete document.documentElement.dataset["theme"];
    localStorage.setItem("theme", theme);
}

async function openLinked(): Promise<void> {
    const found = await linked(location.hash).catch(() => undefined);
    if (found === undefined) panel.say("The program in the link is damaged.", "bad");
    const own = found && "text" in found ? found.text : found === null ? kept() : null;
    const example = examples.find(sections, found && "example" in found ? found.example : FIRST);
    menu.value = own === null ? (example?.name ?? "") : "";
    open(own ?? example?.text ?? "", !found && own !== null);
}

async function start(): Promise<void> {
    sections = await examples.load();
    examples.fill(menu, sections);
    panel.say("Ready");
    await openLinked();
    await updateLaunches();
    performance.mark("ready");
}

const actions: Record<string, () => Promise<unknown>> = {
    run,
    format: () => format(view),
    fix: offerFixes,
    graph: () => page((at) => engine.ask("graph", { at })),
    accesses: () => page((at) => engine.ask("accesses", { at })),
    view: viewElements,
    share,
};
for (const [id, action] of Object.entries(actions)) button(id).onclick = () => report(action());
button("stop").onclick = () => engine.stop("the run was stopped");
button("keys").onclick = () => showText("Keyboard shortcuts", keys);

const picker = get("file", HTMLInputElement);
button("open").onclick = () => picker.click();
picker.onchange = () => {
    for (const file of picker.files ?? []) report(openFile(file));
    picker.value = "";
};
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
    event.preventDefault();
    for (const file of event.dataTransfer?.files ?? []) report(openFile(file));
}, true);

menu.onchange = () => {
    const own = examples.ownProgram(menu, kept(), earlier());
    if (own !== undefined) {
        const chosen = menu.value;
        open(own, chosen === "");
        history.replaceState(null, "", location.pathname);
        menu.value = "";
        return;
    }
    const example = examples.find(sections, menu.value);
    if (!example) return;
    history.replaceState(null, "", `#example=${encodeURIComponent(example.name)}`);
    open(example.text);
};

const theme = get("theme", HTMLSelectElement);
theme.value = localStorage.getItem("theme") ?? "";
theme.onchange = () => setTheme(theme.value);
setTheme(theme.value);

document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    const action = event.key === "Enter" ? (event.shiftKey ? viewElements : run) : event.key === "." ? offerFixes : undefined;
    if (!action || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    event.stopPropagation();
    report(action());
}, true);

onExplain((code) => report(explain(code)));
view.dom.addEventListener("checked", (event) => {
    panel.check((event as CustomEvent<Diagnostic[]>).detail);
    void updateLaunches();
});
view.dispatch({
    effects: StateEffect.appendConfig.of([
        EditorView.updateListener.of((update) => {
            if (update.selectionSet) chooseLaunchAt(update.state.selection.main.head);
            if (!update.docChanged || update.transactions.some((transaction) => transaction.isUserEvent(OPENED))) return;
            menu.value = "";
            keep(() => view.state.doc.toString());
        }),
    ]),
});
// A page that is closed, or is hidden on a phone, may never be continued.
window.addEventListener("pagehide", save);
document.addEventListener("visibilitychange", save);
window.addEventListener("hashchange", () => report(openLinked()));

report(start());
