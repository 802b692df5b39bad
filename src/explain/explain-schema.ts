import { orNull, record } from '../http/schema.ts';
import { figureUnits } from '../shared/figure.ts';
import type { Explanation } from './explain-figure.ts';

export const explanationSchema = record<Explanation>(
  'Explanation',
  'How a figure is computed, and its lines.',
  {
    figure: { type: 'string', description: 'The name of the figure.' },
    value: {
      type: ['number', 'null'],
      description: 'The figure at present, in the unit that `unit` states.',
    },
    unit: {
      type: 'string',
      enum: figureUnits,
      description: '`amount`: in the currency’s major unit, for example dollars. `rating`: from 0 to 5.',
    },
    currency: { ...orNull({ type: 'string' }), description: 'ISO 4217; null unless the unit is `amount`.' },
    formula: {
      type: 'string',
      description: 'How the lines are added up, in words. Names in backquotes are fields of the lines.',
    },
    time_zone: { type: 'string', description: 'The merchant’s time zone, in which days and months begin.' },
    rounding: { type: 'string', description: '`exact`, or for example `half up to 2 decimals`.' },
    lines: { type: 'integer', minimum: 0, description: 'The number of lines.' },
    address: {
      type: 'string',
      description:
        'Where exactly these lines are listed, relative to this call: a path and its parameters. The list has pages.',
    },
    revision: {
      type: 'string',
      description:
        'The state of the data that the figure is of. With `changed_since`, the list lists what has changed after it; ' +
        'placements that are being written meanwhile may be repeated there.',
    },
  },
);

export const exampleExplanation: Explanation = {
  figure: 'sales.asp',
  value: 27.41,
  unit: 'amount',
  currency: 'USD',
  formula: 'The sum of `sale_price` ÷ the number of schedules with `sold`. Null if none sold.',
  time_zone: 'America/New_York',
  rounding: 'half up to 2 decimals',
  lines: 412,
  address: 'schedules?month=2026-02',
  revision: 'a0VxU2hRWTJbMTIsIjVkT0Y4WXJmIiwxNzY3MjI1NjAwMDAwLDE3NjM4NTAwMDAwMDAwMTcsIvSPv78iXQ',
};
