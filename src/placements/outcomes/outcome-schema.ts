import { propertiesOf } from '../../http/parameters/bind.ts';
import { instant, oneOf, text } from '../../http/parameters/types.ts';
import { orNull, record, type Schema } from '../../http/schema.ts';

export const MAX_LINES = 1_000;
const MAX_ID = 100;

/** What one line did. In wire order. */
export interface OutcomeLineResult {
  /** From 1. */
  line: number;
  placement_id: string | null;
  result: 'updated' | 'unchanged' | 'rejected';
  errors: { name: string; reason: string }[];
}

/** A result for each line, in order, and how many there are of each kind. */
export interface OutcomeBatchResult extends Record<OutcomeLineResult['result'], number> {
  results: OutcomeLineResult[];
}

/** The parameters of a line. */
export const outcomeParameters = {
  placement_id: {
    type: text(MAX_ID),
    required: true,
    description: 'The placement.',
    example: '12.01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90',
  },
  outcome: {
    type: oneOf(['delivered', 'released']),
    required: true,
    description: 'Whether the place was given, which costs its price, or not, which costs nothing.',
    example: 'delivered',
  },
  at: {
    type: instant,
    description: 'When, from the reservation of the placement on; by default, now.',
    example: '2026-02-11T18:00:00Z',
  },
} as const;

export const outcomeLineSchema: Schema = {
  title: 'PlacementOutcome',
  description: 'What became of a placement.',
  type: 'object',
  properties: propertiesOf(outcomeParameters),
  required: ['placement_id', 'outcome'],
  additionalProperties: false,
};

export const exampleOutcomes = [
  { placement_id: outcomeParameters.placement_id.example, outcome: 'delivered', at: '2026-02-11T18:00:00Z' },
  { placement_id: '12.01979f3e-6b1d-7d0a-9f57-2c8e4d1b7a91', outcome: 'released' },
];

const count: Schema = { type: 'integer', minimum: 0, maximum: MAX_LINES };
const string: Schema = { type: 'string' };

export const outcomeBatchSchema = record<OutcomeBatchResult>(
  'PlacementOutcomes',
  'A result for each line, in order, and their counts.',
  {
    results: {
      type: 'array',
      items: record<OutcomeLineResult>('PlacementOutcomeResult', 'What one line did.', {
        line: { type: 'integer', minimum: 1, description: 'The position of the line, from 1.' },
        placement_id: { ...orNull(string), description: 'Null if the line has no valid one.' },
        result: { ...string, enum: ['updated', 'unchanged', 'rejected'] },
        errors: {
          type: 'array',
          items: record('PlacementOutcomeError', 'Why a line was rejected.', {
            name: { ...string, description: 'The parameter; blank if the error concerns the whole line.' },
            reason: { ...string, description: 'What is wrong with it, and what was expected.' },
          }),
        },
      }),
    },
    updated: count,
    unchanged: count,
    rejected: count,
  },
);

export const exampleOutcomeResult: OutcomeBatchResult = {
  results: [
    { line: 1, placement_id: outcomeParameters.placement_id.example, result: 'updated', errors: [] },
    {
      line: 2,
      placement_id: '12.01979f3e-6b1d-7d0a-9f57-2c8e4d1b7a91',
      result: 'rejected',
      errors: [{ name: 'outcome', reason: 'the placement was delivered at 2026-02-11T18:00:00Z' }],
    },
  ],
  updated: 1,
  unchanged: 0,
  rejected: 1,
};
