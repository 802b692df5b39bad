import { Command } from 'commander';
import { type Context, readConfig } from './context.ts';

export function serveCommand(context: Context): Command {
  return new Command('serve').description('serve the API until stopped').action(async () => {
    const config = readConfig(context);
    // The process that distributes connections among workers serves no requests: it loads little.
    if (config.workers === 1) await (await import('./serve-alone.ts')).serveAlone(context, config);
    else await (await import('./serve-with-workers.ts')).serveWithWorkers(context, config);
  });
}
