import { Command } from 'commander';
import { rotateSecret } from '../console/auth/secrets.ts';
import { type Context, withDatabase } from './context.ts';

export function consoleCommand(context: Context): Command {
  const rotate = new Command('rotate-secret')
    .description('replace the secret that signs sessions; a restart then signs all users out')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      await withDatabase(context, async (database) => {
        const version = await rotateSecret({ database, now: context.now });
        if (json) context.print(JSON.stringify({ version }));
        else context.print('Secret replaced. Restart every service on this database to sign all users out.');
      });
    });
  return new Command('console').description("manage the merchants' console").addCommand(rotate);
}
