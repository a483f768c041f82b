// `tile fmt` as a formatter of Compiler Explorer. `install.py` copies this file to `lib/formatters/tile.ts`.

import type {UnprocessedExecResult} from '../../types/execution/execution.interfaces.js';
import * as exec from '../exec.js';
import {BaseFormatter} from './base.js';

export class TileFormatter extends BaseFormatter {
    static get key() {
        return 'tile';
    }

    override async format(source: string): Promise<UnprocessedExecResult> {
        return await exec.execute(this.formatterInfo.exe, ['fmt', '-'], {input: source});
    }

    /** There is one style. */
    override isValidStyle(): boolean {
        return true;
    }
}
