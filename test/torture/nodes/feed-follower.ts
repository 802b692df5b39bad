import type { ClientEvent } from '../../../src/events/event-types.ts';
import type { EventPage } from '../../support/events.ts';
import type { Cluster } from './cluster.ts';

const LIMIT = 50;

/** Reads the feed from random nodes, and continues with each page's cursor. */
export class FeedFollower {
  readonly events: ClientEvent[] = [];
  readonly #cluster: Cluster;
  readonly #token: string;
  #cursor: string;

  /** With the next event (`now`), or with the first one (`start`). */
  constructor(cluster: Cluster, token: string, from: 'now' | 'start') {
    this.#cluster = cluster;
    this.#token = token;
    this.#cursor = from;
  }

  /** Resolves to whether it was the last page; false also if the node did not respond. */
  async follow(): Promise<boolean> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const path = `/operator/v1/events?after=${this.#cursor}&limit=${LIMIT}`;
    const response = await this.#cluster.send('GET', path, { headers });
    if (response?.status !== 200) return false;
    const { results, next, more } = response.json<EventPage>();
    this.events.push(...results);
    this.#cursor = next;
    return !more;
  }
}
