import { Command } from 'commander';
import { rotateSecret } from '../console/auth/secrets.ts';
import { type Context, withDatabase } from './context.ts';

/** `tradepost console rotate-secret` */
export function consoleCommand(context: Context): Command {
  const rotate = new Command('rotate-secret')
    .description('replace what sessions are signed with; they all end when the service starts again')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      await withDatabase(context, async (database) => {
        const version = await rotateSecret({ database, now: context.now });
        if (json) context.print(JSON.stringify({ version }));
        else
          context.print(
            'The secret is replaced. Start every service on this database again: all sessions end then.',
          );
      });
    });
  return new Command('console').description("look after the merchants' console").addCommand(rotate);
}
