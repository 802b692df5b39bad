import assert from 'node:assert/strict';
import type { Figure } from '../../../bench/measuring/figures.ts';
import { Client } from '../../support/client.ts';
import type { Owner } from '../../support/process.ts';
import { campaignNames } from '../../support/stored.ts';
import { Traffic } from '../../support/traffic.ts';
import { until } from '../../support/until.ts';
import { figure } from '../scenario.ts';
import { TorturedServer } from '../server.ts';
import { type Stock, TOKEN } from '../stock.ts';
import { checkIntegrity } from './integrity.ts';

/** Writes before a fault, and after it. */
const USUAL = 100;
const REFUSED = 20;
const PATIENCE_MS = 30_000;
/** The longest that an answer may take: a write waits 5 s for another process's lock. */
const MOST_MS = 8_000;

/**
 * Has a service stand a fault under writes: whoever writes meanwhile is told with 503 and Retry-After, reads go
 * on, and once the fault has gone the same process writes again; nothing that was acknowledged is lost.
 * `strike` resolves when the fault is there, and gives what takes it away; `meanwhile` runs between.
 */
export async function standFault(
  t: Owner,
  { settings, merchant }: Stock,
  strike: () => Promise<() => Promise<void>>,
  meanwhile: () => Promise<void> = async () => {},
): Promise<Figure[]> {
  const server = await TorturedServer.start(t, settings);
  const client = new Client(server.origin, server.ca);
  t.after(() => client.close());
  const traffic = new Traffic({ client }, TOKEN);
  await traffic.until(USUAL);
  const repair = await strike();
  await until(() => traffic.refused('campaign') >= REFUSED, {
    timeoutMs: PATIENCE_MS,
    message: 'the fault is there, but no write was rejected',
  });
  const midst = performance.now();
  await meanwhile();
  await traffic.untilServed('products');
  const read = traffic.untilSuccess('products', midst);
  await repair();
  const repaired = performance.now();
  await traffic.until(USUAL);
  await traffic.stop();
  const notes: string[] = [];
  traffic.check({ diagnostic: (line) => notes.push(line) }, MOST_MS);
  assert.equal(traffic.refused('products'), 0, 'reads were refused');
  server.check();

  await traffic.ledger.retry(client);
  traffic.ledger.check(await campaignNames(settings, merchant));
  checkIntegrity(settings);
  await server.stop();
  checkIntegrity(settings);
  return [
    figure(
      'writes acknowledged, and all of them there',
      traffic.ledger.acknowledged.size,
      { atLeast: 2 * USUAL },
      notes.join(),
    ),
    figure('ms until a read was answered during the fault', read, { atMost: 1_000 }),
    figure('ms from its end to the next write', traffic.untilSuccess('campaign', repaired), {
      atMost: 2_000,
    }),
  ];
}
