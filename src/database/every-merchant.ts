import type { Reader } from './database.ts';
import { listMerchantIds } from './merchant-queries.ts';
import { testSideOf } from './sides.ts';

const MERCHANTS_AT_ONCE = 100;

/** Yields the IDs of all merchants in order, without test sides. No transaction stays open between two. */
export async function* everyMerchant(database: Pick<Reader, 'all'>): AsyncGenerator<number> {
  for (let after = 0; ; ) {
    const merchants = await database.all(listMerchantIds, { after, limit: MERCHANTS_AT_ONCE });
    for (const { id } of merchants) yield id;
    if (merchants.length < MERCHANTS_AT_ONCE) return;
    after = merchants.at(-1)?.id ?? after;
  }
}

/** Yields the IDs of all merchants as `everyMerchant`, each followed by the ID of its test side. */
export async function* everySide(database: Pick<Reader, 'all'>): AsyncGenerator<number> {
  for await (const id of everyMerchant(database)) yield* [id, testSideOf(id)];
}
