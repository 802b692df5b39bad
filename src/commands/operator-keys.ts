import { Command } from 'commander';
import { isKeyName, KEY_NAME_LENGTH } from '../api-keys/create-key.ts';
import { listOperatorKeys } from '../api-keys/list-keys.ts';
import { formatScopes, operatorScopes, parseScopes } from '../api-keys/scopes.ts';
import { listOperatorAudit } from '../operator/keys/list-audit.ts';
import { createOperatorKey, revokeOperatorKey, rotateOperatorKey } from '../operator/keys/operator-keys.ts';
import { CommandError, type Context, printRows, withDatabase } from './context.ts';
import { parseDuration } from './duration.ts';

export function operatorKeysCommand(context: Context): Command {
  return new Command('operator-keys')
    .description('create, list, rotate and revoke keys of the operator API')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(rotateCommand(context))
    .addCommand(revokeCommand(context))
    .addCommand(auditCommand(context));
}

interface CreateOptions {
  name: string;
  scope: string;
  expiresIn?: string;
  json?: true;
}

function createCommand(context: Context): Command {
  return new Command('create')
    .description('create a key; its token is shown once')
    .requiredOption('--name <name>', 'name of the key, such as the program that uses it')
    .option('--scope <scopes>', 'what the key may do, such as catalog,events', formatScopes(operatorScopes))
    .option('--expires-in <time>', 'lifetime, such as 90d, 12h or 30m (default: no expiration)')
    .option('--json', 'print JSON')
    .action(async ({ name, scope, expiresIn, json }: CreateOptions) => {
      if (!isKeyName(name)) throw new CommandError(`Expected 1 to ${KEY_NAME_LENGTH} characters for --name.`);
      const scopes = parseScopes(scope, operatorScopes);
      if (scopes === undefined)
        throw new CommandError(
          `--scope is "${scope}": expected one or more of ${operatorScopes.join(', ')}, separated by commas.`,
        );
      const expiresAt =
        expiresIn === undefined ? null : context.now() + parseDuration('--expires-in', expiresIn);
      const { id, token } = await withDatabase(context, (database) =>
        createOperatorKey({ database, now: context.now }, { name, scopes, expiresAt }),
      );
      if (json) context.print(JSON.stringify({ id, name, access_token: token }));
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
      const until =
        oldTokenFor === undefined ? null : context.now() + parseDuration('--old-token-for', oldTokenFor);
      const token = await withDatabase(context, (database) =>
        rotateOperatorKey({ database, now: context.now }, keyId, until),
      );
      if (token === undefined) throw noKey(keyId);
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
      const isFound = await withDatabase(context, (database) =>
        revokeOperatorKey({ database, now: context.now }, keyId),
      );
      if (!isFound) throw noKey(keyId);
      context.print(
        json ? JSON.stringify({ id: keyId, state: 'revoked' }) : `Revoked operator key ${keyId}.`,
      );
    });
}

function auditCommand(context: Context): Command {
  return new Command('audit')
    .description('show what was done with operator keys, newest first')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      await withDatabase(context, async (database) =>
        printRows(context, await listOperatorAudit(database), json),
      );
    });
}

function noKey(keyId: string): CommandError {
  return new CommandError(
    `There is no operator key "${keyId}". Run "tradepost operator-keys list" to see all of them.`,
  );
}
