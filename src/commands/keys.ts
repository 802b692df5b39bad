import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { addKey, createKey, isKeyName, KEY_NAME_LENGTH } from '../api-keys/create-key.ts';
import { listKeys } from '../api-keys/list-keys.ts';
import { revokeKey } from '../api-keys/revoke-key.ts';
import { formatScopes, parseScopes, scopes } from '../api-keys/scopes.ts';
import { tokenKind } from '../api-keys/token.ts';
import { addTestKey } from '../merchants/open-test-side.ts';
import { CommandError, type Context, printRows, requireMerchant, withDatabase } from './context.ts';
import { parseDuration } from './duration.ts';

interface KeyOptions {
  merchant: string;
  name: string;
  scope: string;
  expiresIn?: string;
  test?: true;
  json?: true;
}

export function keysCommand(context: Context): Command {
  return new Command('keys')
    .description('create, list, revoke and import API keys')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context))
    .addCommand(importCommand(context));
}

function createCommand(context: Context): Command {
  return keyOptions(new Command('create').description('create a key; its token is shown once')).action(
    async (options: KeyOptions) => {
      const { id, token } = await addKeyFor(context, options);
      if (options.json) context.print(JSON.stringify({ id, name: options.name, access_token: token }));
      else context.print(`Created key ${id}. Token (shown once):\n${token}`);
    },
  );
}

/** Reads the token from standard input: other users of the machine can read command lines. */
function importCommand(context: Context): Command {
  const command = new Command('import').description(
    'create a key from an existing token, read from standard input',
  );
  return keyOptions(command).action(async (options: KeyOptions) => {
    const token = await readLine();
    if (!/^[\x21-\x7e]{16,255}$/.test(token)) {
      throw new CommandError(
        'Expected the token in the first line of standard input: 16 to 255 visible ASCII characters.',
      );
    }
    const kind = tokenKind(token);
    if (kind === 'operator') {
      throw new CommandError('Tokens that start with tpo_ are for operator keys, which cannot be imported.');
    }
    if ((kind === 'test') !== (options.test ?? false)) {
      throw new CommandError(
        'Tokens that start with tpt_ are for test keys, and no others: they need --test, and it needs them.',
      );
    }
    const { id } = await addKeyFor(context, options, token);
    if (options.json) context.print(JSON.stringify({ id, name: options.name }));
    else context.print(`Imported key ${id}.`);
  });
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description("show a merchant's keys")
    .requiredOption('--merchant <id or name>', 'merchant of the keys')
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
    .description('revoke a key immediately and permanently')
    .argument('<key id>', 'ID from "keys list", such as 12-3')
    .option('--json', 'print JSON')
    .action(async (keyId: string, { json }: { json?: true }) => {
      await withDatabase(context, async (database) => {
        const found = await revokeKey({ database, now: context.now }, keyId);
        if (!found)
          throw new CommandError(
            `There is no key "${keyId}". Run "tradepost keys list" to see a merchant's keys.`,
          );
        context.print(json ? JSON.stringify({ id: keyId, state: 'revoked' }) : `Revoked key ${keyId}.`);
      });
    });
}

function keyOptions(command: Command): Command {
  return command
    .requiredOption('--merchant <id or name>', 'merchant of the key')
    .requiredOption('--name <name>', 'name of the key, such as the integration that uses it')
    .option('--scope <scopes>', `what the key may do, such as read,campaigns`, formatScopes(scopes))
    .option('--expires-in <time>', 'lifetime, such as 90d, 12h or 30m (default: no expiration)')
    .option('--test', 'a test key, which reads and writes only the merchant’s test data')
    .option('--json', 'print JSON');
}

async function addKeyFor(
  context: Context,
  { merchant, name, scope, expiresIn, test }: KeyOptions,
  token?: string,
): Promise<{ id: string; token: string }> {
  if (!isKeyName(name)) throw new CommandError(`Expected 1 to ${KEY_NAME_LENGTH} characters for --name.`);
  const granted = parseScopes(scope, scopes);
  if (granted === undefined)
    throw new CommandError(
      `--scope is "${scope}": expected one or more of ${scopes.join(', ')}, separated by commas.`,
    );
  const expiresAt = expiresIn === undefined ? null : context.now() + parseDuration('--expires-in', expiresIn);
  return await withDatabase(context, async (database) => {
    const { id: merchantId } = await requireMerchant(database, merchant);
    const key = { merchantId, name, scopes: granted, expiresAt, ...(token !== undefined && { token }) };
    return await createKey({ database, now: context.now }, key, test ? addTestKey : addKey);
  });
}

async function readLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line.trim();
  return '';
}
