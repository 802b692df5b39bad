import type { Reader } from '../database/database.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import type { TransactionContext } from '../database/write-context.ts';
import { errors } from '../errors/errors.ts';
import { findCampaign, findNewestCampaign, listCampaignsInUse } from './queries.ts';

/** A message lists at most this many ids. */
const MAX_LISTED = 20;

/** How a call names a campaign. */
export interface CampaignName {
  internal_id?: string | undefined;
  name?: string | undefined;
}

/**
 * Resolves to `internal_id` or, by name, to the only campaign that has not expired or else the newest one. A
 * name locks the merchant until the transaction ends, so that no campaign is renamed meanwhile.
 * @throws {DomainError} `invalid_parameters` if the call names no campaign, or several that have not expired;
 *   `campaign_not_found`
 */
export async function idOfCampaign(
  { connection, merchantId }: TransactionContext,
  { internal_id: id, name }: CampaignName,
): Promise<string> {
  if (id !== undefined) return id;
  if (name !== undefined) await connection.run(lockMerchant, { merchantId });
  return await idOfName(connection, merchantId, name);
}

/**
 * Like `idOfCampaign`, for calls that read.
 * @throws {DomainError} `campaign_not_found` for an unknown ID too
 */
export async function findCampaignId(
  reader: Reader,
  merchantId: number,
  { internal_id: id, name }: CampaignName,
): Promise<string> {
  if (id === undefined) return await idOfName(reader, merchantId, name);
  if ((await reader.first(findCampaign, { merchantId, id })) === undefined)
    throw errors.campaign_not_found(id);
  return id;
}

/**
 * Resolves to the ID of the campaign whose ID or name is `text`, the value of the parameter `field`. Locks
 * the merchant like `idOfCampaign`.
 * @throws {DomainError} as `idOfCampaign`
 */
export async function idOfNamedCampaign(
  { connection, merchantId }: TransactionContext,
  field: string,
  text: string,
): Promise<string> {
  const byId = await connection.first(findCampaign, { merchantId, id: text });
  if (byId !== undefined) return byId.id;
  await connection.run(lockMerchant, { merchantId });
  return await idOfName(connection, merchantId, text, field);
}

async function idOfName(
  reader: Reader,
  merchantId: number,
  name: string | undefined,
  field = 'name',
): Promise<string> {
  if (name === undefined) {
    const reason = 'missing, expected the internal_id or the name of a campaign';
    throw errors.invalid_parameters([{ field: 'internal_id', reason }]);
  }
  const inUse = await reader.all(listCampaignsInUse, { merchantId, name, limit: MAX_LISTED + 1 });
  const [only, another] = inUse;
  if (another !== undefined) {
    const ids = inUse.slice(0, MAX_LISTED).map((campaign) => campaign.id);
    const others = inUse.length > MAX_LISTED ? ' and others' : '';
    const reason =
      'several campaigns that have not expired have this name; send one internal_id of ' +
      `${ids.join(', ')}${others}`;
    throw errors.invalid_parameters([{ field, reason }]);
  }
  const campaign = only ?? (await reader.first(findNewestCampaign, { merchantId, name }));
  if (campaign === undefined) throw errors.campaign_not_found(name, 'name');
  return campaign.id;
}
