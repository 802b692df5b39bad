import { randomInt } from 'node:crypto';
import { type Connection, statement } from './database.ts';
import { testSideOf } from './sides.ts';

const listMerchantIds = statement<unknown, { id: number }>('SELECT id FROM merchants ORDER BY id');

export const setEpoch = statement<{ merchantId: number; epoch: number }, never>(
  'UPDATE merchant_counters SET epoch = :epoch WHERE merchant_id = :merchantId',
);

/**
 * Returns an epoch that no other database has. Clients send it back in cursors. If it differs, they must start again,
 * because revisions are comparable only within one epoch.
 */
export function newEpoch(): number {
  return randomInt(2 ** 47);
}

const setFeedEpoch = statement<{ epoch: number }, never>('UPDATE event_feed SET epoch = :epoch');

/** Starts a new epoch of the feed of events, for a database that continues from a backup. */
export async function startFeedEpoch(connection: Connection): Promise<void> {
  await connection.run(setFeedEpoch, { epoch: newEpoch() });
}

/** Starts a new epoch for every merchant and its test side, for a database that continues from a backup. */
export async function startEpoch(connection: Connection): Promise<void> {
  const epoch = newEpoch();
  const merchants = await connection.all(listMerchantIds);
  await connection.runEach(
    setEpoch,
    merchants.flatMap(({ id }) => [id, testSideOf(id)]).map((merchantId) => ({ merchantId, epoch })),
  );
}
