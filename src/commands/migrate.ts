import { Command } from 'commander';
import { type Context, withDatabase } from './context.ts';

/** `tradepost migrate`. It only opens the database, which migrates it, as `serve` does. */
export function migrateCommand(context: Context): Command {
  return new Command('migrate')
    .description("migrate the database schema to this program's version")
    .action(async () => {
      await withDatabase(context, async () => context.print('The schema is up to date.'));
    });
}
