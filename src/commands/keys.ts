import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { createKey, isKeyName, KEY_NAME_LENGTH } from '../api-keys/create-key.ts';
import { listKeys } from '../api-keys/list-keys.ts';
import { revokeKey } from '../api-keys/revoke-key.ts';
import { CommandError, type Context, printRows, requireMerchant, withDatabase } from './context.ts';

interface KeyOptions {
  merchant: string;
  name: string;
  expiresIn?: string;
  json?: true;
}

/** `tradepost keys create|list|revoke|import` */
export function keysCommand(context: Context): Command {
  return new Command('keys')
    .description('make, list, revoke and import API keys')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context))
    .addCommand(importCommand(context));
}

function createCommand(context: Context): Command {
  return keyOptions(new Command('create').description('make a key; its token is shown once')).action(
    async (options: KeyOptions) => {
      const { id, token } = await addKeyFor(context, options);
      if (options.json) context.print(JSON.stringify({ id, name: options.name, access_token: token }));
      else context.print(`Key ${id} is made. Its token, shown only now:\n${token}`);
    },
  );
}

/** The token comes on standard input: on the command line other users of the machine could read it. */
function importCommand(context: Context): Command {
  const command = new Command('import').description(
    'make a key of a token that exists already, read from standard input',
  );
  return keyOptions(command).action(async (options: KeyOptions) => {
    const token = await readLine();
    if (!/^[\x21-\x7e]{16,255}$/.test(token)) {
      throw new CommandError(
        'Standard input has to give the token in its first line: 16 to 255 visible ASCII characters.',
      );
    }
    const { id } = await addKeyFor(context, options, token);
    if (options.json) context.print(JSON.stringify({ id, name: options.name }));
    else context.print(`Key ${id} is made of the token given.`);
  });
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description("show a merchant's keys")
    .requiredOption('--merchant <id or name>', 'whose keys')
    .option('--json', 'print JSON')
    .action(async ({ merchant, json = false }: { merchant: string; json?: boolean }) => {
      await withDatabase(context, async (database) => {
        const { id } = await requireMerchant(database, merchant);
        printRows(context, await listKeys({ database, now: context.now }, id), json);
      });
    });
}

function revokeCommand(context: Context): Command {
  return new Command('revoke')
    .description('refuse a key from the next request on, for good')
    .argument('<key id>', 'as "keys list" shows it, such as 12-3')
    .option('--json', 'print JSON')
    .action(async (keyId: string, { json }: { json?: true }) => {
      await withDatabase(context, async (database) => {
        const found = await revokeKey({ database, now: context.now }, keyId);
        if (!found)
          throw new CommandError(`There is no key "${keyId}": "tradepost keys list" shows a merchant's.`);
        context.print(json ? JSON.stringify({ id: keyId, state: 'revoked' }) : `Key ${keyId} is revoked.`);
      });
    });
}

function keyOptions(command: Command): Command {
  return command
    .requiredOption('--merchant <id or name>', 'whose key')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--expires-in <time>', 'such as 90d, 12h or 30m (default: never)')
    .option('--json', 'print JSON');
}

async function addKeyFor(
  context: Context,
  { merchant, name, expiresIn }: KeyOptions,
  token?: string,
): Promise<{ id: string; token: string }> {
  if (!isKeyName(name)) throw new CommandError(`--name has 1 to ${KEY_NAME_LENGTH} characters.`);
  const expiresAt = expiresIn === undefined ? null : context.now() + parseDuration(expiresIn);
  return await withDatabase(context, async (database) => {
    const { id: merchantId } = await requireMerchant(database, merchant);
    const key = { merchantId, name, expiresAt, ...(token !== undefined && { token }) };
    return await createKey({ database, now: context.now }, key);
  });
}

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const length = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (length > 0) return length;
  throw new CommandError(`--expires-in is "${text}": expected a number and s, m, h or d, such as 90d.`);
}

async function readLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line.trim();
  return '';
}
