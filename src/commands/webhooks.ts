import { Command } from 'commander';
import { OPERATOR } from '../audit/record-audit.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { runVerb, type Verb } from '../database/write-context.ts';
import { Encryption } from '../encryption/encryption.ts';
import { DomainError } from '../errors/domain-error.ts';
import { type EventType, eventTypes } from '../events/event-types.ts';
import { requireWebhook } from '../webhooks/find-webhook.ts';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  rotateSecret,
  type WebhookNeeds,
} from '../webhooks/manage-webhooks.ts';
import { postWith } from '../webhooks/post-message.ts';
import { listWebhooksOf, type WebhookName } from '../webhooks/queries.ts';
import { addressFinder } from '../webhooks/receiver-address.ts';
import { ReceiverAgent } from '../webhooks/receiver-agent.ts';
import { replayEvents } from '../webhooks/replay-events.ts';
import { createSender } from '../webhooks/send-message.ts';
import { testDelivery } from '../webhooks/test-delivery.ts';
import { describeWebhook } from '../webhooks/webhook.ts';
import { WebhookSecrets } from '../webhooks/webhook-secrets.ts';
import { CommandError, type Context, printRows, withDatabase } from './context.ts';
import { parseDuration } from './duration.ts';

export function webhooksCommand(context: Context): Command {
  return new Command('webhooks')
    .description('manage the operator’s webhooks, which get the events of all merchants')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(enableCommand(context, 'enable', 'send events to a webhook again'))
    .addCommand(enableCommand(context, 'disable', 'send nothing more to a webhook, and keep it'))
    .addCommand(deleteCommand(context))
    .addCommand(rotateCommand(context))
    .addCommand(testCommand(context))
    .addCommand(replayCommand(context));
}

const idHelp = 'ID from "webhooks list"';
const nameOf = (id: string): WebhookName => ({ merchantId: OPERATOR_ID, id });

function secretsOf(
  context: Context,
  database: Database,
  { encryptionKeyFile: file }: Config,
): WebhookSecrets {
  return new WebhookSecrets(new Encryption({ file, onCreated: context.warn }), database.dialect);
}

/** Runs a verb as the operator. `id` is the webhook that it changes. */
function run<Input, Result>(
  context: Context,
  verb: Verb<Input, Result, WebhookNeeds>,
  input: Input & { id?: string },
): Promise<Result> {
  return withDatabase(context, (database, config) => {
    const { webhookNetworks: privateNetworks, budgets } = config;
    const secrets = secretsOf(context, database, config);
    const operator = { merchantId: OPERATOR_ID, who: OPERATOR, privateNetworks, secrets, budgets };
    return runVerb({ database, now: context.now }, operator, verb, input).catch(inCommands(input.id));
  });
}

/** Rewords errors of verbs. */
function inCommands(id = ''): (error: unknown) => never {
  return (error) => {
    const code = error instanceof DomainError ? error.code : undefined;
    if (code === 'webhook_not_found')
      throw new CommandError(
        `There is no webhook "${id}". Run "tradepost webhooks list" to see all of them.`,
      );
    if (code === 'webhook_disabled')
      throw new CommandError(`The webhook ${id} is disabled. Run "tradepost webhooks enable ${id}" first.`);
    throw error;
  };
}

function createCommand(context: Context): Command {
  return new Command('create')
    .description('create a webhook; its secret is shown once')
    .requiredOption('--url <url>', 'where to send events')
    .option('--types <types>', 'types of events, separated by commas (default: all)')
    .option('--description <text>', 'a note for people', '')
    .option('--json', 'print JSON')
    .action(
      async ({
        url,
        types,
        description,
        json,
      }: {
        url: string;
        types?: string;
        description: string;
        json?: true;
      }) => {
        const row = await run(context, createWebhook, { url, types: parseTypes(types), description });
        if (json) context.print(JSON.stringify({ ...describeWebhook(row), secret: row.plainSecret }));
        else context.print(`Created webhook ${row.id}. Secret (shown once):\n${row.plainSecret}`);
      },
    );
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('show the operator’s webhooks')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      await withDatabase(context, async (database) => {
        const rows = await database.all(listWebhooksOf, { merchantId: OPERATOR_ID });
        printRows(context, rows.map(describeWebhook), json);
      });
    });
}

