import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, ClientResponse } from './client.ts';

const CONNECTIONS = 12;
const MAX_RETRIES = 50;
const RETRY_DELAY_MS = 100;

/** Campaigns by name. Keyed ones use their name as Idempotency-Key. */
export class CampaignLedger {
  readonly requested = new Set<string>();
  readonly acknowledged = new Set<string>();
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  nextName(): string {
    const number = this.requested.size;
    return `${number % 2 === 0 ? 'keyed' : 'plain'}-${number}`;
  }

  async request(client: Client, name: string): Promise<ClientResponse | undefined> {
    this.requested.add(name);
    const form = { access_token: this.#token, name, type: 'AuctionCampaign', daily_budget: 12.5 };
    const headers: Record<string, string> = name.startsWith('keyed') ? { 'idempotency-key': name } : {};
    const response = await client
      .request('POST', '/v1/campaigns.json', { form, headers })
      .catch(() => undefined);
    if (response?.status === 200) this.acknowledged.add(name);
    return response;
  }

  /** Requests the keyed campaigns after the first `after` again. */
  async retry(client: Client, after = 0): Promise<void> {
    const keyed = [...this.requested]
      .slice(after)
      .filter((name) => name.startsWith('keyed'))
      .values();
    const worker = async (): Promise<void> => {
      for (const name of keyed) {
        let response = await this.request(client, name);
        // A busy machine may reject requests.
        for (let retries = 0; response?.status === 503 && retries < MAX_RETRIES; retries += 1) {
          await pause(RETRY_DELAY_MS);
          response = await this.request(client, name);
        }
        assert.equal(response?.status, 200, response?.text ?? 'no response');
      }
    };
    // Not all at once: so many new connections would keep the service too busy to respond.
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  }

  /** Fails if an acknowledged campaign is missing, or a stored one exists twice or was never requested. */
  check(stored: string[]): void {
    const counts = new Map<string, number>();
    for (const name of stored) counts.set(name, (counts.get(name) ?? 0) + 1);
    const lost = [...this.acknowledged].filter((name) => !counts.has(name));
    assert.deepEqual(lost, [], 'acknowledged, but not stored');
    const repeated = [...counts].filter(([, count]) => count > 1);
    assert.deepEqual(repeated, [], 'stored more than once');
    const unrequested = stored.filter((name) => !this.requested.has(name));
    assert.deepEqual(unrequested, [], 'stored, but never requested');
  }
}
