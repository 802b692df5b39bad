import { SERVICE } from '../../audit/record-audit.ts';
import type { Database } from '../../database/database.ts';
import { runVerb, type WriteContext } from '../../database/write-context.ts';
import { monthAt } from '../../encryption/month.ts';
import { deleteNameWords, insertWord, updateCustomer } from '../record/queries.ts';
import type { CustomerVault } from './customer-vault.ts';
import { listMerchantsWithOldKeys, listWithOldKeys } from './queries.ts';

const MERCHANTS_AT_ONCE = 100;
const ORDERS_AT_ONCE = 500;

interface Needs {
  customers: CustomerVault;
}

/**
 * Encrypts customers of orders that are still open with the key of this month, if their keys are from months
 * that ended before a time. Then the keys of these months can be destroyed. Stops early if `isStopping`.
 */
export async function renewKeys(
  services: { database: Database; now: () => number } & Needs,
  before: number,
  isStopping: () => boolean,
): Promise<void> {
  const { database, customers } = services;
  const month = monthAt(before);
  while (!isStopping()) {
    const merchants = await database.all(listMerchantsWithOldKeys, { month, limit: MERCHANTS_AT_ONCE });
    for (const { merchant_id: merchantId } of merchants) {
      const caller = { merchantId, who: SERVICE, customers };
      const renew = (): Promise<boolean> =>
        runVerb(services, caller, renewSome, { month }, { locksMerchant: true });
      while (!isStopping() && (await renew()));
    }
    if (merchants.length < MERCHANTS_AT_ONCE) return;
  }
}

/** Resolves to whether there are probably more. */
async function renewSome(context: WriteContext & Needs, { month }: { month: string }): Promise<boolean> {
  const { connection, merchantId, customers } = context;
  const rows = await connection.all(listWithOldKeys, { merchantId, month, limit: ORDERS_AT_ONCE });
  const closedAt = new Map(rows.map(({ order_id, closed_at }) => [order_id, closed_at]));
  const revealed = await customers.reveal(connection, merchantId, [...closedAt.keys()]);
  const renewed = await customers.encrypt(context, revealed);
  connection.send(
    updateCustomer,
    renewed.map(({ row }) => ({ ...row, closed_at: closedAt.get(row.order_id) ?? null })),
  );
  // The words of names are hashed with the key of the month too.
  connection.send(
    deleteNameWords,
    renewed.map(({ row }) => ({ merchantId, orderId: row.order_id })),
  );
  connection.send(
    insertWord,
    renewed.flatMap(({ row: { merchant_id, order_id }, words }) =>
      words.map((word) => ({ merchant_id, order_id, word })),
    ),
  );
  return rows.length === ORDERS_AT_ONCE && renewed.length > 0;
}
