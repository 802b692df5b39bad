import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Database, DatabaseUnavailable } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { statement } from '../../src/database/statement.ts';
import { listExpired } from '../../src/placements/outcomes/queries.ts';
import { ExpiredPlacements } from '../../src/placements/outcomes/release-expired.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { Advertiser, reservePlaces } from './placements-support.ts';

/** More than one transaction releases. */
const MANY = 120;
const HOLD_MS = 60_000;

const countReserved = statement<{ merchantId: number }, { reserved: number }>(
  `SELECT CAST(count(*) AS integer) AS reserved FROM placements
   WHERE merchant_id = :merchantId AND state = 'reserved'`,
);

forEachEngine((engine) => {
  const service = useService(engine);

  /** Opens an advertiser with many places. */
  const open = async (): Promise<Advertiser> => {
    const advertiser = await Advertiser.open(service());
    await advertiser.reserve(0.25);
    const { merchant, campaign } = advertiser;
    const won = Array.from({ length: MANY - 1 }, () => ({ campaign, product: 1, price: 25 }));
    await reservePlaces(service(), merchant, won, { holdMs: HOLD_MS });
    return advertiser;
  };
  const reserved = async ({ merchant }: Advertiser): Promise<number> =>
    (await service().database.first(countReserved, { merchantId: merchant.id }))?.reserved ?? Number.NaN;
  /** With a clock according to which all placements have expired: the service does not release them. */
  const expiredIn = (database: Database): ExpiredPlacements =>
    new ExpiredPlacements({ database, now: () => service().now() + 60 * HOLD_MS, lowBudget: 80 });
  /** A database that lists what `instead` returns. */
  const listing = (
    instead: (listed: object & { everyNode?: boolean }, merchantId?: number) => unknown,
  ): Database => {
    const { database } = service();
    return intercept(database, {
      all: async (listed, ...parameters) => {
        const { merchantId } = (parameters[0] ?? {}) as { merchantId?: number };
        return (instead(listed, merchantId) ?? (await database.all(listed, ...parameters))) as never;
      },
    });
  };

  it('releases all that have expired in one call', async () => {
    const advertisers = [await open(), await open()];
    await expiredIn(service().database).release(() => false);
    assert.deepEqual(await Promise.all(advertisers.map(reserved)), [0, 0]);
  });

  it('gives other merchants their turns while one has expired placements again and again', async () => {
    const busy = await Advertiser.open(service());
    await busy.reserve(0.25);
    const others = [await open(), await open()];
    const endless = Array.from({ length: 100 }, (_, index) => ({ placement_id: `unknown ${index}` }));
    const database = listing((listed, merchantId) =>
      listed === listExpired && merchantId === busy.merchant.id ? endless : undefined,
    );
    let isDone = false;
    const releasing = expiredIn(database).release(() => isDone);
    await until(async () => (await Promise.all(others.map(reserved))).join() === '0,0');
    isDone = true;
    await releasing;
  });

  it('goes on after the last merchant when it is called again, and then begins with the first', async () => {
    const advertisers: Advertiser[] = [];
    while (advertisers.length < 5) advertisers.push(await open());
    let turns: number[] = [];
    const database = listing((listed, merchantId) => {
      if (listed === listExpired && merchantId !== undefined) turns.push(merchantId);
      return undefined;
    });
    const expired = expiredIn(database);
    await expired.release(() => turns.length > 0);
    const last = Math.max(...turns);
    turns = [];
    await expired.release(() => false);
    assert.ok(turns[0] !== undefined && turns[0] > last, `${turns} after ${last}`);
    assert.deepEqual(await Promise.all(advertisers.map(reserved)), [0, 0, 0, 0, 0]);
  });

  it('releases the placements of other merchants while the node of one is away', async () => {
    const [away, ...others] = [await open(), await open(), await open()];
    let isAway = true;
    const database = listing(({ everyNode = false }, merchantId) => {
      if (isAway && (everyNode || merchantId === away.merchant.id))
        throw new DatabaseUnavailable('the node does not respond');
      return undefined;
    });
    const expired = expiredIn(database);
    await assert.rejects(
      expired.release(() => false),
      DatabaseUnavailable,
    );
    assert.deepEqual(await Promise.all([away, ...others].map(reserved)), [MANY, 0, 0]);
    isAway = false;
    await expired.release(() => false);
    assert.equal(await reserved(away), 0);
  });
});
