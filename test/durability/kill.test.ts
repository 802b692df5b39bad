import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { it } from 'node:test';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { campaignsOf } from '../support/campaigns.ts';
import { forEachEngine } from '../support/engines.ts';
import { ServerProcess, temporaryDirectory, tradepost } from '../support/process.ts';

const ROUNDS = 20;
const CONNECTIONS = 12;
const MOST_ACKNOWLEDGED = 80;

/** What became of the campaigns that were asked for, by name. Keyed ones carry their name as Idempotency-Key. */
class Ledger {
  readonly asked = new Set<string>();
  readonly acknowledged = new Set<string>();
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  static isKeyed(name: string): boolean {
    return name.startsWith('keyed');
  }

  /** False where the answer did not come. */
  async create(server: ServerProcess, name: string): Promise<boolean> {
    this.asked.add(name);
    const form = { access_token: this.#token, name, type: 'AuctionCampaign', daily_budget: 12.5 };
    const headers: Record<string, string> = Ledger.isKeyed(name) ? { 'idempotency-key': name } : {};
    const answer = await server.client
      .request('POST', '/v1/campaigns.json', { form, headers })
      .catch(() => undefined);
    if (answer === undefined) return false;
    assert.equal(answer.status, 200, answer.text);
    this.acknowledged.add(name);
    return true;
  }

  /** Every keyed campaign again, with the same key: those that were answered and those that were not. */
  async retry(server: ServerProcess): Promise<void> {
    const keyed = [...this.asked].filter(Ledger.isKeyed);
    const answers = await Promise.all(keyed.map((name) => this.create(server, name)));
    assert.ok(answers.every(Boolean));
  }

  check(stored: string[]): void {
    const counts = new Map<string, number>();
    for (const name of stored) counts.set(name, (counts.get(name) ?? 0) + 1);
    const lost = [...this.acknowledged].filter((name) => !counts.has(name));
    assert.deepEqual(lost, [], 'acknowledged, but not there');
    assert.deepEqual(
      [...counts].filter(([, count]) => count > 1),
      [],
      'there more than once',
    );
    assert.deepEqual(
      stored.filter((name) => !this.asked.has(name)),
      [],
      'there, but never asked for',
    );
  }
}

forEachEngine((engine) => {
  it('keeps every acknowledged campaign over kills at any moment, and a retried key doubles none', async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
    const database = await openDatabase(parseConfig(environment), Date.now());
    const merchant = await createMerchant(
      { database, now: Date.now },
      { name: 'Acme', email: null, timeZone: 'UTC' },
    );
    const ledger = new Ledger(merchant.token);

    let cutOff = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await ServerProcess.start(t, environment);
      await ledger.retry(server);
      const enough = ledger.acknowledged.size + randomInt(1, MOST_ACKNOWLEDGED);
      let killed: Promise<unknown> | undefined;
      const worker = async (number: number): Promise<void> => {
        for (let index = 0; killed === undefined; index += 1) {
          const name = `${index % 2 === 0 ? 'keyed' : 'plain'}-${round}-${number}-${index}`;
          if (!(await ledger.create(server, name))) cutOff += 1;
          if (ledger.acknowledged.size >= enough) killed ??= server.end('SIGKILL');
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, (_, number) => worker(number)));
      await killed;
      ledger.check((await campaignsOf({ database }, merchant)).map(({ name }) => name));
    }
    assert.ok(cutOff > 0, 'no kill came while requests were under way: the test shows nothing');

    const server = await ServerProcess.start(t, environment);
    await ledger.retry(server);
    assert.deepEqual(await server.end('SIGTERM'), [0, null]);
    await database.close();
    const { stdout } = await tradepost(['export', 'campaigns', '--merchant', 'Acme'], environment);
    const exported = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).name);
    ledger.check(exported);
    assert.ok(exported.length > ROUNDS);
  });
});
