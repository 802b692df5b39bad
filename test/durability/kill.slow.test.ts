import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { killRepeatedly } from '../support/kill-rounds.ts';
import { ServerProcess, temporaryDirectory, tradepost } from '../support/process.ts';
import { newMerchant } from '../support/stored.ts';

const ROUNDS = 20;

forEachEngine((engine) => {
  it('keeps every acknowledged campaign when killed at any moment, and retried keys create no duplicates', async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
    const merchant = await newMerchant(environment);
    const ledger = await killRepeatedly(t, environment, merchant, ROUNDS);

    const server = await ServerProcess.start(t, environment);
    await ledger.retry(server.client);
    assert.deepEqual(await server.end('SIGTERM'), [0, null]);
    const { stdout } = await tradepost(['export', 'campaigns', '--merchant', 'Acme'], environment);
    const exported = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).name);
    ledger.check(exported);
    assert.ok(exported.length > ROUNDS);
  });
});
