import { Command } from 'commander';
import { createMerchant } from '../merchants/create-merchant.ts';
import { listMerchants } from '../merchants/list-merchants.ts';
import { type Context, printRows, withDatabase } from './context.ts';

interface CreateOptions {
  name: string;
  email?: string;
  timeZone: string;
  json?: true;
}

/** `tradepost merchants create|list` */
export function merchantsCommand(context: Context): Command {
  const create = new Command('create')
    .description('make a merchant and its first API key')
    .requiredOption('--name <name>', 'a name of its own among the merchants')
    .option('--email <address>', 'where the merchant is reached')
    .option('--time-zone <zone>', 'IANA name; its calendar decides the month of a sale', 'UTC')
    .option('--json', 'print JSON')
    .action(async ({ name, email, timeZone, json }: CreateOptions) => {
      await withDatabase(context, async (database) => {
        const services = { database, now: context.now };
        const { id, keyId, token } = await createMerchant(services, { name, email: email ?? null, timeZone });
        if (json) context.print(JSON.stringify({ id, name, key_id: keyId, access_token: token }));
        else context.print(`Merchant ${id} is made. Its token, shown only now:\n${token}`);
      });
    });
  const list = new Command('list')
    .description('show every merchant')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      await withDatabase(context, async (database) =>
        printRows(context, await listMerchants({ database }), json),
      );
    });
  return new Command('merchants').description('make and list merchants').addCommand(create).addCommand(list);
}
