import { Command } from 'commander';
import { inviteUser } from '../console/users/invite-user.ts';
import { listUsers } from '../console/users/list-users.ts';
import { passwordLink } from '../console/users/password-link.ts';
import { removeUser } from '../console/users/remove-user.ts';
import { type Context, printRows, requireMerchant, withDatabase } from './context.ts';

interface InviteOptions {
  merchant: string;
  email: string;
  name?: string;
  resetTwoFactor?: boolean;
  json?: true;
}

/** For how long a link works by which a password is set. */
export const LINK_TIME = 'once, within 72 hours';

/** `tradepost merchants invite` */
export function inviteCommand(context: Context): Command {
  return new Command('invite')
    .description('make a user of the console, or a new link for one who has forgotten the password')
    .requiredOption('--merchant <id or name>', 'whose user')
    .requiredOption('--email <address>', 'by which the user signs in')
    .option('--name <name>', "a new user's name (default: the merchant's)")
    .option('--reset-two-factor', 'turn the second factor off, for a user who has lost it')
    .option('--json', 'print JSON')
    .action(async ({ merchant, email, name, resetTwoFactor = false, json }: InviteOptions) => {
      await withDatabase(context, async (database, config) => {
        const { id: merchantId, name: merchantName } = await requireMerchant(database, merchant);
        const user = { merchantId, email, name: name ?? merchantName, resetTwoFactor };
        const { token, isNew } = await database.transaction((connection) =>
          inviteUser(connection, user, { budgets: config.budgets, now: context.now() }),
        );
        const link = passwordLink(config, token);
        if (json) context.print(JSON.stringify({ new_user: isNew, set_password_url: link }));
        else {
          context.print(
            `${isNew ? 'The user is made' : 'The user was there already'}. Where ${email} sets a password, ${LINK_TIME}:\n${link}`,
          );
        }
      });
    });
}

/** `tradepost merchants users` */
export function usersCommand(context: Context): Command {
  return new Command('users')
    .description("show a merchant's users of the console")
    .requiredOption('--merchant <id or name>', 'whose users')
    .option('--json', 'print JSON')
    .action(async ({ merchant, json = false }: { merchant: string; json?: boolean }) => {
      await withDatabase(context, async (database) => {
        const { id } = await requireMerchant(database, merchant);
        printRows(context, await listUsers({ database }, id), json);
      });
    });
}

/** `tradepost merchants remove-user` */
export function removeUserCommand(context: Context): Command {
  return new Command('remove-user')
    .description('take the console from a user, at once; keys that they made stay')
    .requiredOption('--merchant <id or name>', 'whose user')
    .requiredOption('--email <address>', 'by which the user signs in')
    .option('--json', 'print JSON')
    .action(async ({ merchant, email, json }: { merchant: string; email: string; json?: true }) => {
      await withDatabase(context, async (database) => {
        const { id: merchantId } = await requireMerchant(database, merchant);
        const removed = await database.transaction((connection) =>
          removeUser(connection, { merchantId, email }, context.now()),
        );
        context.print(json ? JSON.stringify({ removed }) : `${removed} may not sign in any more.`);
      });
    });
}
