import type { Command } from 'commander';
import { isKeyName, KEY_NAME_LENGTH } from '../api-keys/create-key.ts';
import { formatScopes, parseScopes } from '../api-keys/scopes.ts';
import { DomainError } from '../errors/domain-error.ts';
import { CommandError, type Context } from './context.ts';
import { parseDuration } from './duration.ts';

export interface KeyOptions {
  name: string;
  scope: string;
  expiresIn?: string;
  json?: true;
}

/**
 * Adds the options of a new key, which has these scopes unless others are chosen. `user` is an example of
 * what uses it, and `example` of its scopes.
 */
export function keyOptions(
  command: Command,
  defaults: readonly string[],
  { user, example }: { user: string; example: string },
): Command {
  return command
    .requiredOption('--name <name>', `name of the key, such as the ${user} that uses it`)
    .option('--scope <scopes>', `what the key may do, such as ${example}`, formatScopes(defaults))
    .option('--expires-in <time>', 'lifetime, such as 90d, 12h or 30m (default: no expiration)');
}

/** @throws {CommandError} for an invalid name, scope or lifetime */
export function readKeyOptions<Name extends string>(
  context: Context,
  { name, scope, expiresIn }: KeyOptions,
  all: readonly Name[],
): { name: string; scopes: Name[]; expiresAt: number | null } {
  if (!isKeyName(name)) throw new CommandError(`Expected 1 to ${KEY_NAME_LENGTH} characters for --name.`);
  const scopes = parseScopes(scope, all);
  if (scopes === undefined)
    throw new CommandError(
      `--scope is "${scope}": expected one or more of ${all.join(', ')}, separated by commas.`,
    );
  const expiresAt = expiresIn === undefined ? null : context.now() + parseDuration('--expires-in', expiresIn);
  return { name, scopes, expiresAt };
}

/** Throws an error of a verb, or this one if there is no such key. */
export function insteadOfNoKey(message: string): (error: unknown) => never {
  return (error) => {
    const isMissing = error instanceof DomainError && error.code === 'key_not_found';
    throw isMissing ? new CommandError(message) : error;
  };
}
