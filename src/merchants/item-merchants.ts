import type { Database } from '../database/database.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import type { ItemMerchants } from '../files/run-import.ts';
import { InvalidValue } from '../shared/invalid-value.ts';
import { findMerchant, isCalled } from './find-merchant.ts';
import type { MerchantRow } from './queries.ts';
import { lockActiveMerchant } from './suspension.ts';

const unnamed = new InvalidValue('the row names no merchant; add a merchant column or use --merchant');
const unknown = new InvalidValue('no merchant has this ID or name');

/**
 * All items belong to `merchant`, and an item that names another one is rejected. Without `merchant`, each
 * item belongs to the merchant that it names.
 */
export function itemMerchants(
  database: Pick<Database, 'first'>,
  merchant: MerchantRow | undefined,
): ItemMerchants<MerchantRow> {
  const find =
    merchant === undefined
      ? findByName(database)
      : async (named: string | null) =>
          named === null || isCalled(merchant, named) ? merchant : otherMerchant(merchant);
  return {
    find,
    lock: async (connection, { id }) => {
      await connection.run(lockMerchant, { merchantId: id });
    },
  };
}

/**
 * A line that names another merchant is rejected. Transactions throw `account_suspended` once the merchant is
 * suspended.
 */
export function streamMerchants(merchant: MerchantRow): ItemMerchants<MerchantRow> {
  return {
    find: async (named) =>
      named === null || named === merchant.external_id || isCalled(merchant, named)
        ? merchant
        : otherMerchant(merchant),
    lock: (connection, { id }) => lockActiveMerchant(connection, id),
  };
}

function otherMerchant({ id, name }: MerchantRow): InvalidValue {
  return new InvalidValue(
    `expected ${name}, its ID ${id}, or blank, because the file belongs to this merchant`,
  );
}

/** Looks each merchant up once, and returns the same row for its ID and its name. */
function findByName(database: Pick<Database, 'first'>): ItemMerchants<MerchantRow>['find'] {
  const found = new Map<string, MerchantRow | InvalidValue>();
  const byId = new Map<number, MerchantRow>();
  return async (named) => {
    if (named === null) return unnamed;
    const known = found.get(named);
    if (known !== undefined) return known;
    const row = await findMerchant({ database }, named);
    const merchant = row === undefined ? unknown : (byId.get(row.id) ?? row);
    if (!(merchant instanceof InvalidValue)) byId.set(merchant.id, merchant);
    found.set(named, merchant);
    return merchant;
  };
}
