import type { Success } from '../../http/endpoint/declaration.ts';
import { nonNegativeNumber, orNull, record, type Schema, time } from '../../http/schema.ts';
import { type Attention, concerns } from './attention.ts';
import {
  type AmountIn,
  type Compared,
  type PeriodFigures,
  periods,
  type SalesIn,
  type SpendIn,
} from './period-figures.ts';
import type { MerchantFigures, OperatorOverview } from './read-overview.ts';
import type { Queues } from './read-queues.ts';

const count = { type: 'integer', minimum: 0 } as const;
const day = { type: 'string', format: 'date' } as const;
const currency: Schema = { type: 'string', description: 'The ISO 4217 code.' };

const compared = record<Compared>('ComparedFigure', 'A figure of a period, and of the time before it.', {
  current: nonNegativeNumber,
  previous: { ...nonNegativeNumber, description: 'Of the same length of time before.' },
  parts: {
    type: 'array',
    items: nonNegativeNumber,
    description:
      'Of the equal parts of the period, the oldest first: 24 hours, or seven days. Empty if the figure is not ' +
      'known by part.',
  },
});

const sales = record<SalesIn>('MarketplaceSales', 'What merchants with a currency sold.', {
  currency,
  sold: compared,
  amount: compared,
});

const spend = record<SpendIn>(
  'MarketplaceAdSpend',
  'What delivered placements cost merchants with a currency.',
  {
    currency,
    amount: compared,
  },
);

const amountIn = record<AmountIn>('AmountInCurrency', 'An amount in the major unit of a currency.', {
  currency,
  amount: nonNegativeNumber,
});

const period = record<PeriodFigures>('PeriodFigures', 'The figures of a period until now.', {
  period: {
    type: 'string',
    enum: periods,
    description: '`day` is the last 24 hours, and `week` the last seven days.',
  },
  since: time,
  calls: compared,
  failed_calls: compared,
  active_merchants: compared,
  sales: {
    type: 'array',
    items: sales,
    description:
      'Schedules that sold, by the time for which they are scheduled; by currency, the most first.',
  },
  ad_spend_from: {
    ...day,
    description: 'The first day of the ad spend, which is of whole days in each merchant’s time zone.',
  },
  ad_spend_to: { ...day, description: 'The last day: yesterday, in the marketplace’s time zone.' },
  ad_spend: { type: 'array', items: spend, description: 'By currency, the most first.' },
});

const attention = record<Attention>('Attention', 'Something that needs attention.', {
  concern: { type: 'string', enum: concerns },
  count: {
    ...count,
    description: 'The number of findings, releases, events, webhooks, mails, calls or merchants concerned.',
  },
  message: { type: 'string', description: 'What is wrong.' },
  call: {
    ...orNull({ type: 'string' }),
    description: 'The path and query that lists them, below the base URL; null if none does.',
  },
  url: {
    ...orNull({ type: 'string' }),
    description:
      'A page that says how to upgrade to a new release; null for other concerns, and if there is none.',
  },
});

const merchants = record<MerchantFigures>('MerchantFigures', 'How many merchants there are.', {
  active: count,
  suspended: count,
  calls_failing: {
    ...count,
    description: 'Merchants of whose recent calls at least five and a fifth failed.',
  },
  webhooks_failing: {
    ...count,
    description: 'Merchants with a webhook that fails, or that the service has disabled.',
  },
});

const age: Schema = { ...count, description: 'The longest time that one has waited, in seconds.' };

const queues = record<Queues>('Queues', 'What waits or runs in the whole service.', {
  events: record<Queues['events']>('EventQueue', 'Events that have no number yet.', {
    waiting: { ...count, description: 'Up to 10,000.' },
    oldest_seconds: age,
  }),
  webhooks: record<Queues['webhooks']>('WebhookQueue', 'Webhooks of the operator and of active merchants.', {
    enabled: count,
    failing: { ...count, description: 'Enabled webhooks whose newest attempts have failed.' },
    disabled: count,
    waiting: { ...count, description: 'Enabled webhooks with messages that are due.' },
    oldest_seconds: age,
  }),
  mails: record<Queues['mails']>('MailQueue', 'Mails that have not been sent yet.', {
    waiting: count,
    oldest_seconds: age,
  }),
  imports: record<Queues['imports']>('ImportQueue', 'Imports of merchants.', {
    running: { ...count, description: 'As `GET imports?state=running` lists them, without test data.' },
  }),
});

const schema = record<OperatorOverview>('Overview', 'Figures of the marketplace.', {
  at: { ...time, description: 'When the figures were read.' },
  attention: { type: 'array', items: attention, description: 'The most urgent first.' },
  merchants,
  queues,
  periods: { type: 'array', items: period, description: 'The day, then the week.' },
  ad_spend_today: {
    type: 'array',
    items: amountIn,
    description: 'What delivered placements have cost on the present day, by currency.',
  },
});

/** Returns 24 numbers that add up to this one. */
function exampleHours(sum: number): number[] {
  const each = Math.floor(sum / 24);
  return Array.from({ length: 24 }, (_, hour) => (hour === 23 ? sum - 23 * each : each));
}

const example: OperatorOverview = {
  at: '2026-03-05T09:32:00Z',
  attention: [
    {
      concern: 'merchants_calls_failing',
      count: 2,
      message: 'The software of merchants does not work: many of its recent calls failed.',
      call: 'merchants?failing=calls',
      url: null,
    },
  ],
  merchants: { active: 412, suspended: 3, calls_failing: 2, webhooks_failing: 0 },
  queues: {
    events: { waiting: 0, oldest_seconds: 0 },
    webhooks: { enabled: 96, failing: 0, disabled: 1, waiting: 0, oldest_seconds: 0 },
    mails: { waiting: 0, oldest_seconds: 0 },
    imports: { running: 1 },
  },
  periods: [
    {
      period: 'day',
      since: '2026-03-04T09:32:00Z',
      calls: { current: 184_210, previous: 179_044, parts: exampleHours(184_210) },
      failed_calls: { current: 912, previous: 871, parts: exampleHours(912) },
      active_merchants: { current: 305, previous: 301, parts: [] },
      sales: [
        {
          currency: 'EUR',
          sold: { current: 1_204, previous: 1_188, parts: [] },
          amount: { current: 48_160.5, previous: 47_002.25, parts: [] },
        },
      ],
      ad_spend_from: '2026-03-04',
      ad_spend_to: '2026-03-04',
      ad_spend: [{ currency: 'EUR', amount: { current: 512.4, previous: 498.25, parts: [] } }],
    },
  ],
  ad_spend_today: [{ currency: 'EUR', amount: 201.75 }],
};

export const overviewSuccess: Success = {
  description: 'The figures.',
  schema,
  examples: { overview: { summary: 'Merchants with failing calls', value: example } },
};
