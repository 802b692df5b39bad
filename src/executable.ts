import { main } from './commands/main.ts';
import { IMPORT_PROCESS } from './shared/start-module.ts';

/** The single executable starts itself for imports, with a channel for messages. */
async function run(): Promise<void> {
  const [first, ...rest] = process.argv.slice(2);
  if (first === IMPORT_PROCESS && process.send !== undefined) await import('./imports/import-process.ts');
  else process.exitCode = await main(first === undefined ? [] : [first, ...rest], process.env);
}

void run();
