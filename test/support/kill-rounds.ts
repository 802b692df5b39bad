import assert from 'node:assert/strict';
import { CampaignLedger } from './campaign-ledger.ts';
import { type Owner, ServerProcess } from './process.ts';
import { newRandom } from './seed.ts';
import { campaignNames } from './stored.ts';

const CONNECTIONS = 12;
const ROUND_TIMEOUT_MS = 120_000;
/** Campaigns that are acknowledged in a round before the service is killed. */
const MAX_ACKNOWLEDGED = 80;
/** Each round retries this many of the latest campaigns. */
const RETRIED_PER_ROUND = 200;

/** Fails if an acknowledged campaign is lost, or exists twice in spite of its Idempotency-Key. */
export async function killRepeatedly(
  t: Owner,
  environment: Record<string, string> & { DATA_DIR: string },
  merchant: { id: number; token: string },
  rounds: number,
  afterEach: () => void = () => {},
): Promise<CampaignLedger> {
  const random = newRandom();
  const ledger = new CampaignLedger(merchant.token);
  let interrupted = 0;
  for (let round = 0; round < rounds; round += 1) {
    const server = await ServerProcess.start(t, environment);
    await ledger.retry(server.client, Math.max(0, ledger.requested.size - RETRIED_PER_ROUND));
    const enough = ledger.acknowledged.size + random.whole(1, MAX_ACKNOWLEDGED);
    const deadline = performance.now() + ROUND_TIMEOUT_MS;
    let killed: Promise<unknown> | undefined;
    const worker = async (): Promise<void> => {
      while (killed === undefined) {
        assert.ok(performance.now() < deadline, `${ledger.acknowledged.size} of ${enough} are acknowledged`);
        const response = await ledger.request(server.client, ledger.nextName());
        if (response === undefined) interrupted += 1;
        else assert.ok([200, 503].includes(response.status), response.text);
        if (ledger.acknowledged.size >= enough) killed ??= server.end('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
    await killed;
    afterEach();
    ledger.check(await campaignNames(environment, merchant));
  }
  assert.ok(interrupted > 0, 'no request was in progress when the service was killed');
  return ledger;
}
