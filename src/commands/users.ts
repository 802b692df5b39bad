import { Command, Option } from 'commander';
import { OPERATOR } from '../audit/record-audit.ts';
import { runVerb } from '../database/write-context.ts';
import { invitationNeeds, inviteUser } from '../users/invite-user.ts';
import { listUsers } from '../users/list-users.ts';
import { removeUser } from '../users/remove-user.ts';
import { type Role, roles } from '../users/role.ts';
import { type Context, printRows, requireMerchant, withDatabase } from './context.ts';

interface InviteOptions {
  merchant: string;
  email: string;
  name?: string;
  role?: Role;
  resetTwoFactor?: boolean;
  json?: true;
}

export const LINK_TERMS = 'works once, within 72 hours';

export function mailNote(email: string): string {
  return `The running service also mails a link to ${email}.`;
}

export function inviteCommand(context: Context): Command {
  return new Command('invite')
    .description('invite a console user, or create a new password link for an existing one')
    .requiredOption('--merchant <id or name>', 'merchant of the user')
    .requiredOption('--email <address>', 'email that the user signs in with')
    .option('--name <name>', "name of a new user (default: the merchant's name)")
    .addOption(
      new Option('--role <role>', 'what the user may do (default: owner, or the current role)').choices(
        roles,
      ),
    )
    .option(
      '--reset-two-factor',
      'disable two-factor authentication and remove passkeys of a user who lost them',
    )
    .option('--json', 'print JSON')
    .action(async ({ merchant, email, name, role, resetTwoFactor = false, json }: InviteOptions) => {
      await withDatabase(context, async (database, config) => {
        const { id: merchantId, name: merchantName } = await requireMerchant(database, merchant);
        const { link, isNew, isMailed } = await runVerb(
          { database, now: context.now },
          { merchantId, who: OPERATOR, ...invitationNeeds(config) },
          inviteUser,
          { email, name: name ?? merchantName, role, resetTwoFactor },
        );
        if (json)
          context.print(JSON.stringify({ new_user: isNew, set_password_url: link, mailed: isMailed }));
        else {
          context.print(
            `${isNew ? 'Created user.' : 'User already exists.'} Link for ${email} to set a password (${LINK_TERMS}):\n${link}`,
          );
          if (isMailed) context.print(mailNote(email));
        }
      });
    });
}

export function usersCommand(context: Context): Command {
  return new Command('users')
    .description("list a merchant's console users")
    .requiredOption('--merchant <id or name>', 'merchant of the users')
    .option('--json', 'print JSON')
    .action(async ({ merchant, json = false }: { merchant: string; json?: boolean }) => {
      await withDatabase(context, async (database) => {
        const { id } = await requireMerchant(database, merchant);
        printRows(context, await listUsers({ database }, id), json);
      });
    });
}

export function removeUserCommand(context: Context): Command {
  return new Command('remove-user')
    .description(
      'remove access to a merchant’s console from a user immediately; keys they created keep working',
    )
    .requiredOption('--merchant <id or name>', 'merchant of the user')
    .requiredOption('--email <address>', 'email that the user signs in with')
    .option('--json', 'print JSON')
    .action(async ({ merchant, email, json }: { merchant: string; email: string; json?: true }) => {
      await withDatabase(context, async (database) => {
        const { id: merchantId } = await requireMerchant(database, merchant);
        const services = { database, now: context.now };
        const removed = await runVerb(services, { merchantId, who: OPERATOR }, removeUser, { email });
        context.print(json ? JSON.stringify({ removed }) : `Removed console access of ${removed}.`);
      });
    });
}
