import { SERVICE } from '../../audit/record-audit.ts';
import type { Database } from '../../database/database.ts';
import { runVerb, type WriteContext } from '../../database/write-context.ts';
import { monthAt } from '../../encryption/month.ts';
import { deleteNameWords, insertWord, putCustomer } from '../record/queries.ts';
import type { CustomerVault } from './customer-vault.ts';
import { listMerchantsWithOldKeys, listWithOldKeys } from './queries.ts';

const MERCHANTS_AT_ONCE = 100;
const ORDERS_AT_ONCE = 100;

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
  // Customers whose keys were destroyed, as in a restored backup, keep them, and must not be found again.
  for (let last = Number.MIN_SAFE_INTEGER; !isStopping(); ) {
    const from = { after: last, month, limit: MERCHANTS_AT_ONCE };
    const merchants = await database.all(listMerchantsWithOldKeys, from);
    for (const { merchant_id: merchantId } of merchants) {
      const caller = { merchantId, who: SERVICE, customers };
      for (let after: number | undefined = 0; after !== undefined && !isStopping(); )
        after = await runVerb(services, caller, renewSome, { after, month }, { locksMerchant: true });
      last = merchantId;
    }
    if (merchants.length < MERCHANTS_AT_ONCE) return;
  }
}

/** Resolves to the last order; undefined if no other one follows. */
async function renewSome(
  context: WriteContext & Needs,
  { after, month }: { after: number; month: string },
): Promise<number | undefined> {
  const { connection, merchantId, customers } = context;
  const rows = await connection.all(listWithOldKeys, { merchantId, after, month, limit: ORDERS_AT_ONCE });
  const closedAt = new Map(rows.map(({ order_id, closed_at }) => [order_id, closed_at]));
  const revealed = await customers.reveal(connection, merchantId, [...closedAt.keys()]);
  const renewed = await customers.encrypt(context, revealed);
  connection.send(
    putCustomer,
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
  return rows.length === ORDERS_AT_ONCE ? rows.at(-1)?.order_id : undefined;
}
