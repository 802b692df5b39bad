import { nonNegativeNumber, orNull, record, type Schema, time, withFigures } from '../http/schema.ts';
import type { PlacementList } from './list/list-placements.ts';
import type { PlacementRecord } from './list/placement-record.ts';
import type { CampaignPerformance, PerformanceReport } from './performance/campaign-performance.ts';
import { performanceFigures } from './performance/figures.ts';
import { placementStates } from './record/placement.ts';

const day: Schema = { type: 'string', format: 'date' };

export const placementSchema = record<PlacementRecord>(
  'Placement',
  'One place that was given to a product.',
  {
    placement_id: { type: 'string', description: 'Identifies the placement.' },
    campaign_id: { type: 'string', description: 'The `internal_id` of the campaign.' },
    product_identifier: { type: 'string', description: 'The unique ID of the product.' },
    state: {
      type: 'string',
      enum: placementStates,
      description:
        '`reserved` until its outcome is known, then `delivered`, which costs its price, or `released`, which costs nothing.',
    },
    price: {
      ...nonNegativeNumber,
      description: 'What the placement costs once it is delivered, in the merchant’s currency.',
    },
    bid: {
      ...orNull(nonNegativeNumber),
      description:
        'The bid that won it, in the merchant’s currency; null if the operator decided about the placement.',
    },
    day: { ...day, description: 'The day on which it counts, in the merchant’s time zone.' },
    reserved_at: { ...orNull(time), description: 'Null if the operator decided about the placement.' },
    expires_at: { ...orNull(time), description: 'When it is released if its outcome is not known.' },
    delivered_at: { ...orNull(time), description: 'When it was delivered; null if it was not.' },
    released_at: { ...orNull(time), description: 'When it was released; null if it was not.' },
    late: {
      type: 'boolean',
      description:
        'True if it was delivered after its release, when the budgets did not cover it: it costs nothing.',
    },
    schedule_id: { ...orNull({ type: 'string' }), description: 'The schedule that the placement became.' },
    revenue: {
      ...orNull(nonNegativeNumber),
      description: 'What the schedule sold for, in the merchant’s currency; null if it did not sell.',
    },
  },
);

export const examplePlacement: PlacementRecord = {
  placement_id: '2026-02-11:17',
  campaign_id: '01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90',
  product_identifier: 'VASE-7',
  state: 'delivered',
  price: 0.42,
  bid: null,
  day: '2026-02-11',
  reserved_at: null,
  expires_at: null,
  delivered_at: '2026-02-11T18:00:00Z',
  released_at: null,
  late: false,
  schedule_id: '2026-02-11:17',
  revenue: 27.5,
};

export const placementListSchema = record<PlacementList>('PlacementList', 'A part of a list of placements.', {
  results: { type: 'array', items: placementSchema },
  cursor: {
    type: 'string',
    description: 'Where the list continues: the next value of `changed_since` or `after`.',
  },
  more: { type: 'boolean', description: 'Whether the list has placements after these at present.' },
});

export const examplePlacementList: PlacementList = {
  results: [examplePlacement],
  cursor: 'a0VxU2hRWTJbMTIsIjVkT0Y4WXJmIiwxNzY3MjI1NjAwMDAwLCIyMDI2LTAyLTExOjE3Il0',
  more: false,
};

export const examplePerformance: PerformanceReport = {
  results: [
    {
      day: '2026-02-11',
      product_identifier: null,
      placements: 120,
      spend: 50.4,
      orders: 9,
      revenue: 247.5,
      sell_rate: 0.075,
      cost_per_order: 5.6,
      return_on_spend: 4.9107,
    },
  ],
  more: false,
};

const ratio = (description: string): Schema => ({ ...orNull(nonNegativeNumber), description });

export const performanceSchema = record<PerformanceReport>(
  'CampaignPerformanceReport',
  'What the placements of a campaign, or of all campaigns, cost and sold.',
  {
    results: {
      type: 'array',
      items: record<CampaignPerformance>(
        'CampaignPerformance',
        'Delivered placements, added up.',
        withFigures(performanceFigures, {
          day: {
            ...orNull(day),
            description: 'A day in the merchant’s time zone; null unless it is by day.',
          },
          product_identifier: {
            ...orNull({ type: 'string' }),
            description: 'The unique ID of a product; null unless it is by product.',
          },
          placements: { type: 'integer', minimum: 0, description: 'The number of delivered placements.' },
          spend: {
            ...nonNegativeNumber,
            description: 'The sum of their prices, in the merchant’s currency.',
          },
          orders: { type: 'integer', minimum: 0, description: 'How many of them have a schedule that sold.' },
          revenue: {
            ...nonNegativeNumber,
            description: 'What these schedules sold for, in the merchant’s currency.',
          },
          sell_rate: ratio('`orders` ÷ `placements`, to four decimals; null without placements.'),
          cost_per_order: ratio(
            '`spend` ÷ `orders`, in the merchant’s currency, to two decimals; null without orders.',
          ),
          return_on_spend: ratio('`revenue` ÷ `spend`, to four decimals; null if nothing was spent.'),
        }),
      ),
    },
    more: { type: 'boolean', description: 'Whether there are more products on the next page.' },
  },
);
