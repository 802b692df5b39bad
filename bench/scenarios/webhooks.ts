import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SERVICE } from '../../src/audit/record-audit.ts';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { Encryption } from '../../src/encryption/encryption.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { createWebhook } from '../../src/webhooks/manage-webhooks.ts';
import { WebhookSecrets } from '../../src/webhooks/webhook-secrets.ts';
import { createCertificate } from '../../test/support/certificates.ts';
import { createKey } from '../../test/support/keys.ts';
import type { Engine, Settings } from '../engines/engine.ts';
import { get, send } from '../measuring/client.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { deployed, program, serve } from '../service/servers.ts';

const WEBHOOKS = 200;
const HANGING = 20;
const REFUSING = 20;
const EVENTS_PER_MINUTE = 10_000;
const MINUTES = 3;
const NAME = 'receiver.example';
const loopback = ['--import', join(import.meta.dirname, '..', 'measuring', 'receivers-on-loopback.ts')];

/**
 * Measures how fast events reach 200 webhooks, and what that costs the API. 20 receivers never respond, and
 * 20 refuse connections.
 */
export async function webhooks(engine: Engine): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  const { cert, key } = await createCertificate(NAME);
  const certificate = join(directory, 'receiver.pem');
  const keyFile = join(directory, 'receiver.key');
  writeFileSync(certificate, cert);
  writeFileSync(keyFile, key);
  const receiver = await startReceiver(certificate, keyFile);
  await engine.recreate('webhooks');
  const settings = engine.settings('webhooks');
  try {
    const command = [process.execPath, ...deployed.flags, ...loopback, program] as const;
    const tokens = await createMerchants(settings);
    await using server = await serve(settings, { NODE_EXTRA_CA_CERTS: certificate }, command);
    const without = await run(server.baseUrl, tokens, 1);
    await addWebhooks(settings);
    await run(server.baseUrl, tokens, 1);
    await takeLatencies(receiver);
    const samples: number[] = [];
    const sampling = setInterval(() => samples.push(server.resident()), 1_000);
    const during = await run(server.baseUrl, tokens, MINUTES);
    clearInterval(sampling);
    const quarter = Math.floor(samples.length / 4);
    const early = mean(samples.slice(quarter, 2 * quarter));
    const late = mean(samples.slice(3 * quarter));
    const latencies = (await takeLatencies(receiver)).toSorted((one, other) => one - other);
    const p = (share: number): number => latencies[Math.floor(share * (latencies.length - 1))] ?? Number.NaN;
    const notes = `${latencies.length} deliveries to ${WEBHOOKS - HANGING - REFUSING} healthy webhooks; longest ${p(1).toFixed(0)} ms`;
    const api = `p99 with webhooks ${during.toFixed(1)} ms, without ${without.toFixed(1)} ms`;
    return [
      {
        name: 'event to healthy webhook, median in ms',
        ...measured([p(0.5)]),
        bound: { atMost: 5_000 },
        notes,
      },
      {
        name: 'event to healthy webhook, p99 in ms',
        ...measured([p(0.99)]),
        bound: { atMost: 30_000 },
        notes,
      },
      {
        name: 'p99 of GET /products.json with webhooks ÷ without',
        ...measured([during / without]),
        bound: { atMost: 1.5 },
        notes: api,
      },
      {
        name: 'resident memory in the last quarter ÷ in the second quarter',
        ...measured([late / early]),
        bound: { atMost: 1.2 },
        notes: `${early.toFixed(0)} MB, ${late.toFixed(0)} MB on average; at most ${Math.max(...samples).toFixed(0)} MB`,
      },
    ];
  } finally {
    receiver.disconnect();
    rmSync(directory, { recursive: true });
    await engine.drop('webhooks');
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Runs in a process of its own, so that handshakes do not delay the measured requests. */
async function startReceiver(certificate: string, key: string): Promise<ChildProcess> {
  const receiver = fork(join(import.meta.dirname, '..', 'service', 'webhook-receiver.ts'), [
    certificate,
    key,
  ]);
  await once(receiver, 'message');
  return receiver;
}

/** Resolves to the milliseconds from each event since the last call to its arrival. */
async function takeLatencies(receiver: ChildProcess): Promise<number[]> {
  const reply = once(receiver, 'message');
  receiver.send('take');
  const [latencies]: number[][] = await reply;
  return latencies ?? [];
}

async function createMerchants(settings: Settings): Promise<string[]> {
  const database = await openDatabase(parseConfig(settings), Date.now());
  const services = { database, now: Date.now };
  const tokens: string[] = [];
  for (let number = 1; number <= WEBHOOKS; number += 1) {
    const { id } = await createMerchant(services, { name: `m${number}`, email: null, timeZone: 'UTC' });
    tokens.push((await createKey(services, { merchantId: id, name: 'bench', expiresAt: null })).token);
  }
  await database.close();
  return tokens;
}

async function addWebhooks(settings: Settings): Promise<void> {
  const config = parseConfig(settings);
  const database = await openDatabase(config, Date.now());
  const { encryptionKeyFile: file, webhookNetworks: privateNetworks, budgets } = config;
  const secrets = new WebhookSecrets(new Encryption({ file, onCreated: () => {} }), database.dialect);
  const services = { database, now: Date.now };
  const needs = { who: SERVICE, privateNetworks, secrets, budgets };
  for (let merchantId = 1; merchantId <= WEBHOOKS; merchantId += 1) {
    const isRefusing = merchantId <= REFUSING;
    const path = !isRefusing && merchantId <= REFUSING + HANGING ? '/hangs' : '/';
    const url = `https://${isRefusing ? `refuses.${NAME}` : NAME}:8443${path}`;
    const fields = { url, types: ['campaign.created'], description: '' } as const;
    await runVerb(services, { merchantId, ...needs }, createWebhook, fields);
  }
  await database.close();
}

/** Creates campaigns at an even rate. Resolves to the p99 of reads meanwhile, in ms. */
async function run(baseUrl: string, tokens: readonly string[], minutes: number): Promise<number> {
  const events = EVENTS_PER_MINUTE * minutes;
  const interval = 60_000 / EVENTS_PER_MINUTE;
  const start = performance.now();
  const pending: Promise<unknown>[] = [];
  const reads: number[] = [];
  for (let number = 0; number < events; number += 1) {
    const wait = start + number * interval - performance.now();
    if (wait > 1) await pause(wait);
    const token = tokens[number % tokens.length];
    pending.push(send(`${baseUrl}/campaigns.json`, `access_token=${token}&name=N&type=T`));
    if (number % 5 !== 0) continue;
    const read = get(`${baseUrl}/products.json?access_token=${token}`);
    pending.push(read.then(({ milliseconds }) => reads.push(milliseconds)));
  }
  await Promise.all(pending);
  reads.sort((one, other) => one - other);
  return reads[Math.floor(0.99 * (reads.length - 1))] ?? Number.NaN;
}
