import { fileURLToPath } from 'node:url';

/**
 * Builds the console into `web/dist`, as `npm ci` does. Where the development dependencies were left out
 * there is nothing to build with, and whoever left them out brings `web/dist` along.
 */
async function buildConsole(): Promise<void> {
  let vite: typeof import('vite');
  try {
    vite = await import('vite');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stdout.write('The console is not built: the development dependencies are not installed.\n');
    return;
  }
  await vite.build({
    configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)),
    logLevel: process.argv.includes('--report') ? 'info' : 'warn',
  });
}

await buildConsole();