function enableCommand(context: Context, verb: 'enable' | 'disable', description: string): Command {
  return new Command(verb)
    .description(description)
    .argument('<webhook>', idHelp)
    .action(async (id: string) => {
      await run(context, changeWebhook, { id, enabled: verb === 'enable' });
      context.print(verb === 'enable' ? `Enabled webhook ${id}.` : `Disabled webhook ${id}.`);
    });
}

function deleteCommand(context: Context): Command {
  return new Command('delete')
    .description('delete a webhook')
    .argument('<webhook>', idHelp)
    .action(async (id: string) => {
      await run(context, removeWebhook, { id });
      context.print(`Deleted webhook ${id}.`);
    });
}

function rotateCommand(context: Context): Command {
  return new Command('rotate')
    .description('replace the secret, which is shown once; the former one also signs for 24 hours')
    .argument('<webhook>', idHelp)
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: { json?: true }) => {
      const secret = await run(context, rotateSecret, { id });
      context.print(
        json ? JSON.stringify({ id, secret }) : `New secret of webhook ${id} (shown once):\n${secret}`,
      );
    });
}

function testCommand(context: Context): Command {
  return new Command('test')
    .description('send an example once, and print how the receiver responded')
    .argument('<webhook>', idHelp)
    .option('--json', 'print JSON')
    .action(async (id: string, { json = false }: { json?: boolean }) => {
      const attempt = await withDatabase(context, async (database, config) => {
        const row = await requireWebhook(database, nameOf(id)).catch(inCommands(id));
        const stopping = new AbortController().signal;
        const findAddress = addressFinder(config.webhookNetworks);
        const post = postWith(new ReceiverAgent());
        const sender = createSender({ findAddress, post, now: context.now, stopping });
        return await testDelivery({ sender, secrets: secretsOf(context, database, config) }, row);
      });
      printRows(context, [attempt], json);
    });
}

interface ReplayOptions {
  event?: string;
  last?: string;
  all?: true;
}

function replayCommand(context: Context): Command {
  return new Command('replay')
    .description('resend one event, or the failed events of a period')
    .argument('<webhook>', idHelp)
    .option('--event <id>', 'the event to send again')
    .option('--last <time>', 'send events of this time again, such as 24h or 7d')
    .option('--all', 'with --last: also events that have not failed')
    .action(async (id: string, { event, last, all }: ReplayOptions) => {
      if ((event === undefined) === (last === undefined))
        throw new CommandError('Expected either --event or --last.');
      const result = await withDatabase(context, (database) => replay(database, id, { event, last, all }));
      context.print(result === 1 ? 'Sending 1 event again.' : `Sending ${result} events again.`);
    });

  async function replay(
    database: Database,
    id: string,
    { event, last = '', all }: { [Name in keyof ReplayOptions]: ReplayOptions[Name] | undefined },
  ): Promise<number> {
    const now = context.now();
    const chosen =
      event === undefined
        ? { since: now - parseDuration('--last', last), until: now + 1, onlyFailed: all !== true }
        : { eventId: event };
    return await replayEvents(database, nameOf(id), chosen).catch(inCommands(id));
  }
}

function parseTypes(list: string | undefined): EventType[] {
  const words = list?.split(',') ?? [];
  const types = eventTypes.filter((type) => words.includes(type));
  if (types.length === words.length) return types;
  throw new CommandError(
    `--types is "${list}": expected some of ${eventTypes.join(', ')}, separated by commas.`,
  );
}
