import { nonNegativeNumber, orNull, record, time } from '../../http/schema.ts';
import type {
  CampaignFigures,
  CategoryFigures,
  CurrencyFigures,
  HourFigures,
  PriceFigures,
} from './read-figures.ts';

const count = { type: 'integer', minimum: 0 } as const;
const spend = {
  ...nonNegativeNumber,
  description: 'What they cost. A placement that is not delivered in the end is counted too.',
};

const hour = record<HourFigures>('CampaignHour', 'The placements of an hour.', {
  hour: { ...time, description: 'When the hour begins.' },
  placements: count,
  spend,
  planned: {
    ...nonNegativeNumber,
    description:
      'What the present daily budgets come to in the hour, spread over the marketplace’s day as requests are expected.',
  },
});

const category = record<CategoryFigures>('CampaignCategory', 'The placements for a category.', {
  category: {
    ...orNull({ type: 'string' }),
    description: 'The first level of the category that requests asked for; null if they asked for any.',
  },
  placements: count,
  spend,
});

const price = record<PriceFigures>('CampaignPrice', 'The placements with a price.', {
  price: { ...nonNegativeNumber, description: 'Rounded: prices differ by 5 to 10 %.' },
  placements: count,
});

const currency = record<CurrencyFigures>(
  'CampaignsInCurrency',
  'Campaigns and placements of the merchants with a currency. Amounts are in its major unit.',
  {
    currency: { type: 'string', description: 'The ISO 4217 code.' },
    active: { ...count, description: 'The campaigns with the status `Active`.' },
    exhausted: { ...count, description: 'The campaigns whose lifetime budget is spent.' },
    daily_budgets: { ...nonNegativeNumber, description: 'The sum of the daily budgets of active campaigns.' },
    placements: count,
    spend,
    hours: { type: 'array', items: hour, description: 'Every hour, oldest first.' },
    categories: { type: 'array', items: category, description: 'The most placements first.' },
    prices: { type: 'array', items: price, description: 'The lowest first.' },
  },
);

export const campaignFiguresSchema = record<CampaignFigures>(
  'CampaignFigures',
  'What the placements of all merchants cost.',
  {
    at: { ...time, description: 'When the figures were read.' },
    since: { ...time, description: 'When the first hour begins.' },
    currencies: { type: 'array', items: currency, description: 'The highest spend first.' },
  },
);

export const exampleFigures: CampaignFigures = {
  at: '2026-02-28T10:42:00Z',
  since: '2026-02-28T10:00:00Z',
  currencies: [
    {
      currency: 'EUR',
      active: 214,
      exhausted: 3,
      daily_budgets: 5200,
      placements: 31,
      spend: 9.3,
      hours: [{ hour: '2026-02-28T10:00:00Z', placements: 31, spend: 9.3, planned: 210.4 }],
      categories: [
        { category: 'Watches', placements: 20, spend: 7.1 },
        { category: null, placements: 11, spend: 2.2 },
      ],
      prices: [{ price: 0.3, placements: 31 }],
    },
  ],
};
