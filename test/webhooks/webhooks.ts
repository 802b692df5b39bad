import assert from 'node:assert/strict';
import type { Database } from '../../src/database/database.ts';
import { statement } from '../../src/database/statement.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { createWebhook, type NewWebhook, rotateSecret } from '../../src/webhooks/manage-webhooks.ts';
import { findWebhook, type WebhookRow } from '../../src/webhooks/queries.ts';
import type { TestService } from '../support/service.ts';

const setSecret = statement<{ id: string; secret: string }, never>(
  'UPDATE webhooks SET secret = :secret, former_secret = NULL WHERE id = :id',
);
const findNextDue = statement<{ id: string }, { due_at: number }>(
  'SELECT min(due_at) AS due_at FROM webhook_deliveries WHERE webhook_id = :id',
);
const makeDeliveriesDue = statement<{ id: string }, never>(
  'UPDATE webhook_deliveries SET due_at = 1 WHERE webhook_id = :id AND due_at IS NOT NULL',
);
const makeDue = statement<{ id: string }, never>('UPDATE webhooks SET due_at = 1 WHERE id = :id');

export function addWebhook(service: TestService, merchantId: number, url: string): Promise<NewWebhook> {
  const fields = { url, types: ['campaign.created'], description: '' } as const;
  return runVerb(service, service.webhooksOf(merchantId), createWebhook, fields);
}

export function rotate(service: TestService, { id, merchant_id }: WebhookRow): Promise<string> {
  return runVerb(service, service.webhooksOf(merchant_id), rotateSecret, { id });
}

export async function readWebhook(database: Database, row: WebhookRow): Promise<WebhookRow> {
  const name = { merchantId: row.merchant_id, id: row.id };
  return (await database.first(findWebhook, name)) ?? assert.fail('no webhook');
}

/** Makes its next attempt due at once. Resolves to when it was due, in milliseconds since 1970. */
export async function skipDelay(database: Database, { id }: { id: string }): Promise<number> {
  return await database.transaction(async (connection) => {
    const next = (await connection.first(findNextDue, { id })) ?? assert.fail('nothing is due');
    await connection.run(makeDeliveriesDue, { id });
    await connection.run(makeDue, { id });
    return next.due_at / 1000;
  });
}

/** Replaces the secret of a webhook by a text, as it is. */
export async function storeSecret(database: Database, { id }: { id: string }, secret: string): Promise<void> {
  await database.transaction((connection) => connection.run(setSecret, { id, secret }));
}
