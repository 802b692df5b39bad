import { Command } from 'commander';
import { beginRotation } from '../key-management/begin-rotation.ts';
import { createKeys } from '../key-management/create-keys.ts';
import { finishRotation } from '../key-management/finish-rotation.ts';
import { removeUnused } from '../key-management/remove-unused.ts';
import type { EncryptedDatabase } from '../key-management/used-keys.ts';
import { CommandError, type Context, withDatabase } from './context.ts';

export function encryptionCommand(context: Context): Command {
  return new Command('encryption')
    .description('create and replace the keys of the key file')
    .addCommand(createCommand(context))
    .addCommand(rotateCommand(context))
    .addCommand(removeUnusedCommand(context));
}

const REPLACE = 'Replace the key file of every other machine, and your copy of it, with this one.';

/** A text, and what to do next. */
function withSteps(text: string, ...steps: string[]): string {
  return [`${text} Next:`, ...steps.map((step, index) => `${index + 1}. ${step}`)].join('\n');
}

function withKeyFile(context: Context, work: (keys: EncryptedDatabase) => Promise<void>): Promise<void> {
  return withDatabase(context, (database, { encryptionKeyFile: file }) => work({ database, file }));
}

function createCommand(context: Context): Command {
  return new Command('create')
    .description('create the keys that the key file lacks, to copy them to other machines')
    .action(async () => {
      await withKeyFile(context, async (keys) => {
        await createKeys(keys, context.now());
        context.print(withSteps(`${keys.file} has a key of each kind.`, REPLACE));
      });
    });
}

function rotateCommand(context: Context): Command {
  return new Command('rotate')
    .description('add new keys to the key file, and then use them instead of the old ones')
    .option('--finish', 'use the new keys, after the file was copied to every machine')
    .action(async ({ finish: isSecond = false }: { finish?: boolean }) => {
      await withKeyFile(context, isSecond ? finish : begin);
    });

  async function begin(keys: EncryptedDatabase): Promise<void> {
    const ids = await beginRotation(keys, context.now());
    if (ids.length === 0)
      throw new CommandError(`There is nothing to replace: ${keys.file} has no key yet, or does not exist.`);
    context.print(
      withSteps(
        `${keys.file} has the new keys ${ids.join(', ')}, which encrypt nothing yet.`,
        REPLACE,
        'Run "tradepost encryption rotate --finish" on this machine.',
      ),
    );
  }

  async function finish(keys: EncryptedDatabase): Promise<void> {
    const { used, done, failed } = await finishRotation(keys);
    context.print(
      used.length === 0 && done === 0
        ? `${keys.file} has no new keys, and its newest key encrypts the secrets of all webhooks. "tradepost encryption rotate" adds new keys.`
        : withSteps(
            `The new keys encrypt from now on. The secrets of ${done} webhooks were encrypted again.`,
            REPLACE,
            'When you have deleted all older backups of the database, run "tradepost encryption remove-unused". Until then, keep the old keys in the file: these backups need them.',
          ),
    );
    if (failed.length > 0)
      throw new CommandError(
        `No key decrypts the secrets of these webhooks, because they were changed in the database: ${failed.join(', ')}. Rotate the secrets, or delete the webhooks.`,
      );
  }
}

function removeUnusedCommand(context: Context): Command {
  return new Command('remove-unused')
    .description('remove old keys that encrypt nothing from the key file; older backups need them')
    .action(async () => {
      await withKeyFile(context, async (keys) => {
        const ids = await removeUnused(keys);
        context.print(
          ids.length === 0
            ? `${keys.file} has no old keys, or their values are not encrypted with the newest key yet.`
            : withSteps(`Removed the keys ${ids.join(', ')}.`, REPLACE),
        );
      });
    });
}
