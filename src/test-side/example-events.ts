import { parseKeyId } from '../api-keys/key-id.ts';
import { findKey } from '../api-keys/queries.ts';
import { campaignOf } from '../campaigns/campaign-record.ts';
import { idOfNamedCampaign } from '../campaigns/id-of-campaign.ts';
import { findCampaign, listCampaignsBefore } from '../campaigns/queries.ts';
import { findCatalogState, missingMerchant } from '../database/merchant-queries.ts';
import type { CampaignData, KeyData, MerchantEventType } from '../events/event-types.ts';
import type { NewEvent } from '../events/record-event.ts';
import { eventDescriptions } from '../openapi/events/event-descriptions.ts';
import { changedOrders } from '../orders/list/announce-orders.ts';
import { findOrderCounters } from '../orders/record/queries.ts';
import { changedCatalogs } from '../products/changes/announce-changes.ts';
import { formatTime } from '../shared/timestamps.ts';
import { findProduct } from './find-product.ts';
import { findNewestOrder } from './queries.ts';
import type { TriggerContext, TriggerInput } from './triggered.ts';

/** A key that does not expire expires in its example after this time. */
const EXPIRES_IN_MS = 7 * 24 * 60 * 60 * 1000;
const AFTER_ALL_IDS = '~';

/**
 * Returns an event with the data of its documented example. Its IDs and cursors come from the test side, as
 * far as it has such records, and nothing comes from the live side.
 * @throws {DomainError} `product_not_found`, `campaign_not_found`; `invalid_parameters` as
 *   `idOfNamedCampaign`
 */
export async function exampleEventOf(
  context: TriggerContext,
  type: MerchantEventType,
  input: TriggerInput,
): Promise<NewEvent> {
  switch (type) {
    case 'catalog.changed':
    case 'orders.changed':
      return await changesOf(context, type);
    case 'product.moderated':
    case 'stock.low':
      return await ofProduct(context, type, input);
    case 'campaign.created':
    case 'campaign.updated':
    case 'campaign.paused':
    case 'campaign.resumed':
    case 'campaign.ended':
    case 'campaign.exhausted':
    case 'campaign.low_budget':
    case 'campaign.daily_budget_spent':
      return { type, data: await campaignData(context, eventDescriptions[type].example, input) };
    case 'order.created':
    case 'order.released':
    case 'order.canceled':
    case 'order.acknowledged':
    case 'order.fulfilled':
    case 'order.overdue':
      return { type, data: await ofOrder(context, eventDescriptions[type].example) };
    case 'order.held':
      return { type, data: await ofOrder(context, eventDescriptions[type].example) };
    case 'package.updated':
      return { type, data: await ofOrder(context, eventDescriptions[type].example) };
    case 'refund.requested':
    case 'refund.settled':
    case 'refund.failed':
      return { type, data: await ofOrder(context, eventDescriptions[type].example) };
    case 'key.created':
    case 'key.rotated':
    case 'key.revoked':
    case 'key.expiring':
      return { type, data: await keyData(context, type === 'key.expiring') };
    case 'webhook.disabled':
      return { type, data: { ...eventDescriptions[type].example, ...context.webhook } };
    case 'import.finished':
      return { type, data: eventDescriptions[type].example };
  }
}

/** The cursor is before the last change. */
async function changesOf(
  { connection, merchantId }: TriggerContext,
  type: 'catalog.changed' | 'orders.changed',
): Promise<NewEvent> {
  const catalog = await connection.first(findCatalogState, { merchantId });
  if (catalog === undefined) throw missingMerchant(merchantId);
  const isCatalog = type === 'catalog.changed';
  const counters = isCatalog ? catalog : await connection.first(findOrderCounters, { merchantId });
  const revision = counters?.revision ?? 0;
  const changes = { merchantId, epoch: catalog.epoch, revision, since: Math.max(0, revision - 1) };
  return (isCatalog ? changedCatalogs : changedOrders).eventOf(changes);
}

async function ofProduct(
  context: TriggerContext,
  type: 'product.moderated' | 'stock.low',
  input: TriggerInput,
): Promise<NewEvent> {
  const { connection, merchantId, lowInventory: threshold } = context;
  const catalog = await connection.first(findCatalogState, { merchantId });
  const product = await findProduct(context, input.product_identifier);
  const { identifier, internal_id } = product ?? eventDescriptions['product.moderated'].example;
  const { revision = 0 } = catalog ?? {};
  if (type === 'product.moderated') {
    const { example } = eventDescriptions[type];
    return { type, revision, data: { ...example, identifier, internal_id } };
  }
  const { example } = eventDescriptions[type];
  const available_quantity = Math.min(example.products[0]?.available_quantity ?? 0, threshold);
  const products = [{ identifier, internal_id, available_quantity }];
  return { type, revision, data: { ...example, threshold, products } };
}

/** The campaign that the caller names, or the newest one, with the status of the example. */
async function campaignData(
  context: TriggerContext,
  example: CampaignData,
  { campaign }: TriggerInput,
): Promise<CampaignData> {
  const { connection, merchantId, now } = context;
  const newest = { merchantId, before: AFTER_ALL_IDS, offset: 0, limit: 1 };
  const state =
    campaign === undefined
      ? (await connection.all(listCampaignsBefore, newest))[0]
      : await connection.first(findCampaign, {
          merchantId,
          id: await idOfNamedCampaign(context, 'campaign', campaign),
        });
  if (state === undefined) return example;
  const { status, limited_by } = example;
  return { ...campaignOf(state, now), status, limited_by };
}

/** The newest order, with everything else of the example. */
async function ofOrder<Data extends { order_id: number; external_id: string }>(
  { connection, merchantId }: TriggerContext,
  example: Data,
): Promise<Data> {
  const { order_id, external_id } = (await connection.first(findNewestOrder, { merchantId })) ?? example;
  return { ...example, order_id, external_id };
}

/** The key that calls, which is a key of the test side. */
async function keyData(
  { connection, merchantId, now, keyId }: TriggerContext,
  expires: boolean,
): Promise<KeyData> {
  const numbers = parseKeyId(keyId);
  const key = numbers === undefined ? undefined : await connection.first(findKey, numbers);
  if (key === undefined || key.merchant_id !== merchantId)
    throw new Error(`${keyId} is no key of the merchant ${merchantId}`);
  const expiresAt = key.expires_at ?? (expires ? now + EXPIRES_IN_MS : null);
  return { id: keyId, name: key.name, expires_at: expiresAt === null ? null : formatTime(expiresAt) };
}
