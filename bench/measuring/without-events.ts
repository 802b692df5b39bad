// For `--import`: changes record no events.
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, nextLoad) =>
    url.endsWith('/src/events/record-event.ts')
      ? {
          format: 'module',
          shortCircuit: true,
          source: `export async function recordEvent() {}
            export async function recordEvents() {}
            export const firstThatFit = (items) => items;
            export const MAX_DATA_BYTES = 18_000;`,
        }
      : nextLoad(url, context),
});
