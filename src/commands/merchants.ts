import { Command } from 'commander';
import { inviteUser } from '../console/users/invite-user.ts';
import { passwordLink } from '../console/users/password-link.ts';
import { createMerchant } from '../merchants/create-merchant.ts';
import { listMerchants } from '../merchants/list-merchants.ts';
import { type Context, printRows, withDatabase } from './context.ts';
import { inviteCommand, LINK_TIME, removeUserCommand, usersCommand } from './users.ts';

interface CreateOptions {
  name: string;
  email?: string;
  timeZone: string;
  json?: true;
}

/** `tradepost merchants create|list|invite|users|remove-user` */
export function merchantsCommand(context: Context): Command {
  return new Command('merchants')
    .description('make merchants and their users, and list merchants')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(inviteCommand(context))
    .addCommand(usersCommand(context))
    .addCommand(removeUserCommand(context));
}

function createCommand(context: Context): Command {
  return new Command('create')
    .description('make a merchant, its first API key and, with an address, its first user of the console')
    .requiredOption('--name <name>', 'a name of its own among the merchants')
    .option('--email <address>', 'where the merchant is reached, and signs in to the console')
    .option('--time-zone <zone>', 'IANA name; its calendar decides the month of a sale', 'UTC')
    .option('--json', 'print JSON')
    .action(async ({ name, email, timeZone, json }: CreateOptions) => {
      await withDatabase(context, async (database, config) => {
        const services = { database, now: context.now };
        let link: string | undefined;
        const merchant = { name, email: email ?? null, timeZone };
        const { id, keyId, token } = await createMerchant(
          services,
          merchant,
          async (connection, merchantId) => {
            if (email === undefined) return;
            const limits = { budgets: config.budgets, now: context.now() };
            const user = await inviteUser(connection, { merchantId, email, name }, limits);
            link = passwordLink(config, user.token);
          },
        );
        if (json) {
          const made = { id, name, key_id: keyId, access_token: token, set_password_url: link };
          context.print(JSON.stringify(made));
          return;
        }
        context.print(`Merchant ${id} is made. Its token, shown only now:\n${token}`);
        if (link !== undefined)
          context.print(`Where ${email} sets a password for the console, ${LINK_TIME}:\n${link}`);
      });
    });
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('show every merchant')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      await withDatabase(context, async (database) =>
        printRows(context, await listMerchants({ database }), json),
      );
    });
}
