import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../../../bench/measuring/figures.ts';
import type { Database } from '../../../src/database/database.ts';
import { Random } from '../../../src/demo/random.ts';
import { createMerchant } from '../../../src/merchants/create-merchant.ts';
import { CampaignLedger } from '../../support/campaign-ledger.ts';
import { createOperatorKey } from '../../support/keys.ts';
import { type Owner, temporaryDirectory } from '../../support/process.ts';
import { campaignNames, onDatabase } from '../../support/stored.ts';
import { until } from '../../support/until.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { createDatabase, type EngineName, onEachEngine } from '../engines.ts';
import { type Extent, figure, quantile, type Scenario } from '../scenario.ts';
import { Cluster, killsIn } from './cluster.ts';
import { FeedFollower } from './feed-follower.ts';
import { DEAD, healthyWebhooks, WebhookInbox } from './webhook-inbox.ts';

const MINUTES = 10;
const KILL_EVERY_MS = 10_000;
/** The kills of a short run, and the campaigns that are acknowledged between two of them. */
const SHORT = { kills: 3, campaigns: 40 };
const MERCHANTS = 3;
const WRITERS = 6;
const PAUSE_MS = 100;
/** Longer than the leases of dead nodes. */
const SETTLE_MS = 180_000;

export const events: Scenario = {
  promise:
    'while a node is killed every 10 s, the feed skips no event, every healthy webhook gets every event at least once, and repeated messages have the same ID',
  run: (_t, extent) => onEachEngine(extent, (engine, t) => runOn(engine, t, extent)),
};

async function runOn(engine: EngineName, t: Owner, extent: Extent): Promise<Figure[]> {
  const random = new Random(extent.seed);
  const receiver = await WebhookReceiver.startLocal();
  t.after(() => receiver.close());
  const inbox = new WebhookInbox(receiver);
  const settings = await settingsFor(engine, t, receiver);
  const { token, merchants } = await onDatabase(settings, fill);
  const cluster = await Cluster.start(t, { engine, settings, random });
  await createWebhooks(cluster, token, receiver);
  const ledgers = merchants.map((merchant) => ({ merchant, ledger: new CampaignLedger(merchant.token) }));
  const feed = new FeedFollower(cluster, token, 'now');
  // Webhooks get what occurs from here on.
  await until(() => feed.follow());
  let isWriting = true;
  const write = async (): Promise<void> => {
    for (let turn = 0; isWriting; turn += 1) {
      const { ledger } = ledgers[turn % ledgers.length] ?? assert.fail();
      await ledger.request(cluster.anyNode().client, ledger.nextName());
      await pause(PAUSE_MS);
    }
  };
  const read = async (): Promise<void> => {
    while (isWriting) {
      await feed.follow();
      await pause(PAUSE_MS);
    }
  };
  const work = Promise.all([...Array.from({ length: WRITERS }, write), read()]);
  const acknowledged = (): number => ledgers.reduce((sum, { ledger }) => sum + ledger.acknowledged.size, 0);
  const kills = extent.full ? killsIn(extent.minutes ?? MINUTES, KILL_EVERY_MS) : SHORT.kills;
  const everyMs = extent.full ? KILL_EVERY_MS : undefined;
  const plan = { kills, everyMs, each: SHORT.campaigns, progress: acknowledged };
  // A writer that throws ends the run at once.
  await Promise.race([cluster.kill(plan), work]);
  isWriting = false;
  await work;

  let stored = 0;
  for (const { merchant, ledger } of ledgers) {
    const names = await campaignNames(settings, merchant);
    ledger.check(names);
    stored += names.length;
  }
  const created = (): number => feed.events.filter(({ type }) => type === 'campaign.created').length;
  await untilOrLater(async () => (await feed.follow()) && created() >= stored);
  const whole = new FeedFollower(cluster, token, 'start');
  await until(() => whole.follow());
  const ids = feed.events.map(({ id }) => id);
  assert.deepEqual(
    ids,
    whole.events.map(({ id }) => id).slice(-ids.length),
    'the feed that was followed during the kills differs from the feed that is read afterwards',
  );
  await untilOrLater(() => inbox.missing(feed.events).length === 0);
  await cluster.stop();
  const delays = `median ${Math.round(quantile(inbox.delays, 0.5))} ms, p99 ${Math.round(quantile(inbox.delays, 0.99))} ms`;
  return [
    figure(`${engine}: kills`, kills, null, `${acknowledged()} campaigns acknowledged, ${stored} stored`),
    figure(`${engine}: campaigns without an event`, stored - created(), { atMost: 0 }),
    figure(`${engine}: events that the feed has twice`, ids.length - new Set(ids).size, { atMost: 0 }),
    figure(`${engine}: events that a healthy webhook did not get`, inbox.missing(feed.events).length, {
      atMost: 0,
    }),
    figure(
      `${engine}: messages with another ID or content`,
      inbox.wrong.length + inbox.unknown(whole.events).length,
      { atMost: 0 },
      `${inbox.delays.length} messages and ${inbox.repeated} repetitions`,
    ),
    figure(
      `${engine}: longest time from an event to its message, in s`,
      quantile(inbox.delays, 1) / 1000,
      null,
      delays,
    ),
  ];
}

/** The figures tell whether it holds. */
async function untilOrLater(condition: () => Promise<boolean> | boolean): Promise<void> {
  await until(condition, { timeoutMs: SETTLE_MS, intervalMs: PAUSE_MS }).catch(() => undefined);
}

async function settingsFor(engine: EngineName, t: Owner, receiver: WebhookReceiver) {
  const DATA_DIR = await temporaryDirectory(t);
  const certificate = join(DATA_DIR, 'receiver.pem');
  await writeFile(certificate, receiver.certificate);
  return {
    DATA_DIR,
    DATABASE_URL: engine === 'sqlite' ? '' : await createDatabase(t),
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: certificate,
  };
}

async function fill(database: Database) {
  const services = { database, now: Date.now };
  const key = { name: 'back end', scopes: ['events'], expiresAt: null } as const;
  const { token } = await createOperatorKey(services, key);
  const merchants = [];
  for (let number = 1; number <= MERCHANTS; number += 1) {
    merchants.push(
      await createMerchant(services, { name: `Merchant ${number}`, email: null, timeZone: 'UTC' }),
    );
  }
  return { token, merchants };
}

async function createWebhooks(cluster: Cluster, token: string, { url }: WebhookReceiver): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  for (const [name, types] of Object.entries({ ...healthyWebhooks, [DEAD]: [] })) {
    const json = { url: `${url}/${name}`, ...(types.length > 0 && { types }) };
    const response = await cluster.send('POST', '/operator/v1/webhooks', { headers, json });
    assert.equal(response?.status, 201);
  }
}
