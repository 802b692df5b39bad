import { Command } from 'commander';
import type { Connection } from '../database/database.ts';
import { startEpoch, startFeedEpoch } from '../database/epoch.ts';
import { type Context, withDatabase } from './context.ts';

export function expireCursorsCommand(context: Context): Command {
  return new Command('expire-cursors')
    .description('after restoring a PostgreSQL backup: make clients that follow changes start again')
    .action(async () => {
      await withDatabase(context, async (database) => {
        const start = async (connection: Connection): Promise<void> => {
          await startEpoch(connection);
          await startFeedEpoch(connection);
        };
        await database.transaction(start, { longRunning: true });
        context.print('Clients that follow changes will start again with their next request.');
      });
    });
}
