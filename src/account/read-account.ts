import type { KeyNumbers } from '../api-keys/key-id.ts';
import { type KeySummary, summarizeKey } from '../api-keys/list-keys.ts';
import type { Database } from '../database/database.ts';
import { type Mode, modeOf } from '../database/sides.ts';
import { findMerchantById } from '../merchants/queries.ts';

/** The caller, in wire order. */
export interface Account {
  name: string;
  /** The IANA zone of the months of sales. */
  time_zone: string;
  /** ISO 4217. */
  currency: string;
  key: Pick<KeySummary, 'id' | 'name' | 'scopes' | 'expires_at' | 'fields'>;
  mode: Mode;
}

/** Describes the caller (contract for writing, “Rules for all of it”). */
export async function readAccount(
  { database, now }: { database: Database; now: () => number },
  { merchantId, keyId }: { merchantId: number; keyId: number },
): Promise<Account> {
  const numbers: KeyNumbers = { merchantId, id: keyId };
  const [merchant, key] = await Promise.all([
    database.first(findMerchantById, { merchantId }),
    summarizeKey({ database, now }, numbers),
  ]);
  if (merchant === undefined || key === undefined)
    throw new Error(`no key ${keyId} of merchant ${merchantId}`);
  return {
    name: merchant.name,
    time_zone: merchant.time_zone,
    currency: merchant.currency,
    key: {
      id: key.id,
      name: key.name,
      scopes: key.scopes,
      expires_at: key.expires_at,
      fields: key.fields,
    },
    mode: modeOf(merchantId),
  };
}
