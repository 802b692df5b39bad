import type { LogLevel } from 'vite';

/**
 * Builds the console into `web/dist`, as `npm ci` does. Where the development dependencies were left out
 * there is nothing to build with, and whoever left them out brings `web/dist` along.
 */
async function buildConsole(): Promise<void> {
  let build: typeof import('./build-pages.ts');
  try {
    build = await import('./build-pages.ts');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stdout.write('The console is not built: the development dependencies are not installed.\n');
    return;
  }
  const logLevel: LogLevel = process.argv.includes('--report') ? 'info' : 'warn';
  await build.buildPages(logLevel);
}

await buildConsole();
