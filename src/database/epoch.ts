import { randomInt } from 'node:crypto';
import type { Connection } from './database.ts';
import { testSideOf } from './sides.ts';
import { statement } from './statement.ts';

const listMerchantIds = statement<unknown, { id: number }>('SELECT id FROM merchants ORDER BY id');

export const setEpoch = statement<{ merchantId: number; epoch: number }, never>(
  'UPDATE merchant_counters SET epoch = :epoch WHERE merchant_id = :merchantId',
);

/** Returns an epoch that no other database has. Clients whose cursors have another one start again. */
export function newEpoch(): number {
  return randomInt(2 ** 47);
}

const setFeedEpoch = statement<{ epoch: number }, never>('UPDATE event_feed SET epoch = :epoch');

/** For a database that continues from a backup. */
export async function startFeedEpoch(connection: Connection): Promise<void> {
  await connection.run(setFeedEpoch, { epoch: newEpoch() });
}

/** For a database that continues from a backup. Includes the test sides. */
export async function startEpoch(connection: Connection): Promise<void> {
  const epoch = newEpoch();
  const merchants = await connection.all(listMerchantIds);
  await connection.runEach(
    setEpoch,
    merchants.flatMap(({ id }) => [id, testSideOf(id)]).map((merchantId) => ({ merchantId, epoch })),
  );
}
