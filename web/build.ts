import type { LogLevel } from 'vite';

/**
 * Builds the console into `web/dist`; `npm ci` runs this. Without the development dependencies it does
 * nothing: such an installation must include a built `web/dist`.
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
