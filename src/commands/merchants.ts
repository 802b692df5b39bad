import { Command } from 'commander';
import { inviteUser } from '../console/users/invite-user.ts';
import { passwordLink } from '../console/users/password-link.ts';
import { createMerchant, DEFAULT_CURRENCY } from '../merchants/create-merchant.ts';
import { listMerchants } from '../merchants/list-merchants.ts';
import { type Context, printRows, withDatabase } from './context.ts';
import { inviteCommand, LINK_TERMS, removeUserCommand, usersCommand } from './users.ts';

interface CreateOptions {
  name: string;
  email?: string;
  timeZone: string;
  currency: string;
  json?: true;
}

/** `tradepost merchants create|list|invite|users|remove-user` */
export function merchantsCommand(context: Context): Command {
  return new Command('merchants')
    .description('create and list merchants, and manage their users')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(inviteCommand(context))
    .addCommand(usersCommand(context))
    .addCommand(removeUserCommand(context));
}

function createCommand(context: Context): Command {
  return new Command('create')
    .description('create a merchant with an API key and, with --email, a console user')
    .requiredOption('--name <name>', 'unique name of the merchant')
    .option('--email <address>', 'email of the merchant and of its first console user')
    .option('--time-zone <zone>', 'IANA time zone for monthly sales', 'UTC')
    .option('--currency <code>', 'ISO 4217 currency of prices and sales', DEFAULT_CURRENCY)
    .option('--json', 'print JSON')
    .action(async ({ name, email, timeZone, currency, json }: CreateOptions) => {
      await withDatabase(context, async (database, config) => {
        const services = { database, now: context.now };
        let link: string | undefined;
        const merchant = { name, email: email ?? null, timeZone, currency };
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
          const created = { id, name, key_id: keyId, access_token: token, set_password_url: link };
          context.print(JSON.stringify(created));
          return;
        }
        context.print(`Created merchant ${id}. Token (shown once):\n${token}`);
        if (link !== undefined)
          context.print(`Link for ${email} to set a console password (${LINK_TERMS}):\n${link}`);
      });
    });
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('list all merchants')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      await withDatabase(context, async (database) =>
        printRows(context, await listMerchants({ database }), json),
      );
    });
}
