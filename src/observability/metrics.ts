import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BudgetName } from '../budgets/budgets.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

// In seconds, from cached responses to the timeouts of clients.
const REQUEST_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const DATABASE_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** `console` covers sign-in attempts and similar requests to the console. */
type LimitName = 'key' | 'address' | 'failed-authentication' | 'console';

interface ImportedItems {
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

/** The requests since the process has started. */
export interface RequestTotals {
  requests: number;
  /** Responses with a status from 500 on. */
  errors: number;
  /** By the upper bound of a bucket in seconds, the number of requests that took no longer. */
  durations: ReadonlyMap<number, number>;
}

/** JSON that is sent between processes. */
export type Figures = object[];

/**
 * The metrics of this process, for Prometheus. Labels are only routes, methods, statuses and fixed words,
 * never a merchant, key or token, so that their number does not depend on the clients.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#counter('requests_total', 'Requests by route, method and status.', [
    'route',
    'method',
    'status',
  ]);
  readonly #durations = this.#histogram(
    'request_duration_seconds',
    'Time from a request’s headers to the end of its response.',
    ['route'],
    REQUEST_BUCKETS,
  );
  readonly #database = this.#histogram(
    'database_duration_seconds',
    'Duration of reads and transactions, including the wait for their turn.',
    ['kind'],
    DATABASE_BUCKETS,
  );
  readonly #responseCache = this.#counter(
    'cached_responses_total',
    'Requests served from the response cache, without parsing them.',
    [],
  );
  readonly #pages = this.#counter('pages_total', 'Lookups of product pages in the page cache.', ['found']);
  readonly #limited = this.#counter('rate_limited_total', 'Requests rejected by a rate limit.', ['limit']);
  readonly #budgets = this.#counter(
    'budget_refusals_total',
    'Requests rejected because a merchant had used up a budget.',
    ['budget'],
  );
  readonly #shed = this.#counter('shed_requests_total', 'Requests rejected because of overload.', []);
  readonly #rows = this.#counter('import_rows_total', 'Items of files imported in the console, by outcome.', [
    'outcome',
  ]);
  readonly #imports = this.#counter('imports_total', 'Files uploaded to the console or the API.', []);

  readonly #webhooks = this.#counter('webhook_attempts_total', 'Attempts to deliver events to webhooks.', [
    'outcome',
  ]);
  readonly #mails = this.#counter('mails_total', 'Attempts to send mails.', ['outcome']);
  readonly #images = this.#counter('image_checks_total', 'Checks of the images of products.', ['outcome']);
  readonly #events = this.#counter('events_total', 'Events that this process moved to the feed.', []);

  request(route: string, method: string, status: number, seconds: number): void {
    this.#requests.inc({ route, method: METHODS.has(method) ? method : 'other', status });
    this.#durations.observe({ route }, seconds);
  }

  database(kind: 'read' | 'transaction', seconds: number): void {
    this.#database.observe({ kind }, seconds);
  }

  webhook(outcome: 'delivered' | 'retried' | 'failed'): void {
    this.#webhooks.inc({ outcome });
  }

  mail(outcome: 'sent' | 'retried' | 'failed' | 'dropped'): void {
    this.#mails.inc({ outcome });
  }

  image(outcome: 'works' | 'fails' | 'unknown'): void {
    this.#images.inc({ outcome });
  }

  cachedResponse(): void {
    this.#responseCache.inc();
  }

  page(found: boolean): void {
    this.#pages.inc({ found: String(found) });
  }

  limited(limit: LimitName): void {
    this.#limited.inc({ limit });
  }

  budgetExceeded(budget: BudgetName): void {
    this.#budgets.inc({ budget });
  }

  shed(): void {
    this.#shed.inc();
  }

  import(): void {
    this.#imports.inc();
  }

  importRows({ created, updated, unchanged, rejected }: ImportedItems): void {
    for (const [outcome, rows] of Object.entries({ created, updated, unchanged, rejected })) {
      this.#rows.inc({ outcome }, rows);
    }
  }

  numberedEvents(events: number): void {
    this.#events.inc(events);
  }

  /** Adds a gauge that `read` returns at collection. `aggregator` is what is exported of several workers. */
  gauge(
    name: string,
    help: string,
    read: () => number,
    { aggregator = 'sum' }: { aggregator?: 'sum' | 'max' } = {},
  ): void {
    new Gauge({
      aggregator,
      name: `tradepost_${name}`,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read());
      },
    });
  }

  /** Adds CPU, memory, handles, garbage collection and the event loop. */
  withProcessMetrics(): this {
    collectDefaultMetrics({ register: this.#registry });
    return this;
  }

  async requestTotals(): Promise<RequestTotals> {
    const totals = { requests: 0, errors: 0, durations: new Map<number, number>() };
    for (const { labels, value } of (await this.#requests.get()).values) {
      totals.requests += value;
      if (Number(labels.status) >= 500) totals.errors += value;
    }
    for (const { labels, value, metricName } of (await this.#durations.get()).values) {
      const bound = 'le' in labels ? Number(labels.le) : Number.NaN;
      // “+Inf” is no number: requests above all bounds count as the last one.
      if (metricName?.endsWith('_bucket') === true && !Number.isNaN(bound))
        totals.durations.set(bound, (totals.durations.get(bound) ?? 0) + value);
    }
    return totals;
  }

  async figures(): Promise<Figures> {
    return await this.#registry.getMetricsAsJSON();
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name: `tradepost_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets: number[],
  ): Histogram<Label> {
    const of = { labelNames, buckets, registers: [this.#registry] };
    return new Histogram({ name: `tradepost_${name}`, help, ...of });
  }
}
