import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, it } from 'node:test';
import { type Connection, type Database, DatabaseUnavailable } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { DiagnosisRecorder } from '../../src/placements/diagnosis/diagnosis-recorder.ts';
import { Pacing } from '../../src/placements/pacing/pacing.ts';
import { Auction } from '../../src/placements/reserve/auction.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { Followers } from './follow-support.ts';
import { Market } from './market-support.ts';

forEachEngine((engine) => {
  const service = useService(engine, { pollMs: 50 });
  const followers = new Followers();
  afterEach(() => followers.close());

  /** A database whose rows of some merchants cannot be used, as in a cluster with a node that is away. */
  function withNodesAway(database: Database, isAway: (merchantId: number | undefined) => boolean): Database {
    const check = (parameters: unknown): void => {
      const { merchantId } = (parameters ?? {}) as { merchantId?: number };
      if (isAway(merchantId)) throw new DatabaseUnavailable('the node does not respond');
    };
    const checked = (connection: Connection): Connection => ({
      all: (statement, ...parameters) => connection.all(statement, ...parameters),
      allEach: async (statement, sets) => {
        for (const parameters of sets) check(parameters);
        return await connection.allEach(statement, sets);
      },
      first: (statement, ...parameters) => connection.first(statement, ...parameters),
      run: (statement, ...parameters) => connection.run(statement, ...parameters),
      runEach: (statement, sets) => connection.runEach(statement, sets),
      send: (statement, sets) => connection.send(statement, sets),
    });
    return intercept(database, {
      all: async (statement, ...parameters) => {
        // Without a merchant: of every node, or of none.
        check(statement.everyNode === true ? {} : { merchantId: 0, ...parameters[0] });
        return await database.all(statement, ...parameters);
      },
      first: async (statement, ...parameters) => {
        check({ merchantId: 0, ...parameters[0] });
        return await database.first(statement, ...parameters);
      },
      transaction: (work, options) =>
        database.transaction((connection) => work(checked(connection)), options),
    });
  }

  async function open(database: Database): Promise<Auction> {
    const now = (): number => service().now();
    const onError = (): void => {};
    const follower = await followers.open({ database });
    const recorder = new DiagnosisRecorder(database, onError);
    const pacing = new Pacing({ database, pacing: 'fast', now, onError });
    const hourly = { count: () => {} };
    return new Auction({ database, now, follower, pacing, recorder, hourly, pricing: 'second', floor: 0 });
  }

  it('while a node is away, merchants of other nodes win the places of each call', async () => {
    const market = await Market.open(service());
    const low = await market.bidder({ bid_amount: 0.3 });
    const high = await market.bidder({ bid_amount: 0.5 });
    let isAway = false;
    const database = withNodesAway(
      service().database,
      (merchantId) => isAway && (merchantId === undefined || merchantId === high.merchant.id),
    );
    const auction = await open(database);
    const winner = async (): Promise<string | undefined> => {
      const category = [market.category];
      const [result] = await auction.place([{ key: randomUUID(), currency: 'USD', category }]);
      return result?.placements[0]?.merchant;
    };
    const [first, second] = [String(high.merchant.id), String(low.merchant.id)];
    assert.equal(await winner(), first);
    isAway = true;
    assert.equal(await winner(), second);
    assert.equal(await winner(), second);
    isAway = false;
    await until(async () => (await winner()) === first);
  });

  it('while the whole database is away, a call fails', async () => {
    const market = await Market.open(service());
    await market.bidder({ bid_amount: 0.3 });
    let isAway = false;
    const auction = await open(withNodesAway(service().database, () => isAway));
    isAway = true;
    await assert.rejects(auction.place([{ key: randomUUID(), currency: 'USD' }]), DatabaseUnavailable);
  });
});
