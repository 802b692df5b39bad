import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { CampaignLedger } from './campaign-ledger.ts';
import { type Owner, ServerProcess } from './process.ts';
import { campaignNames } from './stored.ts';

const CONNECTIONS = 12;
const MOST_ACKNOWLEDGED = 80;
/** Campaigns of the rounds before the last that are asked for again; all of them are in the end. */
const ASKED_AGAIN = 200;

/**
 * Starts the service and kills it under load, again and again, at any moment. Fails where an acknowledged
 * campaign is lost, or a keyed one doubled; `afterEach` looks at what is left of each round.
 */
export async function killRepeatedly(
  t: Owner,
  environment: Record<string, string> & { DATA_DIR: string },
  merchant: { id: number; token: string },
  rounds: number,
  afterEach: () => void = () => {},
): Promise<CampaignLedger> {
  const ledger = new CampaignLedger(merchant.token);
  let cutOff = 0;
  for (let round = 0; round < rounds; round += 1) {
    const server = await ServerProcess.start(t, environment);
    await ledger.retry(server.client, Math.max(0, ledger.asked.size - ASKED_AGAIN));
    const enough = ledger.acknowledged.size + randomInt(1, MOST_ACKNOWLEDGED);
    let killed: Promise<unknown> | undefined;
    const worker = async (): Promise<void> => {
      while (killed === undefined) {
        const answer = await ledger.ask(server.client, ledger.nextName());
        if (answer === undefined) cutOff += 1;
        else assert.ok([200, 503].includes(answer.status), answer.text);
        if (ledger.acknowledged.size >= enough) killed ??= server.end('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
    await killed;
    afterEach();
    ledger.check(await campaignNames(environment, merchant));
  }
  assert.ok(cutOff > 0, 'no kill came while requests were under way: this shows nothing');
  return ledger;
}
