import { Command } from 'commander';
import { openDatabase, startService } from '../service.ts';
import { type Context, openLog, readConfig } from './context.ts';

/** `tradepost serve` */
export function serveCommand(context: Context): Command {
  return new Command('serve').description('serve the API until stopped').action(async () => {
    const config = readConfig(context);
    const log = openLog(config);
    const database = await openDatabase(config, context.now());
    const service = await startService(config, database, log, context.now);
    log.info({ baseUrl: service.baseUrl }, 'serving');
    await untilSignal();
    log.info('stopping: requests under way are answered first');
    await service.close();
  });
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
export async function untilSignal(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
}
