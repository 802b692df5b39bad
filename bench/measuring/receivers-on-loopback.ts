// For `--import`: connects to all webhook receivers on one address of this machine, except refusing ones.
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/src/webhooks/receiver-address.ts')) return loaded;
    const source = String(loaded.source).replace(
      'export function addressFinder',
      'function publicAddressFinder',
    );
    return {
      ...loaded,
      source: `${source}
        export function addressFinder() {
          void publicAddressFinder;
          return async (host) => (host.startsWith('refuses') ? '127.9.9.10' : '127.9.9.9');
        }`,
    };
  },
});
