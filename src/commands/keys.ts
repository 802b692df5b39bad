import { createInterface } from 'node:readline';
import { Command, Option } from 'commander';
import type { CreatedKey } from '../api-keys/create-key.ts';
import { nodesOf, parseKeyId } from '../api-keys/key-id.ts';
import { listKeys } from '../api-keys/list-keys.ts';
import { type RecordFields, recordFields } from '../api-keys/record-fields.ts';
import { revokeKey } from '../api-keys/revoke-key.ts';
import { defaultScopes, scopes } from '../api-keys/scopes.ts';
import { tokenKind } from '../api-keys/token.ts';
import { OPERATOR } from '../audit/record-audit.ts';
import { liveSideOf, OPERATOR_ID } from '../database/sides.ts';
import { runVerb } from '../database/write-context.ts';
import { createMerchantKey } from '../merchants/create-merchant-key.ts';
import { CommandError, type Context, printRows, requireMerchant, withDatabase } from './context.ts';
import { insteadOfNoKey, type KeyOptions, keyOptions, readKeyOptions } from './key-options.ts';

interface MerchantKeyOptions extends KeyOptions {
  merchant: string;
  test?: true;
  fields: RecordFields;
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
  return merchantKeyOptions(
    new Command('create').description('create a key; its token is shown once'),
  ).action(async (options: MerchantKeyOptions) => {
    const { id, token } = await addKeyFor(context, options);
    if (options.json) context.print(JSON.stringify({ id, name: options.name, access_token: token }));
    else context.print(`Created key ${id}. Token (shown once):\n${token}`);
  });
}

/** Reads the token from standard input: other users of the machine can read command lines. */
function importCommand(context: Context): Command {
  const command = new Command('import').description(
    'create a key from an existing token, read from standard input',
  );
  return merchantKeyOptions(command).action(async (options: MerchantKeyOptions) => {
    const token = await readLine(context);
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
        const services = { database, now: context.now };
        const owner = { merchantId: liveSideOf(parseKeyId(keyId)?.merchantId ?? OPERATOR_ID), who: OPERATOR };
        await runVerb(services, owner, revokeKey, { id: keyId }, nodesOf(keyId)).catch(
          insteadOfNoKey(`There is no key "${keyId}". Run "tradepost keys list" to see a merchant's keys.`),
        );
        context.print(json ? JSON.stringify({ id: keyId, state: 'revoked' }) : `Revoked key ${keyId}.`);
      });
    });
}

function merchantKeyOptions(command: Command): Command {
  command.requiredOption('--merchant <id or name>', 'merchant of the key');
  return keyOptions(command, defaultScopes, { user: 'integration', example: 'read,campaigns' })
    .option('--test', 'a test key, which reads and writes only the merchant’s test data')
    .addOption(
      new Option(
        '--fields <fields>',
        'fields of products: "original" adds fields that clients of other versions of the API read',
      )
        .choices(recordFields)
        .default('standard'),
    )
    .option('--json', 'print JSON');
}

async function addKeyFor(
  context: Context,
  { merchant, test, fields, ...options }: MerchantKeyOptions,
  token?: string,
): Promise<CreatedKey> {
  const key = { ...readKeyOptions(context, options, scopes), fields };
  return await withDatabase(context, async (database) => {
    const { id: merchantId } = await requireMerchant(database, merchant);
    const services = { database, now: context.now };
    const created = { ...key, mode: test ? 'test' : 'live', ...(token !== undefined && { token }) } as const;
    const nodes = { everyNode: test ?? false };
    return await runVerb(services, { merchantId, who: OPERATOR }, createMerchantKey, created, nodes);
  });
}

async function readLine({ openInput }: Context): Promise<string> {
  for await (const line of createInterface({ input: openInput() })) return line.trim();
  return '';
}
