import { Command } from 'commander';
import { type Context, withDatabase } from './context.ts';

/** `tradepost migrate`: opening the database migrates it, so that serving needs no such step. */
export function migrateCommand(context: Context): Command {
  return new Command('migrate')
    .description("bring the database's schema up to this program's, and stop")
    .action(async () => {
      await withDatabase(context, async () => context.print('The schema is up to date.'));
    });
}
