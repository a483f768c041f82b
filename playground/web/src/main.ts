// The page: connects its controls to the editor and the engine.

import { Course } from "./course";
import { choose, showPage, showText } from "./dialogs";
import { button, get } from "./dom";
import { editor } from "./editor/editor";
import { apply, current } from "./editor/engine";
import { format } from "./editor/commands";
import { fixAll, fixesAt, onExplain } from "./editor/problems";
import { Engine, explained } from "./engine";
import { loadExamples, type Section } from "./examples";
import keys from "./keys.md";
import { Launches } from "./launches";
import { Menu, OWN, ownProgram } from "./menu";
import { lastOwn } from "./own";
import { exclusively, Panel } from "./panel";
import { Program } from "./program";
import type { Diagnostic, Page, Range } from "./protocol";
import { loadPuzzles, puzzleOf } from "./puzzles";
import { fragment, fragmentOf, linked } from "./share";
import { connectTheme } from "./theme";

/** The example that a new visitor sees. */
const FIRST = "hello_grid";

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
const menu = new Menu(openEntry);
const program = new Program(view, engine, panel, menu);
const launches = new Launches(view, engine, panel);
const course = new Course(program, launches, panel, menu);
let sections: Section[] = [];

/** Shows what a promise refuses. */
function report(work: Promise<unknown>): void {
    work.catch((error: unknown) => panel.say(explained(error), "bad"));
}

const run = () => exclusively(() => launches.run());
const check = () => exclusively(() => course.check());

// Pages.

async function page(ask: (at: number) => Promise<Page>): Promise<void> {
    showPage(await ask(view.state.selection.main.head));
}

const viewElements = () =>
    exclusively(async () => {
        panel.say("Running the launch…");
        await page((at) => engine.view(at));
        panel.say("");
    });

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
    if (!BYTECODE.every((byte, index) => bytes[index] === byte)) return program.open(new TextDecoder().decode(bytes));
    const decoded = await engine.ask("decode", { bytes: Array.from(bytes) });
    program.open(decoded.text);
    panel.say([`Decoded ${file.name}.`, ...decoded.warnings].join(" "));
}

async function share(): Promise<void> {
    const hash = await fragment(program.text);
    history.replaceState(null, "", hash);
    const copied = navigator.clipboard?.writeText(location.href).then(() => " and on the clipboard", () => "");
    panel.say(`The link to this program is in the address bar${(await copied) ?? ""}.`);
}

// Programs of the menu and of links.

/** Opens an example. Returns whether there is one with this name. */
function openExample(name: string, hash = fragmentOf("example", name)): boolean {
    const example = sections.flatMap(({ examples }) => examples).find((example) => example.name === name);
    if (example) program.open(example.text, { place: { entry: name, hash } });
    return example !== undefined;
}

/** Opens the program of an entry of the menu. */
function openEntry(entry: string): void {
    const own = ownProgram(entry);
    const puzzle = puzzleOf(entry);
    if (own !== undefined) program.open(own, { kept: entry === OWN });
    else if (puzzle !== undefined) course.open(puzzle);
    else openExample(entry);
}

/** Opens the own program, or an example for those who have none. */
function openOwn(): void {
    const own = lastOwn();
    if (own === null) openExample(FIRST, "");
    else program.open(own, { kept: true });
}

/** Opens the program that the address refers to. Returns what is wrong with the address. */
async function openLinked(): Promise<string | undefined> {
    const found = await linked(location.hash).catch(() => undefined);
    if (found === null) return void openOwn();
    if (found && "text" in found) return void program.open(found.text, { place: { entry: OWN, hash: location.hash } });
    if (found && ("puzzle" in found ? course.open(found.puzzle) : openExample(found.example))) return undefined;
    openExample(FIRST, "");
    return found ? "The link refers to a puzzle or an example that does not exist." : "The program in the link is damaged.";
}

async function followLink(): Promise<void> {
    const problem = await openLinked();
    if (problem !== undefined) panel.say(problem, "bad");
    else panel.say(lastOwn() === null ? (course.invitation ?? "Ready") : "Ready");
}

async function start(): Promise<void> {
    const [puzzles, examples] = await Promise.all([loadPuzzles(), loadExamples()]);
    sections = examples;
    menu.fill(puzzles, examples);
    course.fill(puzzles.flatMap(({ puzzles }) => puzzles));
    await followLink();
    await launches.update();
    performance.mark("ready");
}

const actions: Record<string, () => Promise<unknown>> = {
    run,
    check,
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
button("leave").onclick = () => {
    openOwn();
    button("learn").focus();
};
connectTheme();

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

function shortcut({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): (() => Promise<unknown>) | undefined {
    if (altKey) return key === "Enter" ? check : undefined;
    if (!ctrlKey && !metaKey) return undefined;
    if (key === "Enter") return shiftKey ? viewElements : run;
    return key === "." ? offerFixes : undefined;
}

document.addEventListener("keydown", (event) => {
    const action = shortcut(event);
    if (!action || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    event.stopPropagation();
    report(action());
}, true);

onExplain((code) => report(explain(code)));
view.dom.addEventListener("checked", (event) => {
    panel.check((event as CustomEvent<Diagnostic[]>).detail);
    void launches.update();
});
window.addEventListener("hashchange", () => report(followLink()));

report(start());
