import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Client } from './client.ts';

const CONNECTIONS = 12;
const TURNED_AWAY = 50;
const ASK_AGAIN_MS = 100;

/** Which campaigns were requested and acknowledged, by name. Keyed ones use their name as Idempotency-Key. */
export class CampaignLedger {
  readonly asked = new Set<string>();
  readonly acknowledged = new Set<string>();
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  /** Returns an unused name. Every second one is keyed. */
  nextName(): string {
    const number = this.asked.size;
    return `${number % 2 === 0 ? 'keyed' : 'plain'}-${number}`;
  }

  /** Requests a campaign; resolves to undefined if there was no response. */
  async ask(client: Client, name: string): Promise<Answer | undefined> {
    this.asked.add(name);
    const form = { access_token: this.#token, name, type: 'AuctionCampaign', daily_budget: 12.5 };
    const headers: Record<string, string> = name.startsWith('keyed') ? { 'idempotency-key': name } : {};
    const answer = await client
      .request('POST', '/v1/campaigns.json', { form, headers })
      .catch(() => undefined);
    if (answer?.status === 200) this.acknowledged.add(name);
    return answer;
  }

  /** Requests the keyed campaigns after the first `after` again, with the same keys. */
  async retry(client: Client, after = 0): Promise<void> {
    const keyed = [...this.asked]
      .slice(after)
      .filter((name) => name.startsWith('keyed'))
      .values();
    const worker = async (): Promise<void> => {
      for (const name of keyed) {
        let answer = await this.ask(client, name);
        // On a busy machine, the service may reject requests.
        for (let again = 0; answer?.status === 503 && again < TURNED_AWAY; again += 1) {
          await pause(ASK_AGAIN_MS);
          answer = await this.ask(client, name);
        }
        assert.equal(answer?.status, 200, answer?.text ?? 'no answer');
      }
    };
    // Not all at once: with a new connection for each, the service would be too busy to respond.
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  }

  check(stored: string[]): void {
    const counts = new Map<string, number>();
    for (const name of stored) counts.set(name, (counts.get(name) ?? 0) + 1);
    const lost = [...this.acknowledged].filter((name) => !counts.has(name));
    assert.deepEqual(lost, [], 'acknowledged, but not there');
    const repeated = [...counts].filter(([, count]) => count > 1);
    assert.deepEqual(repeated, [], 'there more than once');
    const invented = stored.filter((name) => !this.asked.has(name));
    assert.deepEqual(invented, [], 'there, but never asked for');
  }
}
