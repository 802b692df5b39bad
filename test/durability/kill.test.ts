import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { it } from 'node:test';
import { CampaignLedger } from '../support/campaign-ledger.ts';
import { forEachEngine } from '../support/engines.ts';
import { ServerProcess, temporaryDirectory, tradepost } from '../support/process.ts';
import { campaignNames, newMerchant } from '../support/stored.ts';

const ROUNDS = 20;
const CONNECTIONS = 12;
const MOST_ACKNOWLEDGED = 80;

forEachEngine((engine) => {
  it('keeps every acknowledged campaign over kills at any moment, and a retried key doubles none', async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
    const merchant = await newMerchant(environment);
    const ledger = new CampaignLedger(merchant.token);

    let cutOff = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await ServerProcess.start(t, environment);
      await ledger.retry(server.client);
      const enough = ledger.acknowledged.size + randomInt(1, MOST_ACKNOWLEDGED);
      let killed: Promise<unknown> | undefined;
      const worker = async (): Promise<void> => {
        while (killed === undefined) {
          const answer = await ledger.ask(server.client, ledger.nextName());
          if (answer === undefined) cutOff += 1;
          else assert.equal(answer.status, 200, answer.text);
          if (ledger.acknowledged.size >= enough) killed ??= server.end('SIGKILL');
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, worker));
      await killed;
      ledger.check(await campaignNames(environment, merchant));
    }
    assert.ok(cutOff > 0, 'no kill came while requests were under way: the test shows nothing');

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
