import { Command } from 'commander';
import { listOperatorKeys } from '../api-keys/list-keys.ts';
import { revokeKey } from '../api-keys/revoke-key.ts';
import { rotateKey } from '../api-keys/rotate-key.ts';
import { operatorScopes } from '../api-keys/scopes.ts';
import { OPERATOR } from '../audit/record-audit.ts';
import type { Database } from '../database/database.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { runVerb, type Verb } from '../database/write-context.ts';
import { createOperatorKey } from '../operator/keys/create-operator-key.ts';
import { listOperatorAudit } from '../operator/screen/list-operator-audit.ts';
import { type Context, printRows, withDatabase } from './context.ts';
import { parseDuration } from './duration.ts';
import { insteadOfNoKey, type KeyOptions, keyOptions, readKeyOptions } from './key-options.ts';

const MAX_ENTRIES = 1_000;

export function operatorKeysCommand(context: Context): Command {
  return new Command('operator-keys')
    .description('create, list, rotate and revoke keys of the operator API')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(rotateCommand(context))
    .addCommand(revokeCommand(context))
    .addCommand(auditCommand(context));
}

/** Runs a verb as the operator. `id` is the key that it changes. */
function run<Input, Result>(
  context: Context,
  verb: Verb<Input, Result>,
  input: Input & { id?: string },
): Promise<Result> {
  const missing = `There is no operator key "${input.id}". Run "tradepost operator-keys list" to see all of them.`;
  return withDatabase(context, (database) =>
    runVerb({ database, now: context.now }, { merchantId: OPERATOR_ID, who: OPERATOR }, verb, input),
  ).catch(insteadOfNoKey(missing));
}

function createCommand(context: Context): Command {
  const command = new Command('create').description('create a key; its token is shown once');
  return keyOptions(command, operatorScopes, { user: 'program', example: 'catalog,events' })
    .option('--json', 'print JSON')
    .action(async ({ json, ...options }: KeyOptions) => {
      const key = readKeyOptions(context, options, operatorScopes);
      const { id, token } = await run(context, createOperatorKey, key);
      if (json) context.print(JSON.stringify({ id, name: key.name, access_token: token }));
      else context.print(`Created operator key ${id}. Token (shown once):\n${token}`);
    });
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('show all operator keys')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      await withDatabase(context, async (database) =>
        printRows(context, await listOperatorKeys({ database, now: context.now }), json),
      );
    });
}

function rotateCommand(context: Context): Command {
  return new Command('rotate')
    .description('give a key a new token, which is shown once')
    .argument('<key id>', 'ID from "operator-keys list", such as op-3')
    .option('--old-token-for <time>', 'how long the old token still works, such as 24h (default: not at all)')
    .option('--json', 'print JSON')
    .action(async (keyId: string, { oldTokenFor, json }: { oldTokenFor?: string; json?: true }) => {
      const oldTokenUntil =
        oldTokenFor === undefined ? null : context.now() + parseDuration('--old-token-for', oldTokenFor);
      const { token } = await run(context, rotateKey, { id: keyId, oldTokenUntil });
      if (json) context.print(JSON.stringify({ id: keyId, access_token: token }));
      else context.print(`Rotated operator key ${keyId}. Token (shown once):\n${token}`);
    });
}

function revokeCommand(context: Context): Command {
  return new Command('revoke')
    .description('revoke a key immediately and permanently')
    .argument('<key id>', 'ID from "operator-keys list", such as op-3')
    .option('--json', 'print JSON')
    .action(async (keyId: string, { json }: { json?: true }) => {
      await run(context, revokeKey, { id: keyId });
      context.print(
        json ? JSON.stringify({ id: keyId, state: 'revoked' }) : `Revoked operator key ${keyId}.`,
      );
    });
}

async function readAudit(database: Pick<Database, 'all'>) {
  const { entries } = await listOperatorAudit(database, { limit: MAX_ENTRIES });
  return entries.map(({ merchant, ...entry }) => ({ ...entry, merchant: merchant?.external_id ?? null }));
}

function auditCommand(context: Context): Command {
  return new Command('audit')
    .description('show what the operator did, newest first')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      await withDatabase(context, async (database) => printRows(context, await readAudit(database), json));
    });
}
