import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import type { Finding } from '../../doctor/finding.ts';
import { countMerchants } from '../../merchants/queries.ts';
import { findNewRelease } from '../../releases/release-notice.ts';
import { merchantsWithFailingCalls } from '../../requests/failing-calls.ts';
import type { KeptRead } from '../../shared/kept-read.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { countFailingOfAll } from '../../webhooks/queries.ts';
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
  config: Config;
  database: Database;
  now: () => number;
  installation: KeptRead<Finding[]>;
}

export async function readOverview(services: Services): Promise<OperatorOverview> {
  const { config, database, now, installation } = services;
  const at = formatTime(now());
  const [counts, calls, webhooks, queues, { periods, ad_spend_today }, findings, release] = await Promise.all(
    [
      database.first(countMerchants),
      merchantsWithFailingCalls(services),
      database.all(countFailingOfAll),
      readQueues(services),
      readPeriods(services),
      installation.read(),
      findNewRelease(database, config.releaseFeed),
    ],
  );
  const { merchants = 0, suspended = 0 } = counts ?? {};
  const own = webhooks.find(({ merchant_id: id }) => id === OPERATOR_ID);
  const merchantsWithFailingWebhooks = webhooks.length - (own === undefined ? 0 : 1);
  const [day] = periods;
  const none = { current: 0, previous: 0 };
  return {
    at,
    attention: attentionOf({
      installation: findings,
      release,
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
