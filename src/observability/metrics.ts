import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BudgetName } from '../budgets/budgets.ts';
import type { ImportSummary } from '../imports/run-import.ts';
import { RequestCounts } from './request-counts.ts';

const DATABASE_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** The limits that turn requests away; `console` is all those of attempts to sign in to it and the like. */
export type LimitName = 'key' | 'address' | 'failed-authentication' | 'console';

/** One process's metrics, as JSON between processes. */
export type Figures = object[];

/**
 * What this process counts, for Prometheus. Labels hold routes, methods, statuses and fixed words: never a
 * merchant, a key or a token, and as few values as there are routes, however many callers there are.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new RequestCounts();
  readonly #database = this.#histogram(
    'database_duration_seconds',
    'What a read or a transaction took, its wait for its turn included.',
    ['kind'],
    DATABASE_BUCKETS,
  );
  readonly #responseCache = this.#counter(
    'known_answers_total',
    'Requests answered from memory, unparsed.',
    [],
  );
  readonly #pages = this.#counter('pages_total', 'Pages of products that were looked for in memory.', [
    'found',
  ]);
  readonly #limited = this.#counter('rate_limited_total', 'Requests past a limit.', ['limit']);
  readonly #budgets = this.#counter(
    'budget_refusals_total',
    'Requests refused because a merchant had used up a budget.',
    ['budget'],
  );
  readonly #shed = this.#counter('shed_requests_total', 'Requests turned away for overload.', []);
  readonly #rows = this.#counter('import_rows_total', 'Rows of files that the console took.', ['outcome']);
  readonly #uploads = this.#counter('uploads_total', 'Files that the console took.', []);

  request(route: string, method: string, status: number, seconds: number): void {
    this.#requests.add(route, method, status, seconds);
  }

  database(kind: 'read' | 'transaction', seconds: number): void {
    this.#database.observe({ kind }, seconds);
  }

  knownAnswer(): void {
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

  upload(): void {
    this.#uploads.inc();
  }

  importRows({ created, updated, unchanged, rejected }: ImportSummary): void {
    for (const [outcome, rows] of Object.entries({ created, updated, unchanged, rejected })) {
      this.#rows.inc({ outcome }, rows);
    }
  }

  /** Adds figures that are looked at when they are asked for, such as how many requests wait. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name: `tradepost_${name}`,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read());
      },
    });
  }

  /** Adds the process's own: CPU, memory, handles, garbage collection, the event loop. */
  ofProcess(): this {
    collectDefaultMetrics({ register: this.#registry });
    return this;
  }

  async figures(): Promise<Figures> {
    return [...this.#requests.figures(), ...(await this.#registry.getMetricsAsJSON())];
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
