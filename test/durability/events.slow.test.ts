import assert from 'node:assert/strict';
import { it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import type { ClientEvent } from '../../src/events/event-types.ts';
import { CampaignLedger } from '../support/campaign-ledger.ts';
import { forEachEngine } from '../support/engines.ts';
import type { EventPage } from '../support/events.ts';
import { createOperatorKey } from '../support/keys.ts';
import { ServerProcess, temporaryDirectory } from '../support/process.ts';
import { campaignNames, newMerchant, onDatabase } from '../support/stored.ts';
import { until } from '../support/until.ts';

const NODES = 2;
const KILLS = 3;
const WRITERS = 4;
const CAMPAIGNS_PER_KILL = 60;
const TIMEOUT_MS = 120_000;

const findHolder = statement<unknown, { holder: string }>(
  'SELECT holder FROM event_feed WHERE lease_until > 0',
);

forEachEngine((engine) => {
  it('the feed has one event for each campaign when nodes that number events are killed', async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
    const merchant = await newMerchant(environment);
    const { token } = await onDatabase(environment, (database) =>
      createOperatorKey(
        { database, now: Date.now },
        { name: 'back end', scopes: ['events'], expiresAt: null },
      ),
    );
    const holder = (): Promise<string | undefined> =>
      onDatabase(environment, async (database) => (await database.first(findHolder))?.holder);
    const nodes: ServerProcess[] = [];
    for (let node = 0; node < NODES; node += 1) nodes.push(await ServerProcess.start(t, environment));
    const ledger = new CampaignLedger(merchant.token);
    let isWriting = true;
    const write = async (writer: number): Promise<void> => {
      for (let turn = writer; isWriting; turn += 1) {
        const node = nodes[turn % nodes.length] ?? assert.fail();
        await ledger.request(node.client, ledger.nextName());
      }
    };
    const read: ClientEvent[] = [];
    let cursor = 'start';
    let turns = 0;
    const follow = async (): Promise<boolean> => {
      turns += 1;
      const node = nodes[turns % nodes.length] ?? assert.fail();
      const headers = { authorization: `Bearer ${token}` };
      const path = `/operator/v1/events?after=${cursor}&limit=20`;
      // A node that was killed does not respond.
      const response = await node.client.request('GET', path, { headers }).catch(() => undefined);
      if (response?.status !== 200) return false;
      const { results, next, more } = response.json<EventPage>();
      read.push(...results);
      cursor = next;
      return !more;
    };
    const following = async (): Promise<void> => {
      while (isWriting) await follow();
    };
    const created = (): string[] =>
      read.flatMap((event) => (event.type === 'campaign.created' ? [event.data.name] : []));

    const work = Promise.all([...Array.from({ length: WRITERS }, (_, writer) => write(writer)), following()]);
    const holders = new Set<string>();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await until(() => ledger.acknowledged.size >= kill * CAMPAIGNS_PER_KILL, { timeoutMs: TIMEOUT_MS });
      const current = await until(
        async () => {
          const id = await holder();
          return id !== undefined && !holders.has(id) && id;
        },
        { timeoutMs: TIMEOUT_MS },
      );
      holders.add(current);
      // All at the same time: one of them has the lease, and the others may be waiting for it.
      await Promise.all(nodes.map((node) => node.end('SIGKILL')));
      for (let node = 0; node < NODES; node += 1) nodes[node] = await ServerProcess.start(t, environment);
    }
    isWriting = false;
    await work;
    const stored = await campaignNames(environment, merchant);
    ledger.check(stored);
    await until(async () => (await follow()) && created().length >= stored.length, { timeoutMs: TIMEOUT_MS });
    assert.deepEqual(created().toSorted(), stored.toSorted());
    assert.equal(new Set(read.map(({ id }) => id)).size, read.length);
  });

  it('another node continues within the time of a lease when the one that numbers events is killed', async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
    const merchant = await newMerchant(environment);
    const first = await ServerProcess.start(t, environment);
    const holder = (): Promise<string | undefined> =>
      onDatabase(environment, async (database) => (await database.first(findHolder))?.holder);
    const dead = await until(holder);
    const second = await ServerProcess.start(t, environment);
    await first.end('SIGKILL');
    const ledger = new CampaignLedger(merchant.token);
    await ledger.request(second.client, ledger.nextName());
    await until(async () => (await holder()) !== dead, { timeoutMs: 30_000 });
    assert.deepEqual(await second.end('SIGTERM'), [0, null]);
    // It released the lease, so that the next one does not wait.
    assert.equal(await holder(), undefined);
  });
});
