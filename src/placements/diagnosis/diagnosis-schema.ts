import { nonNegativeNumber, orNull, record, type Schema, time } from '../../http/schema.ts';
import { type LossReason, lossReasons } from '../decide/loss-reasons.ts';
import type { Diagnosis } from './diagnose.ts';
import type { Lost } from './diagnosis-of.ts';
import type { NeededBid } from './needed-bids.ts';

const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description });

const reasons: Record<LossReason, string> = {
  outbid: 'Others had higher scores.',
  daily_budget: 'The rest of the daily budget did not cover the price.',
  daily_budget_per_product: 'The rest of the daily budget per product did not cover the price.',
  lifetime_budget: 'The rest of the lifetime budget did not cover the price.',
  lifetime_budget_per_product: 'The rest of the lifetime budget per product did not cover the price.',
  paced: 'The daily budget is spread over the day, and more than its share was spent.',
  max_daily_schedules: 'The product had as many placements as it may have on a day.',
  out_of_stock: 'The products were sold out.',
  moderated: 'The products were problematic or banned.',
  disabled: 'The products were disabled.',
  no_bid: 'Neither the campaign nor its products had a bid.',
  below_floor: 'The bid was below the least price.',
  paused: 'The campaign was paused, had ended, or was outside its hourly schedule.',
  over_max_per_merchant: 'The merchant or the campaign had as many places as the request allows.',
};

const lostSchema = record<Lost>('LostRequests', 'Lost requests by reason.', reasonSchemas());

function reasonSchemas(): Record<LossReason, Schema> {
  const schemas = lossReasons.map((reason) => [reason, count(`The number of requests. ${reasons[reason]}`)]);
  return Object.fromEntries(schemas) as Record<LossReason, Schema>;
}

export const diagnosisSchema = record<Diagnosis>(
  'CampaignDiagnosis',
  'What became of the requests that a campaign could have won.',
  {
    campaign_id: { type: 'string', description: 'The `internal_id` of the campaign.' },
    product_identifier: {
      ...orNull({ type: 'string' }),
      description: 'The unique ID of the product; null for the whole campaign.',
    },
    from: { ...time, description: 'The beginning of the first of 24 hours.' },
    to: { ...time, description: 'The present time, in the last of these hours.' },
    requests: count('The number of requests that it could have won: `won`, plus all of `lost`.'),
    won: count('The number of requests in which it got a place.'),
    lost: lostSchema,
    median_winning_price: {
      ...orNull(nonNegativeNumber),
      description:
        'The median of the prices of its places, in the merchant’s currency, rounded; null if it won nothing.',
    },
    bids: {
      ...orNull({
        type: 'array',
        items: record<NeededBid>('NeededBid', 'A bid that would have won a part of the requests.', {
          percent: {
            type: 'integer',
            minimum: 1,
            maximum: 100,
            description: 'The part of the requests, in percent.',
          },
          bid: {
            ...nonNegativeNumber,
            description: 'The least bid that would have won it, in the merchant’s currency, rounded up.',
          },
        }),
      }),
      description:
        'Null unless there were at least 50 requests, which at least three other merchants decided, none of them more than ' +
        'half: otherwise, it would tell what a single merchant bids. Also null if the quality of the products is not known.',
    },
  },
);

export const exampleDiagnosis: Diagnosis = {
  campaign_id: '01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90',
  product_identifier: null,
  from: '2026-02-10T19:00:00Z',
  to: '2026-02-11T18:24:51.318Z',
  requests: 4200,
  won: 310,
  lost: {
    outbid: 2890,
    daily_budget: 0,
    daily_budget_per_product: 0,
    lifetime_budget: 0,
    lifetime_budget_per_product: 0,
    paced: 640,
    max_daily_schedules: 0,
    out_of_stock: 0,
    moderated: 0,
    disabled: 0,
    no_bid: 0,
    below_floor: 0,
    paused: 360,
    over_max_per_merchant: 0,
  },
  median_winning_price: 0.34,
  bids: [
    { percent: 25, bid: 0.36 },
    { percent: 50, bid: 0.48 },
    { percent: 75, bid: 0.7 },
    { percent: 90, bid: 1.1 },
  ],
};
