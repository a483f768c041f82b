// A feature that asks the engine again whenever the text or the visible part changes.

import { type EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** Calls `ask` after changes, one call at a time: a change during a call causes another one after it. */
export function refreshed(ask: (view: EditorView) => Promise<void>, onScroll: boolean): ViewPlugin<PluginValue> {
    class Refresh implements PluginValue {
        private isAsking = false;
        private isOutdated = false;

        constructor(private readonly view: EditorView) {
            void this.refresh();
        }

        update(update: ViewUpdate): void {
            if (update.docChanged || (onScroll && update.viewportChanged)) void this.refresh();
        }

        private async refresh(): Promise<void> {
            this.isOutdated = true;
            if (this.isAsking) return;
            this.isAsking = true;
            try {
                while (this.isOutdated) {
                    this.isOutdated = false;
                    // Asks after the sender has been called for the same update.
                    await Promise.resolve();
                    await ask(this.view);
                }
            } finally {
                this.isAsking = false;
            }
        }
    }
    return ViewPlugin.fromClass(Refresh);
}
