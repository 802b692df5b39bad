import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { lockMerchant } from '../../src/database/merchant-queries.ts';
import { statement } from '../../src/database/statement.ts';
import type { ClientEvent } from '../../src/events/event-types.ts';
import { recordEvent } from '../../src/events/record-event.ts';
import { forEachEngine } from '../support/engines.ts';
import { FeedReader, untilNumbered } from '../support/events.ts';
import { createKey } from '../support/keys.ts';
import { newRandom } from '../support/seed.ts';
import type { TestService } from '../support/service.ts';
import { useTwoNodes } from '../support/two-nodes.ts';
import { patiently } from '../support/writes.ts';

const WRITERS = 6;
const TRANSACTIONS = 40;
const MERCHANTS = 4;
const MAX_EVENTS = 5;
const MAX_PAUSE_MS = 4;

const expireLease = statement<unknown, never>('UPDATE event_feed SET lease_until = 0');
const findHolder = statement<unknown, { holder: string }>('SELECT holder FROM event_feed');

class Abandoned extends Error {}

forEachEngine((engine) => {
  const nodes = useTwoNodes(engine);

  it('the feed has the events of exactly the committed transactions, each once, in the order of each merchant', async () => {
    const random = newRandom();
    const [one, other] = nodes();
    const merchants: [number, ...number[]] = [(await one.newMerchant()).id];
    while (merchants.length < MERCHANTS) merchants.push((await one.newMerchant()).id);
    const feed = await FeedReader.open(one);
    /** The committed names of each merchant, in the order of its transactions. */
    const committed = new Map<number, string[]>(merchants.map((id) => [id, []]));

    const transact = async (writer: number, round: number): Promise<void> => {
      const merchantId = random.pick(merchants);
      const { database, now } = random.pick<TestService>([one, other]);
      const names = Array.from(
        { length: random.whole(0, MAX_EVENTS) },
        (_, index) => `${writer}.${round}.${index}`,
      );
      const pauses = names.map(() => random.whole(0, MAX_PAUSE_MS));
      const isAbandoned = random.whole(0, 3) === 0;
      await database
        .transaction(async (connection) => {
          await connection.run(lockMerchant, { merchantId });
          for (const [index, name] of names.entries()) {
            const event = { type: 'merchant.created', data: { name } } as const;
            await recordEvent({ connection, merchantId, now: now() }, event);
            await pause(pauses[index]);
          }
          if (isAbandoned) throw new Abandoned();
          // The merchant stays locked until the commit, so this is the order of commits.
          committed.get(merchantId)?.push(...names);
        })
        .catch((error: unknown) => {
          if (!(error instanceof Abandoned)) throw error;
        });
    };
    let isWriting = true;
    const holders = new Set<string>();
    const disturb = async (): Promise<void> => {
      while (isWriting) {
        holders.add((await one.database.first(findHolder))?.holder ?? '');
        await one.database.transaction((connection) => connection.run(expireLease));
        await pause(random.whole(0, 60));
      }
    };
    const read: ClientEvent[] = [];
    const follow = async (): Promise<void> => {
      while (isWriting)
        read.push(
          ...(await feed.page({ limit: random.whole(1, 9), from: random.pick<TestService>([one, other]) }))
            .results,
        );
    };
    const disturbing = Promise.all([disturb(), follow()]);
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let round = 0; round < TRANSACTIONS; round += 1) await transact(writer, round);
      }),
    );
    isWriting = false;
    await disturbing;
    await untilNumbered(one);
    read.push(...(await feed.read()));

    const listed = new Map<number, string[]>(merchants.map((id) => [id, []]));
    for (const event of read) {
      assert.ok(event.type === 'merchant.created');
      listed.get(Number(event.merchant))?.push(event.data.name);
    }
    assert.deepEqual(Object.fromEntries(listed), Object.fromEntries(committed));
    assert.equal(new Set(read.map(({ id }) => id)).size, read.length);
    assert.ok(read.length > WRITERS * TRANSACTIONS);
    assert.equal(holders.size, 2, 'both nodes have numbered events');
  });

  it('the events of a campaign are in the order of its changes, whatever node made them', async () => {
    const [one, other] = nodes();
    const merchant = await one.newMerchant();
    const form = { access_token: merchant.token, name: 'Spring', type: 'AuctionCampaign' };
    const created = await one.request('POST', '/campaigns', { form });
    const { internal_id } = created.json<{ internal_id: string }>();
    const feed = await FeedReader.open(one);
    const change = async (node: TestService, action: string): Promise<void> => {
      for (let round = 0; round < 25; round += 1) {
        const sent = { form: { access_token: merchant.token, internal_id } };
        const { status } = await patiently(() => node.request('POST', `/campaigns/${action}`, sent));
        assert.equal(status, 200);
      }
    };
    await Promise.all(
      [one, other].flatMap((node) => [change(node, 'pause'), change(node, 'resume'), change(node, 'pause')]),
    );
    const types = (await feed.readOf(merchant)).map(({ type }) => type);
    // A campaign that is paused already is not paused again, so the events must alternate.
    const expected = types.map((_, index) => (index % 2 === 0 ? 'campaign.paused' : 'campaign.resumed'));
    assert.deepEqual(types, expected);
    assert.ok(types.length > 10);
  });

  it('a cursor of one node works on the other, and both list the same events', async () => {
    const [one, other] = nodes();
    const { id } = await one.newMerchant();
    const feed = await FeedReader.open(one);
    const start = feed.cursor;
    for (const node of [one, other, one])
      await createKey(node, { merchantId: id, name: 'K', expiresAt: null });
    await untilNumbered(one);
    const first = await feed.page({ from: one });
    assert.equal(first.results.length, 3);
    feed.cursor = start;
    assert.deepEqual(await feed.page({ from: other }), first);
  });
});
