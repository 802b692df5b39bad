import type { Database } from '../../database/database.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { countMerchants } from '../../merchants/queries.ts';
import { merchantsWithFailingCalls } from '../../requests/failing-calls.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { countFailingOfAll } from '../../webhooks/queries.ts';
import type { InstallationFindings } from '../system/installation-findings.ts';
import { type Attention, attentionOf } from './attention.ts';
import { type AmountIn, type PeriodFigures, readPeriods } from './period-figures.ts';
import { type Queues, readQueues } from './read-queues.ts';

export interface MerchantFigures {
  active: number;
  suspended: number;
  calls_failing: number;
  webhooks_failing: number;
}

export interface OperatorOverview {
  /** When the figures were read. */
  at: string;
  attention: Attention[];
  merchants: MerchantFigures;
  queues: Queues;
  periods: PeriodFigures[];
  ad_spend_today: AmountIn[];
}

interface Services {
  database: Database;
  now: () => number;
  installation: Pick<InstallationFindings, 'read'>;
}

const MIN_KEPT_MS = 10_000;
/** A slow database, which is when the overview matters, must not keep it outdated. */
const MAX_KEPT_MS = 60_000;
/** So that reading usually takes less than 1 % of the time. */
const KEPT_FOR_DURATION = 100;

/** Keeps the overview for ten seconds, or a hundred times as long as reading it took. */
export class OverviewReader {
  readonly #services: Services;
  readonly #clock: () => number;
  #kept: { overview: Promise<OperatorOverview>; until: number } | undefined;

  /** `clock` is in milliseconds, like `performance.now`. */
  constructor(services: Services, clock: () => number = () => performance.now()) {
    this.#services = services;
    this.#clock = clock;
  }

  async read(): Promise<OperatorOverview> {
    const { now } = this.#services;
    if (this.#kept !== undefined && now() < this.#kept.until) return await this.#kept.overview;
    const started = this.#clock();
    const kept = { overview: readOverview(this.#services), until: Number.POSITIVE_INFINITY };
    this.#kept = kept;
    try {
      return await kept.overview;
    } catch (error) {
      if (this.#kept === kept) this.#kept = undefined;
      throw error;
    } finally {
      const keptMs = (this.#clock() - started) * KEPT_FOR_DURATION;
      kept.until = now() + Math.min(Math.max(keptMs, MIN_KEPT_MS), MAX_KEPT_MS);
    }
  }
}

export async function readOverview(services: Services): Promise<OperatorOverview> {
  const { database, now, installation } = services;
  const at = formatTime(now());
  const [counts, calls, webhooks, queues, { periods, ad_spend_today }, findings] = await Promise.all([
    database.first(countMerchants),
    merchantsWithFailingCalls(services),
    database.all(countFailingOfAll),
    readQueues(services),
    readPeriods(services),
    installation.read(),
  ]);
  const { merchants = 0, suspended = 0 } = counts ?? {};
  const own = webhooks.find(({ merchant_id: id }) => id === OPERATOR_ID);
  const merchantsWithFailingWebhooks = webhooks.length - (own === undefined ? 0 : 1);
  const [day] = periods;
  const none = { current: 0, previous: 0 };
  return {
    at,
    attention: attentionOf({
      installation: findings,
      queues,
      calls: day?.calls ?? none,
      failedCalls: day?.failed_calls ?? none,
      merchantsWithFailingCalls: calls.length,
      merchantsWithFailingWebhooks,
      ownFailingWebhooks: own === undefined ? 0 : own.failing + own.disabled,
    }),
    merchants: {
      active: merchants - suspended,
      suspended,
      calls_failing: calls.length,
      webhooks_failing: merchantsWithFailingWebhooks,
    },
    queues,
    periods,
    ad_spend_today,
  };
}
