import assert from 'node:assert/strict';
import type { Figure } from '../../../bench/measuring/figures.ts';
import { Client } from '../../support/client.ts';
import type { Owner } from '../../support/process.ts';
import { campaignNames } from '../../support/stored.ts';
import { Traffic } from '../../support/traffic.ts';
import { until } from '../../support/until.ts';
import { figure } from '../scenario.ts';
import { StressedServer } from '../server.ts';
import { type TestData, TOKEN } from '../test-data.ts';
import { checkIntegrity } from './integrity.ts';

/** Successful writes before and after a fault. */
const WRITES = 100;
const MIN_REJECTED = 20;
const REJECTION_TIMEOUT_MS = 30_000;
/** A write waits 5 s for another process's lock. */
const MAX_RESPONSE_MS = 8_000;

/**
 * Checks that during a fault, writes get 503 with Retry-After and reads continue, and that afterwards, the
 * same process accepts writes and no acknowledged write is lost. `inject` resolves once the fault is active,
 * to a function that removes it.
 */
export async function surviveFault(
  t: Owner,
  { settings, merchant }: TestData,
  inject: () => Promise<() => Promise<void>>,
  duringFault: () => Promise<void> = async () => {},
): Promise<Figure[]> {
  const server = await StressedServer.start(t, settings);
  const client = new Client(server.origin, server.ca);
  t.after(() => client.close());
  const traffic = new Traffic({ client }, TOKEN);
  await traffic.until(WRITES);
  const repair = await inject();
  await until(() => traffic.rejected('campaign') >= MIN_REJECTED, {
    timeoutMs: REJECTION_TIMEOUT_MS,
    message: 'the fault is active, but too few writes were rejected',
  });
  const faultTime = performance.now();
  await duringFault();
  await traffic.untilServed('products');
  const read = traffic.untilSuccess('products', faultTime);
  await repair();
  const repaired = performance.now();
  await traffic.until(WRITES);
  await traffic.stop();
  const notes: string[] = [];
  traffic.check({ diagnostic: (line) => notes.push(line) }, MAX_RESPONSE_MS);
  assert.equal(traffic.rejected('products'), 0, 'reads were rejected');
  server.check();

  await traffic.ledger.retry(client);
  traffic.ledger.check(await campaignNames(settings, merchant));
  checkIntegrity(settings);
  await server.stop();
  checkIntegrity(settings);
  return [
    figure(
      'writes acknowledged, all of them stored',
      traffic.ledger.acknowledged.size,
      { atLeast: 2 * WRITES },
      notes.join(),
    ),
    figure('ms to the first successful read during the fault', read, { atMost: 1_000 }),
    figure('ms from the end of the fault to the next write', traffic.untilSuccess('campaign', repaired), {
      atMost: 2_000,
    }),
  ];
}
