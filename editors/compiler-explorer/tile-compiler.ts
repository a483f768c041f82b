// The commands of `tile` as compilers of Compiler Explorer. `install.py` copies this file to `lib/compilers/tile.ts`.
//
// The properties of a compiler name the command and its arguments: `options=build --emit ptx -o -`. What the command
// writes to standard output is the result. `tile run` and `tile test` have none: they run as executors.

import fs from 'node:fs/promises';
import path from 'node:path';

import {splitArguments} from '../../shared/common-utils.js';
import type {ParsedAsmResultLine} from '../../types/asmresult/asmresult.interfaces.js';
import type {CompilationResult, ExecutionOptionsWithEnv} from '../../types/compilation/compilation.interfaces.js';
import type {ExecutableExecutionOptions} from '../../types/execution/execution.interfaces.js';
import type {ParseFiltersAndOutputOptions} from '../../types/features/filters.interfaces.js';
import type {ResultLine} from '../../types/resultline/resultline.interfaces.js';
import {BaseCompiler} from '../base-compiler.js';
import {BaseParser} from './argument-parsers.js';

/** Markers of Compiler Explorer: 3 is an error, 2 a warning, 1 information. */
const SEVERITIES: Record<string, number> = {error: 3, warning: 2, info: 1, hint: 1};
/** `error[E0002]: unknown op`, and the place below it: `┌─ <source>:5:10`. */
const MESSAGE = /^(error|warning|info|hint)(?:\[\w+\])?: (.*)$/;
const PLACE = /^\s*┌─ .*:(\d+):(\d+)$/;
/** The comment that `tile build --annotate` writes above the instructions of a line. */
const SOURCE_LINE = /^\s*\/\/ line (\d+): /;

export class TileCompiler extends BaseCompiler {
    static get key() {
        return 'tile';
    }

    /** The command is the first of the options in the properties. */
    protected override optionsForFilter(): string[] {
        return [];
    }

    override getArgumentParserClass() {
        return BaseParser;
    }

    override async runCompiler(
        compiler: string,
        options: string[],
        inputFilename: string,
        execOptions: ExecutionOptionsWithEnv,
    ): Promise<CompilationResult> {
        execOptions = {...(execOptions ?? this.getDefaultExecOptions()), customCwd: path.dirname(inputFilename)};
        if (options[0] === 'fmt') {
            // From standard input, because `tile fmt FILE` changes the file.
            options = options.map(option => (option === inputFilename ? '-' : option));
            execOptions.input = await fs.readFile(inputFilename, 'utf8');
        }
        const ended = await this.exec(compiler, options, execOptions);
        const result = this.transformToCompilationResult(ended, inputFilename);
        // `tile check` reports on standard output, the other commands on standard error.
        const report = options[0] === 'check' ? result.stdout : result.stderr;
        const output = this.getOutputFilename(path.dirname(inputFilename), this.outputFilebase);
        const shown = options[0] === 'check' ? result.stdout.map(line => `${line.text}\n`).join('') : ended.stdout;
        await fs.writeFile(output, shown);
        return {...result, stdout: [], stderr: tagged(report)};
    }

    override async processAsm(result: {asm: string}, filters: ParseFiltersAndOutputOptions) {
        return {asm: withSource(result.asm, filters)};
    }

    /** The name of the program that an executor runs, which its messages show. */
    override getExecutableFilename(dirPath: string) {
        return path.join(dirPath, this.compileFilename);
    }

    /** `tile run FILE` instead of `tile FILE`. */
    protected override fixExecuteParametersForInterpreting(
        executeParameters: ExecutableExecutionOptions,
        outputFilename: string,
    ) {
        const own = splitArguments(this.compiler.options);
        executeParameters.args = [...own, outputFilename, ...(executeParameters.args as string[])];
    }
}

/** Marks the first line of each diagnostic in the editor. */
export function tagged(lines: ResultLine[]): ResultLine[] {
    return lines.map(({text}, index) => {
        const message = text.match(MESSAGE);
        const place = lines[index + 1]?.text.match(PLACE);
        if (!message || !place) return {text};
        const [line, column] = [Number(place[1]), Number(place[2])];
        return {text, tag: {severity: SEVERITIES[message[1]], line, column, text: message[2]}};
    });
}

/** The lines of annotated code, with the line of the program that each belongs to. */
export function withSource(text: string, filters: ParseFiltersAndOutputOptions): ParsedAsmResultLine[] {
    const shown: ParsedAsmResultLine[] = [];
    let line: number | null = null;
    for (const row of text.replace(/\n$/, '').split('\n')) {
        const found = row.match(SOURCE_LINE);
        if (found) line = Number(found[1]);
        if (found && filters.commentOnly) continue;
        shown.push({text: row, source: line === null ? null : {file: null, line}});
    }
    return shown;
}
