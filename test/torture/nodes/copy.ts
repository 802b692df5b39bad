import assert from 'node:assert/strict';
import type { Cluster } from './cluster.ts';

interface Page {
  results: Record<string, unknown>[];
  cursor: string;
  more: boolean;
}

/** Small, so that a copy has many pages. */
const PER_PAGE = 7;

/** A merchant's records of one type, kept by `changed_since` alone, on random nodes. */
export class Copy {
  readonly #cluster: Pick<Cluster, 'send'>;
  readonly #token: string;
  readonly #type: string;
  readonly #key: string;
  readonly #perPage: number;
  readonly #records = new Map<string | number, string>();
  #cursor = 'start';

  /** `type` is the last part of the path, and `key` the field that identifies a record. */
  constructor(
    cluster: Pick<Cluster, 'send'>,
    token: string,
    { type, key, perPage = PER_PAGE }: { type: string; key: string; perPage?: number },
  ) {
    this.#cluster = cluster;
    this.#token = token;
    this.#type = type;
    this.#key = key;
    this.#perPage = perPage;
  }

  get keys(): (string | number)[] {
    return [...this.#records.keys()];
  }

  /** Resolves to whether it was the last page; false also if the node did not respond. */
  async follow(): Promise<boolean> {
    const query = new URLSearchParams({
      access_token: this.#token,
      per_page: String(this.#perPage),
      changed_since: this.#cursor,
    });
    const response = await this.#cluster.send('GET', `/v1/${this.#type}?${query}`);
    // A node without its database responds with 503.
    if (response === undefined || response.status === 503) return false;
    assert.equal(response.status, 200, response.text);
    const { results, cursor, more } = response.json<Page>();
    for (const record of results) {
      const key = record[this.#key];
      assert.ok(typeof key === 'string' || typeof key === 'number');
      this.#records.set(key, JSON.stringify(record));
    }
    this.#cursor = cursor;
    return !more;
  }

  /** The copy as `tradepost export` writes it: in the order of the keys. */
  exported(): string {
    const sorted = [...this.#records].sort(([one], [other]) => compareKeys(one, other));
    return sorted.map(([, record]) => `${record}\n`).join('');
  }
}

function compareKeys(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}
